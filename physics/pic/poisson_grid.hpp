#ifndef TESSERA_PHYSICS_PIC_POISSON_GRID_HPP
#define TESSERA_PHYSICS_PIC_POISSON_GRID_HPP

#include "core/operations/argument_check.hpp"
#include "physics/pic/grid.hpp"
#include "physics/pic/poisson_boundary.hpp"

#include <cstdint>
#include <string_view>

/// \file
/// Requirements of Poisson solvers on a grid.

namespace tessera::pic {

/// Checks a problem. \throws ArgumentError for an unknown boundary, a direction with fewer than 4
/// nodes, or too many nodes.
void require_poisson_grid(std::string_view operation, const std::int64_t (&nodes)[3],
                          PoissonBoundary boundary);

/// Boundary for the periods of a grid and for walls around it.
/// \throws ArgumentError where a direction other than z is periodic, or z is not and there are
/// walls.
[[nodiscard]] PoissonBoundary poisson_boundary(const ArgumentCheck& check, const Grid& grid,
                                               bool walls = false);

/// Checks the argument "grid": it is valid and the one that the plan was made for.
void check_poisson_grid(const ArgumentCheck& check, const Grid& grid,
                        const std::int64_t (&nodes)[3], PoissonBoundary boundary);

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_POISSON_GRID_HPP
