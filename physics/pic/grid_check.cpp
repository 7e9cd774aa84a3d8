#include "physics/pic/grid_check.hpp"

#include "core/base/shortest_number.hpp"
#include "physics/pic/shape_order.hpp"

#include <cmath>
#include <limits>
#include <string>

namespace tessera::pic {
namespace {

constexpr std::int64_t most_nodes = std::int64_t{1} << 31;

bool is_sound(const Grid& grid) {
  bool sound = true;
  for (int a = 0; a < 3; ++a)
    sound = sound && std::isfinite(grid.lower[a]) && grid.spacing[a] > 0 &&
            std::isfinite(1 / grid.spacing[a]) && std::isfinite(grid.spacing[a]) &&
            grid.nodes[a] >= (grid.periodic[a] ? 1 : 2) && grid.nodes[a] < most_nodes;
  return sound;
}

}  // namespace

void require_nodes(std::string_view operation, const std::int64_t (&nodes)[3],
                   const bool (&periodic)[3], std::int64_t least) {
  for (int a = 0; a < 3; ++a)
    require_count(operation, "nodes", nodes[a], periodic[a] ? 1 : least, most_nodes - 1);
  // The size of an array of all nodes must not overflow either.
  require_count(operation, "nodes", nodes[0] * nodes[1], 1,
                std::numeric_limits<std::int64_t>::max() / 64 / nodes[2]);
}

void require_shape_order(std::string_view operation, int order) {
  require_count(operation, "shape_order", order, 1, most_shape_order);
}

void check_grid(const ArgumentCheck& check, const Grid& grid) {
  if (is_sound(grid)) return;
  for (int a = 0; a < 3; ++a) {
    const std::string axis = std::string(" of ") + axis_name[a] + " is ";
    if (!std::isfinite(grid.lower[a]))
      check.refuse("grid",
                   "lower" + axis + shortest_number(grid.lower[a]) + ", expected a finite number");
    if (!(grid.spacing[a] > 0) || !std::isfinite(grid.spacing[a]) ||
        !std::isfinite(1 / grid.spacing[a]))
      check.refuse("grid", "spacing" + axis + shortest_number(grid.spacing[a]) +
                               ", expected a positive number");
    const std::int64_t least = grid.periodic[a] ? 1 : 2;
    if (grid.nodes[a] < least || grid.nodes[a] >= most_nodes)
      check.refuse("grid", "nodes" + axis + std::to_string(grid.nodes[a]) + ", expected " +
                               std::to_string(least) + " to 2^31 - 1");
  }
}

void check_grid(const ArgumentCheck& check, const Grid& grid, const std::int64_t (&nodes)[3],
                const bool (&periodic)[3]) {
  check_grid(check, grid);
  for (int a = 0; a < 3; ++a)
    if (grid.nodes[a] != nodes[a] || grid.periodic[a] != periodic[a])
      check.refuse("grid", std::to_string(grid.nodes[a]) + (grid.periodic[a] ? " periodic" : "") +
                               " nodes along " + axis_name[a] + ", expected " +
                               std::to_string(nodes[a]) +
                               (periodic[a] ? ", periodic" : ", not periodic"));
}

}  // namespace tessera::pic
