#include "core/base/error.hpp"
#include "tests/analytic/melt.hpp"
#include "tests/support/relative.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace tessera::test {
namespace {

std::vector<std::array<double, 3>> unwrapped(const md::System& system) {
  std::vector<std::array<double, 3>> positions = system.positions;
  for (std::size_t i = 0; i < positions.size(); ++i)
    for (std::size_t d = 0; d < 3; ++d)
      positions[i][d] += system.images[i][d] * system.box.length[d];
  return positions;
}

double furthest(const md::System& a, const md::System& b) {
  const auto from = unwrapped(a);
  const auto to = unwrapped(b);
  double most = 0;
  for (std::size_t i = 0; i < from.size(); ++i)
    for (std::size_t d = 0; d < 3; ++d)
      most = std::max(most, std::abs(from[i][d] - to[i][d]));
  return most;
}

TEST_CASE("the crystal of 32,000 atoms has the energy and pressure that everybody finds") {
  const md::System system = melt(20);
  REQUIRE(system.size() == 32000);
  for (const Precision precision :
       {Precision::double_precision, Precision::mixed, Precision::single}) {
    for (const std::string& implementation : pair_forces(precision)) {
      CAPTURE(implementation);
      CAPTURE(std::string(name(precision)));
      const auto simulation = start(system, precision, implementation);
      const md::ThermoRow row = simulation->thermo();
      const double tolerance = precision == Precision::double_precision ? 5e-8 : 5e-6;
      CHECK(std::abs(row.potential_energy / 32000 - -6.7733681) < tolerance);
      CHECK(std::abs(row.pressure - -5.0197073) < tolerance);
      CHECK(row.temperature == test::relative(1.44).epsilon(1e-6));
      // In a perfect crystal all forces vanish.
      for (const auto& f : simulation->forces())
        for (const double component : f)
          REQUIRE(std::abs(component) < 1e-2);
    }
  }
}

TEST_CASE("momentum stays at zero for a thousand steps") {
  const auto simulation = start(melt(12), Precision::double_precision);
  simulation->advance(1000);
  for (const double p : simulation->thermo().momentum)
    CHECK(std::abs(p) < 1e-9);
}

TEST_CASE("energy is conserved, and better with a shorter step") {
  // The potential is truncated without a shift, so that each pair that crosses the cutoff changes
  // the energy by up to 0.016. Over two thousand atoms these changes average out, far below the
  // error of a wrong integrator.
  const auto drift = [](double dt) {
    md::SimulationOptions options;
    options.time_step = dt;
    const auto simulation = start(melt(8), Precision::double_precision, "auto", options);
    simulation->advance(static_cast<std::int64_t>(1.0 / dt));
    const md::ThermoRow then = simulation->thermo();
    simulation->advance(static_cast<std::int64_t>(2.0 / dt));
    const md::ThermoRow now = simulation->thermo();
    return std::abs(now.potential_energy + now.kinetic_energy - then.potential_energy -
                    then.kinetic_energy) /
           2048;
  };
  CHECK(drift(0.002) < 2e-3);
}

/// Energy of all pairs inside the cutoff.
double plain_energy(const md::System& system) {
  double energy = 0;
  for (std::size_t i = 0; i < system.positions.size(); ++i)
    for (std::size_t j = i + 1; j < system.positions.size(); ++j) {
      double r_sq = 0;
      for (std::size_t d = 0; d < 3; ++d) {
        const double length = system.box.length[d];
        double x = std::abs(system.positions[i][d] - system.positions[j][d]);
        x = std::min(x, length - x);
        r_sq += x * x;
      }
      if (r_sq >= 2.5 * 2.5) continue;
      const double s6 = 1 / (r_sq * r_sq * r_sq);
      energy += 4 * (s6 * s6 - s6);
    }
  return energy;
}

TEST_CASE("lists miss no pair in any step of twenty rebuilds") {
  for (const std::string& implementation : pair_forces(Precision::double_precision)) {
    if (implementation == "reference") continue;  // it has no lists
    CAPTURE(implementation);
    const auto simulation = start(melt(7), Precision::double_precision, implementation);
    simulation->advance(100);
    const std::int64_t before = simulation->rebuilds();
    while (simulation->rebuilds() < before + 20) {
      simulation->advance(1);
      // One missed pair at the cutoff would change the energy by 0.0163.
      REQUIRE(std::abs(simulation->thermo().potential_energy - plain_energy(simulation->system())) <
              1e-6);
    }
  }
}

TEST_CASE("time runs backwards to where it came from") {
  const md::System begin = melt(10);
  for (const std::string& implementation : pair_forces(Precision::double_precision)) {
    if (implementation == "reference") continue;  // it would take minutes
    CAPTURE(implementation);
    const auto forth = start(begin, Precision::double_precision, implementation);
    forth->advance(200);
    md::System turned = forth->system();
    for (auto& v : turned.velocities)
      for (double& component : v)
        component = -component;
    const auto back = start(turned, Precision::double_precision, implementation);
    back->advance(200);
    const double error = furthest(back->system(), begin);
    MESSAGE(implementation << ": furthest from the start " << error);
    CHECK(error < 1e-10);
    CHECK(furthest(turned, begin) > 0.1);
  }
}

TEST_CASE("all backends follow the same path") {
  const md::System system = melt(6);
  const auto reference = start(system, Precision::double_precision, "reference", {}, "serial");
  reference->advance(50);
  for (const BackendInfo& backend : registry().backends()) {
    if (!registry().unavailable(backend.name).empty()) continue;
    for (const std::string& implementation :
         pair_forces(Precision::double_precision, backend.name)) {
      if (implementation == "reference") continue;
      CAPTURE(backend.name);
      CAPTURE(implementation);
      const auto other =
          start(system, Precision::double_precision, implementation, {}, backend.name);
      other->advance(50);
      CHECK(furthest(other->system(), reference->system()) < 1e-9);
      CHECK(other->thermo().potential_energy ==
            test::relative(reference->thermo().potential_energy).epsilon(1e-11));
    }
  }
}

TEST_CASE("looking does not change the path") {
  const md::System system = melt(6);
  const auto watched = start(system, Precision::double_precision, "kokkos.portable");
  const auto alone = start(system, Precision::double_precision, "kokkos.portable");
  for (int step = 0; step < 40; ++step) {
    watched->advance(1);
    (void)watched->thermo();
  }
  alone->advance(40);
  CHECK(furthest(watched->system(), alone->system()) < 1e-10);
}

bool same(const md::ThermoRow& a, const md::ThermoRow& b) {
  return a.step == b.step && a.time == b.time && a.temperature == b.temperature &&
         a.potential_energy == b.potential_energy && a.kinetic_energy == b.kinetic_energy &&
         a.pressure_tensor == b.pressure_tensor && a.momentum == b.momentum &&
         a.terms.size() == b.terms.size() && a.more.size() == b.more.size();
}

TEST_CASE("a row that was noted is the row of then, whatever came after it") {
  const std::vector<std::string> names = pair_forces(Precision::mixed);
  const auto portable = std::find_if(names.begin(), names.end(), [](const std::string& name) {
    return name.ends_with(".portable");
  });
  REQUIRE(portable != names.end());
  for (const std::int64_t rebuild_every : {0, 7}) {
    CAPTURE(rebuild_every);
    md::SimulationOptions options;
    options.rebuild_every = rebuild_every;
    const auto begin = [&] { return start(melt(6), Precision::mixed, *portable, options); };
    const auto noting = begin();
    const auto asking = begin();
    CHECK_THROWS_AS(static_cast<void>(noting->requested_thermo()), ArgumentError);
    for (const std::int64_t steps : {1, 3, 10, 0, 1}) {
      noting->advance(3);
      asking->advance(3);
      const md::ThermoRow then = asking->thermo();
      noting->request_thermo();
      noting->advance(steps);
      asking->advance(steps);
      CHECK(same(noting->requested_thermo(), then));
      CHECK(same(noting->requested_thermo(), then));
      // The requested row stays that of its step, although thermo() reuses its memory later.
      CHECK(same(noting->thermo(), asking->thermo()));
      CHECK(same(noting->requested_thermo(), then));
    }
    noting->request_thermo();
    noting->request_thermo();
    noting->set_box(noting->box());
    CHECK(same(noting->requested_thermo(), asking->thermo()));
  }
}

TEST_CASE("a row that was noted outlives a blow-up") {
  md::SimulationOptions options;
  options.time_step = 0.005;
  const auto simulation = start(melt(6), Precision::double_precision, "auto", options);
  simulation->advance(5);
  const md::ThermoRow then = simulation->thermo();
  simulation->request_thermo();
  const auto exploding = [&] {
    md::System system = melt(6);
    for (auto& v : system.velocities)
      v[0] = 1e6;
    return start(system, Precision::double_precision, "auto", options);
  }();
  const md::ThermoRow before = exploding->thermo();
  exploding->request_thermo();
  CHECK_THROWS_AS(exploding->advance(10), md::BlowUpError);
  CHECK(same(exploding->requested_thermo(), before));
  CHECK(same(simulation->requested_thermo(), then));
}

std::int64_t pair_force_calls(const md::Simulation& simulation) {
  for (const OperationTime& time : simulation.timings())
    if (time.operation == "md/pair_force") return time.calls;
  return 0;
}

TEST_CASE("forces before the look at the displacements: the same steps") {
  for (const Precision precision :
       {Precision::double_precision, Precision::mixed, Precision::single}) {
    for (const std::string& implementation : pair_forces(precision)) {
      // Two runs of these implementations may differ.
      if (registry().find("md/pair_force", precision, implementation).info().determinism ==
          Determinism::none)
        continue;
      CAPTURE(implementation);
      CAPTURE(std::string(name(precision)));
      const auto run = [&](bool ahead) {
        md::SimulationOptions options;
        options.speculate_forces = ahead;
        options.fused_steps = false;
        auto simulation = start(melt(5), precision, implementation, options);
        for (int part = 0; part < 3; ++part) {
          simulation->advance(25);
          simulation->request_thermo();
        }
        simulation->advance(5);
        return simulation;
      };
      const auto waiting = run(false);
      const auto ahead = run(true);
      if (implementation != "reference") CHECK(waiting->rebuilds() > 3);
      CHECK(ahead->rebuilds() == waiting->rebuilds());
      CHECK(same(ahead->requested_thermo(), waiting->requested_thermo()));
      CHECK(ahead->system().positions == waiting->system().positions);
      CHECK(ahead->system().velocities == waiting->system().velocities);
      CHECK(ahead->forces() == waiting->forces());
    }
  }
}

TEST_CASE("forces before the look at the displacements: again where atoms went too far") {
  md::System system = melt(5);
  for (auto& v : system.velocities)
    v = {0, 0, 0};
  for (std::size_t d = 0; d < 2; ++d)
    system.positions[0][d] += 0.25;  // moves the atom towards a neighbor
  const auto run = [&](bool ahead, double skin, std::int64_t steps) {
    md::SimulationOptions options;
    options.speculate_forces = ahead;
    options.fused_steps = false;
    auto simulation =
        start(system, Precision::double_precision, "auto", options, "auto", nullptr, skin);
    simulation->advance(steps);
    return simulation;
  };
  // From rest the atom moves four times as far in two steps as in the first one. The simulation
  // expects at most twice as far, and this skin, six times the first distance, allows three times.
  const auto first = run(false, 0, 1)->system().positions[0];
  double moved = 0;
  for (std::size_t d = 0; d < 3; ++d)
    moved += std::pow(first[d] - system.positions[0][d], 2);
  const double skin = 6 * std::sqrt(moved);
  const auto waiting = run(false, skin, 4);
  const auto ahead = run(true, skin, 4);
  CHECK(ahead->rebuilds() == waiting->rebuilds());
  CHECK(ahead->system().positions == waiting->system().positions);
  CHECK(ahead->forces() == waiting->forces());
  CHECK(pair_force_calls(*ahead) > pair_force_calls(*waiting));
}

TEST_CASE("forces before the look at the displacements: a blow-up is the same") {
  const auto run = [](bool ahead) {
    md::SimulationOptions options;
    options.speculate_forces = ahead;
    options.fused_steps = false;
    options.time_step = 0.03;
    auto simulation = start(melt(6), Precision::double_precision, "auto", options);
    std::string message;
    try {
      simulation->advance(2000);
    } catch (const md::BlowUpError& error) {
      message = error.what();
    }
    return std::pair{message, simulation->system().positions};
  };
  const auto waiting = run(false);
  CHECK(waiting.first != "");
  CHECK(run(true) == waiting);
}

TEST_CASE("a run that stops and continues has the bits of one that goes on") {
  for (const std::string& implementation : pair_forces(Precision::double_precision)) {
    const auto& info =
        registry().find("md/pair_force", Precision::double_precision, implementation).info();
    if (info.determinism == Determinism::none || implementation == "reference") continue;
    CAPTURE(implementation);
    const auto through = start(melt(8), Precision::double_precision, implementation);
    through->advance(60);
    through->rebuild();  // as writing a restart file does
    const auto continued = start(through->system(), Precision::double_precision, implementation);
    through->advance(60);
    continued->advance(60);
    const md::System a = through->system();
    const md::System b = continued->system();
    CHECK(std::memcmp(a.positions.data(), b.positions.data(),
                      a.positions.size() * sizeof a.positions[0]) == 0);
    CHECK(std::memcmp(a.velocities.data(), b.velocities.data(),
                      a.velocities.size() * sizeof a.velocities[0]) == 0);
  }
}

TEST_CASE("an endless time step stops with the atom named and a sound state") {
  md::SimulationOptions options;
  options.time_step = 0.2;
  const auto simulation = start(melt(6), Precision::double_precision, "auto", options);
  try {
    simulation->advance(200);
    FAIL("no exception");
  } catch (const md::BlowUpError& error) {
    CHECK(error.step() > 0);
    CHECK(error.atom_id() > 0);
    CHECK(std::string(error.what()).find("atom " + std::to_string(error.atom_id())) !=
          std::string::npos);
  }
  for (const auto& r : simulation->system().positions)
    for (const double x : r)
      REQUIRE(std::isfinite(x));
  CHECK(simulation->steps_done() < 200);
}

TEST_CASE("a blow-up between scheduled rebuilds is seen by whoever looks") {
  md::SimulationOptions options;
  options.time_step = 0.2;
  options.rebuild_every = 1000;
  const auto looked_at = start(melt(6), Precision::double_precision, "auto", options);
  CHECK_THROWS_AS(looked_at->advance(100), md::BlowUpError);
  // rebuild(), as for a restart file, also detects the blow-up, earlier than rebuild_every.
  options.rebuild_every = 50;
  const auto saved = start(melt(6), Precision::double_precision, "auto", options);
  CHECK_THROWS_AS(
      [&] {
        for (int k = 0; k < 20; ++k) {
          saved->advance(10);
          saved->rebuild();
        }
      }(),
      md::BlowUpError);
  for (const auto& r : saved->system().positions)
    for (const double x : r)
      REQUIRE(std::isfinite(x));
  // A stable run is not affected by frequent checks.
  options.time_step = 0.005;
  options.rebuild_every = 20;
  const auto sound = start(melt(6), Precision::double_precision, "auto", options);
  for (const std::int64_t steps : {1, 7, 19, 20, 21, 0, 3}) {
    sound->advance(steps);
    sound->rebuild();
    sound->rebuild();
  }
  CHECK(sound->steps_done() == 71);
}

TEST_CASE("systems without atoms, and with one, run") {
  md::System empty = melt(4);
  for (auto* rows : {&empty.positions, &empty.velocities})
    rows->clear();
  empty.images.clear();
  empty.ids.clear();
  empty.type.clear();
  const auto nothing = start(empty, Precision::double_precision);
  nothing->advance(3);
  nothing->advance(40);
  CHECK(nothing->thermo().potential_energy == 0);

  md::System one = melt(4);
  one.positions.resize(1);
  one.velocities.resize(1);
  one.images.resize(1);
  one.ids.resize(1);
  one.type.resize(1);
  one.velocities[0] = {1, -2, 0.5};
  const auto free = start(one, Precision::double_precision);
  free->advance(100);
  const auto moved = unwrapped(free->system())[0];
  CHECK(moved[0] == test::relative(one.positions[0][0] + 0.5));
  CHECK(moved[1] == test::relative(one.positions[0][1] - 1.0));
  CHECK(free->thermo().temperature == 0);
}

}  // namespace
}  // namespace tessera::test
