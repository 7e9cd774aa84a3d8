#include "physics/md/io/lammps_data/atom_style.hpp"

#include "core/base/error.hpp"

#include <algorithm>

namespace tessera::md {
namespace lammps {
namespace {

struct StyleTraits {
  std::string_view name;
  bool molecule;
  bool charge;
  int relations;  ///< number of relations, from the start of the list below, that its atoms may
                  ///< have
};

/// Kinds of relations. Atoms of a style that may have one of these may also have those before it.
constexpr std::array relations = {"bond", "angle", "dihedral", "improper"};

StyleTraits traits(AtomStyle style) {
  switch (style) {
    case AtomStyle::atomic:
      return {"atomic", false, false, 0};
    case AtomStyle::charge:
      return {"charge", false, true, 0};
    case AtomStyle::bond:
      return {"bond", true, false, 1};
    case AtomStyle::angle:
      return {"angle", true, false, 2};
    case AtomStyle::molecular:
      return {"molecular", true, false, 4};
    case AtomStyle::full:
      return {"full", true, true, 4};
  }
  return {"unknown", false, false, 0};
}

}  // namespace

bool has_molecule(AtomStyle style) {
  return traits(style).molecule;
}
bool has_charge(AtomStyle style) {
  return traits(style).charge;
}

bool same_columns(AtomStyle one, AtomStyle other) {
  return has_molecule(one) == has_molecule(other) && has_charge(one) == has_charge(other);
}

int column_count(AtomStyle style) {
  return 5 + (has_molecule(style) ? 1 : 0) + (has_charge(style) ? 1 : 0);
}

std::string columns(AtomStyle style) {
  return std::string("id ") + (has_molecule(style) ? "molecule " : "") + "type " +
         (has_charge(style) ? "q " : "") + "x y z";
}

std::string names_of(const std::vector<AtomStyle>& styles) {
  std::string names;
  for (const AtomStyle style : styles)
    names += (names.empty() ? "" : ", ") + std::string(name(style));
  return names;
}

std::string unknown_to(AtomStyle style, const Header& header) {
  for (std::size_t k = static_cast<std::size_t>(traits(style).relations); k < relations.size(); ++k)
    for (const char* const ending : {"s", " types"})
      if (const std::string keyword = std::string(relations[k]) + ending;
          header.count_of(keyword) > 0)
        return keyword;
  return {};
}

std::vector<AtomStyle> styles_for(const Header& header) {
  std::vector<AtomStyle> styles(all_styles.begin(), all_styles.end());
  std::erase_if(styles, [&](AtomStyle style) { return !unknown_to(style, header).empty(); });
  return styles;
}

bool is_richer_style(std::string_view style) {
  static const std::vector<std::string_view> styles = {
      "amoeba", "apip",     "body",      "bpm/sphere",   "dielectric", "dipole", "dpd",
      "edpd",   "electron", "ellipsoid", "hybrid",       "line",       "mdpd",   "mesont",
      "oxdna",  "peri",     "rheo",      "rheo/thermal", "smd",        "sph",    "sphere",
      "spin",   "tdpd",     "template",  "tri",          "wavepacket"};
  return std::find(styles.begin(), styles.end(), style) != styles.end();
}

}  // namespace lammps

std::string_view name(AtomStyle style) {
  return lammps::traits(style).name;
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
