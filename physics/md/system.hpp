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
/// Atoms as they come from a file or a generator, on the host, in the unit system of the case.

namespace tessera::md {

struct AtomType {
  std::string name;   ///< element or label; "1", "2", ... where the input has none
  double mass = 1.0;  ///< greater than zero
};

/// Coefficients of one pair of types as the user wrote them, by the names of the pair form.
struct PairCoefficient {
  int type_i = 0;  ///< 0-based
  int type_j = 0;
  std::map<std::string, double> values;
};

/// Two atoms that a bond term holds together.
struct Bond {
  std::array<std::int32_t, 2> atoms{};  ///< 0-based places in the arrays of the atoms
  std::int32_t type = 0;                ///< 0-based

  friend bool operator==(const Bond&, const Bond&) = default;
};

/// Coefficients of one bond type as the user wrote them, in the order of the form's fields.
struct BondCoefficient {
  std::int32_t type = 0;  ///< 0-based
  std::vector<double> values;

  friend bool operator==(const BondCoefficient&, const BondCoefficient&) = default;
};

/// All vectors of atom properties have the same length or, where the input has no such column, are
/// empty (velocities, charges, molecules, frozen), as the labels of bond types are where it gives
/// none.
struct System {
  /// 2: the atoms lie in a plane and stay there. All have one z and no velocity along it, and the
  /// box is not periodic in z (find_plane_fault); its length along z means nothing.
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
  std::vector<PairCoefficient> pair_coefficients;  ///< those that the input carried
  std::vector<Bond> bonds;
  std::int32_t bond_types = 0;
  std::vector<std::string> bond_labels;            ///< of the bond types
  std::vector<BondCoefficient> bond_coefficients;  ///< those that the input carried
  /// Atoms of angles and dihedrals, 0-based places. They have no forces; they may say which pairs
  /// near by bonds count (topology/pair_lists.hpp).
  std::vector<std::array<std::int32_t, 3>> angles;
  std::vector<std::array<std::int32_t, 4>> dihedrals;

  [[nodiscard]] std::int64_t size() const { return static_cast<std::int64_t>(type.size()); }

  /// Whether an atom never moves.
  [[nodiscard]] bool is_frozen(std::size_t atom) const {
    return !frozen.empty() && frozen[atom] != 0;
  }
  [[nodiscard]] std::int64_t frozen_atoms() const;

  /// Length^dimensions: an area where there are two.
  [[nodiscard]] double volume() const;

  /// Leaves what belongs to no single atom: box, types, coefficients.
  void clear_atoms();
};

/// What keeps a system from having two dimensions.
struct PlaneFault {
  std::int64_t atom = -1;  ///< its place, below 0 where it is none
  std::string field;       ///< "position z", "velocity z", "periodic z", "dimensions"
  double value = 0;
  std::string expected;
};

/// The first fault of a system that says it has two dimensions, or neither two nor three.
[[nodiscard]] std::optional<PlaneFault> find_plane_fault(const System& system);

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_SYSTEM_HPP
