#include "core/base/atomic_file.hpp"
#include "core/base/error.hpp"
#include "physics/md/io/lammps_data.hpp"
#include "physics/md/io/lammps_data/atom_style.hpp"
#include "physics/md/io/lammps_data/pair_coefficients.hpp"
#include "physics/md/io/number_text.hpp"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

namespace tessera::md {
namespace {

constexpr std::size_t flush_size = std::size_t{1} << 24;

AtomStyle smallest_style(const System& system) {
  if (!system.molecules.empty() || !system.bonds.empty())
    return system.charges.empty() ? AtomStyle::molecular : AtomStyle::full;
  return system.charges.empty() ? AtomStyle::atomic : AtomStyle::charge;
}

void check_sizes(const System& system, AtomStyle style) {
  const std::size_t atoms = system.positions.size();
  const auto check = [&](std::size_t size, bool may_be_empty, const char* what) {
    if (size == atoms || (may_be_empty && size == 0)) return;
    throw ArgumentError("write_lammps_data: " + std::to_string(size) + " " + what + " for " +
                        std::to_string(atoms) + " atoms");
  };
  check(system.ids.size(), false, "ids");
  check(system.type.size(), false, "types");
  check(system.images.size(), true, "images");
  check(system.velocities.size(), true, "velocities");
  check(system.charges.size(), true, "charges");
  check(system.molecules.size(), true, "molecules");
  if (style == AtomStyle::charge) check(system.charges.size(), false, "charges");
  if (!system.bonds.empty() && !lammps::has_molecule(style))
    throw ArgumentError("write_lammps_data: atoms of style " + std::string(name(style)) +
                        " cannot have bonds");
}

/// Appends the coefficient section and its keyword; nothing if there are no coefficients.
void append_coefficients(std::string& text, const System& system) {
  if (system.pair_coefficients.empty()) return;
  const std::size_t types = system.types.size();
  std::set<std::pair<int, int>> pairs;
  bool all_equal = true;
  for (const PairCoefficient& c : system.pair_coefficients) {
    pairs.insert(std::minmax(c.type_i, c.type_j));
    all_equal = all_equal && c.type_i == c.type_j;
  }
  const bool unique = pairs.size() == system.pair_coefficients.size();
  const bool diagonal = unique && all_equal && pairs.size() == types;
  if (!diagonal && !(unique && pairs.size() == types * (types + 1) / 2)) {
    throw ArgumentError(
        "write_lammps_data: pair coefficients must be given for every pair of types, or for every "
        "pair of equal types");
  }
  const auto style = lammps::style_of(system.pair_coefficients);
  if (!style)
    throw ArgumentError(
        "write_lammps_data: pair coefficients must be those of one style that reading knows");
  std::vector<std::string> columns = style->second.required;
  columns.insert(columns.end(), style->second.optional.begin(), style->second.optional.end());
  text += (diagonal ? "\nPair Coeffs # " : "\nPairIJ Coeffs # ") + style->first + "\n\n";
  for (const PairCoefficient& c : system.pair_coefficients) {
    const auto [low, high] = std::minmax(c.type_i, c.type_j);
    append_number(text, std::int64_t{low} + 1);
    if (!diagonal) {
      text += ' ';
      append_number(text, std::int64_t{high} + 1);
    }
    for (const std::string& name : columns) {
      const auto value = c.values.find(name);
      if (value == c.values.end()) continue;
      text += ' ';
      append_number(text, value->second);
    }
    text += '\n';
  }
}

void append_bond_coefficients(std::string& text, const System& system) {
  if (system.bond_coefficients.empty()) return;
  if (std::ssize(system.bond_coefficients) != system.bond_types)
    throw ArgumentError("write_lammps_data: bond coefficients must be given for every bond type");
  const auto style_of = [](const BondCoefficient& c) {
    return c.style.empty() ? std::string("harmonic") : c.style;
  };
  const std::string first = style_of(system.bond_coefficients.front());
  const bool hybrid = std::any_of(system.bond_coefficients.begin(), system.bond_coefficients.end(),
                                  [&](const BondCoefficient& c) { return style_of(c) != first; });
  text += "\nBond Coeffs # " + (hybrid ? "hybrid" : first) + "\n\n";
  for (const BondCoefficient& c : system.bond_coefficients) {
    append_number(text, std::int64_t{c.type} + 1);
    if (hybrid) text += ' ' + style_of(c);
    for (const double value : c.values) {
      text += ' ';
      append_number(text, value);
    }
    text += '\n';
  }
}

std::string head(const System& system, const LammpsWriteOptions& options) {
  std::string text = "LAMMPS data file written by Tessera";
  if (!options.units.empty()) text += ", units = " + options.units;
  text += "\n\n" + std::to_string(system.size()) + " atoms\n" +
          std::to_string(system.types.size()) + " atom types\n";
  if (!system.bonds.empty())
    text += std::to_string(system.bonds.size()) + " bonds\n" + std::to_string(system.bond_types) +
            " bond types\n";
  text += '\n';
  for (int axis = 0; axis < 3; ++axis) {
    const char letter = static_cast<char>('x' + axis);
    append_number(text, system.box.lower[axis]);
    text += ' ';
    append_number(text, system.box.lower[axis] + system.box.length[axis]);
    text += std::string(" ") + letter + "lo " + letter + "hi\n";
  }
  if (system.box.tilted()) {
    for (const double tilt : system.box.tilt) {
      append_number(text, tilt);
      text += ' ';
    }
    text += "xy xz yz\n";
  }
  if (!system.bonds.empty() && !system.bond_labels.empty()) text += "\nBond Type Labels\n\n";
  for (std::size_t i = 0; !system.bonds.empty() && i < system.bond_labels.size(); ++i)
    text += std::to_string(i + 1) + " " + system.bond_labels[i] + '\n';
  text += "\nMasses\n\n";
  for (std::size_t i = 0; i < system.types.size(); ++i) {
    text += std::to_string(i + 1) + " ";
    append_number(text, system.types[i].mass);
    if (!system.types[i].name.empty()) text += " # " + system.types[i].name;
    text += '\n';
  }
  append_coefficients(text, system);
  append_bond_coefficients(text, system);
  return text;
}

}  // namespace

void write_lammps_data(const std::filesystem::path& path, const System& system,
                       const LammpsWriteOptions& options) {
  const AtomStyle style = options.atom_style.value_or(smallest_style(system));
  check_sizes(system, style);
  std::string text = head(system, options);
  AtomicFile file(path);
  const std::size_t atoms = system.positions.size();
  const auto flush = [&](std::size_t limit) {
    if (text.size() < limit) return;
    file.append(text);
    text.clear();
  };
  if (atoms > 0) text += "\nAtoms # " + std::string(name(style)) + "\n\n";
  for (std::size_t i = 0; i < atoms; ++i) {
    append_number(text, system.ids[i]);
    if (lammps::has_molecule(style)) {
      text += ' ';
      append_number(text, system.molecules.empty() ? std::int64_t{0} : system.molecules[i]);
    }
    text += ' ';
    append_number(text, std::int64_t{system.type[i]} + 1);
    if (lammps::has_charge(style)) {
      text += ' ';
      append_number(text, system.charges.empty() ? 0.0 : system.charges[i]);
    }
    for (const double x : system.positions[i]) {
      text += ' ';
      append_number(text, x);
    }
    for (std::size_t d = 0; d < 3; ++d) {
      text += ' ';
      append_number(text,
                    system.images.empty() ? std::int64_t{0} : std::int64_t{system.images[i][d]});
    }
    text += '\n';
    flush(flush_size);
  }
  if (!system.velocities.empty()) text += "\nVelocities\n\n";
  for (std::size_t i = 0; i < system.velocities.size(); ++i) {
    append_number(text, system.ids[i]);
    for (const double v : system.velocities[i]) {
      text += ' ';
      append_number(text, v);
    }
    text += '\n';
    flush(flush_size);
  }
  if (!system.bonds.empty()) text += "\nBonds\n\n";
  for (std::size_t b = 0; b < system.bonds.size(); ++b) {
    const Bond& bond = system.bonds[b];
    const auto id = [&](std::size_t end) {
      return system.ids[static_cast<std::size_t>(bond.atoms[end])];
    };
    for (const std::int64_t field :
         {static_cast<std::int64_t>(b) + 1, std::int64_t{bond.type} + 1, id(0), id(1)}) {
      if (text.back() != '\n') text += ' ';
      append_number(text, field);
    }
    text += '\n';
    flush(flush_size);
  }
  flush(0);
  file.commit();
}

}  // namespace tessera::md
