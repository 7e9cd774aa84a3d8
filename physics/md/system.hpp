#ifndef TESSERA_PHYSICS_MD_SYSTEM_HPP
#define TESSERA_PHYSICS_MD_SYSTEM_HPP

#include "physics/md/box.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

/// \file
/// Atoms from a file or a generator, on the host, in the unit system of the case.

namespace tessera::md {

struct AtomType {
  std::string name;   ///< element or label; "1", "2", ... where the input has none
  double mass = 1.0;  ///< greater than zero
};

/// Coefficients of one pair of types as the user wrote them, by the names that the pair potential
/// gives them.
struct PairCoefficient {
  int type_i = 0;  ///< 0-based
  int type_j = 0;
  std::map<std::string, double> values;
};

/// Two atoms that a bond potential acts on.
struct Bond {
  std::array<std::int32_t, 2> atoms{};  ///< 0-based indices of atoms
  std::int32_t type = 0;                ///< 0-based

  friend bool operator==(const Bond&, const Bond&) = default;
};

/// Coefficients of one bond type as the user wrote them, in the order of the fields of the bond
/// potential.
struct BondCoefficient {
  std::int32_t type = 0;  ///< 0-based
  std::vector<double> values;
  std::string style = {};  ///< name of the potential; empty: "harmonic", or as bonds_of() says

  friend bool operator==(const BondCoefficient&, const BondCoefficient&) = default;
};

/// All vectors of atom properties have the same length. Velocities, charges, molecules and frozen
/// are empty if the input has no such column. The labels of bond types are empty if the input has
/// none.
struct System {
  /// 2: the atoms stay in a plane. All have the same z and no velocity along it, and the box is not
  /// periodic in z (find_plane_fault); its length along z has no meaning.
  int dimensions = 3;
  Box box;
  std::vector<AtomType> types;
  std::vector<std::int64_t> ids;                 ///< unique, as in the input
  std::vector<std::int32_t> type;                ///< 0-based index into `types`
  std::vector<std::array<double, 3>> positions;  ///< wrapped into the box where periodic
  std::vector<std::array<std::int32_t, 3>>
      images;  ///< of a, b, c; unwrapped = position + box.edges(image)
  std::vector<std::array<double, 3>> velocities;
  std::vector<double> charges;
  std::vector<std::int64_t> molecules;
  std::vector<std::uint8_t> frozen;                ///< 1: the atom never moves, whatever acts on it
  std::vector<PairCoefficient> pair_coefficients;  ///< from the input
  std::vector<Bond> bonds;
  std::int32_t bond_types = 0;
  std::vector<std::string> bond_labels;            ///< one for each bond type
  std::vector<BondCoefficient> bond_coefficients;  ///< from the input
  /// Atoms of angles and dihedrals, as 0-based indices. They have no forces; they may restrict
  /// which pairs count as near by bonds (topology/pair_lists.hpp).
  std::vector<std::array<std::int32_t, 3>> angles;
  std::vector<std::array<std::int32_t, 4>> dihedrals;

  [[nodiscard]] std::int64_t size() const { return static_cast<std::int64_t>(type.size()); }

  /// Whether an atom never moves.
  [[nodiscard]] bool is_frozen(std::size_t atom) const {
    return !frozen.empty() && frozen[atom] != 0;
  }
  [[nodiscard]] std::int64_t frozen_atoms() const;

  /// Length^dimensions: an area in two dimensions.
  [[nodiscard]] double volume() const;

  /// Clears the properties of atoms; the box, types and coefficients stay.
  void clear_atoms();
};

/// The reason why a system cannot be two-dimensional.
struct PlaneFault {
  std::int64_t atom = -1;  ///< its index; below 0 if the fault is not in an atom
  std::string field;       ///< "position z", "velocity z", "periodic z", "dimensions"
  double value = 0;
  std::string expected;
};

/// The first fault of a system with two dimensions, or with neither two nor three.
[[nodiscard]] std::optional<PlaneFault> find_plane_fault(const System& system);

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_SYSTEM_HPP
