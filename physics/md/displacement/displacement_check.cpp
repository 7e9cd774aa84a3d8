#include "physics/md/displacement/displacement.hpp"

namespace tessera::md {

DisplacementCheck::DisplacementCheck(const DisplacementProblem& problem) : problem_(problem) {
  require_count(Displacement::name, "atoms", problem.atoms);
}

template <class Storage>
void DisplacementCheck::operator()(ArgumentCheck& check,
                                   const DisplacementArgs<Storage>& args) const {
  check.array("positions", args.positions, {problem_.atoms, 3});
  check.optional("reference", args.reference, {problem_.atoms, 3});
  check.at_least("result", args.result, 1);
}

template void DisplacementCheck::operator()(ArgumentCheck&, const DisplacementArgs<double>&) const;
template void DisplacementCheck::operator()(ArgumentCheck&, const DisplacementArgs<float>&) const;

}  // namespace tessera::md
