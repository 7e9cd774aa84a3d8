#include "core/base/error.hpp"
#include "core/base/random.hpp"
#include "core/memory/array.hpp"
#include "core/parameters/tuning_parameter.hpp"
#include "physics/pic/gather_kick/gather_kick.hpp"
#include "tests/support/target.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

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

/// Kicks particles of momentum 0 in a field whose component along a is `slope` times the coordinate
/// along a, plus 1.
/// \param apart stride between neighboring nodes in memory, in elements: 1 if each component has
/// its
///     own array, or at least 3 if the components of a node are adjacent.
template <class P>
Kicked<P> kick(const Implementation<GatherKick, P>& implementation, const Grid& grid,
               const std::vector<typename P::Storage>& positions, double factor, double slope,
               const std::vector<std::uint8_t>& alive = {}, int shape_order = 1,
               std::int64_t apart = 1, const ParameterValues& parameters = {}) {
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
  std::vector<Storage> all(static_cast<std::size_t>(apart * n[0] * n[1] * n[2]),
                           std::numeric_limits<Storage>::quiet_NaN());
  for (int a = 0; a < 3; ++a) {
    std::size_t node = 0;
    for (std::int64_t i = 0; i < n[0]; ++i)
      for (std::int64_t j = 0; j < n[1]; ++j)
        for (std::int64_t k = 0; k < n[2]; ++k) {
          const std::int64_t at = a == 0 ? i : a == 1 ? j : k;
          const double x = grid.lower[a] + (static_cast<double>(at) + 0.5) * grid.spacing[a];
          all[node + (apart > 1 ? static_cast<std::size_t>(a) : 0)] =
              static_cast<Storage>(1 + slope * x);
          node += static_cast<std::size_t>(apart);
        }
    if (apart == 1 || a == 2) field.emplace_back(context, all);
  }
  for (int a = 0; a < 3; ++a)
    args.field[a] = {apart > 1 ? field[0].data() + a : field[static_cast<std::size_t>(a)].data(),
                     {n[0], n[1], n[2]},
                     {apart * n[1] * n[2], apart * n[2], apart}};
  args.positions = places.rows(3);
  args.momenta = momenta.rows(3);
  if (!alive.empty()) args.alive = std::as_const(lives).view();
  args.factor = factor;
  args.grid = grid;
  args.outside = outside.view();
  implementation.make_plan(gather_kick_problem(args, shape_order), context, parameters)
      ->execute(args);
  return {momenta.to_host(), outside.to_host().front()};
}

/// Calls `property(order)` for the supported orders of the particle shape.
template <class P, class Property>
void in_each_order(const Implementation<GatherKick, P>& implementation, const Property& property) {
  for (const int order : {1, 2, 3}) {
    GatherKickProblem problem;
    for (auto& nodes : problem.nodes)
      nodes = 5;
    problem.shape_order = order;
    CAPTURE(order);
    if (!implementation.can_run(problem, test::context()))
      property(order);
    else
      CHECK(order > 1);
  }
}

TESSERA_PROPERTY(GatherKick, "a field that is linear is met as it is, up to the last place") {
  using Storage = typename P::Storage;
  in_each_order(implementation, [&](int order) {
    const Grid grid = cube();
    RandomSequence random(9);
    std::vector<Storage> positions;
    for (int p = 0; p < 500; ++p)
      for (int a = 0; a < 3; ++a) {
        // The range of positions on the grid, in spacings.
        const auto places = static_cast<double>(grid.nodes[a] - order);
        // Some particles are at nodes and faces.
        const double at = p % 5 == 0 ? static_cast<double>(p / 5 % (grid.nodes[a] - order + 1))
                                     : random.uniform() * places;
        positions.push_back(
            static_cast<Storage>(grid.lower[a] + (0.5 * order + at) * grid.spacing[a]));
      }
    const Kicked<P> out = kick(implementation, grid, positions, 3, 2, {}, order);
    CHECK(out.outside == 0);
    double worst = 0;
    for (std::size_t k = 0; k < positions.size(); ++k)
      worst = std::fmax(worst, std::abs(static_cast<double>(out.momenta[k]) -
                                        3 * (1 + 2 * static_cast<double>(positions[k]))));
    CHECK(worst < (sizeof(Storage) == 8 ? 1e-13 : 1e-4));
  });
}

TESSERA_PROPERTY(GatherKick, "a field that lies by node is as one that lies by component") {
  using Storage = typename P::Storage;
  in_each_order(implementation, [&](int order) {
    const Grid grid = cube();
    RandomSequence random(4);
    std::vector<Storage> positions;
    for (int k = 0; k < 300; ++k)
      positions.push_back(static_cast<Storage>(4 * random.uniform() - 2));
    const Kicked<P> apart = kick(implementation, grid, positions, 3, 2, {}, order);
    CHECK(apart.outside > 0);
    // Three components and padding, the layout of some kernels, and a larger distance.
    for (const std::int64_t numbers : {4, 5}) {
      const Kicked<P> by_node = kick(implementation, grid, positions, 3, 2, {}, order, numbers);
      CHECK(by_node.momenta == apart.momenta);
      CHECK(by_node.outside == apart.outside);
    }
  });
}

/// Values of tuning parameters to test: the defaults, and each value of each parameter alone,
/// without those that the implementation never allows.
template <class P>
std::vector<ParameterValues> one_parameter_at_a_time(
    const Implementation<GatherKick, P>& implementation) {
  std::vector<ParameterValues> all{{}};
  GatherKickProblem problem;
  for (auto& nodes : problem.nodes)
    nodes = 8;
  for (const ParameterInfo& parameter :
       implementation.parameters_on(test::context().device->properties()))
    for (const ParameterValue& value : parameter.values) {
      try {
        if (!implementation.can_run(problem, test::context(), {{parameter.name, value}}))
          all.push_back({{parameter.name, value}});
      } catch (const InputError&) {
        continue;  // never allowed alone
      }
    }
  return all;
}

/// Tests numbers of particles that do not fill a warp or a group of lanes.
TESSERA_PROPERTY(GatherKick, "a particle among few is kicked as among many") {
  using Storage = typename P::Storage;
  const double rounding = sizeof(Storage) == 8 ? 1e-14 : 1e-5;
  in_each_order(implementation, [&](int order) {
    const Grid grid = cube();
    RandomSequence random(6);
    std::vector<Storage> positions;
    for (int k = 0; k < 3 * 131; ++k)
      positions.push_back(static_cast<Storage>(4 * random.uniform() - 2));
    positions[3 * 4] = std::numeric_limits<Storage>::quiet_NaN();
    const Kicked<P> many = kick(implementation, grid, positions, 3, 2, {}, order, 4);
    CHECK(many.outside > 0);
    constexpr std::size_t counts[] = {1, 2, 3, 5, 31, 32, 33, 65, 131};
    for (const ParameterValues& parameters : one_parameter_at_a_time(implementation))
      for (const std::size_t few : counts) {
        CAPTURE(few);
        if (!parameters.empty())
          CAPTURE(parameters.begin()->first + "=" + to_string(parameters.begin()->second));
        const std::vector<Storage> of_few(positions.begin(),
                                          positions.begin() + static_cast<std::ptrdiff_t>(3 * few));
        const Kicked<P> out = kick(implementation, grid, of_few, 3, 2, {}, order, 4, parameters);
        double worst = 0;
        std::int64_t not_kicked = 0;
        for (std::size_t p = 0; p < few; ++p) {
          for (std::size_t k = 3 * p; k < 3 * p + 3; ++k)
            worst = std::fmax(worst, std::abs(static_cast<double>(out.momenta[k]) -
                                              static_cast<double>(many.momenta[k])));
          if (out.momenta[3 * p] == 0 && out.momenta[3 * p + 1] == 0) ++not_kicked;
        }
        CHECK(worst < rounding);
        CHECK(out.outside == not_kicked);
      }
  });
}

TESSERA_PROPERTY(GatherKick, "who shares nodes off the grid gets no kick") {
  using Storage = typename P::Storage;
  in_each_order(implementation, [&](int order) {
    const Grid grid = cube();
    for (int direction = 0; direction < 3; ++direction)
      for (const bool upper : {false, true}) {
        const double places = upper ? static_cast<double>(grid.nodes[direction] - order) : 0;
        const double edge =
            grid.lower[direction] + (0.5 * order + places) * grid.spacing[direction];
        std::vector<Storage> two{0, 0, 0, 0, 0, 0};
        two[static_cast<std::size_t>(direction)] = static_cast<Storage>(edge);
        two[static_cast<std::size_t>(3 + direction)] =
            static_cast<Storage>(edge + (upper ? 0x1p-12 : -0x1p-12));
        const Kicked<P> out = kick(implementation, grid, two, 2, 0, {}, order);
        CHECK(out.outside == 1);
        for (std::size_t a = 0; a < 3; ++a) {
          CHECK(std::abs(static_cast<double>(out.momenta[a]) - 2) < 1e-6);
          CHECK(out.momenta[3 + a] == 0);
        }
      }
  });
}

/// Gather is the adjoint of deposit: the sum over particles of q_p field(x_p) equals the sum over
/// nodes of density * field * volume, so that no particle exerts a force on itself.
TESSERA_PROPERTY(GatherKick, "what is gathered is what was deposited, the other way round") {
  using Storage = typename P::Storage;
  in_each_order(implementation, [&](int order) {
    for (const bool periodic : {false, true}) {
      Grid grid = cube();
      grid.periodic[1] = periodic;
      if (periodic) grid.nodes[1] = 2;
      const Context context = test::context();
      RandomSequence random(4);
      std::vector<Storage> positions;
      std::vector<Storage> weights;
      for (int p = 0; p < 700; ++p) {
        for (int a = 0; a < 3; ++a)  // a few particles are outside
          positions.push_back(static_cast<Storage>(
              grid.lower[a] +
              (0.2 + (static_cast<double>(grid.nodes[a]) - 0.4) * random.uniform()) *
                  grid.spacing[a]));
        // Some particles are probes with weight 0.
        weights.push_back(static_cast<Storage>(p % 10 == 0 ? 0 : random.uniform() - 0.5));
      }
      const std::int64_t(&n)[3] = grid.nodes;
      const std::size_t nodes = static_cast<std::size_t>(n[0] * n[1] * n[2]);
      std::vector<Storage> noise(3 * nodes);
      for (Storage& value : noise)
        value = static_cast<Storage>(2 * random.uniform() - 1);

      const Array<Storage> places(context, positions), charges(context, weights),
          field(context, noise);
      Array<Storage> density(context, static_cast<std::int64_t>(nodes));
      Array<Storage> momenta(context, places.size());
      momenta.fill_bytes(0);
      Array<std::int64_t> outside(context, 2);
      ChargeDepositArgs<Storage> deposit;
      deposit.positions = places.rows(3);
      deposit.weights = charges.view();
      deposit.grid = grid;
      deposit.density = {density.data(), {n[0], n[1], n[2]}};
      deposit.outside = {outside.data(), {1}};
      charge_deposit<P>(context, deposit, order);
      GatherKickArgs<Storage> args;
      args.positions = places.rows(3);
      args.momenta = momenta.rows(3);
      args.grid = grid;
      for (int a = 0; a < 3; ++a)
        args.field[a] = {field.data() + a * static_cast<std::int64_t>(nodes), {n[0], n[1], n[2]}};
      args.outside = {outside.data() + 1, {1}};
      implementation.make_plan(gather_kick_problem(args, order), context, {})->execute(args);

      const std::vector<std::int64_t> lost = outside.to_host();
      CHECK(lost[0] == lost[1]);
      CHECK(lost[0] > 0);
      const std::vector<Storage> rho = density.to_host(), kicks = momenta.to_host();
      const double volume = grid.spacing[0] * grid.spacing[1] * grid.spacing[2];
      int kicked_probes = 0;
      for (std::size_t p = 0; p < weights.size(); p += 10)
        kicked_probes += kicks[3 * p] != 0 ? 1 : 0;
      CHECK(kicked_probes > 10);
      for (std::size_t a = 0; a < 3; ++a) {
        double of_particles = 0, of_nodes = 0, size = 0;
        for (std::size_t p = 0; p < weights.size(); ++p) {
          const double term =
              static_cast<double>(weights[p]) * static_cast<double>(kicks[3 * p + a]);
          of_particles += term;
          size += std::abs(term);
        }
        for (std::size_t k = 0; k < nodes; ++k)
          of_nodes += static_cast<double>(rho[k]) * static_cast<double>(noise[a * nodes + k]);
        CHECK(std::abs(of_particles - volume * of_nodes) <
              size * (sizeof(Storage) == 8 ? 1e-14 : 1e-6));
      }
    }
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
