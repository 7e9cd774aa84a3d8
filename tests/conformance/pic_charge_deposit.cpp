#include "core/base/error.hpp"
#include "core/base/random.hpp"
#include "core/memory/array.hpp"
#include "core/memory/copy_view.hpp"
#include "core/operations/registry.hpp"
#include "physics/pic/charge_deposit/charge_deposit.hpp"
#include "tests/support/target.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <type_traits>
#include <vector>

/// \file
/// Properties of pic/charge_deposit that need no oracle.

namespace tessera::pic {
namespace {

using Positions = std::vector<std::array<double, 3>>;

/// A grid whose spacings are powers of two, so that nodes and shifts by whole cells are exact in
/// float too.
Grid small_grid() {
  Grid grid;
  const double lower[3] = {-2, 1, -8};
  const double spacing[3] = {0.5, 0.25, 1};
  const std::int64_t nodes[3] = {9, 12, 17};
  for (int a = 0; a < 3; ++a) {
    grid.lower[a] = lower[a];
    grid.spacing[a] = spacing[a];
    grid.nodes[a] = nodes[a];
  }
  return grid;
}

double node_position(const Grid& grid, int a, double node) {
  return grid.lower[a] + (node + 0.5) * grid.spacing[a];
}

double cell_volume(const Grid& grid) {
  return grid.spacing[0] * grid.spacing[1] * grid.spacing[2];
}

/// Random positions, in multiples of 2^-12 of a spacing, that are at least `margin` spacings inside
/// of the outermost nodes.
Positions random_positions(const Grid& grid, int n, double margin = 0, unsigned seed = 1) {
  RandomSequence random(seed);
  Positions positions(static_cast<std::size_t>(n));
  for (auto& position : positions)
    for (int a = 0; a < 3; ++a) {
      const double width = static_cast<double>(grid.nodes[a] - 1) - 2 * margin;
      const double node = margin + width * random.uniform();
      position[static_cast<std::size_t>(a)] =
          node_position(grid, a, std::floor(node * 4096) / 4096);
    }
  return positions;
}

struct Deposited {
  std::vector<double> density;
  std::int64_t outside = 0;
  Grid grid;

  [[nodiscard]] double at(std::int64_t i, std::int64_t j, std::int64_t k) const {
    return density[static_cast<std::size_t>((i * grid.nodes[1] + j) * grid.nodes[2] + k)];
  }
  [[nodiscard]] double total() const {
    return std::accumulate(density.begin(), density.end(), 0.0) * cell_volume(grid);
  }
  [[nodiscard]] double largest() const {
    double largest = 0;
    for (const double value : density)
      largest = std::max(largest, std::abs(value));
    return largest;
  }
};

/// A plan of the target for a grid; `deposit` may be called repeatedly with other particles.
template <class P>
class Target {
 public:
  using Storage = typename P::Storage;

  Target(const Implementation<ChargeDeposit, P>& implementation, const Grid& grid)
      : implementation_(implementation),
        grid_(grid),
        density_(test::context(), grid.nodes[0] * grid.nodes[1] * grid.nodes[2]),
        outside_(test::context(), 1) {
    density_.fill_bytes(0xff);
    outside_.fill_bytes(0xff);
  }

  Deposited deposit(const Positions& positions, double charge = 1,
                    DepositMode mode = DepositMode::overwrite) {
    std::vector<Storage> host;
    for (const auto& position : positions)
      for (const double x : position)
        host.push_back(static_cast<Storage>(x));
    Array<Storage> data(test::context(), host);
    ChargeDepositArgs<Storage> args = arguments();
    args.positions = {data.data(), {static_cast<std::int64_t>(positions.size()), 3}};
    args.charge = charge;
    args.mode = mode;
    const auto plan = implementation_.make_plan(charge_deposit_problem(args), test::context(), {});
    plan->prepare(args);
    plan->execute(args);
    Deposited result;
    result.grid = grid_;
    for (const Storage value : density_.to_host())
      result.density.push_back(static_cast<double>(value));
    result.outside = outside_.to_host()[0];
    return result;
  }

  [[nodiscard]] ChargeDepositArgs<Storage> arguments() {
    ChargeDepositArgs<Storage> args;
    args.grid = grid_;
    args.density = {density_.data(), {grid_.nodes[0], grid_.nodes[1], grid_.nodes[2]}};
    args.outside = outside_.view();
    return args;
  }

 private:
  const Implementation<ChargeDeposit, P>& implementation_;
  Grid grid_;
  Array<Storage> density_;
  Array<std::int64_t> outside_;
};

/// Tolerance between two deposits of some thousand particles, relative to the largest value.
template <class P>
constexpr double tolerance = std::is_same_v<typename P::Storage, float> ? 3e-6 : 1e-13;

template <class P>
void check_same(const Deposited& a, const Deposited& b) {
  REQUIRE(a.density.size() == b.density.size());
  double difference = 0;
  for (std::size_t i = 0; i < a.density.size(); ++i)
    difference = std::fmax(difference, std::abs(a.density[i] - b.density[i]));
  CHECK(difference <= tolerance<P> * a.largest());
  CHECK(a.outside == b.outside);
}

TEST_CASE("a particle on a node gives it all of its charge") {
  test::with_target<ChargeDeposit>([]<class P>(const Implementation<ChargeDeposit, P>& i) {
    const Grid grid = small_grid();
    Target<P> target(i, grid);
    const std::int64_t nodes[][3] = {{3, 5, 7}, {0, 0, 0}, {8, 11, 16}, {8, 0, 3}, {2, 11, 0}};
    for (const auto& node : nodes) {
      Positions one(1);
      for (int a = 0; a < 3; ++a)
        one[0][static_cast<std::size_t>(a)] = node_position(grid, a, static_cast<double>(node[a]));
      const Deposited result = target.deposit(one, 3);
      CHECK(result.outside == 0);
      CHECK(result.at(node[0], node[1], node[2]) == 3 / cell_volume(grid));
      CHECK(result.total() == 3);
    }
  });
}

TEST_CASE("a particle in the middle of a cell gives each corner an eighth") {
  test::with_target<ChargeDeposit>([]<class P>(const Implementation<ChargeDeposit, P>& i) {
    const Grid grid = small_grid();
    const Deposited result = Target<P>(i, grid).deposit(
        {{node_position(grid, 0, 2.5), node_position(grid, 1, 7.5), node_position(grid, 2, 0.5)}});
    for (const std::int64_t x : {2, 3})
      for (const std::int64_t y : {7, 8})
        for (const std::int64_t z : {0, 1})
          CHECK(result.at(x, y, z) == 0.125 / cell_volume(grid));
    CHECK(result.total() == 1);
  });
}

TEST_CASE("charge and first moments are those of the particles") {
  test::with_target<ChargeDeposit>([]<class P>(const Implementation<ChargeDeposit, P>& i) {
    const Grid grid = small_grid();
    Target<P> target(i, grid);
    for (const int n : {0, 1, 2, 31, 32, 33, 1000, 4099}) {
      const Positions positions = random_positions(grid, n);
      const Deposited result = target.deposit(positions, -1.5);
      CHECK(result.outside == 0);
      CHECK(std::abs(result.total() + 1.5 * n) <= tolerance<P> * 1.5 * n);
      double moment[3] = {0, 0, 0};
      for (std::int64_t x = 0; x < grid.nodes[0]; ++x)
        for (std::int64_t y = 0; y < grid.nodes[1]; ++y)
          for (std::int64_t z = 0; z < grid.nodes[2]; ++z) {
            const double charge = result.at(x, y, z) * cell_volume(grid);
            moment[0] += charge * node_position(grid, 0, static_cast<double>(x));
            moment[1] += charge * node_position(grid, 1, static_cast<double>(y));
            moment[2] += charge * node_position(grid, 2, static_cast<double>(z));
          }
      for (std::size_t a = 0; a < 3; ++a) {
        double expected = 0;
        for (const auto& position : positions)
          expected += -1.5 * position[a];
        const double length = grid.spacing[a] * static_cast<double>(grid.nodes[a]);
        CHECK(std::abs(moment[a] - expected) <= tolerance<P> * 1.5 * n * length);
      }
    }
  });
}

TEST_CASE("particles moved by whole cells move the density by as much") {
  test::with_target<ChargeDeposit>([]<class P>(const Implementation<ChargeDeposit, P>& i) {
    const Grid grid = small_grid();
    Target<P> target(i, grid);
    const Positions positions = random_positions(grid, 3000, 2);
    const Deposited first = target.deposit(positions);
    const std::int64_t shift[3] = {1, -2, 2};
    Positions moved = positions;
    for (auto& position : moved)
      for (std::size_t a = 0; a < 3; ++a)
        position[a] += static_cast<double>(shift[a]) * grid.spacing[a];
    const Deposited second = target.deposit(moved);
    Deposited back = second;
    for (std::int64_t x = 0; x < grid.nodes[0]; ++x)
      for (std::int64_t y = 0; y < grid.nodes[1]; ++y)
        for (std::int64_t z = 0; z < grid.nodes[2]; ++z) {
          const std::int64_t from[3] = {x + shift[0], y + shift[1], z + shift[2]};
          bool inside = true;
          for (int a = 0; a < 3; ++a)
            inside = inside && from[a] >= 0 && from[a] < grid.nodes[a];
          back.density[static_cast<std::size_t>((x * grid.nodes[1] + y) * grid.nodes[2] + z)] =
              inside ? second.at(from[0], from[1], from[2]) : 0;
        }
    check_same<P>(first, back);
  });
}

TEST_CASE("a grid that moves with the particles sees the same density") {
  test::with_target<ChargeDeposit>([]<class P>(const Implementation<ChargeDeposit, P>& i) {
    const Grid grid = small_grid();
    Grid moved = grid;
    Positions positions = random_positions(grid, 2000);
    const Deposited first = Target<P>(i, grid).deposit(positions);
    const double shift[3] = {16, -4, 32};
    for (std::size_t a = 0; a < 3; ++a) {
      moved.lower[a] += shift[a];
      for (auto& position : positions)
        position[a] += shift[a];
    }
    check_same<P>(first, Target<P>(i, moved).deposit(positions));
  });
}

TEST_CASE("particles off the grid deposit nothing and are counted") {
  test::with_target<ChargeDeposit>([]<class P>(const Implementation<ChargeDeposit, P>& i) {
    const Grid grid = small_grid();
    Target<P> target(i, grid);
    const Positions inside = random_positions(grid, 700);
    const Deposited alone = target.deposit(inside);
    Positions all = inside;
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const double infinity = std::numeric_limits<double>::infinity();
    for (std::size_t a = 0; a < 3; ++a) {
      const auto last = static_cast<double>(grid.nodes[a] - 1);
      for (const double x : {node_position(grid, static_cast<int>(a), -0x1p-12),
                             node_position(grid, static_cast<int>(a), last + 0x1p-12), 1e20, -1e20,
                             nan, infinity, -infinity}) {
        auto position = inside[all.size() % inside.size()];
        position[a] = x;
        all.insert(all.begin() + static_cast<std::ptrdiff_t>(7 * a), position);
      }
    }
    Deposited together = target.deposit(all);
    CHECK(together.outside == 21);
    together.outside = 0;
    check_same<P>(alone, together);
    CHECK(target.deposit(Positions(40, {nan, 0, 0})).outside == 40);
  });
}

TEST_CASE("periodic directions know no images") {
  test::with_target<ChargeDeposit>([]<class P>(const Implementation<ChargeDeposit, P>& i) {
    for (std::size_t direction = 0; direction < 3; ++direction) {
      Grid grid = small_grid();
      grid.periodic[direction] = true;
      Target<P> target(i, grid);
      // In a periodic direction, half a cell beyond the outermost nodes is on the grid.
      Positions positions = random_positions(grid, 2000);
      const double period = static_cast<double>(grid.nodes[direction]) * grid.spacing[direction];
      for (std::size_t p = 0; p < positions.size(); p += 3)
        positions[p][direction] =
            grid.lower[direction] + (p % 2 == 0 ? 0.25 : -0.25) * grid.spacing[direction];
      const Deposited first = target.deposit(positions);
      CHECK(first.outside == 0);
      CHECK(std::abs(first.total() - 2000) <= tolerance<P> * 2000);
      for (std::size_t p = 0; p < positions.size(); ++p)
        positions[p][direction] += (static_cast<double>(p % 5) - 2) * period;
      check_same<P>(first, target.deposit(positions));
    }
  });
}

TEST_CASE("the last node of a periodic direction shares with the first") {
  test::with_target<ChargeDeposit>([]<class P>(const Implementation<ChargeDeposit, P>& i) {
    Grid grid = small_grid();
    grid.periodic[2] = true;
    const Deposited result = Target<P>(i, grid).deposit(
        {{node_position(grid, 0, 4), node_position(grid, 1, 6), node_position(grid, 2, 16.25)}});
    CHECK(result.at(4, 6, 16) == 0.75 / cell_volume(grid));
    CHECK(result.at(4, 6, 0) == 0.25 / cell_volume(grid));
    CHECK(result.total() == 1);
  });
}

TEST_CASE("two parts added give the whole") {
  test::with_target<ChargeDeposit>([]<class P>(const Implementation<ChargeDeposit, P>& i) {
    const Grid grid = small_grid();
    Target<P> target(i, grid);
    const Positions all = random_positions(grid, 3001);
    const Deposited whole = target.deposit(all);
    target.deposit(Positions(all.begin(), all.begin() + 1234));
    const Deposited parts =
        target.deposit(Positions(all.begin() + 1234, all.end()), 1, DepositMode::add);
    check_same<P>(whole, parts);
  });
}

TEST_CASE("the public call names a particle that is no number and writes nothing") {
  test::with_target<ChargeDeposit>([]<class P>(const Implementation<ChargeDeposit, P>& i) {
    using Storage = typename P::Storage;
    if constexpr (!std::is_same_v<P, Mixed>) {
      const Grid grid = small_grid();
      const Context context = test::context_with_target();
      Target<P> target(i, grid);
      const Deposited before = target.deposit(random_positions(grid, 100));

      std::vector<Storage> columns(3 * 500, static_cast<Storage>(2));
      columns[500 + 321] = std::numeric_limits<Storage>::quiet_NaN();
      Array<Storage> positions(context, columns);
      ChargeDepositArgs<Storage> args = target.arguments();
      args.positions = {positions.data(), {500, 3}, {1, 500}};
      try {
        charge_deposit<P>(context, args);
        FAIL_CHECK("no error");
      } catch (const ParticleError& error) {
        CHECK(error.particles() == std::vector<std::int64_t>{321});
        CHECK(std::string(error.what()).find("y is") != std::string::npos);
      }
      const std::vector<Storage> untouched = to_host(context, args.density);
      CHECK(std::equal(untouched.begin(), untouched.end(), before.density.begin(),
                       [](Storage a, double b) { return static_cast<double>(a) == b; }));

      columns[500 + 321] = 2;
      positions.copy_from(columns);
      charge_deposit<P>(context, args);
      CHECK(to_host(context, args.outside) == std::vector<std::int64_t>{0});
    }
  });
}

TEST_CASE("a density that the arrays cannot hold is refused") {
  test::with_target<ChargeDeposit>([]<class P>(const Implementation<ChargeDeposit, P>& i) {
    if (test::target().info().name == "reference") return;
    Grid grid = small_grid();
    for (double& spacing : grid.spacing)
      spacing = 0.125;
    Target<P> target(i, grid);
    const bool in_float = P::value == Precision::single;
    for (const double charge : {1e-320, in_float ? 1e-42 : 1e308, in_float ? 1e38 : -1e308})
      CHECK_THROWS_AS((void)target.deposit(random_positions(grid, 10), charge), RefusalError);
  });
}

TEST_CASE("arguments that do not fit together are refused") {
  test::with_target<ChargeDeposit>([]<class P>(const Implementation<ChargeDeposit, P>& i) {
    Target<P> target(i, small_grid());
    auto args = target.arguments();
    CHECK_NOTHROW((void)charge_deposit_problem(args));
    args.grid.nodes[1] = 11;
    CHECK_THROWS_AS((void)charge_deposit_problem(args), ArgumentError);
    args = target.arguments();
    args.grid.spacing[2] = 0;
    CHECK_THROWS_AS((void)charge_deposit_problem(args), ArgumentError);
    args = target.arguments();
    args.grid.lower[0] = std::numeric_limits<double>::quiet_NaN();
    CHECK_THROWS_AS((void)charge_deposit_problem(args), ArgumentError);
    args = target.arguments();
    args.outside = {};
    CHECK_THROWS_AS((void)charge_deposit_problem(args), ArgumentError);
    args = target.arguments();
    args.positions.extents[0] = 4;
    args.positions.extents[1] = 2;
    CHECK_THROWS_AS((void)charge_deposit_problem(args), ArgumentError);
  });
}

}  // namespace
}  // namespace tessera::pic
