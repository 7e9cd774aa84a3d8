#ifndef TESSERA_PHYSICS_MD_SIMULATION_SPECIAL_PAIRS_HPP
#define TESSERA_PHYSICS_MD_SIMULATION_SPECIAL_PAIRS_HPP

#include "physics/md/pair_potential/coefficient_table.hpp"
#include "physics/md/simulation/bond_term.hpp"
#include "physics/md/system.hpp"
#include "physics/md/topology/pair_lists.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

/// \file
/// Pairs near by bonds, and listed ones, whose pair forces are left out or scaled (LAMMPS
/// documentation, "special_bonds"; GROMACS reference manual, "Exclusions" and "1-4 interactions").

namespace tessera::md {

/// Factors of what is left of a pair: of the part of a form without charges, and of that with
/// charges.
struct PairFactors {
  double pair = 1;
  double coulomb = 1;

  friend bool operator==(const PairFactors&, const PairFactors&) = default;
};

/// A pair with factors of its own, whatever bonds say. Where its atoms are three bonds apart it has
/// the coefficients of such atoms, as others: 1-4 pairs that GROMACS lists ([ pairs ]) have theirs
/// too. Atoms by their places.
struct ListedPair {
  std::array<std::int32_t, 2> atoms{};
  PairFactors factors;
};

struct SpecialPairsOptions {
  /// Factors of atoms one, two and three bonds apart, by the shortest way.
  std::array<PairFactors, 3> factors = {PairFactors{0, 0}, {}, {}};
  /// Whether the angles and dihedrals of the system say which atoms are two and three bonds apart:
  /// see NearPairRules. Pairs that they do not name are as all others.
  bool by_angles = false;
  bool by_dihedrals = false;
  /// Whether excluded pairs keep what a form has besides C q_i q_j / r, where it says that they do.
  bool field = true;
  std::vector<ListedPair> listed;  ///< the later of two for one pair wins
  /// Coefficients of atoms three bonds apart, where they are not those of all pairs.
  std::optional<CoefficientTable> third;
};

struct SpecialPairs {
  PairLists excluded;                   ///< from md/pair_force
  std::optional<BondTermOptions> term;  ///< named "special": what is left of them, if anything is
};

/// \throws ParticleError for a bond or a listed pair with an atom that does not exist, or of one
/// atom twice, ArgumentError for a factor that is not finite or tables that do not fit.
[[nodiscard]] SpecialPairs special_pairs(const CoefficientTable& pair, const System& system,
                                         const SpecialPairsOptions& options);

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_SIMULATION_SPECIAL_PAIRS_HPP
