#include "core/base/random.hpp"
#include "core/memory/array.hpp"
#include "core/operations/open_device.hpp"
#include "core/operations/registry.hpp"
#include "physics/pic/charge_deposit/charge_deposit.hpp"
#include "physics/pic/electric_field/electric_field.hpp"
#include "physics/pic/gather_kick/gather_kick.hpp"
#include "physics/pic/poisson_solve/poisson_solve.hpp"
#include "tests/analytic/pic/grid_field.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

/// \file
/// A charge exerts no force on itself, and forces between charges obey Newton's third law, for all
/// implementations of deposit, solve, gradient and gather.

namespace tessera::pic::analytic {
namespace {

constexpr std::int64_t random_places = 1000;

/// A grid that is small enough for the oracle of pic/poisson_solve.
Grid small_grid(const std::int64_t (&nodes)[3], bool periodic_z) {
  Grid grid;
  const double spacing[3] = {0.3, 0.25, 0.5};
  for (int a = 0; a < 3; ++a) {
    grid.nodes[a] = nodes[a];
    grid.spacing[a] = spacing[a];
    grid.lower[a] = -0.4 * static_cast<double>(a + 1);
  }
  grid.periodic[2] = periodic_z;
  return grid;
}

/// A random position on the grid, at least two cells away from its faces in directions that are not
/// periodic.
Point random_place(const Grid& grid, RandomSequence& random) {
  Point place;
  for (std::size_t a = 0; a < 3; ++a) {
    const auto nodes = static_cast<double>(grid.nodes[a]);
    const double s =
        grid.periodic[a] ? random.uniform(-nodes, 2 * nodes) : 2 + (nodes - 5) * random.uniform();
    place[a] = grid.lower[a] + (s + 0.5) * grid.spacing[a];
  }
  return place;
}

/// The operations of a step, each with a chosen implementation.
struct Chosen {
  Context context;
  const Implementation<ChargeDeposit, Double>* deposit = nullptr;
  const Implementation<PoissonSolve, Double>* solve = nullptr;
  const Implementation<ElectricField, Double>* gradient = nullptr;
  const Implementation<GatherKick, Double>* gather = nullptr;
};

class Chain {
 public:
  Chain(const Chosen& chosen, const Grid& grid, int shape_order, std::int64_t particles)
      : context_(chosen.context),
        grid_(grid),
        positions_(context_, 3 * particles),
        momenta_(context_, 3 * particles),
        weights_(context_, particles),
        density_(context_, nodes()),
        potential_(context_, nodes()),
        green_(green_values(context_, grid)),
        outside_(context_, 1) {
    for (Array<double>& field : field_)
      field = Array<double>(context_, nodes());
    solve_args_.green = green_.view;

    deposit_args_.positions = positions_.rows(3);
    deposit_args_.weights = weights_.view();
    deposit_args_.grid = solve_args_.grid = field_args_.grid = gather_args_.grid = grid;
    deposit_args_.density = on_nodes(density_);
    deposit_args_.outside = gather_args_.outside = outside_.view();
    solve_args_.density = on_nodes(density_);
    solve_args_.coefficient = 1;
    solve_args_.potential = on_nodes(potential_);
    field_args_.potential = on_nodes(potential_);
    for (int a = 0; a < 3; ++a) {
      field_args_.field[a] = on_nodes(field_[a]);
      gather_args_.field[a] = on_nodes(field_[a]);
    }
    gather_args_.positions = positions_.rows(3);
    gather_args_.momenta = momenta_.rows(3);

    deposit_ =
        chosen.deposit->make_plan(charge_deposit_problem(deposit_args_, shape_order), context_, {});
    solve_ = chosen.solve->make_plan(poisson_solve_problem(solve_args_), context_, {});
    solve_->prepare(solve_args_);
    gradient_ = chosen.gradient->make_plan(electric_field_problem(field_args_), context_, {});
    gather_ =
        chosen.gather->make_plan(gather_kick_problem(gather_args_, shape_order), context_, {});
  }

  /// Fields at all positions, from the charges with nonzero weight; probes have weight 0.
  [[nodiscard]] std::vector<double> fields(const std::vector<double>& places,
                                           const std::vector<double>& weights) {
    positions_.copy_from(places);
    weights_.copy_from(weights);
    momenta_.fill_bytes(0);
    deposit_->prepare(deposit_args_);
    deposit_->execute(deposit_args_);
    REQUIRE(outside_.to_host().front() == 0);
    solve_->execute(solve_args_);
    gradient_->execute(field_args_);
    gather_->prepare(gather_args_);
    gather_->execute(gather_args_);
    REQUIRE(outside_.to_host().front() == 0);
    return momenta_.to_host();
  }

 private:
  [[nodiscard]] std::int64_t nodes() const {
    return grid_.nodes[0] * grid_.nodes[1] * grid_.nodes[2];
  }
  [[nodiscard]] View<double, 3> on_nodes(Array<double>& array) const {
    return {array.data(), {grid_.nodes[0], grid_.nodes[1], grid_.nodes[2]}};
  }

  Context context_;
  Grid grid_;
  Array<double> positions_, momenta_, weights_, density_, potential_, field_[3];
  GreenValues green_;
  Array<std::int64_t> outside_;
  ChargeDepositArgs<double> deposit_args_;
  PoissonSolveArgs<double> solve_args_;
  ElectricFieldArgs<double> field_args_;
  GatherKickArgs<double> gather_args_;
  std::unique_ptr<Plan<ChargeDeposit, Double>> deposit_;
  std::unique_ptr<Plan<PoissonSolve, Double>> solve_;
  std::unique_ptr<Plan<ElectricField, Double>> gradient_;
  std::unique_ptr<Plan<GatherKick, Double>> gather_;
};

/// Checks that a charge exerts no force on itself, compared with its force on a probe one spacing
/// away along each axis, towards the middle of the grid.
void check_alone(const Chosen& chosen, const Grid& grid, int shape_order) {
  Chain chain(chosen, grid, shape_order, 4);
  RandomSequence random(11);
  double worst = 0;
  for (std::int64_t t = 0; t < random_places; ++t) {
    const Point place = random_place(grid, random);
    std::vector<double> places;
    for (int probe = -1; probe < 3; ++probe)
      for (int a = 0; a < 3; ++a) {
        const auto axis = static_cast<std::size_t>(a);
        const double middle =
            grid.lower[a] + 0.5 * static_cast<double>(grid.nodes[a]) * grid.spacing[a];
        const double step = place[axis] < middle ? grid.spacing[a] : -grid.spacing[a];
        places.push_back(place[axis] + (probe == a ? step : 0));
      }
    const std::vector<double> field = chain.fields(places, {1, 0, 0, 0});
    const auto size = [&](std::size_t p) {
      return std::hypot(field[3 * p], field[3 * p + 1], field[3 * p + 2]);
    };
    const double away = std::min({size(1), size(2), size(3)});
    REQUIRE(away > 0);
    worst = std::fmax(worst, size(0) / away);
  }
  CHECK(worst < 1e-12);
}

void check_together(const Chosen& chosen, const Grid& grid, int shape_order) {
  Chain chain(chosen, grid, shape_order, random_places);
  RandomSequence random(12);
  std::vector<double> places;
  std::vector<double> charges;
  for (std::int64_t p = 0; p < random_places; ++p) {
    for (const double coordinate : random_place(grid, random))
      places.push_back(coordinate);
    charges.push_back(random.uniform(0.1, 2));
  }
  const std::vector<double> field = chain.fields(places, charges);
  for (std::size_t a = 0; a < 3; ++a) {
    double sum = 0;
    double size = 0;
    for (std::size_t p = 0; p < charges.size(); ++p) {
      sum += charges[p] * field[3 * p + a];
      size += std::abs(charges[p] * field[3 * p + a]);
    }
    CAPTURE(a);
    CHECK(size > 0);
    CHECK(std::abs(sum) <= 1e-12 * size);
  }
}

/// Whether all four implementations support this grid and order of the particle shape.
bool takes(const Chosen& chosen, const Grid& grid, int shape_order) {
  ChargeDepositProblem deposit;
  PoissonSolveProblem solve;
  ElectricFieldProblem gradient;
  GatherKickProblem gather;
  for (std::int64_t* const nodes : {deposit.nodes, solve.nodes, gradient.nodes, gather.nodes})
    std::copy_n(grid.nodes, 3, nodes);
  for (bool* const periodic : {deposit.periodic, gradient.periodic, gather.periodic})
    std::copy_n(grid.periodic, 3, periodic);
  deposit.particles = gather.particles = random_places;
  deposit.weighted = true;
  deposit.shape_order = gather.shape_order = shape_order;
  if (grid.periodic[2]) solve.boundary = PoissonBoundary::periodic_z;
  return !chosen.deposit->can_run(deposit, chosen.context) &&
         !chosen.solve->can_run(solve, chosen.context) &&
         !chosen.gradient->can_run(gradient, chosen.context) &&
         !chosen.gather->can_run(gather, chosen.context);
}

void check(const Chosen& chosen) {
  for (const bool periodic_z : {false, true})
    for (const int shape_order : {1, 2, 3}) {
      CAPTURE(periodic_z);
      CAPTURE(shape_order);
      // Some solvers support only powers of two, some kernels only cloud-in-cell.
      bool taken = false;
      for (const Grid& grid :
           {small_grid({8, 7, 9}, periodic_z), small_grid({8, 8, 8}, periodic_z)}) {
        if (taken || !takes(chosen, grid, shape_order)) continue;
        taken = true;
        check_alone(chosen, grid, shape_order);
        check_together(chosen, grid, shape_order);
      }
      if (shape_order == 1) CHECK(taken);
    }
}

template <class Operation>
const Implementation<Operation, Double>* on_backend(const Context& context) {
  return &dynamic_cast<const Implementation<Operation, Double>&>(
      registry().find(std::string(Operation::name), Precision::double_precision,
                      context.device->properties().backend + ".portable"));
}

/// Tests every implementation of one operation, together with the portable implementations of the
/// other operations on its backend. `place` is the member of Chosen for the operation.
template <class Operation>
void each_implementation(const Implementation<Operation, Double>* Chosen::*place) {
  for (const ImplementationBase* one :
       registry().implementations(std::string(Operation::name), Precision::double_precision)) {
    const std::string& backend = one->info().backend;
    if (one->info().name != "reference" && !registry().unavailable(backend).empty()) continue;
    INFO(std::string(Operation::name) << ", " << one->info().name);
    const Context context = open_for(registry(), *one);
    Chosen chosen{context, on_backend<ChargeDeposit>(context), on_backend<PoissonSolve>(context),
                  on_backend<ElectricField>(context), on_backend<GatherKick>(context)};
    if (chosen.*place == one) continue;  // portable implementations are tested together
    chosen.*place = &dynamic_cast<const Implementation<Operation, Double>&>(*one);
    check(chosen);
  }
}

TEST_CASE("no charge pushes itself: portable bodies") {
  for (const BackendInfo& backend : registry().backends()) {
    if (!registry().unavailable(backend.name).empty()) continue;
    INFO(backend.name);
    const Context context = registry().open(backend.name);
    check({context, on_backend<ChargeDeposit>(context), on_backend<PoissonSolve>(context),
           on_backend<ElectricField>(context), on_backend<GatherKick>(context)});
  }
}

TEST_CASE("no charge pushes itself: hand-tuned implementations and oracles") {
  each_implementation<ChargeDeposit>(&Chosen::deposit);
  each_implementation<PoissonSolve>(&Chosen::solve);
  each_implementation<ElectricField>(&Chosen::gradient);
  each_implementation<GatherKick>(&Chosen::gather);
}

}  // namespace
}  // namespace tessera::pic::analytic
