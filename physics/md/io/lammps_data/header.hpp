#ifndef TESSERA_PHYSICS_MD_IO_LAMMPS_DATA_HEADER_HPP
#define TESSERA_PHYSICS_MD_IO_LAMMPS_DATA_HEADER_HPP

#include "core/base/text_scanner.hpp"
#include "physics/md/box.hpp"
#include "physics/md/io/lammps_data/general_box.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// \file
/// The header of a LAMMPS data file: counts and box. Internal to the reader.

namespace tessera::md::lammps {

struct Header {
  std::string title;
  std::int64_t atoms = 0;
  std::int32_t atom_types = 0;
  std::int64_t atom_types_line = 0;
  std::map<std::string, std::int64_t, std::less<>> counts;  ///< all counts by their keywords
  Box box;
  std::optional<Turn>
      turn;           ///< rotation of all vectors if the file has general box vectors; else absent
  bool more = false;  ///< the scanner stands on the first section keyword, not at the end

  /// The count of a keyword, 0 if the header does not have it.
  [[nodiscard]] std::int64_t count_of(std::string_view keyword) const;
};

/// Reads from the title up to the first line that starts with a letter.
/// \param warnings receives one for each direction without bounds
[[nodiscard]] Header read_header(TextScanner& scanner, std::array<bool, 3> periodic,
                                 std::vector<std::string>& warnings);

}  // namespace tessera::md::lammps

#endif  // TESSERA_PHYSICS_MD_IO_LAMMPS_DATA_HEADER_HPP
