#include <algorithm>
#include <tessera/md/io/lammps_data/sections.hpp>

namespace tessera::md::lammps {
namespace {

const std::vector<std::string> sections_read = {
    "Masses",     "Atom Type Labels", "Pair Coeffs", "PairIJ Coeffs", "Atoms",
    "Velocities", "Bond Coeffs",      "Bonds",       "Angles",        "Dihedrals"};

const std::vector<std::string> sections_skipped = {"Angle Coeffs",
                                                   "Dihedral Coeffs",
                                                   "Improper Coeffs",
                                                   "BondBond Coeffs",
                                                   "BondAngle Coeffs",
                                                   "MiddleBondTorsion Coeffs",
                                                   "EndBondTorsion Coeffs",
                                                   "AngleTorsion Coeffs",
                                                   "AngleAngleTorsion Coeffs",
                                                   "BondBond13 Coeffs",
                                                   "AngleAngle Coeffs",
                                                   "Bond Type Labels",
                                                   "Angle Type Labels",
                                                   "Dihedral Type Labels",
                                                   "Improper Type Labels",
                                                   "CMAP",
                                                   "Ellipsoids",
                                                   "Lines",
                                                   "Triangles",
                                                   "Bodies"};

}  // namespace

const std::map<std::string, std::string, std::less<>>& counted_sections() {
  static const std::map<std::string, std::string, std::less<>> sections = {
      {"Impropers", "impropers"}};
  return sections;
}

const std::vector<std::string>& all_sections() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list = sections_read;
    for (const auto& [section, count] : counted_sections())
      list.push_back(section);
    list.insert(list.end(), sections_skipped.begin(), sections_skipped.end());
    return list;
  }();
  return names;
}

bool is_section(std::string_view line) {
  const auto& names = all_sections();
  return std::find(names.begin(), names.end(), line) != names.end();
}

}  // namespace tessera::md::lammps
