#include "physics/md/wrap/wrap.hpp"

namespace tessera::md {

WrapCheck::WrapCheck(const WrapProblem& problem) : problem_(problem) {
  require_count(Wrap::name, "atoms", problem.atoms);
}

template <class Storage>
void WrapCheck::operator()(ArgumentCheck& check, const WrapArgs<Storage>& args) const {
  for_each_argument(check, args);
  check_box(args.box);
}

template void WrapCheck::operator()(ArgumentCheck&, const WrapArgs<double>&) const;
template void WrapCheck::operator()(ArgumentCheck&, const WrapArgs<float>&) const;

}  // namespace tessera::md
