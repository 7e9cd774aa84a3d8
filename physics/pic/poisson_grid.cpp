#include "physics/pic/poisson_grid.hpp"

#include "core/base/error.hpp"
#include "physics/pic/grid_check.hpp"

#include <string>

namespace tessera::pic {
namespace {

constexpr std::int64_t fewest_nodes = 4;
/// Largest number of nodes: twice as many fit in 32 bits along one direction, and in 64 bits in
/// total.
constexpr std::int64_t most_nodes_of_solver = std::int64_t{1} << 29;

}  // namespace

void require_poisson_grid(std::string_view operation, const std::int64_t (&nodes)[3],
                          PoissonBoundary boundary) {
  if (boundary != PoissonBoundary::open && boundary != PoissonBoundary::periodic_z &&
      boundary != PoissonBoundary::pipe)
    throw ArgumentError(std::string(operation), "boundary", "it is none of open, periodic_z, pipe");
  for (const std::int64_t n : nodes)
    require_count(operation, "nodes", n, fewest_nodes, most_nodes_of_solver);
  const bool periodic[3] = {false, false, boundary != PoissonBoundary::open};
  require_nodes(operation, nodes, periodic);
}

PoissonBoundary poisson_boundary(const ArgumentCheck& check, const Grid& grid, bool walls) {
  check_grid(check, grid);
  for (int a = 0; a < 2; ++a)
    if (grid.periodic[a])
      check.refuse("grid", std::string("it is periodic along ") + axis_name[a] +
                               "; supported are open boundaries and a period along z");
  if (walls && !grid.periodic[2])
    check.refuse("grid", "it is not periodic along z, which walls across require");
  if (walls) return PoissonBoundary::pipe;
  return grid.periodic[2] ? PoissonBoundary::periodic_z : PoissonBoundary::open;
}

void check_poisson_grid(const ArgumentCheck& check, const Grid& grid,
                        const std::int64_t (&nodes)[3], PoissonBoundary boundary) {
  check_grid(check, grid, nodes, {false, false, boundary != PoissonBoundary::open});
}

}  // namespace tessera::pic
