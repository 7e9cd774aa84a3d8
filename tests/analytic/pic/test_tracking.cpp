#include "core/base/error.hpp"
#include "core/operations/registry.hpp"
#include "core/state/restart_file.hpp"
#include "physics/pic/beam_line/map_algebra.hpp"
#include "physics/pic/boosted_kick/boosted_kick.hpp"
#include "physics/pic/bunch_statistics/bunch_statistics.hpp"
#include "physics/pic/charge_deposit/charge_deposit.hpp"
#include "physics/pic/electric_field/electric_field.hpp"
#include "physics/pic/generate/bunch.hpp"
#include "physics/pic/physical_constants.hpp"
#include "physics/pic/poisson_solve/poisson_solve.hpp"
#include "physics/pic/reorder/reorder.hpp"
#include "physics/pic/simulation/tracking.hpp"
#include "physics/pic/transport/transport.hpp"
#include "tests/analytic/pic/backends.hpp"
#include "tests/support/careless.hpp"
#include "tests/support/relative.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <utility>
#include <vector>

/// \file
/// The tracking loop: elements without space charge, convergence with the number of kicks, and loss
/// of particles.

namespace tessera::pic {
namespace {

using analytic::each_backend;

const ReferenceParticle slow = ReferenceParticle::with_gamma(1.05);

HostBunch small_bunch(std::int64_t particles) {
  BunchDescription description;
  description.kind = BunchKind::waterbag;
  description.particles = particles;
  description.seed = 3;
  const double deviations[] = {2e-3, 1e-3, 1.5e-3, 1e-3, 1e-2, 1e-3};
  for (int a = 0; a < 6; ++a)
    description.covariance[a][a] = deviations[a] * deviations[a];
  return {generate_bunch(description), {}, {}, {}};
}

BeamLine cell(double half_aperture) {
  BeamLine line(slow);
  line.add("qf", Quadrupole{0.1, 15});
  line.add("drift", Quadrupole{0.2, 0});
  line.add("hole", Aperture{ApertureShape::ellipse, half_aperture, half_aperture, 0, 0});
  line.add("qd", Quadrupole{0.1, -15});
  line.add("drift", Quadrupole{0.2, 0});
  return line;
}

TrackingOptions options(double charge) {
  TrackingOptions o;
  o.rest_energy = proton_energy;
  o.macro_charge = charge;
  o.space_charge = charge != 0;
  // A fixed grid, and forces without kinks.
  o.kick.domain.kind = DomainKind::fixed;
  for (int a = 0; a < 3; ++a) {
    o.kick.domain.nodes[a] = 24;
    o.kick.domain.size[a] = a == 2 ? 0.1 : 0.05;
  }
  o.kick.shape_order = 3;
  return o;
}

TrackingPlan plan_of(const BeamLine& line, int kicks) {
  std::vector<int> of_places;
  for (const BeamLine::Place& place : line.places())
    of_places.push_back(length(place.element) > 0 ? kicks : 0);
  return tracking_plan(line, of_places);
}

/// Coordinates of the particles after `turns` turns, in rows of six in the order of ids.
std::vector<double> tracked(const Context& context, const HostBunch& bunch,
                            const TrackingPlan& plan, const TrackingOptions& o,
                            std::int64_t turns) {
  const auto tracking = Tracking::make(context, bunch, plan, o);
  tracking->advance(turns * plan.steps_of_turn());
  const BunchSnapshot end = tracking->snapshot(false);
  std::vector<double> rows(end.bunch.coordinates.size());
  for (std::size_t p = 0; p < end.bunch.ids.size(); ++p)
    std::copy_n(end.bunch.coordinates.begin() + static_cast<std::ptrdiff_t>(6 * p), 6,
                rows.begin() + 6 * end.bunch.ids[p]);
  return rows;
}

/// Rms difference of two bunches in coordinate c.
double distance(const std::vector<double>& a, const std::vector<double>& b, std::size_t c) {
  double sum = 0;
  for (std::size_t i = c; i < a.size(); i += 6)
    sum += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(6 * sum / static_cast<double>(a.size()));
}

}  // namespace

TEST_CASE("without charge turns are powers of the map of the line, whatever the kicks") {
  each_backend([](const Context& context) {
    const HostBunch bunch = small_bunch(500);
    const BeamLine line = cell(1);
    LinearMap turns;
    for (int turn = 0; turn < 100; ++turn)
      turns = composed(line.map(), turns);
    std::vector<double> expected(bunch.coordinates.size());
    for (std::size_t i = 0; i < expected.size(); ++i)
      for (std::size_t c = 0; c < 6; ++c)
        expected[i] += turns.matrix[i % 6][c] * bunch.coordinates[i / 6 * 6 + c];
    for (const int kicks : {0, 3}) {
      const std::vector<double> rows =
          tracked(context, bunch, plan_of(line, kicks), options(0), 100);
      const std::vector<double> zero(rows.size());
      for (std::size_t c = 0; c < 6; ++c)
        CHECK(distance(rows, expected, c) < 1e-12 * distance(expected, zero, c));
    }
  });
}

TEST_CASE("tracking with space charge is of second order in the length of kicks") {
  const Context context = registry().open("serial");
  const HostBunch bunch = small_bunch(4000);
  // 2e9 protons.
  const TrackingOptions o = options(2e9 * elementary_charge / 4000);
  std::vector<std::vector<double>> rows;
  std::vector<std::vector<double>> behind;
  for (const int kicks : {2, 4, 8}) {
    TrackingPlan plan = plan_of(cell(1), kicks);
    rows.push_back(tracked(context, bunch, plan, o, 3));
    // Kicks at the ends of parts in place of their middles make the error one of first order.
    for (TrackingStep& step : plan.steps)
      if (step.actions.size() == 3) std::swap(step.actions[1], step.actions[2]);
    behind.push_back(tracked(context, bunch, plan, o, 3));
  }
  const std::vector<double> without = tracked(context, bunch, plan_of(cell(1), 1), options(0), 3);
  const auto order = [](const std::vector<std::vector<double>>& of, std::size_t c) {
    return std::log2(distance(of[0], of[1], c) / distance(of[1], of[2], c));
  };
  for (const std::size_t c : {0U, 1U, 2U, 3U, 4U, 5U}) {
    MESSAGE("coordinate " << c << ": order " << order(rows, c) << ", behind " << order(behind, c));
    CHECK(order(rows, c) > 1.9);
    CHECK(order(behind, c) < 1.5);
    // The effect of space charge is larger than the error of the kicks.
    CHECK(distance(rows[2], without, c) > 10 * distance(rows[1], rows[2], c));
  }
}

TEST_CASE("every particle that is lost is told of once, in whatever order they lie") {
  each_backend([](const Context& context) {
    const HostBunch bunch = small_bunch(2000);
    TrackingOptions o = options(5e9 * elementary_charge / 2000);
    o.determinism = Determinism::any_order;
    std::vector<std::vector<std::int64_t>> ids_of;
    for (const std::int64_t every : {0, 1, 3}) {
      o.kick.reorder_every = every;
      const auto tracking =
          Tracking::make(context, bunch, tracking_plan(cell(4e-3), {2, 2, 0, 2, 2}), o);
      std::vector<Loss> losses;
      while (tracking->steps_done() < 45) {
        tracking->advance(5);
        for (const Loss& loss : tracking->take_losses())
          losses.push_back(loss);
      }
      CHECK(losses.size() > 50);
      CHECK(static_cast<std::int64_t>(losses.size()) == tracking->lost());
      const StatisticsRow row = tracking->statistics();
      CHECK(row.alive + row.lost == 2000);
      CHECK(row.moments.particles == row.alive);
      std::vector<std::int64_t> ids;
      for (const Loss& loss : losses) {
        ids.push_back(loss.id);
        CHECK(loss.cause == LossCause::element);
        CHECK(loss.place.name == "hole");
        CHECK(loss.place.element == 3);
        CHECK(loss.place.step == 9 * (loss.place.turn - 1) + 5);
        CHECK(std::hypot(loss.coordinates[0], loss.coordinates[2]) > 4e-3);
      }
      CHECK(std::set<std::int64_t>(ids.begin(), ids.end()).size() == ids.size());
      ids_of.push_back(ids);
    }
    CHECK(ids_of[0] == ids_of[1]);
    CHECK(ids_of[0] == ids_of[2]);
  });
}

TEST_CASE("a bunch that is lost to the last particle is tracked on, and from its restart file") {
  each_backend([](const Context& context) {
    TrackingOptions o = options(1e9 * elementary_charge / 20);
    o.kick.domain.kind = DomainKind::n_sigma;
    HostBunch bunch = small_bunch(20);
    bunch.coordinates[1] = 0;  // it passes every later aperture after the first
    // Tests an aperture that stops all particles, and one that only the first particle passes.
    for (const bool all : {true, false}) {
      BeamLine line(slow);
      const double x = all ? 0.5 : bunch.coordinates[0];
      line.add("ap", Aperture{ApertureShape::rectangle, 1e-9, 1, x, 0});
      line.add("d", Quadrupole{0.2, 0});
      const TrackingPlan plan = plan_of(line, 1);
      const auto tracking = Tracking::make(context, bunch, plan, o);
      tracking->advance(2 * plan.steps_of_turn());
      const std::int64_t left = all ? 0 : 1;
      CHECK(tracking->lost() == 20 - left);
      CHECK(tracking->kicks() == 0);
      CHECK(std::ssize(tracking->take_losses()) == 20 - left);
      const StatisticsRow row = tracking->statistics();
      CHECK(row.alive == left);
      CHECK(row.on_grid == 0);
      CHECK(std::isnan(row.moments.mean[0]) == all);
      CHECK(std::isnan(row.beam.deviation[0]) == all);
      CHECK(!tracking->snapshot(true).fields);  // without a kick there are none
      RestartFile file;
      tracking->save(file);
      tracking->advance(plan.steps_of_turn());
      const auto again = Tracking::make(context, {}, plan, o, &file);
      again->advance(plan.steps_of_turn());
      CHECK(again->step() == tracking->step());
      CHECK(again->lost() == 20 - left);
      CHECK(again->take_losses().empty());
      CHECK(again->snapshot(false).bunch.coordinates ==
            tracking->snapshot(false).bunch.coordinates);
    }
    // All particles are lost after a kick: the fields of the kick are not kept.
    BeamLine line(slow);
    line.add("d", Quadrupole{0.2, 0});
    line.add("ap", Aperture{ApertureShape::rectangle, 1e-9, 1, 0.5, 0});
    const TrackingPlan behind = plan_of(line, 1);
    const auto kicked = Tracking::make(context, bunch, behind, o);
    for (const bool lost : {false, true}) {
      kicked->advance(behind.steps_of_turn());
      CHECK(kicked->lost() == 20);
      CHECK(kicked->kicks() == 1);
      const BunchSnapshot snapshot = kicked->snapshot(true);
      REQUIRE(snapshot.fields);
      double charge = 0;
      for (const double density : snapshot.fields->density)
        charge += density;
      CHECK((charge == 0) == lost);
    }
    // Tests a bunch without particles, and one whose particles have weight 0.
    const TrackingPlan plan = tracking_plan(cell(1), {1, 1, 0, 1, 1});
    const auto nobody = Tracking::make(context, {}, plan, o);
    nobody->advance(plan.steps_of_turn());
    CHECK(nobody->statistics().alive == 0);
    HostBunch probes = bunch;
    probes.weights.assign(20, 0);
    const auto tracking = Tracking::make(context, probes, plan, o);
    tracking->advance(plan.steps_of_turn());
    CHECK(tracking->statistics().alive == 20);
    CHECK(std::isnan(tracking->statistics().beam.plane[0].emittance));
    TrackingOptions without = o;
    without.space_charge = false;
    const auto free = Tracking::make(context, bunch, plan, without);
    free->advance(plan.steps_of_turn());
    for (std::size_t i = 0; i < 120; ++i)
      CHECK(tracking->snapshot(false).bunch.coordinates[i] ==
            test::relative(free->snapshot(false).bunch.coordinates[i]).epsilon(1e-12));
  });
}

TEST_CASE("losses name their cause, where kicks change the order of particles too") {
  each_backend([](const Context& context) {
    // The transverse momentum of some particles exceeds the momentum of the reference particle.
    HostBunch bunch = small_bunch(600);
    for (std::size_t p = 0; p < 600; p += 3)
      bunch.coordinates[6 * p + 1] = 1.1;
    TrackingOptions o = options(1e9 * elementary_charge / 600);
    o.kick.lose_impossible = true;
    o.kick.reorder_every = 1;
    BeamLine drift(slow);
    drift.add("drift", Drift{1e-6});
    BeamLine map(slow);
    map.add("map", Quadrupole{1e-6, 0});
    for (const bool by_kick : {false, true}) {
      const auto tracking = Tracking::make(context, bunch, plan_of(by_kick ? map : drift, 2), o);
      tracking->advance(2);
      const std::vector<Loss> losses = tracking->take_losses();
      REQUIRE(losses.size() == 200);
      for (std::size_t k = 0; k < losses.size(); ++k) {
        CHECK(losses[k].id == static_cast<std::int64_t>(3 * k));
        CHECK(losses[k].place.step == 1);
        CHECK(losses[k].cause == (by_kick ? LossCause::kick : LossCause::element));
        CHECK(losses[k].coordinates[1] == 1.1);
      }
    }
    o.kick.lose_impossible = false;
    const auto tracking = Tracking::make(context, bunch, plan_of(map, 1), o);
    try {
      tracking->advance(1);
      FAIL_CHECK("particles that cannot be kicked were");
    } catch (const SimulationError& error) {
      CHECK(error.step() == 1);
      CHECK(std::string(error.what()).find("; ids 0, 3, 6, 9 and 196 more") != std::string::npos);
      CHECK(tracking->steps_done() == 0);
    }
  });
}

template <class Operation>
void check_that_careless_is_refused(const HostBunch& bunch) {
  const std::string operation(Operation::name);
  INFO(operation);
  const Context context = test::careless_context<Operation>();
  TrackingOptions o = options(1e9 * elementary_charge / 20);
  o.kick.reorder_every = 1;
  o.kick.shape_order = 1;
  for (const Determinism least : {Determinism::run_to_run, Determinism::any_order}) {
    o.determinism = least;
    try {
      Tracking::make(context, bunch, plan_of(cell(1), 1), o)->advance(1);
      FAIL_CHECK("it ran");
    } catch (const RefusalError& error) {
      const std::string text = error.what();
      INFO(text);
      CHECK(text.find(operation) != std::string::npos);
      CHECK(text.find("serial.careless") != std::string::npos);
      CHECK(text.find("the required determinism is") != std::string::npos);
    }
  }
}

TEST_CASE("every operation of a step gives the determinism that is asked for, or is refused") {
  HostBunch bunch = small_bunch(20);
  check_that_careless_is_refused<Transport>(bunch);
  check_that_careless_is_refused<BunchStatistics>(bunch);
  check_that_careless_is_refused<ChargeDeposit>(bunch);
  check_that_careless_is_refused<GreenFunction>(bunch);
  check_that_careless_is_refused<PoissonSolve>(bunch);
  check_that_careless_is_refused<ElectricField>(bunch);
  check_that_careless_is_refused<BoostedKick>(bunch);
  check_that_careless_is_refused<Reorder>(bunch);
  // The frame change is the first operation that checks its momentum.
  bunch.coordinates[1] = 1.1;
  check_that_careless_is_refused<FrameChange>(bunch);
}

TEST_CASE("what cannot be tracked is refused with its name") {
  const Context context = registry().open("serial");
  const TrackingPlan plan = tracking_plan(cell(1), {1, 1, 0, 1, 1});
  const auto refused = [&](const HostBunch& bunch, const TrackingPlan& of,
                           const TrackingOptions& o) -> std::string {
    try {
      static_cast<void>(Tracking::make(context, bunch, of, o));
    } catch (const ArgumentError& error) {
      return error.argument();
    }
    return "nothing";
  };
  const HostBunch good = small_bunch(10);
  CHECK(refused(good, plan, options(1e-15)) == "nothing");
  HostBunch bad = good;
  bad.coordinates[13] = NAN;
  CHECK(refused(bad, plan, options(0)) == "bunch.coordinates");
  bad = good;
  bad.coordinates.pop_back();
  CHECK(refused(bad, plan, options(0)) == "bunch.coordinates");
  bad = good;
  bad.ids = {0, 1, 2, 3, 4, 5, 6, 7, 8, 8};
  CHECK(refused(bad, plan, options(0)) == "bunch.ids");
  bad.ids.pop_back();
  CHECK(refused(bad, plan, options(0)) == "bunch.ids");
  CHECK(refused(good, TrackingPlan{}, options(0)) == "plan");
  TrackingOptions mixed = options(0);
  mixed.precision = Precision::mixed;
  CHECK(refused(good, plan, mixed) == "precision");
  TrackingOptions massless = options(1e-15);
  massless.rest_energy = 0;
  CHECK(refused(good, plan, massless) == "rest_energy");
  CHECK_THROWS_AS(static_cast<void>(tracking_plan(cell(1), {1, 1})), ArgumentError);
  CHECK_THROWS_AS(static_cast<void>(tracking_plan(cell(1), {1, -1, 0, 1, 1})), ArgumentError);
  BeamLine matrix(slow);
  MatrixElement whole;
  whole.length = 1;
  matrix.add("m", whole);
  CHECK_THROWS_AS(static_cast<void>(tracking_plan(matrix, {2})), ArgumentError);
  CHECK(tracking_plan(matrix, {1}).steps.front().actions.size() == 3);
}

}  // namespace tessera::pic
