#include "core/base/random.hpp"
#include "physics/md/io/restart.hpp"
#include "physics/md/simulation/langevin.hpp"
#include "tests/analytic/melt.hpp"
#include "tests/analytic/tether_term.hpp"
#include "tests/support/relative.hpp"
#include "tests/support/temporary_directory.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

/// \file
/// Langevin dynamics: the distribution that the BAOAB scheme samples in a harmonic well is known
/// exactly, with its dependence on the time step.

namespace tessera::test {
namespace {

constexpr double stiffness = 4;
constexpr double mass = 1;
constexpr double temperature = 0.7;
constexpr double omega_dt = 0.6;  // gives a bias of 9 %, many standard errors
const double time_step = omega_dt / std::sqrt(stiffness / mass);

/// Atoms that only have the force of a TetherTerm, in a box whose faces they do not reach.
md::System oscillators(std::int64_t atoms) {
  md::System system;
  for (int d = 0; d < 3; ++d) {
    system.box.length[d] = 100;
    system.box.periodic[d] = false;
  }
  system.types = {{"A", mass}};
  for (std::int64_t i = 0; i < atoms; ++i) {
    system.ids.push_back(3 * i + 1);
    system.type.push_back(0);
    system.positions.push_back({50, 50, 50});
  }
  system.velocities.assign(system.positions.size(), {0, 0, 0});
  return system;
}

std::unique_ptr<md::Simulation> bath(const md::System& system, Precision precision,
                                     const RestartFile* continued = nullptr,
                                     double dt = time_step) {
  md::SimulationOptions options;
  options.precision = precision;
  options.time_step = dt;
  return md::Simulation::make(
      registry().open("serial"), system,
      {{tether(stiffness)}, md::langevin({.temperature = temperature, .friction = 1.5, .seed = 9})},
      md::units_from_name("lj"), options, continued);
}

struct Estimate {
  double mean;
  double error;  ///< standard error
  [[nodiscard]] double deviations_from(double value) const {
    return std::abs(mean - value) / error;
  }
};

Estimate estimate(const std::vector<double>& independent) {
  const auto n = static_cast<double>(independent.size());
  const double mean = std::accumulate(independent.begin(), independent.end(), 0.0) / n;
  double square = 0;
  for (const double x : independent)
    square += (x - mean) * (x - mean);
  return {mean, std::sqrt(square / n / (n - 1))};
}

TEST_CASE("a harmonic well has the temperatures that BAOAB is known for") {
  for (const Precision precision :
       {Precision::double_precision, Precision::mixed, Precision::single}) {
    CAPTURE(std::string(name(precision)));
    constexpr int samples = 200;
    const md::System start = oscillators(1000);
    const auto simulation = bath(start, precision);
    simulation->advance(100);
    const std::size_t coordinates = 3000;
    std::vector<double> positions(coordinates), velocities(coordinates), fourths(coordinates);
    std::vector<double> crossed(coordinates);
    double mean_temperature = 0;
    for (int s = 0; s < samples; ++s) {
      simulation->advance(5);
      mean_temperature += simulation->thermo().temperature / samples;
      const md::System now = simulation->system();
      for (std::size_t c = 0; c < coordinates; ++c) {
        const double x = now.positions[c / 3][c % 3] - 50;
        const double v = now.velocities[c / 3][c % 3];
        const double other = now.velocities[c / 3][(c + 1) % 3];
        positions[c] += stiffness * x * x / samples;
        velocities[c] += mass * v * v / samples;
        fourths[c] += v * v * v * v / samples;
        crossed[c] += v * other / samples;
      }
    }
    // Each coordinate is an independent oscillator, whose average over time is one sample.
    const Estimate configurational = estimate(positions);
    const Estimate kinetic = estimate(velocities);
    const double biased = temperature * (1 - omega_dt * omega_dt / 4);
    MESSAGE("configurational " << configurational.mean << " +- " << configurational.error << " of "
                               << temperature << ", kinetic " << kinetic.mean << " +- "
                               << kinetic.error << " of " << biased);
    CHECK(configurational.deviations_from(temperature) < 3);
    CHECK(kinetic.deviations_from(biased) < 3);
    CHECK(kinetic.deviations_from(temperature) > 10);
    CHECK(mean_temperature ==
          test::relative(kinetic.mean).epsilon(1e-6));  // 3 N degrees of freedom
    // Maxwell distribution: the fourth moment of a Gaussian is three times its variance squared.
    const double variance = biased / mass;
    CHECK(estimate(fourths).deviations_from(3 * variance * variance) < 3);
    CHECK(estimate(crossed).deviations_from(0) < 3);
  }
}

TEST_CASE("noise belongs to ids: the order of atoms changes nothing") {
  md::System forward = oscillators(100);
  md::System shuffled = forward;
  std::vector<std::size_t> order(forward.ids.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::shuffle(order.begin(), order.end(), RandomSequence(4));
  for (std::size_t i = 0; i < order.size(); ++i)
    shuffled.ids[i] = forward.ids[order[i]];
  const auto a = bath(forward, Precision::mixed);
  const auto b = bath(shuffled, Precision::mixed);
  a->advance(50);
  b->advance(50);
  const md::System in_order = a->system();
  const md::System mixed_up = b->system();
  for (std::size_t i = 0; i < order.size(); ++i) {
    CHECK(mixed_up.positions[i] == in_order.positions[order[i]]);
    CHECK(mixed_up.velocities[i] == in_order.velocities[order[i]]);
  }
  CHECK(in_order.positions[0] != in_order.positions[1]);
}

TEST_CASE("what the bath gave is booked") {
  const auto drift = [](double dt) {
    const auto simulation = bath(oscillators(500), Precision::double_precision, nullptr, dt);
    const double start = simulation->thermo().more.back().value;
    double worst = 0;
    for (int i = 0; i < 20; ++i) {
      simulation->advance(static_cast<std::int64_t>(std::lround(0.5 / dt)));
      const md::ThermoRow row = simulation->thermo();
      CHECK(row.more.back().name == "conserved_energy");
      simulation->request_thermo();
      CHECK(simulation->requested_thermo().more.back().value == row.more.back().value);
      worst = std::max(worst, std::abs(row.more.back().value - start));
    }
    // The bath heats 1500 oscillators from rest to kT each.
    const md::ThermoRow end = simulation->thermo();
    CHECK(end.potential_energy + end.kinetic_energy > 900);
    return worst;
  };
  const double coarse = drift(0.05);
  const double fine = drift(0.025);
  MESSAGE("conserved energy strays by " << coarse << " and, with half the step, " << fine);
  CHECK(coarse < 3);
  CHECK(fine < 0.4 * coarse);
}

TEST_CASE("a run in a bath continues from its file bit for bit") {
  const TemporaryDirectory directory;
  const auto through = bath(oscillators(64), Precision::double_precision);
  through->advance(37);
  through->rebuild();
  RestartFile file;
  md::put_description(file, "lj", through->description());
  through->save(file);
  file.write(directory / "r");
  md::Restart restart = md::read_restart(directory / "r");
  const auto continued = bath(restart.system, Precision::double_precision, &restart.file);
  CHECK(continued->clock().step() == 37);
  through->advance(41);
  continued->advance(41);
  const md::System a = through->system();
  const md::System b = continued->system();
  CHECK(a.positions == b.positions);
  CHECK(a.velocities == b.velocities);
  const md::ThermoRow now = through->thermo();
  const md::ThermoRow same = continued->thermo();
  CHECK(now.step == same.step);
  CHECK(now.time == same.time);
  CHECK(now.potential_energy == same.potential_energy);
  REQUIRE(now.more.size() == 2);
  REQUIRE(same.more.size() == 2);
  // The conserved energy needs the saved heat of each atom, and the count of calls its saved value.
  // The continued run makes one more call, because it recomputes the forces of its first step.
  CHECK(now.more[1].value == same.more[1].value);
  CHECK(same.more[0].value == now.more[0].value + 1);
}

/// A simulation of `system` with Langevin noise that conserves the total momentum.
std::unique_ptr<md::Simulation> zero_bath(const md::System& system,
                                          const md::SimulationParts& parts,
                                          md::SimulationOptions options = {},
                                          const std::string& backend = "auto",
                                          const RestartFile* continued = nullptr) {
  md::SimulationParts with_bath = parts;
  with_bath.integrator =
      md::langevin({.temperature = temperature, .friction = 20, .seed = 7, .zero = true});
  return md::Simulation::make(registry().open(backend), system, with_bath,
                              md::units_from_name("lj"), options, continued);
}

TEST_CASE("noise that carries no momentum leaves the canonical distribution of the rest") {
  // Three free atoms; the heaviest has most of the total mass.
  md::System system = oscillators(3);
  system.types = {{"A", 1.0}, {"B", 3.0}, {"C", 16.0}};
  system.type = {0, 1, 2};
  const double masses[3] = {1, 3, 16};
  md::SimulationOptions options;
  options.time_step = 0.2;  // friction 20: velocities of successive steps are nearly independent
  const auto simulation = zero_bath(system, {}, options);
  constexpr int samples = 20000;
  double square[3] = {0, 0, 0};
  double mean = 0;
  for (int s = 0; s < samples; ++s) {
    simulation->advance(1);
    const md::ThermoRow row = simulation->thermo();
    mean += row.temperature / samples;
    for (const double p : row.momentum)
      REQUIRE(std::abs(p) < 1e-13);
    const md::System now = simulation->system();
    for (std::size_t i = 0; i < 3; ++i)
      for (const double v : now.velocities[i])
        square[i] += masses[i] * v * v / (3.0 * samples);
  }
  // Four standard errors; 3 N - 3 degrees of freedom, and m v^2 = kT (1 - m / M) for each atom.
  CHECK(mean == test::relative(temperature).epsilon(4 * std::sqrt(2 / (6.0 * samples))));
  for (std::size_t i = 0; i < 3; ++i)
    CHECK(square[i] == test::relative(temperature * (1 - masses[i] / 20))
                           .epsilon(4 * std::sqrt(2 / (3.0 * samples))));
}

TEST_CASE(
    "a melt in a bath whose noise carries no momentum does not drift, and continues bit for bit") {
  const TemporaryDirectory directory;
  const md::SimulationParts parts{{md::pair_term({melt_coefficients(), 0})}, {}};
  const md::System start = melt(6);
  for (const Determinism determinism : {Determinism::none, Determinism::any_order}) {
    md::SimulationOptions options;
    options.determinism = determinism;
    const auto through = zero_bath(start, parts, options);
    through->advance(100);
    const md::ThermoRow row = through->thermo();
    for (const double p : row.momentum)
      CHECK(std::abs(p) < 1e-10);
    CHECK(row.temperature * 1.5 * 863 == test::relative(row.kinetic_energy).epsilon(1e-12));
    through->rebuild();
    RestartFile file;
    md::put_description(file, "lj", through->description());
    through->save(file);
    file.write(directory / "r");
    const md::Restart restart = md::read_restart(directory / "r");
    const auto continued = zero_bath(restart.system, parts, options, "auto", &restart.file);
    through->advance(50);
    continued->advance(50);
    check_same_atoms(*through, *continued);
  }
  // Frozen atoms absorb momentum, and have no noise.
  md::System wall = start;
  wall.frozen.assign(wall.type.size(), 0);
  std::fill_n(wall.frozen.begin(), 200, std::uint8_t{1});
  const auto held = zero_bath(wall, parts);
  held->advance(50);
  const md::ThermoRow row = held->thermo();
  CHECK(row.temperature * 1.5 * 664 == test::relative(row.kinetic_energy).epsilon(1e-12));
  CHECK(held->system().positions[0] == wall.positions[0]);
}

TEST_CASE("noise that carries no momentum has the same bits in any order and on any host backend") {
  const md::SimulationParts parts{{md::pair_term({melt_coefficients(), 0})}, {}};
  const md::System start = melt(5);
  md::System other = start;
  std::vector<std::size_t> order(start.ids.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::shuffle(order.begin(), order.end(), RandomSequence(4));
  for (std::size_t i = 0; i < order.size(); ++i) {
    other.ids[i] = start.ids[order[i]];
    other.positions[i] = start.positions[order[i]];
    other.velocities[i] = start.velocities[order[i]];
  }
  md::SimulationOptions options;
  options.determinism = Determinism::any_order;
  const auto a = zero_bath(start, parts, options);
  a->advance(60);
  const md::System expected = a->system();
  for (const char* backend : {"auto", "serial"}) {
    // A GPU rounds the forces of pairs differently than the host.
    if (backend == std::string("serial") && !on_host()) continue;
    const auto b = zero_bath(other, parts, options, backend);
    b->advance(60);
    const md::System shuffled = b->system();
    for (std::size_t i = 0; i < order.size(); ++i) {
      REQUIRE(shuffled.positions[i] == expected.positions[order[i]]);
      REQUIRE(shuffled.velocities[i] == expected.velocities[order[i]]);
    }
  }
}

TEST_CASE("a bath outside of its range is refused") {
  const auto make = [](md::LangevinOptions options) {
    (void)md::Simulation::make(registry().open("serial"), oscillators(2),
                               {{tether(stiffness)}, md::langevin(options)},
                               md::units_from_name("lj"), {});
  };
  CHECK_THROWS_AS(make({.temperature = -1}), ArgumentError);
  CHECK_THROWS_AS(make({.temperature = 1, .friction = NAN}), ArgumentError);
}

}  // namespace
}  // namespace tessera::test
