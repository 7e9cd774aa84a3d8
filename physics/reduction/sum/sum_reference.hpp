#ifndef TESSERA_PHYSICS_REDUCTION_SUM_SUM_REFERENCE_HPP
#define TESSERA_PHYSICS_REDUCTION_SUM_SUM_REFERENCE_HPP

#include "physics/reduction/sum/sum.hpp"

namespace tessera::reduction {

/// The oracle of reduction/sum: one loop over the rows for each term, with a compensated sum.
template <class Storage>
void sum_reference(const SumProblem& problem, const SumArgs<Storage>& args);

}  // namespace tessera::reduction

#endif  // TESSERA_PHYSICS_REDUCTION_SUM_SUM_REFERENCE_HPP
