#include "physics/md/case/build_system.hpp"

#include "core/base/error.hpp"
#include "core/base/lost_warnings.hpp"
#include "core/base/shortest_number.hpp"
#include "physics/md/case/bond_section.hpp"
#include "physics/md/case/continued_case.hpp"
#include "physics/md/case/pair_section.hpp"
#include "physics/md/case/run_section.hpp"
#include "physics/md/case/system_section.hpp"
#include "physics/md/case/units_section.hpp"
#include "physics/md/case/velocities_section.hpp"
#include "physics/md/generate/lattice.hpp"
#include "physics/md/generate/velocities.hpp"
#include "physics/md/io/extended_xyz.hpp"
#include "physics/md/io/lammps_data.hpp"
#include "physics/md/io/restart.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace tessera::md {
namespace {

using cases::Case;

constexpr std::array all_periodic = {true, true, true};

/// Periodic directions of the case; default: all. In two dimensions z is never periodic.
std::array<bool, 3> periodic_of(const SystemSection& section) {
  std::array<bool, 3> periodic = section.periodic.value_or(all_periodic);
  if (section.dimension == 2) periodic[2] = false;
  return periodic;
}

InputError error_at(const cases::Origin& origin, const std::string& field,
                    const std::string& message) {
  return {{origin.file, origin.line, field, ""}, message};
}

std::vector<AtomType> atom_types(const SystemSection& section) {
  std::vector<AtomType> types;
  for (const TypeEntry& entry : section.types)
    types.push_back({entry.name, entry.mass});
  return types;
}

void check_units(const Case& c, const std::string& file, const std::string& stated,
                 InitialState& state) {
  const std::string units(units_of(c).name);
  if (stated.empty() || stated == units) return;
  state.warnings.push_back(file + ": the file states units " + stated + ", the case has units " +
                           units + "; its numbers are taken as " + units);
}

void read_restart_file(const Case& c, const SystemSection& section, InitialState& state) {
  const std::filesystem::path path = section.restart.path;
  state.inputs.push_back({"system.restart", path});
  Restart restart = read_restart(path);
  if (restart.units != units_of(c).name) {
    throw InputError(
        {path.string(), 0, "units", restart.units},
        "expected a restart file in the units of the case, " + std::string(units_of(c).name));
  }
  if (restart.file.has(cases::physics_field)) {
    for (const std::string& line :
         cases::differences(restart.file.text(cases::physics_field), physics_of(c)))
      state.warnings.push_back(path.string() + ": " + line);
  } else if (restart.clock.time_step() != c.get<RunSection>().time_step) {
    state.warnings.push_back(path.string() + ": run.time_step was " +
                             shortest_number(restart.clock.time_step()) + ", is " +
                             shortest_number(c.get<RunSection>().time_step) + " now");
  }
  state.system = std::move(restart.system);
  state.continued = std::move(restart.file);
}

void read_atom_file(const Case& c, const SystemSection& section, InitialState& state) {
  const std::filesystem::path path = section.file.path;
  state.inputs.push_back({"system.file", path});
  ReadReport report;
  const LostWarnings lost(report.warnings);
  if (section.format == AtomFile::lammps_data) {
    LammpsDataOptions options;
    options.atom_style = section.atom_style;
    options.periodic = periodic_of(section);
    options.masses = atom_types(section);
    const PairSection& pair = c.get<PairSection>();
    options.pair_potential = pair.style;
    options.own_pairs = !pair.coefficients.empty();
    const BondSection* const bond = c.find<BondSection>();
    options.own_bonds = bond == nullptr || bond->style == "none" || !bond->coefficients.empty();
    if (bond != nullptr && bond->style != "none") options.bond_potential = bond->style;
    state.system = read_lammps_data(path, options, &report);
  } else {
    ExtendedXyzOptions options;
    options.frame = section.frame;
    options.periodic = section.periodic;
    if (section.periodic && section.dimension == 2) options.periodic = periodic_of(section);
    options.types = atom_types(section);
    options.element_masses = units_of(c).name != "lj";
    options.ase_velocity = units_of(c).ase_velocity;
    options.dimensions = static_cast<int>(section.dimension);
    state.system = read_extended_xyz(path, options, &report);
  }
  check_units(c, path.string(), report.units, state);
  state.warnings.insert(state.warnings.end(), report.warnings.begin(), report.warnings.end());
}

void generate_lattice(const SystemSection& section, InitialState& state) {
  LatticeOptions options;
  options.lattice = *section.lattice;
  options.constant = section.lattice_constant
                         ? *section.lattice_constant
                         : lattice_constant(*section.lattice, *section.density,
                                            static_cast<int>(section.dimension));
  options.cells = section.cells;
  options.periodic = periodic_of(section);
  options.jitter = section.jitter;
  options.jitter_seed = section.jitter_seed;
  if (!section.types.empty()) options.types = atom_types(section);
  for (const std::string& name : section.site_types) {
    const auto type = std::find_if(options.types.begin(), options.types.end(),
                                   [&](const AtomType& t) { return t.name == name; });
    options.site_types.push_back(static_cast<int>(type - options.types.begin()));
  }
  try {
    state.system = make_lattice(options);
  } catch (const ArgumentError& error) {
    throw error_at(section.origin, "system", error.what());
  }
  if (section.dimension == 2)
    for (auto& position : state.system.positions)
      position[2] = 0;  // jitter moves atoms only in the plane
}

/// Makes the system two-dimensional.
void flatten(const SystemSection& section, System& system) {
  system.dimensions = 2;
  system.box.periodic[2] = false;
  const auto refuse = [&](const std::string& field, double value, const std::string& expected) {
    throw InputError({section.origin.file, section.origin.line, "system.dimension", "2"},
                     field + " is " + shortest_number(value) + ", " + expected);
  };
  if (const auto fault = find_fault(system.box))
    refuse("of the box the " + fault->field, fault->value, fault->expected);
  if (const auto fault = find_plane_fault(system))
    refuse("of atom " + std::to_string(system.ids[static_cast<std::size_t>(fault->atom)]) +
               " the " + fault->field,
           fault->value, fault->expected);
}

void set_velocities(const Case& c, System& system) {
  if (const auto* const section = c.find<VelocitiesSection>()) {
    if (system.size() > 0 && system.size() - system.frozen_atoms() < 2 &&
        section->temperature > 0) {
      throw error_at(section->origin, "velocities.temperature",
                     system.frozen.empty()
                         ? "expected at least two atoms for a positive temperature"
                         : "expected at least two atoms that move for a positive temperature");
    }
    try {
      make_velocities(system, section->temperature, section->seed, units_of(c));
    } catch (const ArgumentError& error) {
      throw error_at(section->origin, "velocities.temperature", error.what());
    }
  }
  if (system.velocities.empty()) system.velocities.assign(system.positions.size(), {0, 0, 0});
}

}  // namespace

InitialState build_system(const Case& c) {
  const SystemSection& section = c.get<SystemSection>();
  InitialState state;
  const LostWarnings lost(state.warnings);
  const bool goes_on = !section.restart.empty();
  if (goes_on)
    read_restart_file(c, section, state);
  else if (!section.file.empty())
    read_atom_file(c, section, state);
  else
    generate_lattice(section, state);
  // Generates velocities only after the frozen atoms are known, on which they depend.
  if (!goes_on && c.find<VelocitiesSection>() != nullptr) state.system.velocities.clear();
  if (!goes_on && section.dimension == 2) flatten(section, state.system);
  state.groups = build_groups(c, state.system, state.warnings);
  freeze(state.groups, state.system, state.warnings);
  if (!goes_on) set_velocities(c, state.system);
  return state;
}

}  // namespace tessera::md
