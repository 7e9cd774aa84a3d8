#include "core/base/error.hpp"
#include "tests/analytic/melt.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

/// \file
/// Fused steps by the implementation of md/pair_force give the same results as separate operations.
/// On devices where no implementation supports fused steps, both runs make separate operations.

namespace tessera::test {
namespace {

TEST_CASE("fused steps: the bits of one operation after the other") {
  for (const Precision precision :
       {Precision::double_precision, Precision::mixed, Precision::single})
    for (const std::string& implementation : repeatable_pair_forces(precision)) {
      CAPTURE(implementation);
      CAPTURE(std::string(name(precision)));
      // On a GPU, sizes for few and for many threads per atom.
      for (const int cells : on_host() ? std::vector{5} : std::vector{5, 9, 20, 40}) {
        CAPTURE(cells);
        const auto run = [&](bool whole) {
          auto simulation = start(melt(cells), precision, implementation, steps_are(whole));
          for (const std::int64_t steps : {1, 40, 3, 17, 5, 6, 48}) {
            simulation->advance(steps);
            simulation->request_thermo();
          }
          return simulation;
        };
        const auto apart = run(false);
        const auto whole = run(true);
        check_fused_course(*whole, *apart, implementation);
        const md::ThermoRow a = whole->requested_thermo();
        const md::ThermoRow b = apart->requested_thermo();
        CHECK(a.potential_energy == b.potential_energy);
        CHECK(a.kinetic_energy == b.kinetic_energy);
        CHECK(a.pressure == b.pressure);
      }
    }
}

TEST_CASE("fused steps: lists that become too long grow") {
  const auto run = [](bool whole) {
    md::SimulationOptions options = steps_are(whole);
    options.time_step = 0.001;
    auto simulation =
        start(melt_that_falls_in(7), Precision::mixed, "auto", options, "auto", nullptr, 0.9);
    simulation->advance(150);
    return simulation;
  };
  const auto apart = run(false);
  const auto whole = run(true);
  CHECK(whole->neighbors_per_atom() > 0);
  check_same_course(*whole, *apart);
}

TEST_CASE("fused steps: a blow-up goes back to where lists were made last") {
  const auto run = [](bool whole) {
    md::SimulationOptions options = steps_are(whole);
    options.time_step = 0.03;
    auto simulation = start(melt(6), Precision::double_precision, "auto", options);
    std::string message;
    try {
      simulation->advance(2000);
    } catch (const md::BlowUpError& error) {
      message = error.what();
    }
    CHECK(message.find("is too long for these forces") != std::string::npos);
    // The state can be written to files from there.
    CHECK(std::isfinite(simulation->thermo().potential_energy));
    return simulation->system().positions;
  };
  CHECK(run(true).size() == run(false).size());
}

TEST_CASE("fused steps: whoever asks to stop is heard") {
  const auto simulation = start(melt(5), Precision::mixed, "auto", steps_are(true));
  int asked = 0;
  simulation->advance(100000, [&] { return ++asked == 3; });
  CHECK(asked == 3);
  CHECK(simulation->clock().step() < 1000);
  CHECK(std::isfinite(simulation->thermo().potential_energy));
}

TEST_CASE("fused steps: stopped before the first, lists are made all the same") {
  const auto run = [](bool whole) {
    auto simulation = start(melt(7), Precision::mixed, "auto", steps_are(whole));
    // The second call of the stop function comes after the atoms have been copied back.
    for (int step = 0; step < 80; ++step) {
      int asked = 0;
      simulation->advance(whole ? 80 : 1, [&] { return ++asked == (on_host() ? 1 : 2); });
      CHECK(simulation->clock().step() == step + 1);
    }
    return simulation;
  };
  const auto apart = run(false);
  const auto whole = run(true);
  CHECK(whole->rebuilds() > 3);
  check_same_course(*whole, *apart);
}

TEST_CASE("fused steps: atoms of two masses, of which some are frozen") {
  for (const Precision precision : {Precision::double_precision, Precision::mixed}) {
    const auto run = [&](bool whole) {
      md::SimulationOptions options = steps_are(whole);
      options.precision = precision;
      auto simulation = start_frozen_mixture(options);
      simulation->advance(80);
      return simulation;
    };
    check_same_course(*run(true), *run(false));
  }
}

}  // namespace
}  // namespace tessera::test
