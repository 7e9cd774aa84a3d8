#ifndef TESSERA_PHYSICS_REDUCTION_MOMENTS_MOMENTS_REFERENCE_HPP
#define TESSERA_PHYSICS_REDUCTION_MOMENTS_MOMENTS_REFERENCE_HPP

#include "physics/reduction/moments/moments.hpp"

namespace tessera::reduction {

/// The oracle of reduction/moments: loops over the rows for each mean, then a loop for each second
/// moment, with compensated sums.
template <class Storage>
void moments_reference(const MomentsProblem& problem, const MomentsArgs<Storage>& args);

}  // namespace tessera::reduction

#endif  // TESSERA_PHYSICS_REDUCTION_MOMENTS_MOMENTS_REFERENCE_HPP
