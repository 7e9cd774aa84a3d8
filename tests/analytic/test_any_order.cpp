#include "core/base/error.hpp"
#include "physics/md/displacement/displacement.hpp"
#include "physics/md/integrate/integrate.hpp"
#include "physics/md/langevin/langevin.hpp"
#include "physics/md/simulation/langevin.hpp"
#include "physics/md/wrap/wrap.hpp"
#include "tests/analytic/melt.hpp"
#include "tests/support/careless.hpp"
#include "tests/support/relative.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <random>
#include <string>
#include <vector>

/// \file
/// Runs with determinism any_order give the same bits for each id, in repeated runs and for any
/// order of the atoms in the input.

namespace tessera::test {
namespace {

[[nodiscard]] md::SimulationOptions asking() {
  md::SimulationOptions options;
  options.determinism = Determinism::any_order;
  return options;
}

[[nodiscard]] Determinism most_of(const std::string& implementation, Precision precision) {
  return most_determinism(registry().find("md/pair_force", precision, implementation).info());
}

/// Names of the implementations that support any_order; logs the names of the others.
[[nodiscard]] std::vector<std::string> offering(Precision precision) {
  std::vector<std::string> names;
  for (const std::string& implementation : pair_forces(precision)) {
    const Determinism most = most_of(implementation, precision);
    if (most >= Determinism::any_order)
      names.push_back(implementation);
    else
      MESSAGE("left out: " << implementation << " in " << std::string(name(precision))
                           << ", which gives at most " << std::string(name(most)));
  }
  return names;
}

/// The same atoms with their ids, in a random order that depends on `seed`; with 0 in the given
/// order.
[[nodiscard]] md::System shuffled(const md::System& system, unsigned seed) {
  std::vector<std::size_t> place(system.positions.size());
  std::iota(place.begin(), place.end(), std::size_t{0});
  if (seed > 0) std::shuffle(place.begin(), place.end(), std::mt19937(seed));
  md::System other = system;
  for (std::size_t p = 0; p < place.size(); ++p) {
    other.ids[p] = system.ids[place[p]];
    other.type[p] = system.type[place[p]];
    other.positions[p] = system.positions[place[p]];
    other.velocities[p] = system.velocities[place[p]];
    if (!system.images.empty()) other.images[p] = system.images[place[p]];
  }
  return other;
}

/// The results of a run that must have the same bits.
struct Course {
  std::vector<double> atoms;   ///< by id: positions, velocities and images at the end
  std::vector<double> thermo;  ///< rows of numbers
  std::int64_t rebuilds = 0;
};

[[nodiscard]] bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof a[0]) == 0;
}

[[nodiscard]] Course course_of(const md::System& system, Precision precision,
                               const std::string& implementation,
                               const md::SimulationOptions& options, std::int64_t steps) {
  const auto simulation = start(system, precision, implementation, options);
  Course course;
  const auto note = [&] {
    for (const md::ThermoColumn& column :
         md::columns_of(simulation->thermo(), md::units_from_name("lj")))
      course.thermo.push_back(column.value);
  };
  note();
  constexpr std::int64_t rows = 10;
  for (std::int64_t row = 0; row < rows; ++row) {
    simulation->advance(steps / rows);
    note();
  }
  const md::System end = simulation->system();
  std::vector<std::size_t> by_id(end.ids.size());
  std::iota(by_id.begin(), by_id.end(), std::size_t{0});
  std::sort(by_id.begin(), by_id.end(),
            [&](std::size_t a, std::size_t b) { return end.ids[a] < end.ids[b]; });
  for (const std::size_t i : by_id)
    for (std::size_t d = 0; d < 3; ++d)
      for (const double number :
           {end.positions[i][d], end.velocities[i][d], static_cast<double>(end.images[i][d])})
        course.atoms.push_back(number);
  course.rebuilds = simulation->rebuilds();
  return course;
}

void check_equal(const Course& a, const Course& b) {
  CHECK(same_bits(a.atoms, b.atoms));
  CHECK(same_bits(a.thermo, b.thermo));
  CHECK(a.rebuilds == b.rebuilds);
}

TEST_CASE("any order: every run has the same bits, whatever the order of the atoms") {
  for (const Precision precision :
       {Precision::double_precision, Precision::mixed, Precision::single})
    for (const std::string& implementation : offering(precision)) {
      CAPTURE(implementation);
      CAPTURE(std::string(name(precision)));
      // On a GPU, which is fast, 4,000 atoms and more steps.
      const md::System system = melt(on_host() ? 5 : 10);
      const std::int64_t steps = on_host() ? 150 : 2000;
      const auto run = [&](unsigned seed) {
        return course_of(shuffled(system, seed), precision, implementation, asking(), steps);
      };
      const Course first = run(0);
      CHECK(first.rebuilds > 3);
      const unsigned orders = on_host() ? 2 : 4;
      for (unsigned seed = 0; seed <= orders; ++seed) {
        CAPTURE(seed);
        check_equal(run(seed), first);
      }
    }
}

TEST_CASE("any order: fused steps have the bits of one operation after the other") {
  for (const Precision precision :
       {Precision::double_precision, Precision::mixed, Precision::single})
    for (const std::string& implementation : offering(precision)) {
      CAPTURE(implementation);
      CAPTURE(std::string(name(precision)));
      for (const int cells : on_host() ? std::vector{4} : std::vector{5, 9, 20, 40}) {
        CAPTURE(cells);
        md::SimulationOptions apart = asking();
        apart.fused_steps = false;
        check_equal(course_of(melt(cells), precision, implementation, asking(), 100),
                    course_of(melt(cells), precision, implementation, apart, 100));
      }
    }
}

TEST_CASE("any order: forces are the usual ones but for rounding") {
  for (const Precision precision :
       {Precision::double_precision, Precision::mixed, Precision::single})
    for (const std::string& implementation : offering(precision)) {
      CAPTURE(implementation);
      CAPTURE(std::string(name(precision)));
      const auto run = [&](const md::SimulationOptions& options) {
        auto simulation = start(melt(5), precision, implementation, options);
        simulation->advance(20);
        return simulation;
      };
      const auto one = run({});
      const auto other = run(asking());
      const auto usual = one->forces();
      const auto fixed = other->forces();
      double difference = 0;
      double magnitude = 0;
      for (std::size_t i = 0; i < usual.size(); ++i)
        for (std::size_t d = 0; d < 3; ++d) {
          difference += std::pow(usual[i][d] - fixed[i][d], 2);
          magnitude += usual[i][d] * usual[i][d];
        }
      const double bound = precision == Precision::double_precision ? 1e-11
                           : precision == Precision::mixed          ? 1e-5
                                                                    : 1e-3;
      CHECK(magnitude > 0);
      CHECK(std::sqrt(difference / magnitude) < bound);
      const md::ThermoRow a = one->thermo();
      const md::ThermoRow b = other->thermo();
      CHECK(a.potential_energy < -1000);
      CHECK(b.potential_energy == test::relative(a.potential_energy).epsilon(bound));
      CHECK(b.pressure == test::relative(a.pressure).epsilon(10 * bound));
    }
}

TEST_CASE("any order: what gives less is refused with the reason") {
  for (const std::string& implementation : pair_forces(Precision::mixed)) {
    if (most_of(implementation, Precision::mixed) >= Determinism::any_order) continue;
    CAPTURE(implementation);
    std::string reason;
    try {
      (void)start(melt(4), Precision::mixed, implementation, asking());
    } catch (const RefusalError& refusal) {
      reason = refusal.reason();
    }
    CHECK(reason.find("the required determinism is any_order") != std::string::npos);
  }
}

template <class Operation>
void check_that_careless_is_refused(const md::SimulationParts& parts) {
  const std::string operation(Operation::name);
  CAPTURE(operation);
  std::string reason;
  try {
    (void)md::Simulation::make(careless_context<Operation>(), melt(4), parts,
                               md::units_from_name("lj"), asking());
  } catch (const RefusalError& refusal) {
    reason = refusal.what();
  }
  CHECK(reason.find(operation) != std::string::npos);
  CHECK(reason.find("serial.careless") != std::string::npos);
  CHECK(reason.find("the required determinism is any_order") != std::string::npos);
}

TEST_CASE("any order: work on single atoms gives it too, or is refused by name") {
  const md::SimulationParts parts{{md::pair_term({melt_coefficients(), 0})}, {}};
  check_that_careless_is_refused<md::Integrate>(parts);
  check_that_careless_is_refused<md::Displacement>(parts);
  check_that_careless_is_refused<md::Wrap>(parts);
  md::SimulationParts bath = parts;
  bath.integrator = md::langevin({.temperature = 1, .friction = 1, .seed = 3});
  check_that_careless_is_refused<md::Langevin>(bath);
}

TEST_CASE("any order: atoms too near for fixed point are named, and stop a run") {
  for (const Precision precision : {Precision::double_precision, Precision::mixed})
    for (const std::string& implementation : offering(precision)) {
      CAPTURE(implementation);
      CAPTURE(std::string(name(precision)));
      md::System near = melt(5);
      near.positions[7] = near.positions[3];
      near.positions[7][0] += 0.2;
      // Without any_order the sums are finite.
      CHECK(std::isfinite(start(near, precision, implementation)->thermo().potential_energy));
      std::vector<std::int64_t> atoms;
      try {
        (void)start(near, precision, implementation, asking());
      } catch (const ParticleError& error) {
        atoms = error.particles();
      }
      CHECK(atoms == std::vector<std::int64_t>{3, 7});

      // Two atoms fly at each other so fast that no step computes large but finite forces before.
      md::System head_on = melt(5);
      for (auto& velocity : head_on.velocities)
        velocity = {0, 0, 0};
      head_on.positions[7] = head_on.positions[3];
      head_on.positions[7][0] += 0.9;
      head_on.velocities[3][0] = 70;
      head_on.velocities[7][0] = -70;
      const auto simulation = start(head_on, precision, implementation, asking());
      std::string message;
      try {
        simulation->advance(20);
      } catch (const md::BlowUpError& error) {
        message = error.what();
      }
      CHECK(message.find("sums in fixed point") != std::string::npos);
    }
}

}  // namespace
}  // namespace tessera::test
