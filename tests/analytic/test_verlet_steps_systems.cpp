#include "core/base/error.hpp"
#include "physics/md/pair_potential/pair_kernels.hpp"
#include "physics/md/topology/pair_lists.hpp"
#include "tests/analytic/melt.hpp"

#include <doctest/doctest.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

/// \file
/// Fused steps of systems that are no melt of one type in a cube: they give the same bits as
/// separate operations, for every implementation and internal order of atoms.

namespace tessera::test {
namespace {

struct Situation {
  std::string name;
  md::System system;
  md::PairTermOptions pairs;
};

/// The lattice of the melt in a box that is tilted by whole unit cells.
[[nodiscard]] Situation tilted() {
  md::System system = melt(6);
  const double cell = system.box.length[0] / 6;
  system.box.tilt[0] = 2 * cell;
  system.box.tilt[1] = -cell;
  system.box.tilt[2] = cell;
  return {"tilted", system, {melt_coefficients(1)}};
}

/// A melt in which a few atoms have a cutoff three times as long as the others.
[[nodiscard]] Situation of_two_reaches() {
  md::System system = melt(7);
  system.types.push_back(system.types.front());
  system.types.back().mass = 2;
  for (std::size_t i = 0; i < system.type.size(); ++i)
    system.type[i] = i % 23 == 0 ? 1 : 0;
  md::CoefficientTable table = melt_coefficients(2);
  table.set(0, 0, {{"cutoff", 1.3}});
  table.set(0, 1, {{"cutoff", 1.3}});
  table.set(1, 1, {{"cutoff", 4}});
  return {"two reaches", system, {table}};
}

/// Two droplets far apart in a wide box, one of them across a face.
[[nodiscard]] Situation droplets(bool periodic) {
  md::System system = melt(3);
  const md::System one = system;
  system.box.length[0] = system.box.length[1] = system.box.length[2] = 230;
  for (std::size_t d = 0; d < 3; ++d)
    system.box.periodic[d] = periodic;
  for (std::size_t i = 0; i < one.positions.size(); ++i) {
    auto& first = system.positions[i];
    first = one.positions[i];
    first[0] -= 2;
    if (first[0] < 0 && periodic) first[0] += 230;
    system.positions.push_back(one.positions[i]);
    for (double& x : system.positions.back())
      x += 120;
    system.velocities.push_back(one.velocities[i]);
    system.velocities.back()[1] *= -1;
    system.images.push_back({0, 0, 0});
    system.ids.push_back(static_cast<std::int64_t>(one.positions.size() + i + 1));
    system.type.push_back(0);
  }
  return {periodic ? "droplets in a periodic box" : "droplets in an open box",
          system,
          {melt_coefficients(1)}};
}

/// A melt with charges and excluded pairs.
[[nodiscard]] Situation charged_pairs() {
  md::System system = melt(5);
  for (std::size_t i = 0; i < system.type.size(); ++i)
    system.charges.push_back(i % 2 == 0 ? 0.7 : -0.7);
  std::vector<md::Bond> bonds;
  for (std::int32_t i = 0; i + 1 < static_cast<std::int32_t>(system.type.size()); i += 4)
    bonds.push_back({{i, i + 1}, 0});
  md::CoefficientTable table(md::pair_potentials().find("lj/cut+coul/dsf"), 1);
  table.set_all({{"epsilon", 1},
                 {"sigma", 1},
                 {"cutoff", 2.5},
                 {"coulomb_cutoff", 2.8},
                 {"alpha", 0.4},
                 {"coulomb_constant", 1}});
  return {"charged pairs",
          system,
          {table, 0, md::bonds_by_atom(static_cast<std::int64_t>(system.type.size()), bonds)}};
}

[[nodiscard]] std::unique_ptr<md::Simulation> start(const Situation& situation, Precision precision,
                                                    const std::string& implementation, bool whole,
                                                    double dt = 0.005) {
  md::SimulationOptions options = steps_are(whole);
  options.precision = precision;
  options.time_step = dt;
  Context context = registry().open("auto");
  context.choices = choose_pair_force(implementation);
  return md::Simulation::make(context, situation.system, {{md::pair_term(situation.pairs)}, {}},
                              md::units_from_name("lj"), options);
}

/// Visits the implementations that give the same bits in two runs and support the situation.
void for_each_repeatable(const Situation& situation,
                         const std::function<void(Precision, const std::string&)>& visit) {
  CAPTURE(situation.name);
  for (const Precision precision : {Precision::double_precision, Precision::mixed})
    for (const std::string& implementation : repeatable_pair_forces(precision)) {
      CAPTURE(implementation);
      CAPTURE(std::string(name(precision)));
      try {
        visit(precision, implementation);
      } catch (const RefusalError&) {
        // An implementation may refuse a box, or have no compiled kernel of the potential; but
        // openmp.cluster refuses no situation for which it has a kernel.
        const bool takes = implementation == "openmp.cluster" &&
                           md::pair_kernels().find(implementation, precision,
                                                   situation.pairs.coefficients.potential());
        CHECK(!takes);
      }
    }
}

TEST_CASE("fused steps: boxes, reaches, gaps and charges of every kind") {
  for (const Situation& situation :
       {tilted(), of_two_reaches(), droplets(true), droplets(false), charged_pairs()})
    for_each_repeatable(situation, [&](Precision precision, const std::string& implementation) {
      const auto run = [&](bool whole) {
        auto simulation = start(situation, precision, implementation, whole);
        for (const std::int64_t steps : {1, 60, 7, 32})
          simulation->advance(steps);
        return simulation;
      };
      const auto apart = run(false);
      const auto whole = run(true);
      CHECK(whole->rebuilds() > 3);
      check_same_course(*whole, *apart);
      CHECK(whole->neighbors_per_atom() > 0);
    });
}

TEST_CASE("fused steps: the box may change between them") {
  md::System open = melt(6);
  for (bool& periodic : open.box.periodic)
    periodic = false;
  for (const Situation& situation :
       {tilted(), Situation{"an open box", open, {melt_coefficients(1)}}})
    for_each_repeatable(situation, [&](Precision precision, const std::string& implementation) {
      const auto apart = start(situation, precision, implementation, false);
      const auto whole = start(situation, precision, implementation, true);
      for (int part = 0; part < 5; ++part) {
        CAPTURE(part);
        for (md::Simulation* const simulation : {apart.get(), whole.get()}) {
          simulation->advance(25);
          md::Box box = simulation->box();
          box.length[0] *= 1.001;
          if (situation.system.box.tilt[1] != 0) box.tilt[1] += 0.01;
          simulation->set_box(box);
        }
        check_same_atoms(*whole, *apart);
        CHECK(whole->rebuilds() == apart->rebuilds());
      }
    });
}

TEST_CASE("fused steps: a blow-up names the atom, and returns to the lists before it") {
  const Situation situation{"melt", melt(6), {melt_coefficients(1)}};
  for_each_repeatable(situation, [&](Precision precision, const std::string& implementation) {
    // cuda.list detects blow-ups by the speed of an atom, not by its displacement.
    if (implementation != "openmp.cluster") return;
    const auto run = [&](bool whole, double dt) {
      auto simulation = start(situation, precision, implementation, whole, dt);
      std::string message;
      try {
        simulation->advance(2000);
      } catch (const md::BlowUpError& error) {
        message = error.what();
      }
      CHECK(message.find("too long for these forces") != std::string::npos);
      return std::pair{message, std::move(simulation)};
    };
    for (const double dt : {0.03, 0.2, 1e200}) {
      CAPTURE(dt);
      const auto apart = run(false, dt);
      const auto whole = run(true, dt);
      CHECK(whole.first == apart.first);
      check_same_atoms(*whole.second, *apart.second);
    }
  });
}

}  // namespace
}  // namespace tessera::test
