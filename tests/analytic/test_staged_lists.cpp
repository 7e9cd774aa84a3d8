#include "physics/md/topology/pair_lists.hpp"
#include "tests/analytic/melt.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

/// \file
/// Staged lists of cuda.list, whose kernel loads neighbors into shared memory, in systems of a few
/// thread blocks. Staging needs one thread per atom, which is the default only from a hundred
/// thousand atoms on; these tests set threads_per_atom.

namespace tessera::test {
namespace {

/// The name of cuda.list on the default device; empty where it is not available.
[[nodiscard]] std::string list() {
  for (const std::string& name : pair_forces(Precision::mixed))
    if (is_gpu_list(name)) return name;
  return {};
}

const ParameterValues one_thread{{"threads_per_atom", std::int64_t{1}}};
const ParameterValues by_matrix{{"threads_per_atom", std::int64_t{1}}, {"staged", false}};

/// Whether cuda.list is available.
[[nodiscard]] bool are_here() {
  if (!list().empty()) return true;
  MESSAGE("left out: no cuda.list here");
  return false;
}

TEST_CASE("staged lists: fused steps have the bits of one operation after the other") {
  if (!are_here()) return;
  for (const Precision precision : {Precision::mixed, Precision::single})
    for (const int cells : {5, 9, 14}) {
      CAPTURE(cells);
      CAPTURE(std::string(name(precision)));
      const auto run = [&](bool whole) {
        auto simulation =
            start(melt(cells), precision, list(), steps_are(whole), "auto", nullptr, 0, one_thread);
        for (const std::int64_t steps : {1, 40, 3, 17, 59}) {
          simulation->advance(steps);
          simulation->request_thermo();
        }
        return simulation;
      };
      const auto apart = run(false);
      const auto whole = run(true);
      CHECK(whole->rebuilds() > 3);
      check_same_course(*whole, *apart);
      CHECK(whole->requested_thermo().potential_energy ==
            apart->requested_thermo().potential_energy);
      CHECK(whole->requested_thermo().pressure == apart->requested_thermo().pressure);
    }
}

TEST_CASE("staged lists: sums in fixed point have the bits of a matrix") {
  if (!are_here()) return;
  for (const Precision precision : {Precision::mixed, Precision::single})
    for (const bool whole : {true, false}) {
      CAPTURE(whole);
      CAPTURE(std::string(name(precision)));
      md::SimulationOptions options = steps_are(whole);
      options.determinism = Determinism::any_order;
      const auto run = [&](bool staged) {
        // Sets the skin, because the resolution of coordinates depends on it.
        auto simulation = start(
            melt(9), precision, list(), options, "auto", nullptr, 0,
            {{"threads_per_atom", std::int64_t{1}}, {"staged", staged}, {"skin_over_cutoff", 0.2}});
        simulation->advance(150);
        return simulation;
      };
      const auto staged = run(true);
      const auto matrix = run(false);
      CHECK(staged->rebuilds() > 3);
      check_same_course(*staged, *matrix);
      CHECK(staged->thermo().potential_energy == matrix->thermo().potential_energy);
      CHECK(staged->thermo().pressure == matrix->thermo().pressure);
    }
}

TEST_CASE("staged lists: excluded pairs are those of a matrix") {
  if (!are_here()) return;
  // In the small box some atoms are within reach of a tile in two images.
  for (const int cells : {4, 9})
    for (const int partners : {1, 5}) {
      CAPTURE(cells);
      CAPTURE(partners);
      const md::System system = melt(cells);
      std::vector<md::Bond> bonds;
      for (std::int32_t i = 0; i < static_cast<std::int32_t>(system.size()); ++i)
        for (std::int32_t other = i + 1; other <= i + partners; ++other)
          if (i % (partners + 1) == 0 && other < static_cast<std::int32_t>(system.size()))
            bonds.push_back({{i, other}, 0});
      const auto run = [&](bool staged) {
        md::SimulationOptions options;
        options.precision = Precision::mixed;
        options.determinism = Determinism::any_order;
        Context context = registry().open("auto");
        context.choices = choose_pair_force(
            list(),
            {{"threads_per_atom", std::int64_t{1}}, {"staged", staged}, {"skin_over_cutoff", 0.2}});
        const md::PairTermOptions pairs{melt_coefficients(), 0,
                                        md::bonds_by_atom(system.size(), bonds)};
        auto simulation = md::Simulation::make(context, system, {{md::pair_term(pairs)}, {}},
                                               md::units_from_name("lj"), options);
        simulation->advance(40);
        return simulation;
      };
      const auto staged = run(true);
      const auto matrix = run(false);
      check_same_course(*staged, *matrix);
      CHECK(staged->thermo().potential_energy == matrix->thermo().potential_energy);
      CHECK(staged->neighbors_per_atom() == doctest::Approx(matrix->neighbors_per_atom()));
    }
}

TEST_CASE("staged lists: systems with more and less shared memory take turns") {
  if (!are_here()) return;
  const auto begin = [](int cells, double spread) {
    md::System system = melt(cells);
    for (double& length : system.box.length)
      length *= spread;
    for (auto& position : system.positions)
      for (double& x : position)
        x *= spread;
    return start(system, Precision::mixed, list(), {}, "auto", nullptr, 0, one_thread);
  };
  const auto alone = begin(9, 1);
  const auto dense = begin(9, 1);
  const auto dilute = begin(9, 1.2);
  for (const std::int64_t steps : {40, 20, 10, 5})
    alone->advance(steps);
  for (const std::int64_t steps : {40, 20, 10, 5}) {
    dense->advance(steps);
    dilute->advance(steps);
  }
  check_same_course(*dense, *alone);
}

TEST_CASE("staged lists: two types, of which some atoms are frozen") {
  if (!are_here()) return;
  const auto run = [&](bool whole) {
    md::SimulationOptions options = steps_are(whole);
    options.precision = Precision::mixed;
    auto simulation = start_frozen_mixture(options, choose_pair_force(list(), one_thread));
    simulation->advance(80);
    return simulation;
  };
  check_same_course(*run(true), *run(false));
}

TEST_CASE("staged lists: where atoms come to have too many neighbors there is a matrix again") {
  if (!are_here()) return;
  const auto run = [](bool whole) {
    md::SimulationOptions options = steps_are(whole);
    options.time_step = 0.001;
    auto simulation = start(melt_that_falls_in(9), Precision::mixed, list(), options, "auto",
                            nullptr, 0.9, one_thread);
    simulation->advance(150);
    return simulation;
  };
  const auto apart = run(false);
  const auto whole = run(true);
  CHECK(whole->neighbors_per_atom() > 0);
  check_same_course(*whole, *apart);
}

TEST_CASE("staged lists miss no pair in any step of twenty rebuilds") {
  if (!are_here()) return;
  const auto simulation =
      start(melt(7), Precision::mixed, list(), steps_are(true), "auto", nullptr, 0, one_thread);
  simulation->advance(100);
  const std::int64_t before = simulation->rebuilds();
  while (simulation->rebuilds() < before + 20) {
    simulation->advance(1);
    // A pair at the cutoff has an energy of -0.0163, half of it in the list of each atom; summation
    // in another order changes the total by 1e-5.
    const auto matrix = start(simulation->system(), Precision::mixed, list(), steps_are(false),
                              "auto", nullptr, 0, by_matrix);
    REQUIRE(std::abs(simulation->thermo().potential_energy - matrix->thermo().potential_energy) <
            1e-3);
  }
}

}  // namespace
}  // namespace tessera::test
