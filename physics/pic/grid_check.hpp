#ifndef TESSERA_PHYSICS_PIC_GRID_CHECK_HPP
#define TESSERA_PHYSICS_PIC_GRID_CHECK_HPP

#include "core/operations/argument_check.hpp"
#include "physics/pic/grid.hpp"

#include <cstdint>
#include <string_view>

/// \file
/// Requirements of operations on a grid.

namespace tessera::pic {

inline constexpr const char* axis_name[] = {"x", "y", "z"};

/// Checks the numbers of nodes of a problem.
/// \param least minimum in a direction that is not periodic.
/// \throws ArgumentError if a direction has too few or too many nodes, or the grid has too many in
/// total.
void require_nodes(std::string_view operation, const std::int64_t (&nodes)[3],
                   const bool (&periodic)[3], std::int64_t least = 2);

/// \throws ArgumentError for a shape order that is not supported.
void require_shape_order(std::string_view operation, int order);

/// Checks the argument "grid". \throws ArgumentError where it is invalid.
void check_grid(const ArgumentCheck& check, const Grid& grid);
/// Also checks that the grid is the one for which the plan was made.
void check_grid(const ArgumentCheck& check, const Grid& grid, const std::int64_t (&nodes)[3],
                const bool (&periodic)[3]);

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_GRID_CHECK_HPP
