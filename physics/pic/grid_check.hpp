#ifndef TESSERA_PHYSICS_PIC_GRID_CHECK_HPP
#define TESSERA_PHYSICS_PIC_GRID_CHECK_HPP

#include "core/operations/argument_check.hpp"
#include "physics/pic/grid.hpp"

#include <cstdint>
#include <string_view>

/// \file
/// What operations ask of a grid.

namespace tessera::pic {

inline constexpr const char* axis_name[] = {"x", "y", "z"};

/// Of a problem.
/// \param least in a direction that is not periodic.
/// \throws ArgumentError where a direction has no such number of nodes, or all have too many.
void require_nodes(std::string_view operation, const std::int64_t (&nodes)[3],
                   const bool (&periodic)[3], std::int64_t least = 2);

/// \throws ArgumentError where there is no particle shape of this order.
void require_shape_order(std::string_view operation, int order);

/// Of the argument "grid". \throws ArgumentError where it makes no sense.
void check_grid(const ArgumentCheck& check, const Grid& grid);
/// And it is the one that the plan was made for.
void check_grid(const ArgumentCheck& check, const Grid& grid, const std::int64_t (&nodes)[3],
                const bool (&periodic)[3]);

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_GRID_CHECK_HPP
