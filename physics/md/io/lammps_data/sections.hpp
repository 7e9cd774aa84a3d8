#ifndef TESSERA_PHYSICS_MD_IO_LAMMPS_DATA_SECTIONS_HPP
#define TESSERA_PHYSICS_MD_IO_LAMMPS_DATA_SECTIONS_HPP

#include "physics/md/io/lammps_data/header.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// \file
/// The section keywords of LAMMPS data files and how many rows each has (LAMMPS documentation, page
/// "read_data command"). Internal to the reader.

namespace tessera::md::lammps {

struct SectionKind {
  std::string name;
  std::string count;      ///< keyword of the header for its rows
  bool required = false;  ///< where the header announces rows
  bool lost = false;      ///< skipped, and nothing else tells what the rows say
};

[[nodiscard]] const std::vector<SectionKind>& all_sections();
/// Null where there is no such section.
[[nodiscard]] const SectionKind* find_section(std::string_view line);
/// Rows of the section by the header.
[[nodiscard]] std::int64_t rows_of(const SectionKind& section, const Header& header);

}  // namespace tessera::md::lammps

#endif  // TESSERA_PHYSICS_MD_IO_LAMMPS_DATA_SECTIONS_HPP
