#include "physics/md/wrap/wrap.hpp"

namespace tessera::md {

WrapCheck::WrapCheck(const WrapProblem& problem) : problem_(problem) {
  require_count(Wrap::name, "atoms", problem.atoms);
}

template <class Storage>
void WrapCheck::operator()(ArgumentCheck& check, const WrapArgs<Storage>& args) const {
  check.array("positions", args.positions, {problem_.atoms, 3});
  check.optional("images", args.images, {problem_.atoms, 3});
  check_box(args.box);
}

template void WrapCheck::operator()(ArgumentCheck&, const WrapArgs<double>&) const;
template void WrapCheck::operator()(ArgumentCheck&, const WrapArgs<float>&) const;

}  // namespace tessera::md
