#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tessera/core/base/text_scanner.hpp>
#include <tessera/md/box.hpp>

/// \file
/// The header of a LAMMPS data file: counts and box. Internal to the reader.

namespace tessera::md::lammps {

struct Header {
  std::string title;
  std::int64_t atoms = 0;
  std::int32_t atom_types = 0;
  std::int64_t atom_types_line = 0;
  std::map<std::string, std::int64_t, std::less<>> counts;  ///< every other count by its keyword
  Box box;
  bool more = false;  ///< the scanner stands on the first section keyword, not at the end
};

/// Reads from the title up to the first line that starts with a letter.
[[nodiscard]] Header read_header(TextScanner& scanner, std::array<bool, 3> periodic);

}  // namespace tessera::md::lammps
