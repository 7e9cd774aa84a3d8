#ifndef TESSERA_PHYSICS_PIC_POISSON_GRID_HPP
#define TESSERA_PHYSICS_PIC_POISSON_GRID_HPP

#include "core/operations/argument_check.hpp"
#include "physics/pic/grid.hpp"
#include "physics/pic/poisson_boundary.hpp"

#include <cstdint>
#include <string_view>

/// \file
/// What solvers of Poisson's equation ask of a grid.

namespace tessera::pic {

/// Of a problem. \throws ArgumentError where the boundary is none, a direction has fewer than 4
/// nodes, or there are too many.
void require_poisson_grid(std::string_view operation, const std::int64_t (&nodes)[3],
                          PoissonBoundary boundary);

/// The boundary that goes with the periods of a grid, and with walls around it.
/// \throws ArgumentError where a direction but z is periodic, or z is not and there are walls.
[[nodiscard]] PoissonBoundary poisson_boundary(const ArgumentCheck& check, const Grid& grid,
                                               bool walls = false);

/// Of the argument "grid": it makes sense, and is the one that the plan was made for.
void check_poisson_grid(const ArgumentCheck& check, const Grid& grid,
                        const std::int64_t (&nodes)[3], PoissonBoundary boundary);

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_POISSON_GRID_HPP
