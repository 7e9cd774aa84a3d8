#ifndef TESSERA_PHYSICS_PIC_POISSON_SOLVE_POISSON_SOLVE_REFERENCE_HPP
#define TESSERA_PHYSICS_PIC_POISSON_SOLVE_POISSON_SOLVE_REFERENCE_HPP

#include "physics/pic/poisson_solve/poisson_solve.hpp"

#include <cstdint>
#include <vector>

namespace tessera::pic {

/// The oracle of pic/poisson_solve: the sums as they stand, in double.
template <class Storage>
void poisson_solve_reference(const PoissonSolveProblem& problem,
                             const PoissonSolveArgs<Storage>& args);

/// The potential of some nodes, each told by its number with z fastest.
template <class Storage>
[[nodiscard]] std::vector<double> potentials_reference(const PoissonSolveProblem& problem,
                                                       const PoissonSolveArgs<Storage>& args,
                                                       const std::vector<std::int64_t>& nodes);

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_POISSON_SOLVE_POISSON_SOLVE_REFERENCE_HPP
