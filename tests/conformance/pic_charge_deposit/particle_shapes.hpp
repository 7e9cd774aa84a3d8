#ifndef TESSERA_TESTS_CONFORMANCE_PIC_CHARGE_DEPOSIT_PARTICLE_SHAPES_HPP
#define TESSERA_TESTS_CONFORMANCE_PIC_CHARGE_DEPOSIT_PARTICLE_SHAPES_HPP

#include "core/base/random.hpp"
#include "core/memory/array.hpp"
#include "physics/pic/charge_deposit/charge_deposit.hpp"
#include "tests/support/target.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <type_traits>
#include <vector>

/// \file
/// Deposits of a few particles with shapes of all orders.

namespace tessera::pic::shapes {

using Places = std::vector<std::array<double, 3>>;

/// A grid with nodes at integers plus one half, and cells of volume 1.
inline Grid unit_grid(std::int64_t nx, std::int64_t ny, std::int64_t nz, bool periodic) {
  Grid grid;
  const std::int64_t nodes[3] = {nx, ny, nz};
  for (int a = 0; a < 3; ++a) {
    grid.nodes[a] = nodes[a];
    grid.periodic[a] = periodic;
  }
  return grid;
}

/// Random positions with coordinates from `least` to `most`, in multiples of 2^-12, which are exact
/// in float.
inline Places places(int n, double least, double most, unsigned seed = 1) {
  RandomSequence random(seed);
  Places all(static_cast<std::size_t>(n));
  for (auto& place : all)
    for (double& x : place)
      x = std::floor((0.5 + least + (most - least) * random.uniform()) * 4096) / 4096;
  return all;
}

struct Shared {
  Grid grid;
  std::vector<double> density;
  std::int64_t outside = 0;

  [[nodiscard]] double at(std::int64_t i, std::int64_t j, std::int64_t k) const {
    return density[static_cast<std::size_t>((i * grid.nodes[1] + j) * grid.nodes[2] + k)];
  }
  [[nodiscard]] double total() const {
    return std::accumulate(density.begin(), density.end(), 0.0);
  }
};

struct Asked {
  int order = 1;
  Determinism determinism = Determinism::none;
  std::vector<double> weights = {};
  double former = NAN;  ///< initial density to which the deposit adds; NaN: overwrite
};

/// Whether the implementation supports such a problem.
template <class P>
[[nodiscard]] bool takes(const Implementation<ChargeDeposit, P>& implementation,
                         const Asked& asked) {
  ChargeDepositProblem problem;
  for (auto& nodes : problem.nodes)
    nodes = 5;
  problem.shape_order = asked.order;
  problem.determinism = asked.determinism;
  return !implementation.can_run(problem, test::context());
}

template <class P>
[[nodiscard]] Shared deposit(const Implementation<ChargeDeposit, P>& implementation,
                             const Grid& grid, const Places& positions, const Asked& asked) {
  using Storage = typename P::Storage;
  const Context context = test::context();
  std::vector<Storage> host;
  for (const auto& position : positions)
    for (const double x : position)
      host.push_back(static_cast<Storage>(x));
  const std::int64_t(&n)[3] = grid.nodes;
  const Array<Storage> data(context, host);
  const Array<Storage> weights(context,
                               std::vector<Storage>(asked.weights.begin(), asked.weights.end()));
  Array<Storage> density(context, std::vector<Storage>(static_cast<std::size_t>(n[0] * n[1] * n[2]),
                                                       static_cast<Storage>(asked.former)));
  Array<std::int64_t> outside(context, 1);
  ChargeDepositArgs<Storage> args;
  args.positions = data.rows(3);
  if (!asked.weights.empty()) args.weights = weights.view();
  args.grid = grid;
  args.density = {density.data(), {n[0], n[1], n[2]}};
  args.mode = std::isnan(asked.former) ? DepositMode::overwrite : DepositMode::add;
  args.outside = outside.view();
  const auto plan = implementation.make_plan(
      charge_deposit_problem(args, asked.order, asked.determinism), context, {});
  plan->prepare(args);
  plan->execute(args);
  Shared shared;
  shared.grid = grid;
  for (const Storage value : density.to_host())
    shared.density.push_back(static_cast<double>(value));
  shared.outside = outside.to_host().front();
  return shared;
}

/// Rounding error of a density, relative to its largest value.
template <class P>
constexpr double rounding = std::is_same_v<typename P::Storage, float> ? 1e-6 : 1e-14;

}  // namespace tessera::pic::shapes

#endif  // TESSERA_TESTS_CONFORMANCE_PIC_CHARGE_DEPOSIT_PARTICLE_SHAPES_HPP
