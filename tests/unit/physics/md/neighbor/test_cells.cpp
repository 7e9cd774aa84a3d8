#include "core/base/random.hpp"
#include "physics/md/neighbor/class_grids.hpp"
#include "physics/md/neighbor/cutoff_classes.hpp"
#include "physics/md/neighbor/neighbor_list.hpp"
#include "physics/md/pair_potential/coefficient_table.hpp"
#include "tests/support/relative.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <vector>

namespace tessera::md {
namespace {

CellGrid grid_of(double length, double width, std::int64_t most) {
  Box box;
  for (double& l : box.length)
    l = length;
  return CellGrid::make(box, {}, width, most);
}

std::int64_t slot_of(const CellGrid& grid, const Vec3<double>& r) {
  std::int32_t cell[3];
  grid.find_cell(grid.fold(r), cell);
  return grid.slot(cell[0], cell[1], cell[2]);
}

TEST_CASE("cells have their own slots while they are not many more than atoms") {
  const CellGrid grid = grid_of(30, 3, 1000);
  CHECK_FALSE(grid.shared);
  CHECK(grid.slots == 1000);
  CHECK(grid.slot(9, 9, 9) == 999);
}

TEST_CASE("beyond, slots stay as many as asked for, whatever the box") {
  for (const double length : {1e2, 1e4, 1e8, 1e12}) {
    const CellGrid grid = grid_of(length, 2.9, 20000);
    CHECK(grid.shared);
    CHECK(grid.slots <= 20000);
    CHECK(grid.slots > 10000);
    for (int d = 0; d < 3; ++d)
      CHECK(grid.width[d] >= 2.9);
    const std::int32_t last = grid.count[0] - 1;
    CHECK(grid.slot(last, last, last) >= 0);
    CHECK(grid.slot(last, last, last) < grid.slots);
  }
}

TEST_CASE("cells around one, and along a line, have different slots") {
  for (const std::int64_t most : {64, 6000, 70000, 4000000}) {
    const CellGrid grid = grid_of(1e6, 2.5, most);
    std::set<std::int64_t> around;
    for (std::int32_t x = -1; x <= 1; ++x)
      for (std::int32_t y = -1; y <= 1; ++y)
        for (std::int32_t z = -1; z <= 1; ++z)
          around.insert(grid.slot(5000 + x, 70000 + y, 300 + z));
    CHECK(around.size() == 27);
    for (const std::array<int, 3> along : {std::array{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}}) {
      std::set<std::int64_t> line;
      for (std::int32_t i = 0; i < 3000; ++i)
        line.insert(grid.slot(i * along[0], i * along[1], i * along[2]));
      CHECK(line.size() == 3000);
    }
  }
}

TEST_CASE("the cells of a ball overlap little with themselves") {
  // 64,000 atoms at the density of a liquid.
  const CellGrid grid = grid_of(1e4, 2.9, 256000);
  std::set<std::int64_t> slots;
  int cells = 0;
  for (std::int32_t x = -10; x <= 10; ++x)
    for (std::int32_t y = -10; y <= 10; ++y)
      for (std::int32_t z = -10; z <= 10; ++z) {
        if (x * x + y * y + z * z > 100) continue;
        ++cells;
        slots.insert(grid.slot(1000 + x, 2000 + y, 50 + z));
      }
  CHECK(static_cast<int>(slots.size()) == cells);
}

TEST_CASE("atoms within the width are in adjacent cells of wide boxes") {
  RandomSequence random(3);
  for (const double length : {1e3, 1e7}) {
    const CellGrid grid = grid_of(length, 2.5, 1000);
    for (int k = 0; k < 2000; ++k) {
      const Vec3<double> a{length * random.uniform(), length * random.uniform(),
                           length * random.uniform()};
      const Vec3<double> b{a.x + 1.4 * (2 * random.uniform() - 1),
                           a.y + 1.4 * (2 * random.uniform() - 1),
                           a.z + 1.4 * (2 * random.uniform() - 1)};
      std::int32_t cells[2][3];
      grid.find_cell(grid.fold(a), cells[0]);
      grid.find_cell(grid.fold(b), cells[1]);
      for (int d = 0; d < 3; ++d) {
        const std::int32_t apart = std::abs(cells[0][d] - cells[1][d]);
        CHECK(std::min(apart, grid.count[d] - apart) <= 1);
      }
      CHECK(slot_of(grid, a) < grid.slots);
    }
  }
}

CellGrid grid_of_counts(const std::array<std::int32_t, 3>& counts) {
  Box box;
  for (int d = 0; d < 3; ++d)
    box.length[d] = counts[static_cast<std::size_t>(d)] + 0.5;
  return CellGrid::make(box, {}, 1, 1 << 20);
}

TEST_CASE("pencils of any width give each cell a slot of its own") {
  for (const std::array<std::int32_t, 3> counts :
       {std::array{12, 8, 5}, {7, 5, 3}, {1, 9, 4}, {9, 1, 4}, {2, 3, 1}, {13, 11, 17}})
    for (const std::int32_t block : {1, 2, 3, 4, 8, 100}) {
      CellGrid grid = grid_of_counts(counts);
      REQUIRE_FALSE(grid.shared);
      grid.arrange(block);
      std::set<std::int64_t> slots;
      for (std::int32_t x = 0; x < grid.count[0]; ++x)
        for (std::int32_t y = 0; y < grid.count[1]; ++y)
          for (std::int32_t z = 0; z < grid.count[2]; ++z)
            slots.insert(grid.slot(x, y, z));
      CHECK(static_cast<std::int64_t>(slots.size()) == grid.slots);
      CHECK(*slots.begin() == 0);
      CHECK(*slots.rbegin() == grid.slots - 1);
    }
}

TEST_CASE("a block of one cell leaves the rows, and shared slots stay as they are") {
  CellGrid rows = grid_of_counts({6, 5, 4});
  rows.arrange(1);
  for (std::int32_t z = 0; z < 4; ++z)
    CHECK(rows.slot(2, 3, z) == rows.slot_in_rows(2, 3, z));
  // Layer by layer within a pencil.
  rows.arrange(2);
  CHECK(rows.slot(0, 0, 0) == 0);
  CHECK(rows.slot(0, 1, 0) == 1);
  CHECK(rows.slot(1, 0, 0) == 2);
  CHECK(rows.slot(0, 0, 1) == 4);
  CHECK(rows.slot(0, 2, 0) == 16);
  CellGrid shared = grid_of(1e6, 2.5, 6000);
  REQUIRE(shared.shared);
  shared.arrange(4);
  CHECK(shared.slot(5000, 70000, 300) == shared.slot_in_rows(5000, 70000, 300));
}

TEST_CASE("finer cells are within reach, where they are not too many for slots of their own") {
  Box box;
  for (double& length : box.length)
    length = 30;
  const CellGrid fine = CellGrid::make(box, {}, 3, 8000, {2, 4});
  CHECK(fine.count[0] == 20);
  CHECK(fine.cells_within(3, 0) == 2);
  CHECK_FALSE(fine.shared);
  CHECK(fine.block == 4);
  const CellGrid few = CellGrid::make(box, {}, 3, 5000, {2, 4});
  CHECK(few.count[0] == 10);
  CHECK(few.cells_within(3, 0) == 1);
  CHECK_FALSE(few.shared);
}

TEST_CASE("arranged cells hold every pair within reach, however few they are") {
  RandomSequence random(5);
  for (const double length : {3.1, 6.5, 9.3, 21.0}) {
    Box box;
    for (double& l : box.length)
      l = length;
    const double reach = std::min(3.0, length / 2);
    std::vector<Vec3<double>> atoms(150);
    for (Vec3<double>& r : atoms)
      r = {length * random.uniform(), length * random.uniform(), length * random.uniform()};
    const auto separation = [&](const Vec3<double>& a, const Vec3<double>& b) {
      return MinimumImage(box)(a - b);
    };
    for (const CellArrangement arrangement :
         {CellArrangement{1, 3}, {2, 1}, {2, 4}, {1, 1, 4}, {1, 2, 3}}) {
      const CellGrid grid = CellGrid::make(box, {}, reach, 100000, arrangement);
      CHECK(grid.count[2] == grid.count[0] * arrangement.along);
      std::map<std::int64_t, std::vector<std::size_t>> held;
      for (std::size_t i = 0; i < atoms.size(); ++i)
        held[slot_of(grid, atoms[i])].push_back(i);
      int missed = 0;
      for (std::size_t i = 0; i < atoms.size(); ++i) {
        std::int32_t cell[3];
        grid.find_cell(grid.fold(atoms[i]), cell);
        std::set<std::size_t> seen;
        const auto ranges = [&](int d) {
          return CellRanges(grid, cell[d], d, grid.cells_within(reach, d));
        };
        const CellRanges rx = ranges(0);
        const CellRanges ry = ranges(1);
        const CellRanges rz = ranges(2);
        for (int ax = 0; ax < rx.count; ++ax)
          for (std::int32_t x = rx.from[ax]; x < rx.to[ax]; ++x)
            for (int ay = 0; ay < ry.count; ++ay)
              for (std::int32_t y = ry.from[ay]; y < ry.to[ay]; ++y)
                for (int az = 0; az < rz.count; ++az)
                  for (std::int32_t z = rz.from[az]; z < rz.to[az]; ++z)
                    for (const std::size_t j : held[grid.slot(x, y, z)])
                      seen.insert(j);
        for (std::size_t j = 0; j < atoms.size(); ++j) {
          const Vec3<double> r = separation(atoms[i], atoms[j]);
          if (r.x * r.x + r.y * r.y + r.z * r.z < reach * reach && !seen.contains(j)) ++missed;
        }
      }
      CHECK(missed == 0);
    }
  }
}

TEST_CASE("cells are not made shorter along z where there would be too many") {
  Box box;
  for (double& l : box.length)
    l = 12;
  CHECK(CellGrid::make(box, {}, 3, 256, {1, 1, 4}).slots == 256);
  CHECK(CellGrid::make(box, {}, 3, 255, {1, 1, 4}).slots == 64);
}

CutoffClasses classes_of(const std::vector<std::vector<double>>& cutoffs) {
  CoefficientTable table(pair_potentials().find("lj/cut"), static_cast<int>(cutoffs.size()));
  for (std::size_t a = 0; a < cutoffs.size(); ++a)
    for (std::size_t b = a; b < cutoffs.size(); ++b)
      table.set(static_cast<int>(a), static_cast<int>(b),
                {{"epsilon", 1}, {"sigma", 1}, {"cutoff", cutoffs[a][b]}});
  return cutoff_classes(table.potential(), table.view());
}

TEST_CASE("types that see alike are searched for together") {
  const CutoffClasses one = classes_of({{2.5, 2.5}, {2.5, 2.5}});
  CHECK(one.uniform);
  CHECK(one.count == 1);
  CHECK(one.alike());
  const CutoffClasses near = classes_of({{2.5, 2.2}, {2.2, 2.0}});
  CHECK_FALSE(near.uniform);
  CHECK(near.count == 1);
  CHECK(near.largest[0][0] == 2.5);
  CHECK_FALSE(near.alike());
  CHECK(classes_of({{2.5, 2.35}, {2.35, 2.2}}).alike());
  CHECK_FALSE(classes_of({{2.5, 0}, {0, 2.5}}).alike());
  CHECK(classes_of({{0, 0}, {0, 0}}).alike());
  const CutoffClasses far = classes_of({{2.5, 15}, {15, 15}});
  CHECK(far.count == 2);
  CHECK(far.of_type == std::vector<std::int32_t>{0, 1});
  CHECK(far.largest[0][1] == 15);
  CHECK(far.width(0, 0.5) == 3);
  // The typical cutoff is that of the most frequent pairs.
  CHECK(far.typical_cutoff({{27000, 2}}) < 3);
  CHECK(far.typical_cutoff({{0, 100}}) == 15);
}

TEST_CASE("types that interact with no type, or only with others, have a class") {
  const CutoffClasses nobody = classes_of({{0, 0}, {0, 2.5}});
  CHECK(nobody.reach(nobody.of_type[0], nobody.of_type[0], 0.3) <= 2.8);
  CHECK(nobody.squared_reaches(0.3)[0] == 0);
  const CutoffClasses others = classes_of({{2.5, 12}, {12, 0}});
  CHECK(others.count == 2);
  CHECK(others.reach(1, 1, 0.3) == 0);
  CHECK(others.width(1, 0.3) == test::relative(12.3));
  const CutoffClasses none = classes_of({{0}});
  CHECK(none.count == 1);
}

TEST_CASE("there are never more classes than there is room for") {
  std::vector<std::vector<double>> cutoffs(12, std::vector<double>(12));
  for (std::size_t a = 0; a < 12; ++a)
    for (std::size_t b = 0; b < 12; ++b)
      cutoffs[a][b] = std::pow(2.0, static_cast<double>(std::max(a, b)));
  const CutoffClasses classes = classes_of(cutoffs);
  CHECK(classes.count == CutoffClasses::most);
  for (const std::int32_t of : classes.of_type)
    CHECK(of < classes.count);
}

}  // namespace
}  // namespace tessera::md
