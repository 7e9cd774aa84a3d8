#include "apps/tessera/case/build_system.hpp"

#include <algorithm>
#include <array>
#include <tessera/core/base/error.hpp>
#include <tessera/md/generate/lattice.hpp>
#include <tessera/md/generate/velocities.hpp>
#include <tessera/md/io/extended_xyz.hpp>
#include <tessera/md/io/lammps_data.hpp>
#include <tessera/md/io/restart.hpp>
#include <utility>

namespace tessera::app {
namespace {

constexpr std::array all_periodic = {true, true, true};

InputError error_at(const Origin& origin, const std::string& field, const std::string& value,
                    const std::string& message) {
  return {{origin.file, origin.line, field, value}, message};
}

std::vector<md::AtomType> atom_types(const SystemSection& section) {
  std::vector<md::AtomType> types;
  for (const TypeEntry& entry : section.types)
    types.push_back({entry.name, entry.mass});
  return types;
}

void check_units(const Case& c, const std::string& file, const std::string& stated,
                 InitialState& state) {
  if (stated.empty() || stated == c.units) return;
  state.warnings.push_back(file + ": the file states units " + stated + ", the case has units " +
                           c.units + "; its numbers are taken as " + c.units);
}

void read_restart_file(const Case& c, const FileSource& source, InitialState& state) {
  const std::filesystem::path path = c.input_path(source.file);
  md::Restart restart = md::read_restart(path);
  if (restart.units != c.units) {
    throw InputError({path.string(), 0, "units", restart.units},
                     "expected a restart file in the units of the case, " + c.units);
  }
  if (restart.time_step != c.run.time_step) {
    state.warnings.push_back(path.string() + ": the run that wrote it had another time step");
  }
  state.system = std::move(restart.system);
  state.step = restart.step;
  state.time = restart.time;
}

void read_atom_file(const Case& c, const FileSource& source, InitialState& state) {
  const std::filesystem::path path = c.input_path(source.file);
  md::ReadReport report;
  if (source.format == FileSource::Format::lammps_data) {
    md::LammpsDataOptions options;
    options.atom_style = source.atom_style;
    options.periodic = c.system.periodic.value_or(all_periodic);
    state.system = md::read_lammps_data(path, options, &report);
  } else {
    md::ExtendedXyzOptions options;
    options.frame = source.frame;
    options.periodic = c.system.periodic;
    options.types = atom_types(c.system);
    options.element_masses = c.units != "lj";
    state.system = md::read_extended_xyz(path, options, &report);
  }
  check_units(c, path.string(), report.units, state);
  state.warnings.insert(state.warnings.end(), report.warnings.begin(), report.warnings.end());
}

void generate_lattice(const Case& c, const LatticeSource& source, InitialState& state) {
  md::LatticeOptions options;
  options.lattice = source.lattice;
  options.constant =
      source.constant ? *source.constant : md::lattice_constant(source.lattice, *source.density);
  options.cells = source.cells;
  options.periodic = c.system.periodic.value_or(all_periodic);
  options.jitter = source.jitter;
  options.jitter_seed = source.jitter_seed;
  if (!c.system.types.empty()) options.types = atom_types(c.system);
  for (const std::string& name : source.site_types) {
    const auto type = std::find_if(options.types.begin(), options.types.end(),
                                   [&](const md::AtomType& t) { return t.name == name; });
    options.site_types.push_back(static_cast<int>(type - options.types.begin()));
  }
  try {
    state.system = md::make_lattice(options);
  } catch (const ArgumentError& error) {
    throw error_at(c.system.origin, "system", "", error.what());
  }
}

void set_velocities(const Case& c, md::System& system) {
  if (c.velocities) {
    if (system.size() == 1 && c.velocities->temperature > 0) {
      throw error_at(c.velocities->origin, "velocities.temperature", "",
                     "expected at least two atoms for a positive temperature");
    }
    md::make_velocities(system, c.velocities->temperature, c.velocities->seed,
                        md::units_from_name(c.units));
  }
  if (system.velocities.empty()) system.velocities.assign(system.positions.size(), {0, 0, 0});
}

int resolve_type(const CoefficientEntry& entry, const TypeReference& reference,
                 const md::System& system) {
  const int count = static_cast<int>(system.types.size());
  const auto wrong = [&](const std::string& value, const std::string& message) {
    return error_at(entry.origin, "pair.coefficients.types", value, message);
  };
  if (const auto* number = std::get_if<std::int64_t>(&reference)) {
    if (*number > count) {
      throw wrong(std::to_string(*number), "expected a type from 1 to " + std::to_string(count));
    }
    return static_cast<int>(*number) - 1;
  }
  const std::string& name = std::get<std::string>(reference);
  std::vector<std::string> names;
  for (int i = 0; i < count; ++i) {
    names.push_back(system.types[static_cast<std::size_t>(i)].name);
    if (names.back() == name) return i;
  }
  const std::string guess = nearest(name, names);
  std::string list;
  for (const std::string& known : names)
    list += (list.empty() ? "" : ", ") + known;
  throw wrong("\"" + name + "\"", guess.empty()
                                      ? "expected one of the types " + list
                                      : "there is no such type, did you mean '" + guess + "'?");
}

}  // namespace

InitialState build_system(const Case& c) {
  InitialState state;
  const auto* file = std::get_if<FileSource>(&c.system.source);
  if (file && file->format == FileSource::Format::restart) {
    read_restart_file(c, *file, state);
  } else {
    if (file) {
      read_atom_file(c, *file, state);
    } else {
      generate_lattice(c, std::get<LatticeSource>(c.system.source), state);
    }
    set_velocities(c, state.system);
  }
  return state;
}

md::CoefficientTable build_pair_table(const Case& c, const md::System& system) {
  const md::PairForm form = md::pair_forms().find(c.pair.style);
  if (form.reads_charge() && system.charges.size() != system.positions.size())
    throw error_at(c.pair.origin, "pair.style", '"' + c.pair.style + '"',
                   "expected a style without charges, which the atoms do not have");
  std::vector<md::PairCoefficient> given = system.pair_coefficients;
  for (const CoefficientEntry& entry : c.pair.coefficients) {
    given.push_back({resolve_type(entry, entry.types[0], system),
                     resolve_type(entry, entry.types[1], system), entry.values});
  }
  md::CoefficientValues for_all = c.pair.values;
  const md::Units& units = md::units_from_name(c.units);
  for (const md::CoefficientField& field : form.fields())
    if (field.scope == md::CoefficientField::Scope::units)
      for_all[field.name] = units.coulomb_constant;
  try {
    return md::mix_coefficients(c.pair.mixing, form, system.types, given, for_all);
  } catch (const Error& error) {
    throw error_at(c.pair.origin, "pair.coefficients", "", error.what());
  }
}

}  // namespace tessera::app
