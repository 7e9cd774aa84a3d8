#include "core/base/error.hpp"
#include "core/operations/choices.hpp"
#include "core/operations/registry.hpp"
#include "physics/md/generate/lattice.hpp"
#include "physics/md/generate/velocities.hpp"
#include "physics/md/simulation/langevin.hpp"
#include "physics/md/simulation/listed_term.hpp"
#include "physics/md/simulation/pair_term.hpp"
#include "physics/md/simulation/simulation.hpp"
#include "physics/md/topology/pair_lists.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

/// \file
/// Times the steps of systems that differ from the Lennard-Jones melt in one respect each, with
/// the melt in the same run: a bath, bonds, two cutoffs, a tilted box, an open one and one that
/// grows. The systems take turns; the table has the median rate of each and its ratio to that of
/// the melt.

namespace tessera::md {
namespace {

struct Options {
  std::string backend = "openmp";
  std::string precision = "mixed";
  std::vector<int> cells = {20};
  std::int64_t steps = 500;
  std::int64_t warmup = 500;
  int rounds = 5;
  std::vector<std::string> selected;
  std::vector<std::string> systems;  ///< besides the melt; empty: all
};

struct System {
  std::string name;
  std::unique_ptr<Simulation> simulation;
  double growth_every_10_steps = 0;  ///< of the edges of the box
  std::vector<double> rates;         ///< atom-steps per second
};

[[nodiscard]] md::System melt(int cells) {
  LatticeOptions options;
  options.constant = lattice_constant(Lattice::fcc, 0.8442);
  options.cells = {cells, cells, cells};
  md::System system = make_lattice(options);
  make_velocities(system, 1.44, 87287, units_from_name("lj"));
  return system;
}

[[nodiscard]] CoefficientTable coefficients(int types) {
  CoefficientTable table(pair_potentials().find("lj/cut"), types);
  table.set_all({{"epsilon", 1}, {"sigma", 1}, {"cutoff", 2.5}});
  return table;
}

[[nodiscard]] std::unique_ptr<Simulation> start(const Options& options, const md::System& system,
                                                const SimulationParts& parts) {
  Context context = registry().open(options.backend);
  Choices choices;
  for (const std::string& selection : options.selected)
    choices.add_text(registry(), selection);
  context.choices = std::make_shared<const Choices>(std::move(choices));
  SimulationOptions how;
  how.time_step = 0.005;
  how.precision = precision_from_name(options.precision);
  return Simulation::make(context, system, parts, units_from_name("lj"), how);
}

[[nodiscard]] std::vector<System> systems(const Options& options, int cells) {
  std::vector<System> all;
  const auto add = [&](const std::string& name, const md::System& system,
                       const SimulationParts& parts, double growth = 0) {
    const auto& names = options.systems;
    if (names.empty() || all.empty() || std::find(names.begin(), names.end(), name) != names.end())
      all.push_back({name, start(options, system, parts), growth, {}});
  };
  const auto pairs = [](PairTermOptions how) { return SimulationParts{{pair_term(how)}, {}}; };
  const SimulationParts plain = pairs({coefficients(1)});
  add("melt", melt(cells), plain);

  SimulationParts bath = plain;
  bath.integrator = langevin({.temperature = 0.72, .friction = 1, .seed = 1});
  add("langevin", melt(cells), bath);

  md::System dimers = melt(cells);
  for (std::int32_t i = 0; i + 1 < static_cast<std::int32_t>(dimers.type.size()); i += 2)
    dimers.bonds.push_back({{i, i + 1}, 0});
  dimers.bond_types = 1;
  dimers.bond_coefficients = {{0, {40.0, 1.1}}};
  SimulationParts bonded = pairs({coefficients(1), 0, bonds_by_atom(dimers.size(), dimers.bonds)});
  bonded.terms.push_back(listed_term(bonds_of(dimers, "harmonic")));
  add("dimers", dimers, bonded);

  md::System mixture = melt(cells);
  mixture.types.push_back(mixture.types.front());
  for (std::size_t i = 0; i < mixture.type.size(); ++i)
    mixture.type[i] = static_cast<std::int32_t>(i % 2);
  CoefficientTable two = coefficients(2);
  two.set(0, 1, {{"cutoff", 2.35}});
  two.set(1, 1, {{"cutoff", 2.2}});
  add("two cutoffs", mixture, pairs({two}));

  md::System tilted = melt(cells);
  tilted.box.tilt[0] = 0.3 * tilted.box.length[0];
  for (auto& r : tilted.positions)
    r[0] += 0.3 * (r[1] - tilted.box.lower[1]);
  add("tilted", tilted, plain);

  md::System open = melt(cells);
  for (bool& periodic : open.box.periodic)
    periodic = false;
  add("open", open, plain);

  add("growing", melt(cells), plain, 1e-4);
  add("open growing", open, plain, 1e-4);
  return all;
}

/// Makes steps, and lets the box of a growing system grow by 1 % in 1,000 steps.
void advance(System& system, std::int64_t steps) {
  if (system.growth_every_10_steps == 0) {
    system.simulation->advance(steps);
    return;
  }
  for (std::int64_t done = 0; done < steps; done += 10) {
    system.simulation->advance(std::min<std::int64_t>(10, steps - done));
    Box box = system.simulation->box();
    for (double& length : box.length)
      length *= 1 + system.growth_every_10_steps;
    system.simulation->set_box(box);
  }
}

[[nodiscard]] double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

void run(const Options& options) {
  fmt::print("{:>9} {:<9} {:<12} {:>12} {:>8} {:>9} {:>9}\n", "atoms", "precision", "system",
             "M a-steps/s", "of melt", "rebuilds", "steps");
  for (const int cells : options.cells) {
    std::vector<System> all = systems(options, cells);
    for (System& system : all)
      advance(system, options.warmup);
    for (int round = 0; round < options.rounds; ++round)
      for (System& system : all) {
        const auto begin = std::chrono::steady_clock::now();
        advance(system, options.steps);
        static_cast<void>(system.simulation->thermo());
        const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
        system.rates.push_back(static_cast<double>(system.simulation->atoms() * options.steps) /
                               seconds.count());
      }
    for (const System& system : all)
      fmt::print("{:>9} {:<9} {:<12} {:>12.2f} {:>8.3f} {:>9} {:>9}\n", system.simulation->atoms(),
                 options.precision, system.name, 1e-6 * median(system.rates),
                 median(system.rates) / median(all.front().rates), system.simulation->rebuilds(),
                 system.simulation->steps_done());
    std::fflush(stdout);
  }
}

}  // namespace
}  // namespace tessera::md

int main(int argc, char** argv) {
  tessera::md::Options options;
  CLI::App app{"Whole steps of systems that differ from the melt in one respect each"};
  app.add_option("--backend", options.backend);
  app.add_option("--precision", options.precision);
  app.add_option("--cells", options.cells, "unit cells along an edge, of four atoms each");
  app.add_option("--steps", options.steps, "steps of a round");
  app.add_option("--warmup", options.warmup, "steps before the first round");
  app.add_option("--rounds", options.rounds);
  app.add_option("--systems", options.systems, "systems besides the melt, by name");
  app.add_option("--select", options.selected, "OPERATION=IMPLEMENTATION");
  CLI11_PARSE(app, argc, argv);
  try {
    tessera::md::run(options);
  } catch (const tessera::Error& error) {
    fmt::print(stderr, "tessera_step_systems: {}\n", error.what());
    return 1;
  }
}
