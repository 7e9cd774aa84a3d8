#ifndef TESSERA_TESTS_ANALYTIC_MELT_HPP
#define TESSERA_TESTS_ANALYTIC_MELT_HPP

#include "core/base/precision.hpp"
#include "core/operations/choices.hpp"
#include "physics/md/generate/lattice.hpp"
#include "physics/md/generate/velocities.hpp"
#include "physics/md/simulation/pair_term.hpp"
#include "physics/md/simulation/simulation.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

/// \file
/// The Lennard-Jones melt: fcc, density 0.8442, cutoff 2.5, no shift, temperature 1.44.

namespace tessera::test {

[[nodiscard]] inline md::System melt(int cells) {
  md::LatticeOptions options;
  options.constant = md::lattice_constant(md::Lattice::fcc, 0.8442);
  options.cells = {cells, cells, cells};
  md::System system = md::make_lattice(options);
  md::make_velocities(system, 1.44, 87287, md::units_from_name("lj"));
  return system;
}

/// A melt whose initial velocities all point to the middle of the box.
[[nodiscard]] inline md::System melt_that_falls_in(int cells) {
  md::System system = melt(cells);
  const double middle = 0.5 * system.box.length[0];
  for (std::size_t i = 0; i < system.positions.size(); ++i)
    for (std::size_t d = 0; d < 3; ++d)
      system.velocities[i][d] = 12 * (middle - system.positions[i][d]) / middle;
  return system;
}

/// Coefficients of the melt, which are the same for all pairs of types.
[[nodiscard]] inline md::CoefficientTable melt_coefficients(int types = 1) {
  md::CoefficientTable table(md::pair_potentials().find("lj/cut"), types);
  table.set_all({{"epsilon", 1}, {"sigma", 1}, {"cutoff", 2.5}});
  return table;
}

/// Choices that select an implementation of md/pair_force.
/// \param parameters values of its tuning parameters.
[[nodiscard]] inline std::shared_ptr<const Choices> choose_pair_force(
    const std::string& implementation, const ParameterValues& parameters = {}) {
  Choices choices;
  choices.choose(registry(), "md/pair_force", implementation);
  for (const auto& [parameter, value] : parameters)
    choices.set_parameter(registry(), "md/pair_force", implementation, parameter, value);
  return std::make_shared<const Choices>(std::move(choices));
}

/// Starts a simulation of the melt.
/// \param parameters values of the tuning parameters of the implementation.
[[nodiscard]] inline std::unique_ptr<md::Simulation> start(
    const md::System& system, Precision precision, const std::string& implementation = "auto",
    md::SimulationOptions options = {}, const std::string& backend = "auto",
    const RestartFile* continued = nullptr, double skin = 0,
    const ParameterValues& parameters = {}) {
  options.precision = precision;
  Context context = registry().open(backend);
  context.choices = choose_pair_force(implementation, parameters);
  const md::SimulationParts parts{{md::pair_term({melt_coefficients(), skin})}, {}};
  return md::Simulation::make(context, system, parts, md::units_from_name("lj"), options,
                              continued);
}

/// Starts a simulation of a melt of two types with different masses and coefficients, where every
/// seventh atom is frozen.
/// \param choices choices for md/pair_force; null: the default implementation.
[[nodiscard]] inline std::unique_ptr<md::Simulation> start_frozen_mixture(
    const md::SimulationOptions& options, std::shared_ptr<const Choices> choices = nullptr) {
  md::System system = melt(6);
  system.types.push_back(system.types.front());
  system.types.back().mass = 3;
  for (std::size_t i = 0; i < system.type.size(); ++i)
    system.type[i] = i % 5 == 0 ? 1 : 0;
  system.frozen.assign(system.type.size(), 0);
  for (std::size_t i = 0; i < system.frozen.size(); i += 7)
    system.frozen[i] = 1;
  md::CoefficientTable coefficients = melt_coefficients(2);
  coefficients.set(0, 1, {{"epsilon", 1.5}, {"sigma", 0.9}, {"cutoff", 2.5}});
  Context context = registry().open("auto");
  if (choices) context.choices = std::move(choices);
  return md::Simulation::make(context, system, {{md::pair_term({coefficients, 0})}, {}},
                              md::units_from_name("lj"), options);
}

/// Checks that two simulations are at the same step and that positions and velocities have the same
/// bits.
inline void check_same_atoms(const md::Simulation& a, const md::Simulation& b) {
  const md::System first = a.system();
  const md::System second = b.system();
  CHECK(first.positions == second.positions);
  CHECK(first.velocities == second.velocities);
  CHECK(first.images == second.images);
  CHECK(a.clock() == b.clock());
}

/// Checks check_same_atoms(), that the forces have the same bits, and that the numbers of rebuilds
/// are equal.
inline void check_same_course(const md::Simulation& a, const md::Simulation& b) {
  check_same_atoms(a, b);
  CHECK(a.forces() == b.forces());
  CHECK(a.rebuilds() == b.rebuilds());
}

/// Options that allow or forbid the implementation of the forces to make fused steps.
[[nodiscard]] inline md::SimulationOptions steps_are(bool whole) {
  md::SimulationOptions options;
  options.fused_steps = whole;
  return options;
}

/// Whether any fused steps were made.
[[nodiscard]] inline bool made_fused_steps(const md::Simulation& simulation) {
  for (const OperationTime& time : simulation.timings())
    if (time.operation == "md/pair_force (fused steps)") return time.calls > 0;
  return false;
}

/// Whether the default backend keeps its state in host memory.
[[nodiscard]] inline bool on_host() {
  return registry().open("auto").memory() == MemorySpace::host;
}

/// Whether an implementation of md/pair_force is cuda.list, on a GPU or emulated.
[[nodiscard]] inline bool is_gpu_list(const std::string& implementation) {
  return implementation == "cuda.list" || implementation == "emulated.list";
}

/// Names of the implementations of md/pair_force that can run in the memory of `backend`.
[[nodiscard]] inline std::vector<std::string> pair_forces(Precision precision,
                                                          const std::string& backend = "auto") {
  std::vector<std::string> names;
  const Context context = registry().open(backend);
  for (const ImplementationBase* i : registry().implementations("md/pair_force", precision))
    if (!i->can_run_on(context)) names.push_back(i->info().name);
  return names;
}

/// Names of the implementations of md/pair_force that give the same bits in two runs, except the
/// oracle, which is slow and has no lists.
[[nodiscard]] inline std::vector<std::string> repeatable_pair_forces(Precision precision) {
  std::vector<std::string> names = pair_forces(precision);
  std::erase_if(names, [&](const std::string& name) {
    return name == "reference" ||
           registry().find("md/pair_force", precision, name).info().determinism ==
               Determinism::none;
  });
  return names;
}

/// Checks that `whole` made fused steps where the implementation makes them, and `apart` none, and
/// check_same_course() of both, over some rebuilds.
inline void check_fused_course(const md::Simulation& whole, const md::Simulation& apart,
                               const std::string& implementation) {
  CHECK(!made_fused_steps(apart));
  CHECK(made_fused_steps(whole) ==
        (implementation == "openmp.cluster" || is_gpu_list(implementation)));
  CHECK(whole.rebuilds() > 3);
  check_same_course(whole, apart);
}

}  // namespace tessera::test

#endif  // TESSERA_TESTS_ANALYTIC_MELT_HPP
