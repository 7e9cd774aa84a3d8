// Runs a case of molecular dynamics through md::Simulation, on one thread, and prints the arrays of
// the simulation as a line of JSON for each step that an output file of a run contains:
//
//   md_arrays CASE
//
// The program does not use the code that writes the files of a run.

#include "apps/tessera/case/read_case.hpp"
#include "core/operations/registry.hpp"
#include "physics/md/case/restart_section.hpp"
#include "physics/md/case/run_section.hpp"
#include "physics/md/case/run_setup.hpp"
#include "physics/md/case/thermo_section.hpp"
#include "physics/md/case/trajectory_section.hpp"
#include "physics/md/simulation/simulation.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <iostream>
#include <optional>
#include <stdexcept>
#include <utility>

namespace tessera::md {
namespace {

using nlohmann::json;

json row_of(const ThermoRow& row, const Units& units) {
  json out;
  for (const ThermoColumn& column : columns_of(row, units))
    out[column.name + (column.unit.empty() ? "" : " [" + column.unit + "]")] = column.value;
  return out;
}

json frame_of(Simulation& simulation, bool by_atom) {
  const System system = simulation.system();
  json out{{"ids", system.ids},
           {"type", system.type},
           {"positions", system.positions},
           {"images", system.images},
           {"velocities", system.velocities},
           {"charges", system.charges},
           {"molecules", system.molecules},
           {"forces", simulation.forces()}};
  out["box"] = {{"lower", system.box.lower},
                {"length", system.box.length},
                {"tilt", system.box.tilt},
                {"periodic", system.box.periodic}};
  for (const AtomType& type : system.types)
    out["types"].push_back({{"name", type.name}, {"mass", type.mass}});
  for (const Bond& bond : system.bonds)
    out["bonds"].push_back({bond.atoms[0], bond.atoms[1], bond.type});
  if (!by_atom) return out;
  const AtomThermo atoms = simulation.by_atom();
  out["energies"] = atoms.energies;
  out["stresses"] = atoms.stresses;
  return out;
}

void print_steps(const std::filesystem::path& path) {
  const cases::Case c = app::read_case(path);
  RunSetup setup = set_up_run(c);
  const std::optional<RestartFile> continued = std::exchange(setup.initial.continued, {});
  const auto simulation =
      Simulation::make(registry().open("serial"), std::move(setup.initial.system), setup.parts,
                       *setup.units, setup.options, continued ? &*continued : nullptr);
  const auto is_due = [&](std::int64_t every) {
    return every > 0 && simulation->clock().step() % every == 0;
  };
  const std::int64_t steps = c.get<RunSection>().steps;
  const std::int64_t first = simulation->clock().step();
  for (;;) {
    const std::int64_t step = simulation->clock().step();
    const bool ends = step == first || step == first + steps;
    const bool row = ends || is_due(c.get<ThermoSection>().every);
    const bool frame = is_due(c.get<TrajectorySection>().every);
    const bool restart = step > first && is_due(c.get<RestartSection>().every);
    if (row || frame || restart) {
      json out{{"step", step}, {"time", simulation->clock().time()}};
      if (row || frame) out["row"] = row_of(simulation->thermo(), *setup.units);
      if (frame) out["frame"] = frame_of(*simulation, setup.options.by_atom);
      if (restart) {
        simulation->rebuild();  // as a run does
        out["restart"] = frame_of(*simulation, false);
      }
      std::cout << out.dump() << '\n';
    }
    if (step == first + steps) return;
    // Advances to the next output as a run does, because the bits depend on it: between two steps
    // without output, the last half kick is merged with the next one, with a single rounding.
    std::int64_t to = first + steps;
    for (const std::int64_t every : {c.get<ThermoSection>().every, c.get<TrajectorySection>().every,
                                     c.get<RestartSection>().every})
      if (every > 0) to = std::min(to, step + every - step % every);
    simulation->advance(to - step);
  }
}

}  // namespace
}  // namespace tessera::md

int main(int argc, char** argv) {
  try {
    if (argc != 2) throw std::invalid_argument("expected a case");
    tessera::md::print_steps(argv[1]);
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "md_arrays: " << error.what() << '\n';
    return 2;
  }
}
