#include "backends/openmp/pair_force_cluster/columns.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <random>
#include <vector>

namespace tessera::openmp::cluster {
namespace {

TEST_CASE("openmp.cluster: columns of a rectangle, all of a region or those that hold atoms") {
  const int cells[2] = {40, 25};
  for (const std::size_t kept : {std::size_t{0}, std::size_t{1}, std::size_t{90}}) {
    CAPTURE(kept);
    Columns columns;
    columns.fill({40.0, 25.0}, 1.0, 1e9);
    REQUIRE(columns.cells(0) == cells[0]);
    REQUIRE(columns.cells(1) == cells[1]);
    std::mt19937 random(7);
    const auto any = [&](int low, int high) {
      return std::uniform_int_distribution<int>(low, high)(random);
    };
    std::vector<std::uint64_t> keys;
    for (std::size_t k = 0; k < kept; ++k)
      keys.push_back(Columns::key(any(0, cells[0] - 1), any(0, cells[1] - 1)));
    if (kept > 0) columns.keep(keys.data(), keys.size());
    columns.first = 5;
    for (int trial = 0; trial < 200; ++trial) {
      // Rectangles may be empty.
      const int low[2] = {any(0, cells[0]), any(0, cells[1])};
      const int high[2] = {any(-1, cells[0] - 1), any(-1, cells[1] - 1)};
      std::vector<std::array<int, 3>> visited;
      columns.visit(low, high, [&](int column, int x, int y) {
        visited.push_back({column, x, y});
      });
      std::vector<std::array<int, 3>> expected;
      for (int column = 5; column < 5 + columns.count(); ++column) {
        int at[2];
        columns.place(column, at);
        if (at[0] >= low[0] && at[0] <= high[0] && at[1] >= low[1] && at[1] <= high[1])
          expected.push_back({column, at[0], at[1]});
      }
      CHECK(visited == expected);
    }
  }
}

}  // namespace
}  // namespace tessera::openmp::cluster
