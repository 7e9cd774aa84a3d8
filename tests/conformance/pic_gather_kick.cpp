#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <tessera/core/base/random.hpp>
#include <tessera/core/memory/array.hpp>
#include <tessera/pic/gather_kick/gather_kick.hpp>
#include <vector>

#include "tests/support/target.hpp"

/// \file
/// Properties of pic/gather_kick that need no oracle.

namespace tessera::pic {
namespace {

template <class P>
struct Kicked {
  std::vector<typename P::Storage> momenta;
  std::int64_t outside = 0;
};

Grid cube() {
  Grid grid;
  for (int a = 0; a < 3; ++a) {
    grid.lower[a] = -2;
    grid.spacing[a] = 0.5;
    grid.nodes[a] = 8 + a;
  }
  return grid;
}

/// In a field along a of `slope` times the coordinate along a, and 1; momenta are 0 before.
template <class P>
Kicked<P> kick(const Implementation<GatherKick, P>& implementation, const Grid& grid,
               const std::vector<typename P::Storage>& positions, double factor, double slope,
               const std::vector<std::uint8_t>& alive = {}) {
  using Storage = typename P::Storage;
  const Context context = test::context();
  const std::int64_t(&n)[3] = grid.nodes;
  const Array<Storage> places(context, positions);
  Array<Storage> momenta(context, places.size());
  momenta.fill_bytes(0);
  Array<std::uint8_t> lives(context, alive);
  Array<std::int64_t> outside(context, 1);
  std::vector<Array<Storage>> field;
  GatherKickArgs<Storage> args;
  for (int a = 0; a < 3; ++a) {
    std::vector<Storage> values;
    for (std::int64_t i = 0; i < n[0]; ++i)
      for (std::int64_t j = 0; j < n[1]; ++j)
        for (std::int64_t k = 0; k < n[2]; ++k) {
          const std::int64_t at = a == 0 ? i : a == 1 ? j : k;
          const double x = grid.lower[a] + (static_cast<double>(at) + 0.5) * grid.spacing[a];
          values.push_back(static_cast<Storage>(1 + slope * x));
        }
    field.emplace_back(context, values);
    args.field[a] = {field.back().data(), {n[0], n[1], n[2]}};
  }
  args.positions = places.rows(3);
  args.momenta = momenta.rows(3);
  if (!alive.empty()) args.alive = std::as_const(lives).view();
  args.factor = factor;
  args.grid = grid;
  args.outside = outside.view();
  implementation.make_plan(gather_kick_problem(args), context, {})->execute(args);
  return {momenta.to_host(), outside.to_host().front()};
}

TEST_CASE("a field that is linear is met as it is, up to the last node") {
  test::with_target<GatherKick>([]<class P>(const Implementation<GatherKick, P>& implementation) {
    using Storage = typename P::Storage;
    const Grid grid = cube();
    RandomSequence random(9);
    std::vector<Storage> positions;
    for (int p = 0; p < 500; ++p)
      for (int a = 0; a < 3; ++a) {
        const double size = static_cast<double>(grid.nodes[a] - 1) * grid.spacing[a];
        // Some on nodes and faces.
        const double at =
            p % 5 == 0 ? 0.5 * static_cast<double>(p / 5 % grid.nodes[a]) : random.uniform() * size;
        positions.push_back(static_cast<Storage>(grid.lower[a] + 0.25 + at));
      }
    const Kicked<P> out = kick(implementation, grid, positions, 3, 2);
    CHECK(out.outside == 0);
    double worst = 0;
    for (std::size_t k = 0; k < positions.size(); ++k)
      worst = std::fmax(worst, std::abs(static_cast<double>(out.momenta[k]) -
                                        3 * (1 + 2 * static_cast<double>(positions[k]))));
    CHECK(worst < (sizeof(Storage) == 8 ? 1e-13 : 1e-4));
  });
}

TEST_CASE("who is off the grid is counted and gets no kick, who is lost is passed over") {
  test::with_target<GatherKick>([]<class P>(const Implementation<GatherKick, P>& implementation) {
    using Storage = typename P::Storage;
    constexpr Storage nan = std::numeric_limits<Storage>::quiet_NaN();
    const std::vector<Storage> positions = {0, 0, 0, 5, 0, 0, 0, nan, 0, 0, 0, Storage(-1.9),
                                            0, 0, 0};
    const Kicked<P> out = kick(implementation, cube(), positions, 1, 0, {1, 1, 1, 1, 0});
    CHECK(out.outside == 3);
    CHECK(out.momenta == std::vector<Storage>{1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
  });
}

TEST_CASE("a periodic direction has no end") {
  test::with_target<GatherKick>([]<class P>(const Implementation<GatherKick, P>& implementation) {
    using Storage = typename P::Storage;
    Grid grid = cube();
    grid.periodic[0] = true;
    const std::vector<Storage> positions = {17, 0, 0, -100, 0, 0};
    const Kicked<P> out = kick(implementation, grid, positions, 2, 0);
    CHECK(out.outside == 0);
    CHECK(out.momenta == std::vector<Storage>{2, 2, 2, 2, 2, 2});
  });
}

}  // namespace
}  // namespace tessera::pic
