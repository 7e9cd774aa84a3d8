#include "physics/md/displacement/displacement.hpp"

namespace tessera::md {

DisplacementCheck::DisplacementCheck(const DisplacementProblem& problem) : problem_(problem) {
  require_count(Displacement::name, "atoms", problem.atoms);
}

template <class Storage>
void DisplacementCheck::operator()(ArgumentCheck& check,
                                   const DisplacementArgs<Storage>& args) const {
  for_each_argument(check, args);
}

template void DisplacementCheck::operator()(ArgumentCheck&, const DisplacementArgs<double>&) const;
template void DisplacementCheck::operator()(ArgumentCheck&, const DisplacementArgs<float>&) const;

}  // namespace tessera::md
