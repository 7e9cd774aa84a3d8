#ifndef TESSERA_PHYSICS_MD_IO_LAMMPS_DATA_SECTIONS_HPP
#define TESSERA_PHYSICS_MD_IO_LAMMPS_DATA_SECTIONS_HPP

#include "physics/md/io/lammps_data/header.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// \file
/// The section keywords of LAMMPS data files and the number of rows of each (LAMMPS documentation,
/// page "read_data command"). Internal to the reader.

namespace tessera::md::lammps {

struct SectionKind {
  std::string name;
  std::string count;      ///< header keyword of its number of rows
  bool required = false;  ///< whether the file must have it if the header announces rows
  bool lost = false;      ///< whether the reader skips it, so that its information is lost
};

[[nodiscard]] const std::vector<SectionKind>& all_sections();
/// Null if there is no such section.
[[nodiscard]] const SectionKind* find_section(std::string_view line);
/// Number of rows of the section according to the header.
[[nodiscard]] std::int64_t rows_of(const SectionKind& section, const Header& header);

}  // namespace tessera::md::lammps

#endif  // TESSERA_PHYSICS_MD_IO_LAMMPS_DATA_SECTIONS_HPP
