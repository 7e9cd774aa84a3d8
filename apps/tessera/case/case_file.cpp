#include "apps/tessera/case/case_file.hpp"

#include <algorithm>
#include <cctype>
#include <set>
#include <tessera/core/base/error.hpp>
#include <utility>

#include "apps/tessera/case/toml_reader.hpp"

namespace tessera::app {
namespace {

using Range = TableReader::Range;

std::uint64_t read_seed(const TableReader& table, std::string_view key, std::int64_t otherwise) {
  return static_cast<std::uint64_t>(table.integer(key, 0, otherwise));
}

/// The file format by its name: x.xyz, x.extxyz, x.data, x.lmp, x.lammps, data.x.
std::optional<FileSource::Format> format_from_name(const std::string& file) {
  const std::filesystem::path path(file);
  const std::string suffix = path.extension().string();
  if (suffix == ".xyz" || suffix == ".extxyz") return FileSource::Format::extended_xyz;
  if (suffix == ".data" || suffix == ".lmp" || suffix == ".lammps" ||
      path.filename().string().starts_with("data.")) {
    return FileSource::Format::lammps_data;
  }
  return std::nullopt;
}

FileSource read_file_source(const TableReader& table) {
  FileSource source;
  source.file = table.text("file");
  if (table.has("format")) {
    source.format = table.choice("format", {"lammps-data", "extxyz"}, "") == "extxyz"
                        ? FileSource::Format::extended_xyz
                        : FileSource::Format::lammps_data;
  } else if (const auto format = format_from_name(source.file)) {
    source.format = *format;
  } else {
    throw table.error("file",
                      "the name does not show the format, expected format = \"lammps-data\" or "
                      "\"extxyz\" beside it");
  }
  if (table.has("atom_style")) {
    if (source.format != FileSource::Format::lammps_data) {
      throw table.error("atom_style", "expected only with a LAMMPS data file");
    }
    source.atom_style =
        md::atom_style_from_name(table.choice("atom_style", {"atomic", "charge", "full"}, ""));
  }
  if (table.has("frame")) {
    if (source.format != FileSource::Format::extended_xyz) {
      throw table.error("frame", "expected only with an extended XYZ file");
    }
    source.frame = table.integer("frame", -1);
  }
  return source;
}

std::array<std::int64_t, 3> read_cells(const TableReader& table) {
  const std::string expected = "three whole numbers from 1 up";
  std::array<std::int64_t, 3> cells = {1, 1, 1};
  const toml::array& array = table.array("cells", 3, expected);
  for (std::size_t d = 0; d < 3; ++d) {
    const auto value = array[d].value_exact<std::int64_t>();
    if (!value || *value < 1) throw node_error(array[d], "system.cells", "expected " + expected);
    cells[d] = *value;
  }
  return cells;
}

LatticeSource read_lattice_source(const TableReader& table) {
  LatticeSource source;
  source.lattice =
      md::lattice_from_name(table.choice("lattice", {"sc", "bcc", "fcc", "diamond"}, "fcc"));
  if (table.has("density") && table.has("lattice_constant")) {
    throw table.error("lattice_constant", "expected either density or lattice_constant, not both");
  }
  if (table.has("lattice_constant")) {
    source.constant = table.real("lattice_constant", Range::positive);
  } else if (table.has("density")) {
    source.density = table.real("density", Range::positive);
  } else {
    throw table.wrong("density", "a density or a lattice_constant, greater than zero");
  }
  source.cells = read_cells(table);
  source.jitter = table.real("jitter", Range::not_negative, 0);
  source.jitter_seed = read_seed(table, "jitter_seed", 0);
  if (table.has("site_types")) {
    const auto sites = static_cast<std::size_t>(md::sites_per_cell(source.lattice));
    const std::string expected =
        "the names of " + std::to_string(sites) + " types, one for each site of a cell";
    for (const toml::node& element : table.array("site_types", sites, expected)) {
      const auto name = element.value_exact<std::string>();
      if (!name) throw node_error(element, "system.site_types", "expected " + expected);
      source.site_types.push_back(*name);
    }
  }
  return source;
}

std::vector<TypeEntry> read_types(const TableReader& table) {
  std::vector<TypeEntry> types;
  std::set<std::string> names;
  for (const toml::table* entry : table.tables("type")) {
    const TableReader reader(*entry, "system.type");
    TypeEntry type = {reader.text("name"), reader.real("mass", Range::positive, 1),
                      origin_of(*entry)};
    const bool blank = std::any_of(type.name.begin(), type.name.end(),
                                   [](unsigned char c) { return std::isspace(c); });
    if (blank) throw reader.error("name", "expected a name without blanks");
    if (!names.insert(type.name).second) throw reader.error("name", "expected each name once");
    types.push_back(std::move(type));
  }
  return types;
}

void check_site_types(const TableReader& table, const SystemSection& section) {
  const auto* lattice = std::get_if<LatticeSource>(&section.source);
  if (!lattice) return;
  std::vector<std::string> names;
  for (const TypeEntry& type : section.types)
    names.push_back(type.name);
  if (lattice->site_types.empty() && names.size() > 1) {
    throw table.wrong("site_types",
                      "the type of each site of a cell, as there is more than one type");
  }
  for (const std::string& name : lattice->site_types) {
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    const std::string guess = nearest(name, names);
    throw table.error("site_types", "there is no [[system.type]] named '" + name + "'" +
                                        (guess.empty() ? "" : ", did you mean '" + guess + "'?"));
  }
}

/// Keys of a source that is not the chosen one are mistakes, except beside `restart`: a case is
/// continued by adding that key to it.
void refuse_keys(const TableReader& table, const std::vector<std::string>& keys,
                 const std::string& expected) {
  for (const std::string& key : keys) {
    if (table.has(key)) throw table.error(key, expected);
  }
}

SystemSection read_system(const TableReader& root) {
  const TableReader table(root.subtable("system"), "system");
  SystemSection section;
  section.origin = table.origin();
  if (table.has("restart")) {
    FileSource source;
    source.file = table.text("restart");
    source.format = FileSource::Format::restart;
    section.source = source;
    return section;
  }
  if (table.has("file")) {
    refuse_keys(
        table,
        {"lattice", "density", "lattice_constant", "cells", "site_types", "jitter", "jitter_seed"},
        "expected only with a lattice, but the atoms come from a file");
    const FileSource source = read_file_source(table);
    if (source.format == FileSource::Format::lammps_data) {
      refuse_keys(table, {"type"},
                  "expected none, a LAMMPS data file has its own types and masses");
    }
    section.source = source;
  } else if (table.has("lattice")) {
    refuse_keys(table, {"format", "atom_style", "frame"},
                "expected only with a file, but the atoms come from a lattice");
    section.source = read_lattice_source(table);
  } else {
    throw table.wrong("file", "a file, a lattice or a restart to take the atoms from");
  }
  if (table.has("periodic")) {
    const std::string expected = "three of true or false";
    const toml::array& array = table.array("periodic", 3, expected);
    section.periodic.emplace();
    for (std::size_t d = 0; d < 3; ++d) {
      const auto value = array[d].value_exact<bool>();
      if (!value) throw node_error(array[d], "system.periodic", "expected " + expected);
      (*section.periodic)[d] = *value;
    }
  }
  section.types = read_types(table);
  check_site_types(table, section);
  return section;
}

std::optional<VelocitySection> read_velocities(const TableReader& root) {
  if (!root.has("velocities")) return std::nullopt;
  const TableReader table(root.subtable("velocities"), "velocities");
  return VelocitySection{table.real("temperature", Range::not_negative),
                         read_seed(table, "seed", 0), table.origin()};
}

using Scope = md::CoefficientField::Scope;

double read_field(const TableReader& table, const md::CoefficientField& field) {
  if (field.is_flag) return table.flag(field.name, false) ? 1 : 0;
  if (field.is_cutoff) return table.real(field.name, Range::positive);
  switch (field.range) {
    case md::CoefficientField::Range::any:
      break;
    case md::CoefficientField::Range::not_negative:
      return table.real(field.name, Range::not_negative);
    case md::CoefficientField::Range::positive:
      return table.real(field.name, Range::positive);
  }
  return table.real(field.name, Range::any);
}

/// What must be positive where another coefficient is not zero.
void check_required(const TableReader& table, const md::PairForm& form,
                    const md::CoefficientValues& values) {
  for (const md::CoefficientField& field : form.fields()) {
    if (field.required_by.empty() || !table.has(field.name)) continue;
    const auto other = values.find(field.required_by);
    if (other != values.end() && other->second != 0 && !(values.at(field.name) > 0))
      throw table.wrong(field.name, "a number greater than zero");
  }
}

CoefficientEntry read_coefficient(const toml::table& entry, const md::PairForm& form,
                                  const md::CoefficientValues& for_all) {
  std::vector<std::string> keys = {"types"};
  for (const md::CoefficientField& field : form.fields())
    if (field.scope == Scope::pair) keys.push_back(field.name);
  const TableReader table(entry, "pair.coefficients", keys);
  CoefficientEntry coefficient;
  coefficient.origin = table.origin();
  const std::string expected = "two types, each by name or by number from 1 up";
  const toml::array& types = table.array("types", 2, expected);
  for (std::size_t i = 0; i < 2; ++i) {
    if (const auto name = types[i].value_exact<std::string>()) {
      coefficient.types[i] = *name;
    } else if (const auto number = types[i].value_exact<std::int64_t>(); number && *number >= 1) {
      coefficient.types[i] = *number;
    } else {
      throw node_error(types[i], "pair.coefficients.types", "expected " + expected);
    }
  }
  for (const md::CoefficientField& field : form.fields()) {
    if (field.scope != Scope::pair) continue;
    const bool has_other = field.is_cutoff || field.default_value || for_all.count(field.name) > 0;
    if (has_other && !table.has(field.name)) continue;
    coefficient.values[field.name] = read_field(table, field);
  }
  check_required(table, form, coefficient.values);
  return coefficient;
}

PairSection read_pair(const TableReader& root) {
  const toml::table& node = root.subtable("pair");
  PairSection section;
  std::vector<std::string> keys = {"style", "mixing", "coefficients"};
  {
    // Which keys there are depends on the style.
    const auto style = node["style"].value<std::string>();
    if (style) section.style = *style;
  }
  std::optional<md::PairForm> form;
  try {
    form = md::pair_forms().find(section.style);
  } catch (const Error& error) {
    throw node_error(*node.get("style"), "pair.style", error.what());
  }
  for (const md::CoefficientField& field : form->fields())
    if (field.scope != Scope::units) keys.push_back(field.name);
  const TableReader table(node, "pair", keys);
  section.origin = table.origin();
  section.style = table.text("style", section.style);
  section.values["cutoff"] = table.real("cutoff", Range::positive);
  for (const md::CoefficientField& field : form->fields())
    if (field.scope != Scope::units && table.has(field.name))
      section.values[field.name] = read_field(table, field);
    else if (field.scope == Scope::style && field.default_value)
      section.values[field.name] = *field.default_value;
  check_required(table, *form, section.values);
  section.mixing = md::mixing_rule_from_name(
      table.choice("mixing", {"geometric", "arithmetic", "sixthpower"}, "geometric"));
  for (const toml::table* entry : table.tables("coefficients")) {
    section.coefficients.push_back(read_coefficient(*entry, *form, section.values));
  }
  return section;
}

/// A table that may be absent: then it is an empty one, so that defaults come from one place.
const toml::table& table_or_empty(const TableReader& root, std::string_view key) {
  static const toml::table empty;
  return root.has(key) ? root.subtable(key) : empty;
}

NeighborSection read_neighbor(const TableReader& root) {
  const TableReader table(table_or_empty(root, "neighbor"), "neighbor");
  NeighborSection section;
  section.skin = table.real("skin", Range::not_negative, 0.0);
  if (table.choice("rebuild", {"displacement", "every"}, "displacement") == "every") {
    section.every = table.integer("every", 1);
  } else if (table.has("every")) {
    throw table.error("every", "expected only with rebuild = \"every\", which can miss pairs");
  }
  return section;
}

RunSection read_run(const TableReader& root, const md::Units& units) {
  const TableReader table(root.subtable("run"), "run");
  return {table.integer("steps", 0),
          table.real("time_step", Range::positive, units.default_time_step)};
}

ThermoSection read_thermo(const TableReader& root) {
  const TableReader table(table_or_empty(root, "thermo"), "thermo");
  ThermoSection section;
  section.every = table.integer("every", 0, section.every);
  section.file = table.text("file", section.file);
  return section;
}

TrajectorySection read_trajectory(const TableReader& root) {
  const TableReader table(table_or_empty(root, "trajectory"), "trajectory");
  TrajectorySection section;
  section.every = table.integer("every", 0, section.every);
  section.file = table.text("file", section.file);
  section.velocities = table.flag("velocities", section.velocities);
  section.forces = table.flag("forces", section.forces);
  return section;
}

RestartSection read_restart(const TableReader& root) {
  const TableReader table(table_or_empty(root, "restart"), "restart");
  RestartSection section;
  section.every = table.integer("every", 0, section.every);
  section.file = table.text("file", section.file);
  return section;
}

std::map<std::string, ImplementationEntry> read_selection(const TableReader& root) {
  std::map<std::string, ImplementationEntry> selection;
  for (const auto& [key, value] : table_or_empty(root, "selection")) {
    const std::string operation(key.str());
    const auto name = value.value_exact<std::string>();
    if (!name || name->empty()) {
      throw node_error(value, "selection." + operation, "expected the name of an implementation");
    }
    selection[operation] = {*name, origin_of(value)};
  }
  return selection;
}

/// Tables below that of an operation spell the name of an implementation.
void read_knobs(const toml::table& table, const std::string& field, const std::string& prefix,
                std::map<std::string, Parameter>& knobs) {
  for (const auto& [key, setting] : table) {
    const std::string name = prefix + std::string(key.str());
    if (const toml::table* inner = setting.as_table()) {
      read_knobs(*inner, field, name + ".", knobs);
      continue;
    }
    Parameter parameter;
    parameter.origin = origin_of(setting);
    if (const auto integer = setting.value_exact<std::int64_t>()) {
      parameter.value = *integer;
    } else if (const auto real = setting.value_exact<double>()) {
      parameter.value = *real;
    } else if (const auto flag = setting.value_exact<bool>()) {
      parameter.value = *flag;
    } else if (const auto text = setting.value_exact<std::string>()) {
      parameter.value = *text;
    } else {
      throw node_error(setting, field + "." + name, "expected a number, true or false, or a text");
    }
    knobs[name] = parameter;
  }
}

std::map<std::string, std::map<std::string, Parameter>> read_parameters(const TableReader& root) {
  std::map<std::string, std::map<std::string, Parameter>> parameters;
  for (const auto& [key, value] : table_or_empty(root, "parameters")) {
    const std::string field = "parameters." + std::string(key.str());
    const toml::table* table = value.as_table();
    if (!table) throw node_error(value, field, "expected a table of knobs and their values");
    read_knobs(*table, field, "", parameters[std::string(key.str())]);
  }
  return parameters;
}

}  // namespace

std::filesystem::path Case::input_path(const std::string& file) const {
  return (path.parent_path() / file).lexically_normal();
}

bool operator==(const Case& a, const Case& b) {
  return a.title == b.title && a.units == b.units && a.precision == b.precision &&
         a.backend == b.backend && a.system == b.system && a.velocities == b.velocities &&
         a.pair == b.pair && a.neighbor == b.neighbor && a.run == b.run && a.thermo == b.thermo &&
         a.trajectory == b.trajectory && a.restart == b.restart && a.selection == b.selection &&
         a.parameters == b.parameters;
}

Case read_case(const std::filesystem::path& path, const std::vector<std::string>& overrides) {
  const toml::table document = parse_with_overrides(path, overrides);
  const TableReader root(document, "");
  Case c;
  c.path = path;
  c.title = root.text("title", "");
  c.units = root.choice("units", {"lj", "real", "metal"}, "lj");
  const md::Units& units = md::units_from_name(c.units);
  c.precision =
      precision_from_name(root.choice("precision", {"double", "mixed", "single"}, "double"));
  c.backend = root.choice("backend", {"auto", "serial", "openmp", "kokkos", "cuda", "hip"}, "auto");
  c.system = read_system(root);
  c.velocities = read_velocities(root);
  c.pair = read_pair(root);
  c.neighbor = read_neighbor(root);
  c.run = read_run(root, units);
  c.thermo = read_thermo(root);
  c.trajectory = read_trajectory(root);
  c.restart = read_restart(root);
  c.selection = read_selection(root);
  c.parameters = read_parameters(root);
  return c;
}

}  // namespace tessera::app
