#include "backends/gpu/deposit_cells/cells.hpp"
#include "backends/gpu/deposit_cells/parameters.hpp"
#include "backends/gpu/deposit_copies/parameters.hpp"
#include "core/base/random.hpp"
#include "tests/support/message_of.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

// Runs the construction of the list of cuda.cells and of its colors on the host, with loops in
// place of threads.

namespace tessera::gpu::deposit_cells {
namespace {

/// Execution space with the one function that the kernel bodies use.
struct OneThread {
  template <class T>
  static T atomic_add(T* address, T value) {
    const T before = *address;
    *address += value;
    return before;
  }
};

pic::GridAxis axis_of(std::int32_t cells, bool periodic) {
  pic::GridAxis axis;
  axis.cells = cells;
  axis.nodes = periodic ? cells : cells + 1;
  axis.inverse_period = 1.0 / axis.nodes;
  axis.periodic = periodic;
  return axis;
}

TEST_CASE("cuda.cells: every particle is in the list of its cell, once") {
  const std::int32_t cells_along[3] = {5, 4, 7};
  CellTable table;
  for (int a = 0; a < 3; ++a)
    table.axes.axis[a] = axis_of(cells_along[a], a == 1);
  constexpr std::int64_t particles = 2000;
  RandomSequence random(3);
  std::vector<double> x;
  std::vector<std::uint8_t> alive;
  for (std::int64_t p = 0; p < particles; ++p) {
    for (const std::int32_t cells : cells_along)
      x.push_back(random.uniform(-0.5, cells + 0.5));
    alive.push_back(p % 7 == 0 ? 0 : 1);
  }
  const std::int64_t cells = table.cells();
  CHECK(cells == 140);
  for (const std::int64_t segment : {1, 9, 140, 1000}) {
    const std::int64_t segments = (cells + segment - 1) / segment;
    std::vector<std::uint32_t> counts(140), up_to(140), of_segment(141), offset(141);
    std::vector<std::uint32_t> cell_of(particles), rank(particles), list(particles, 12345678);
    std::int64_t outside = 0;
    for (std::int64_t p = 0; p < particles; ++p)
      CountParticles<double, OneThread>{{x.data(), {particles, 3}},
                                        {alive.data(), {particles}},
                                        table,
                                        counts.data(),
                                        cell_of.data(),
                                        rank.data(),
                                        &outside}(p);
    for (std::int64_t s = 0; s < segments; ++s)
      SumWithinSegment{counts.data(), cells, segment, up_to.data(), of_segment.data()}(s);
    SumOverSegments{segments, of_segment.data()}(0);
    for (std::int64_t cell = 0; cell < cells; ++cell)
      AddSegments{up_to.data(), of_segment.data(), segment, offset.data()}(cell);
    for (std::int64_t p = 0; p < particles; ++p)
      ListParticles{cell_of.data(), rank.data(), offset.data(), list.data()}(p);
    CHECK(offset[0] == 0);
    std::vector<std::uint32_t> listed;
    std::int64_t wrong = 0;
    for (std::size_t cell = 0; cell < 140; ++cell)
      for (std::uint32_t n = offset[cell]; n < offset[cell + 1]; ++n) {
        listed.push_back(list[n]);
        std::int32_t low[3] = {0, 0, 0};
        double fraction[3];
        const bool inside = pic::locate_particle<double>(table.axes, {x.data(), {particles, 3}},
                                                         list[n], low, fraction);
        if (!inside || table.number(low) != static_cast<std::int64_t>(cell)) ++wrong;
      }
    CHECK(wrong == 0);
    std::sort(listed.begin(), listed.end());
    CHECK(std::adjacent_find(listed.begin(), listed.end()) == listed.end());
    std::int64_t lost = 0;
    for (const std::uint8_t flag : alive)
      lost += flag == 0 ? 1 : 0;
    CHECK(static_cast<std::int64_t>(listed.size()) == particles - lost - outside);
    CHECK(outside > 0);
  }
}

TEST_CASE("cuda.cells: rows of a colour share no nodes, and every row has one") {
  for (const bool periodic : {false, true})
    for (std::int32_t cells = 1; cells < 12; ++cells) {
      CAPTURE(periodic);
      CAPTURE(cells);
      const pic::GridAxis axis = axis_of(cells, periodic);
      std::vector<int> taken(static_cast<std::size_t>(cells), 0);
      for (int colour = 0; colour < colours(axis); ++colour) {
        std::vector<int> used(static_cast<std::size_t>(axis.nodes), 0);
        for (int n = 0; n < rows_of_colour(axis, colour); ++n) {
          const std::int32_t row = row_of_colour(axis, colour, n);
          ++taken[static_cast<std::size_t>(row)];
          ++used[static_cast<std::size_t>(row)];
          if (axis.above(row) != row) ++used[static_cast<std::size_t>(axis.above(row))];
        }
        CHECK(*std::max_element(used.begin(), used.end()) <= 1);
      }
      CHECK(std::count(taken.begin(), taken.end(), 1) == cells);
    }
}

template <class Parameters>
std::string refused(const char* name, std::int64_t value) {
  return test::message_of([&] { (void)make_parameters<Parameters>({{name, value}}); });
}

TEST_CASE("cuda.cells and cuda.copies: what no problem allows") {
  CHECK(refused<Parameters>("segment", 0).find("a segment from 1 to 1048576") != std::string::npos);
  CHECK(refused<Parameters>("block_size", 48).find("a block_size up to 1024") != std::string::npos);
  CHECK(refused<deposit_copies::Parameters>("copies", 0).find("copies from 1 to 65536") !=
        std::string::npos);
  CHECK(refused<deposit_copies::Parameters>("team_size", 512).find("a team_size up to 256") !=
        std::string::npos);
}

}  // namespace
}  // namespace tessera::gpu::deposit_cells
