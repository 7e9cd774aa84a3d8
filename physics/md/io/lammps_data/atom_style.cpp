#include <tessera/core/base/error.hpp>
#include <tessera/md/io/lammps_data/atom_style.hpp>
#include <vector>

namespace tessera::md {
namespace lammps {

int column_count(AtomStyle style) {
  return 5 + static_cast<int>(style);
}

std::string columns(AtomStyle style) {
  switch (style) {
    case AtomStyle::atomic:
      return "id type x y z";
    case AtomStyle::charge:
      return "id type q x y z";
    case AtomStyle::full:
      return "id molecule type q x y z";
  }
  return "";
}

}  // namespace lammps

std::string_view name(AtomStyle style) {
  switch (style) {
    case AtomStyle::atomic:
      return "atomic";
    case AtomStyle::charge:
      return "charge";
    case AtomStyle::full:
      return "full";
  }
  return "unknown";
}

AtomStyle atom_style_from_name(std::string_view text) {
  std::vector<std::string> names;
  for (const AtomStyle style : lammps::all_styles) {
    if (name(style) == text) return style;
    names.emplace_back(name(style));
  }
  throw SelectionError("atom style", std::string(text), names);
}

}  // namespace tessera::md
