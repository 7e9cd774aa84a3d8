#ifndef TESSERA_PHYSICS_MD_BOND_FORCE_BOND_POTENTIAL_HPP
#define TESSERA_PHYSICS_MD_BOND_FORCE_BOND_POTENTIAL_HPP

#include "core/memory/view.hpp"
#include "physics/md/pair_potential/pair_potential.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// \file
/// Bond potentials, known by name. A bond potential is one header in md/bond_potentials/, written
/// as a pair potential without a cutoff (md/potentials/README.md).

namespace tessera::md {

/// A bond potential with its fields.
///
/// "a+b" is for systems whose kinds of bonds have different potentials. The first field of a kind
/// is then "style", the index of its potential among those named, and the fields of all of them
/// follow, one after the other; a name that an earlier one has gets the prefix "b_". A kind reads
/// the fields of its own potential alone.
///
/// "special/NAME" has the fields of the pair potential NAME, then the factor of each part
/// ("factor", "coulomb_factor") and "field", 1 if fields are kept.
struct BondPotential {
  std::string name;
  std::vector<std::string> fields;
  unsigned reads = 0;                    ///< a set of AtomData
  std::vector<PairPotentialPart> parts;  ///< of which each kind has one; none of "special/NAME"

  /// The part of a kind, its fields and its packed coefficients.
  struct OfKind {
    const PairPotentialPart* part;
    std::vector<double> fields, packed;
  };
  /// \param coefficients kinds x fields.
  /// \throws ArgumentError if the style of the kind is none of the parts.
  [[nodiscard]] OfKind of_kind(View<const double, 2> coefficients, std::int64_t kind) const;
  /// Coefficients of a kind whose potential is parts[part], from the values of its fields.
  [[nodiscard]] std::vector<double> coefficients(std::size_t part,
                                                 const std::vector<double>& values) const;
};

/// The bond potentials of this build.
[[nodiscard]] const std::vector<PairPotentialPart>& bond_potentials();
/// \throws SelectionError that suggests the most similar name; ArgumentError for a name twice.
[[nodiscard]] BondPotential bond_potential(const std::string& name);

/// The pair potential of "special/NAME", absent for other names.
[[nodiscard]] std::optional<PairPotential> special_potential(const std::string& name);

/// The bond potentials of this build. Generated at configure time.
[[nodiscard]] std::vector<PairPotentialPart> built_in_bond_potentials();

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_BOND_FORCE_BOND_POTENTIAL_HPP
