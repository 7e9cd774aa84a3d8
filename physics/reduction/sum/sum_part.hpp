#ifndef TESSERA_PHYSICS_REDUCTION_SUM_SUM_PART_HPP
#define TESSERA_PHYSICS_REDUCTION_SUM_SUM_PART_HPP

#include "physics/reduction/sum/sum.hpp"

#include <memory>
#include <string>

/// \file
/// Sums as parts of other operations (select_part in core/operations/choices.hpp). Instantiated in
/// a separate source file and not in bodies, because device compilers compile bodies too and
/// selection is host code.

namespace tessera::reduction {

/// A plan of the implementation that `backend` selects for the problem.
/// \throws RefusalError if none can run.
template <class P>
[[nodiscard]] std::unique_ptr<Plan<Sum, P>> sum_part(const SumProblem& problem,
                                                     const std::string& backend,
                                                     const Context& context);

}  // namespace tessera::reduction

#endif  // TESSERA_PHYSICS_REDUCTION_SUM_SUM_PART_HPP
