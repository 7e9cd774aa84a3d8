#include "physics/md/case/system_section.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <set>

namespace tessera::md {
namespace {

using S = SystemSection;
using cases::TableView;

/// The file format that the file name implies, for instance x.xyz, x.extxyz, x.data, x.lmp,
/// x.lammps, data.x.
std::optional<AtomFile> format_from_name(const std::string& file) {
  const std::filesystem::path path(file);
  const std::string suffix = path.extension().string();
  if (suffix == ".xyz" || suffix == ".extxyz") return AtomFile::extended_xyz;
  if (suffix == ".data" || suffix == ".lmp" || suffix == ".lammps" ||
      path.filename().string().starts_with("data.")) {
    return AtomFile::lammps_data;
  }
  return std::nullopt;
}

std::optional<AtomFile> format_of(const S& s) {
  if (s.file.empty()) return std::nullopt;
  return s.format ? s.format : format_from_name(s.file.text);
}

bool is_generated(const S& s) {
  return s.lattice && s.restart.empty();
}

const cases::Rule<S> from_file = {[](const S& s) { return !s.lattice || !s.file.empty(); },
                                  "expected only with a file, but the atoms come from a lattice"};
const cases::Rule<S> no_file = {[](const S& s) { return s.file.empty(); },
                                "expected only with a lattice, but the atoms come from a file"};
const cases::Rule<S> from_lattice = {[](const S& s) { return s.file.empty() && s.lattice; },
                                     "expected only with a lattice"};

void check_type_name(const TypeEntry& type, const TableView& table) {
  const bool blank = std::any_of(type.name.begin(), type.name.end(),
                                 [](unsigned char c) { return std::isspace(c); });
  if (blank) throw table.error("name", "expected a name without blanks");
}

void check_masses(const S& s, const TableView& table) {
  if (!s.restart.empty() || format_of(s) != AtomFile::lammps_data) return;
  for (const TableView& type : table.tables("type"))
    if (!type.has("mass"))
      throw type.wrong("mass", "the mass of an atom of this type of a LAMMPS data file");
}

void check_names_differ(const S& s, const TableView& table) {
  std::set<std::string> names;
  for (std::size_t i = 0; i < s.types.size(); ++i)
    if (!names.insert(s.types[i].name).second)
      throw table.tables("type")[i].error("name", "expected each name once");
}

void check_format(const S& s, const TableView& table) {
  if (!s.restart.empty() || s.file.empty() || format_of(s)) return;
  throw table.error("file",
                    "the name does not show the format, expected format = \"lammps-data\" or "
                    "\"extxyz\" beside it; a restart file is named by restart in place of file");
}

void check_site_types(const S& s, const TableView& table) {
  if (!is_generated(s) || s.site_types.empty()) return;
  const auto sites = static_cast<std::size_t>(sites_per_cell(*s.lattice));
  if (s.site_types.size() != sites) {
    throw table.error("site_types", "expected the names of " + std::to_string(sites) +
                                        " types, one for each site of a cell");
  }
  std::vector<std::string> names;
  for (const TypeEntry& type : s.types)
    names.push_back(type.name);
  for (const std::string& site : s.site_types) {
    if (std::find(names.begin(), names.end(), site) != names.end()) continue;
    throw table.error("site_types", "there is no [[system.type]] named '" + site + "'" +
                                        cases::suggestion(site, names));
  }
}

void check_plane(const S& s, const TableView& table) {
  if (!is_generated(s) || s.dimension == 3) return;
  if (*s.lattice != Lattice::sc)
    throw table.error("lattice", "expected \"sc\", a square lattice, with dimension = 2");
  if (s.cells[2] != 1) throw table.error("cells", "expected one cell along z with dimension = 2");
}

/// Completes the section: a restart file resets the other keys; without the key `format` the file
/// name implies it.
void complete(S& s, const cases::Case&) {
  if (!s.restart.empty()) {
    S continued;
    continued.restart = s.restart;
    continued.origin = s.origin;
    s = continued;
  }
  s.format = format_of(s);
}

}  // namespace

cases::Rows<TypeEntry> TypeEntry::rows() {
  using T = TypeEntry;
  return {{cases::field(&T::name, {.name = "name",
                                   .type = "text without blanks",
                                   .meaning = "species of an extended XYZ file; label, or number "
                                              "as text, of a type of a LAMMPS data file; name in "
                                              "`site_types` and in the coefficients",
                                   .required = true}),
           cases::field(&T::mass, {.name = "mass",
                                   .unit = "mass",
                                   .range = cases::positive,
                                   .meaning = "mass of an atom"})},
          {check_type_name}};
}

cases::Section<SystemSection> SystemSection::section() {
  using namespace cases;
  return {
      .name = "system",
      .presence = Presence::required,
      .meaning = "source of the atoms",
      .rows =
          {{field(&S::dimension,
                  {.name = "dimension",
                   .range = {2, 3},
                   .meaning = "3, or 2: all atoms have one z and no velocity along it, and stay "
                              "[in that plane](#two-dimensions)"}),
            field(&S::file,
                  {.name = "file",
                   .meaning = "LAMMPS data file or extended XYZ file",
                   .missing = "a file, a lattice or a restart to take the atoms from",
                   .needed = {[](const S& s) { return !s.lattice && s.restart.empty(); }, ""}}),
            choice(&S::format, {AtomFile::lammps_data, AtomFile::extended_xyz},
                   {.name = "format",
                    .fallback = "by name",
                    .meaning = "`.data`, `.lmp`, `.lammps` and `data.*` are LAMMPS data files, "
                               "`.xyz` and `.extxyz` extended XYZ; other names need this key",
                    .only = {from_file}}),
            choice(
                &S::atom_style,
                {AtomStyle::atomic, AtomStyle::charge, AtomStyle::bond, AtomStyle::angle,
                 AtomStyle::molecular, AtomStyle::full},
                {.name = "atom_style",
                 .fallback = "from the file",
                 .meaning = "columns of `Atoms` in a LAMMPS data file; required unless a comment "
                            "states the style (`Atoms # atomic`), which this key replaces",
                 .only = {from_file,
                          {[](const S& s) { return format_of(s) != AtomFile::extended_xyz; },
                           "expected only with a LAMMPS data file"}}}),
            field(&S::frame,
                  {.name = "frame",
                   .range = at_least(-1),
                   .fallback = "the last, and a warning where there are several",
                   .meaning = "frame of an extended XYZ file, counted from 0; -1 is the last",
                   .only = {from_file,
                            {[](const S& s) { return format_of(s) == AtomFile::extended_xyz; },
                             "expected only with an extended XYZ file"}}}),
            field(&S::restart,
                  {.name = "restart",
                   .meaning = "restart file of an earlier run; step and time continue from it"}),
            choice(&S::lattice, {Lattice::sc, Lattice::bcc, Lattice::fcc, Lattice::diamond},
                   {.name = "lattice",
                    .meaning = "cubic cell with 1, 2, 4 or 8 sites",
                    .only = {no_file}}),
            field(
                &S::density,
                {.name = "density",
                 .unit = "atoms/length^3",
                 .range = positive,
                 .meaning = "sets the edge of the cell to (sites/density)^(1/3); in units lj the "
                            "reduced density rho*. With `dimension = 2` atoms/length^2 and "
                            "(1/density)^(1/2)",
                 .missing = "a density or a lattice_constant, greater than zero",
                 .needed = {[](const S& s) { return is_generated(s) && !s.lattice_constant; }, ""},
                 .only = {no_file, from_lattice}}),
            field(&S::lattice_constant,
                  {.name = "lattice_constant",
                   .unit = "length",
                   .range = positive,
                   .meaning = "edge of the cell, instead of `density`",
                   .only = {no_file,
                            from_lattice,
                            {[](const S& s) { return !s.density; },
                             "expected either density or lattice_constant, not both"}}}),
            field(&S::cells, {.name = "cells",
                              .unit = "cells",
                              .range = at_least(1),
                              .meaning = "cells in x, y, z",
                              .needed = {is_generated, "required with `lattice`"},
                              .only = {no_file, from_lattice}}),
            field(&S::site_types,
                  {.name = "site_types",
                   .type = "texts, one for each site",
                   .fallback = "all the only type",
                   .meaning = "names of the types of the sites in a cell; required with more than "
                              "one type",
                   .missing = "the type of each site of a cell, as there is more than one type",
                   .needed = {[](const S& s) { return is_generated(s) && s.types.size() > 1; }, ""},
                   .only = {no_file, from_lattice}}),
            field(&S::jitter, {.name = "jitter",
                               .unit = "length",
                               .range = not_negative,
                               .meaning = "every coordinate is moved by a uniform random number "
                                          "between -jitter and +jitter",
                               .only = {no_file, from_lattice}}),
            field(&S::jitter_seed, {.name = "jitter_seed",
                                    .meaning = "seed of the jitter",
                                    .only = {no_file, from_lattice}}),
            field(&S::periodic,
                  {.name = "periodic",
                   .fallback = "all true, or `pbc` of an extended XYZ file",
                   .meaning = "directions in which the box repeats; a LAMMPS data file does not "
                              "say"}),
            tables(
                &S::types,
                {.name = "type",
                 .type = "tables `name`, `mass`",
                 .fallback = "from the file, or one type of mass 1",
                 .meaning = "[types of atoms](#systemtype); masses of types of a LAMMPS data file "
                            "that has none"})},
           {check_format, check_masses, check_names_differ, check_site_types, check_plane}},
      .complete = complete};
}

}  // namespace tessera::md
