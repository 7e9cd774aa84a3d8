#include "physics/pic/charge_deposit/cloud_inputs.hpp"

#include "physics/pic/grid_axis.hpp"

namespace tessera::pic::clouds {

Grid grid_of(std::int64_t nx, std::int64_t ny, std::int64_t nz) {
  Grid grid;
  const std::int64_t nodes[3] = {nx, ny, nz};
  const double lower[3] = {-1.5, 0.25, -7};
  const double spacing[3] = {0.5, 0.125, 0.75};
  for (int a = 0; a < 3; ++a) {
    grid.nodes[a] = nodes[a];
    grid.lower[a] = lower[a];
    grid.spacing[a] = spacing[a];
  }
  return grid;
}

double first_node(const Grid& grid, int a) {
  return grid.lower[a] + 0.5 * grid.spacing[a];
}

Positions uniform(const Grid& grid, std::int64_t n, double margin, std::uint64_t seed) {
  const Numbers numbers(seed);
  Positions positions(static_cast<std::size_t>(n));
  std::uint64_t index = 0;
  for (auto& position : positions)
    for (int a = 0; a < 3; ++a) {
      const double width = static_cast<double>(grid.nodes[a] - 1) - 2 * margin;
      position[static_cast<std::size_t>(a)] =
          first_node(grid, a) + (margin + width * numbers.uniform(index++)) * grid.spacing[a];
    }
  return positions;
}

Positions gaussian(const Grid& grid, std::int64_t n, std::uint64_t seed) {
  const Numbers numbers(seed);
  Positions positions(static_cast<std::size_t>(n));
  std::uint64_t index = 0;
  std::pair<double, double> pair;
  for (auto& position : positions)
    for (int a = 0; a < 3; ++a, ++index) {
      if (index % 2 == 0) pair = numbers.normal_pair(index / 2);
      const double size = static_cast<double>(grid.nodes[a]) * grid.spacing[a];
      position[static_cast<std::size_t>(a)] =
          grid.lower[a] + size * (0.5 + 0.125 * (index % 2 == 0 ? pair.first : pair.second));
    }
  return positions;
}

namespace {

/// \param directions slowest first.
void sort_by(const int (&directions)[3], const Grid& grid, Positions& positions) {
  const GridAxes axes = grid_axes(grid);
  const auto cells = static_cast<std::size_t>(grid.nodes[0] * grid.nodes[1] * grid.nodes[2]);
  std::vector<std::uint32_t> keys(positions.size());
  std::vector<std::size_t> starts(cells + 2);
  for (std::size_t p = 0; p < positions.size(); ++p) {
    std::size_t key = 0;
    bool inside = true;
    for (const int a : directions) {
      std::int32_t low = 0;
      double fraction = 0;
      inside =
          inside && axes.axis[a].locate(positions[p][static_cast<std::size_t>(a)], low, fraction);
      key = key * static_cast<std::size_t>(grid.nodes[a]) + static_cast<std::size_t>(low);
    }
    keys[p] = static_cast<std::uint32_t>(inside ? key : cells);
    ++starts[keys[p] + 1];
  }
  for (std::size_t c = 1; c < starts.size(); ++c)
    starts[c] += starts[c - 1];
  Positions sorted(positions.size());
  for (std::size_t p = 0; p < positions.size(); ++p)
    sorted[starts[keys[p]]++] = positions[p];
  positions = std::move(sorted);
}

}  // namespace

void sort_by_cell(const Grid& grid, Positions& positions) {
  sort_by({0, 1, 2}, grid, positions);
}

void reorder(const Grid& grid, Positions& positions) {
  sort_by({2, 1, 0}, grid, positions);
}

}  // namespace tessera::pic::clouds
