#ifndef TESSERA_PHYSICS_PIC_POISSON_GRID_HPP
#define TESSERA_PHYSICS_PIC_POISSON_GRID_HPP

#include "core/operations/argument_check.hpp"
#include "physics/pic/grid.hpp"
#include "physics/pic/poisson_boundary.hpp"

#include <cstdint>
#include <string_view>

/// \file
/// Requirements of Poisson solvers on grids.

namespace tessera::pic {

/// Checks a problem. \throws ArgumentError for an unknown boundary, a direction with fewer than 4
/// nodes, or too many nodes.
void require_poisson_grid(std::string_view operation, const std::int64_t (&nodes)[3],
                          PoissonBoundary boundary);

/// Boundary condition of a grid with or without walls around it.
/// \throws ArgumentError if a direction other than z is periodic, or if there are walls and z is
/// not periodic.
[[nodiscard]] PoissonBoundary poisson_boundary(const ArgumentCheck& check, const Grid& grid,
                                               bool walls = false);

/// Checks the argument "grid": it must be valid and the one for which the plan was made.
void check_poisson_grid(const ArgumentCheck& check, const Grid& grid,
                        const std::int64_t (&nodes)[3], PoissonBoundary boundary);

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_POISSON_GRID_HPP
