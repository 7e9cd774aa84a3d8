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

/// Content of a column of the atom rows.
enum class XyzColumn { species, position, velocity, momentum, mass, image, id, charge, ignored };

struct XyzProperty {
  std::string name;
  XyzColumn column = XyzColumn::ignored;
  int count = 1;  ///< fields in a row
};

struct XyzComment {
  Box box;  ///< a length of 1 in directions without a vector
  std::array<bool, 3> has_vector = {false, false, false};
  std::vector<XyzProperty> properties;
  std::map<std::string, std::string, std::less<>> type_names;  ///< from species to type
};

/// Reads the current line of the scanner. The result may be periodic in a direction without a
/// vector.
[[nodiscard]] XyzComment read_xyz_comment(const TextScanner& scanner);

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_IO_EXTENDED_XYZ_COMMENT_HPP
