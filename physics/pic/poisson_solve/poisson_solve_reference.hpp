#ifndef TESSERA_PHYSICS_PIC_POISSON_SOLVE_POISSON_SOLVE_REFERENCE_HPP
#define TESSERA_PHYSICS_PIC_POISSON_SOLVE_POISSON_SOLVE_REFERENCE_HPP

#include "physics/pic/poisson_solve/poisson_solve.hpp"

#include <cstdint>
#include <vector>

namespace tessera::pic {

/// Oracle of pic/poisson_solve: explicit sums, in double.
template <class Storage>
void poisson_solve_reference(const PoissonSolveProblem& problem,
                             const PoissonSolveArgs<Storage>& args);

/// Potential at some nodes, each given by its index with z fastest.
template <class Storage>
[[nodiscard]] std::vector<double> potentials_reference(const PoissonSolveProblem& problem,
                                                       const PoissonSolveArgs<Storage>& args,
                                                       const std::vector<std::int64_t>& nodes);

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_POISSON_SOLVE_POISSON_SOLVE_REFERENCE_HPP
