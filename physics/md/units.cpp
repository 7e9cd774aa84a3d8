#include "physics/md/units.hpp"

#include "core/base/error.hpp"

#include <array>
#include <string>
#include <vector>

namespace tessera::md {
namespace {

// The conversion constants are those of LAMMPS (source file src/update.cpp, function set_units;
// documentation page "units command"), so that both codes give the same digits.
constexpr double real_velocity = 48.88821291;  // its square: g/mol (angstrom/fs)^2 in kcal/mol
constexpr double metal_mv2_to_energy = 1.0364269e-4;
// ase.units.fs of ASE 3.22 to 3.29 (CODATA 2014) times 1000: angstrom/ps.
constexpr double ase_velocity = 98.22694788464063;

constexpr std::array<Units, 3> all_units = {
    Units{"lj", 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.005, 0.3,  //
          "sigma", "epsilon", "tau", "epsilon/kB", "epsilon/sigma^3", "m", "epsilon/sigma^2"},
    Units{"real", 0.0019872067, 1.0 / real_velocity / real_velocity, real_velocity* real_velocity,
          68568.415, 332.06371, ase_velocity / 1000, 1.0, 2.0,  //
          "angstrom", "kcal/mol", "fs", "K", "atm", "g/mol", "atm angstrom"},
    Units{"metal", 8.617343e-5, 1.0 / metal_mv2_to_energy, metal_mv2_to_energy, 1.6021765e6,
          14.399645, ase_velocity, 0.001,
          2.0,  //
          "angstrom", "eV", "ps", "K", "bar", "g/mol", "bar angstrom"}};

}  // namespace

std::vector<std::string> unit_names() {
  std::vector<std::string> names;
  for (const Units& units : all_units)
    names.emplace_back(units.name);
  return names;
}

const Units& units_from_name(std::string_view name) {
  for (const Units& units : all_units)
    if (units.name == name) return units;
  throw SelectionError("unit system", std::string(name), unit_names());
}

}  // namespace tessera::md
