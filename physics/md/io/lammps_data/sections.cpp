#include "physics/md/io/lammps_data/sections.hpp"

#include <algorithm>

namespace tessera::md::lammps {

const std::vector<SectionKind>& all_sections() {
  static const std::vector<SectionKind> sections = {
      {"Masses", "atom types"},
      {"Pair Coeffs", "atom types"},
      {"PairIJ Coeffs", "atom types"},
      {"Atoms", "atoms", true},
      {"Velocities", "atoms"},
      {"Bonds", "bonds", true},
      {"Angles", "angles", true},
      {"Dihedrals", "dihedrals", true},
      {"Impropers", "impropers", true, true},
      {"CMAP", "crossterms", false, true},
      {"Ellipsoids", "ellipsoids", false, true},
      {"Lines", "lines", false, true},
      {"Triangles", "triangles", false, true},
      {"Bodies", "bodies", false, true},
      {"Atom Type Labels", "atom types"},
      {"Bond Type Labels", "bond types"},
      {"Angle Type Labels", "angle types"},
      {"Dihedral Type Labels", "dihedral types"},
      {"Improper Type Labels", "improper types"},
      {"Bond Coeffs", "bond types"},
      {"Angle Coeffs", "angle types", false, true},
      {"BondBond Coeffs", "angle types", false, true},
      {"BondAngle Coeffs", "angle types", false, true},
      {"UreyBradley Coeffs", "angle types", false, true},
      {"Dihedral Coeffs", "dihedral types", false, true},
      {"MiddleBondTorsion Coeffs", "dihedral types", false, true},
      {"EndBondTorsion Coeffs", "dihedral types", false, true},
      {"AngleTorsion Coeffs", "dihedral types", false, true},
      {"AngleAngleTorsion Coeffs", "dihedral types", false, true},
      {"BondBond13 Coeffs", "dihedral types", false, true},
      {"Improper Coeffs", "improper types", false, true},
      {"AngleAngle Coeffs", "improper types", false, true}};
  return sections;
}

const SectionKind* find_section(std::string_view line) {
  const auto& sections = all_sections();
  const auto found = std::find_if(sections.begin(), sections.end(),
                                  [&](const SectionKind& kind) { return kind.name == line; });
  return found == sections.end() ? nullptr : &*found;
}

std::int64_t rows_of(const SectionKind& section, const Header& header) {
  const std::int64_t count = header.count_of(section.count);
  return section.name == "PairIJ Coeffs" ? count * (count + 1) / 2 : count;
}

}  // namespace tessera::md::lammps
