#ifndef TESSERA_PHYSICS_MD_CASE_SYSTEM_SECTION_HPP
#define TESSERA_PHYSICS_MD_CASE_SYSTEM_SECTION_HPP

#include "core/case/section.hpp"
#include "physics/md/generate/lattice.hpp"
#include "physics/md/io/lammps_data.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// \file
/// The section [system] of a case.

namespace tessera::md {

enum class AtomFile { lammps_data, extended_xyz };

[[nodiscard]] constexpr std::string_view name(AtomFile format) {
  return format == AtomFile::lammps_data ? "lammps-data" : "extxyz";
}

struct TypeEntry {
  std::string name;
  double mass = 1;
  cases::Origin origin = {};

  friend bool operator==(const TypeEntry&, const TypeEntry&) = default;

  static cases::Rows<TypeEntry> rows();
};

/// Source of the atoms: a file, a lattice or a restart file. In two dimensions the box is not
/// periodic along z, whatever `periodic` and the file say. A restart file overrides the other keys
/// of the section.
struct SystemSection {
  std::int64_t dimension = 3;
  cases::GivenPath file;
  std::optional<AtomFile> format;
  std::optional<AtomStyle> atom_style;  ///< of a LAMMPS data file
  std::optional<std::int64_t> frame;    ///< of an extended XYZ file, -1 the last
  cases::GivenPath restart;
  std::optional<Lattice> lattice;
  std::optional<double> density;           ///< number density; or
  std::optional<double> lattice_constant;  ///< edge of the cubic cell
  std::array<std::int64_t, 3> cells = {1, 1, 1};
  std::vector<std::string> site_types;  ///< name of a type for each site of a cell, or empty
  double jitter = 0;
  std::uint64_t jitter_seed = 0;
  std::optional<std::array<bool, 3>> periodic;  ///< default: as in the file, else all
  /// Empty: the types of the file, or one type of mass 1. With a LAMMPS data file it sets the
  /// masses of the types of the file.
  std::vector<TypeEntry> types;
  cases::Origin origin = {};

  friend bool operator==(const SystemSection&, const SystemSection&) = default;

  static cases::Section<SystemSection> section();
};

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_CASE_SYSTEM_SECTION_HPP
