#ifndef TESSERA_PHYSICS_REDUCTION_SUM_SUM_PART_HPP
#define TESSERA_PHYSICS_REDUCTION_SUM_SUM_PART_HPP

#include "physics/reduction/sum/sum.hpp"

#include <memory>
#include <string>

/// \file
/// Sums as a part of other operations (select_part in core/operations/choices.hpp). Not a template
/// of bodies: these are compiled for devices too, where nothing is selected.

namespace tessera::reduction {

/// Of the implementation of `backend` that is the choice for the problem.
/// \throws RefusalError when none can run.
template <class P>
[[nodiscard]] std::unique_ptr<Plan<Sum, P>> sum_part(const SumProblem& problem,
                                                     const std::string& backend,
                                                     const Context& context);

}  // namespace tessera::reduction

#endif  // TESSERA_PHYSICS_REDUCTION_SUM_SUM_PART_HPP
