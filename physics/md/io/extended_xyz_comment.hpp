#ifndef TESSERA_PHYSICS_MD_IO_EXTENDED_XYZ_COMMENT_HPP
#define TESSERA_PHYSICS_MD_IO_EXTENDED_XYZ_COMMENT_HPP

#include "core/base/text_scanner.hpp"
#include "physics/md/box.hpp"

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

/// \file
/// The comment line of an extended XYZ frame. Internal to the reader.

namespace tessera::md {

/// What a column of the atom rows holds.
enum class XyzColumn { species, position, velocity, momentum, mass, image, id, charge, ignored };

struct XyzProperty {
  std::string name;
  XyzColumn column = XyzColumn::ignored;
  int count = 1;  ///< fields in a row
};

struct XyzComment {
  Box box;  ///< a length of 1 where there is no vector
  std::array<bool, 3> has_vector = {false, false, false};
  std::vector<XyzProperty> properties;
  std::map<std::string, std::string, std::less<>> type_names;  ///< from species to type
};

/// Reads the current line of the scanner. A direction without a vector may be periodic there.
[[nodiscard]] XyzComment read_xyz_comment(const TextScanner& scanner);

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_IO_EXTENDED_XYZ_COMMENT_HPP
