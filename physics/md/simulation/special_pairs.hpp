#ifndef TESSERA_PHYSICS_MD_SIMULATION_SPECIAL_PAIRS_HPP
#define TESSERA_PHYSICS_MD_SIMULATION_SPECIAL_PAIRS_HPP

#include "physics/md/pair_potential/coefficient_table.hpp"
#include "physics/md/simulation/special_term.hpp"
#include "physics/md/system.hpp"
#include "physics/md/topology/pair_lists.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

/// \file
/// Special pairs: pairs of atoms a few bonds apart, and listed pairs, whose pair forces are omitted
/// or scaled (LAMMPS documentation, "special_bonds"; GROMACS reference manual, "Exclusions" and
/// "1-4 interactions").

namespace tessera::md {

/// Factors of the pair forces that a special pair keeps: of the parts of the pair potential that
/// read no charges, and of those that do.
struct PairFactors {
  double pair = 1;
  double coulomb = 1;

  friend bool operator==(const PairFactors&, const PairFactors&) = default;
};

/// A pair with its own factors, which replace those by bonds. If its atoms are three bonds apart,
/// it still has the coefficients for such atoms (`third`), as the 1-4 pairs that GROMACS lists in [
/// pairs ]. Atoms are 0-based rows.
struct ListedPair {
  std::array<std::int32_t, 2> atoms{};
  PairFactors factors;
};

struct SpecialPairsOptions {
  /// Factors of atoms one, two and three bonds apart along the shortest path.
  std::array<PairFactors, 3> factors = {PairFactors{0, 0}, {}, {}};
  /// Whether a pair counts as two (three) bonds apart only if the angles and dihedrals of the
  /// system name it: see NearPairRules. Other pairs at that distance are ordinary pairs.
  bool by_angles = false;
  bool by_dihedrals = false;
  /// Whether excluded pairs keep the terms of a charge potential other than C q_i q_j / r, for
  /// instance a reaction field, if the potential declares that (keeps_field).
  bool field = true;
  std::vector<ListedPair> listed;  ///< of two entries for one pair the later one counts
  /// Coefficients of atoms three bonds apart, if they differ from those of ordinary pairs.
  std::optional<CoefficientTable> third;
};

struct SpecialPairs {
  PairLists excluded;                      ///< pairs that md/pair_force must leave out
  std::optional<SpecialTermOptions> term;  ///< the remaining forces; absent if there are none
};

/// \throws ParticleError for a bond or a listed pair that names a missing atom or the same atom
/// twice; ArgumentError for a factor that is not finite or tables of different shape.
[[nodiscard]] SpecialPairs special_pairs(const CoefficientTable& pair, const System& system,
                                         const SpecialPairsOptions& options);

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_SIMULATION_SPECIAL_PAIRS_HPP
