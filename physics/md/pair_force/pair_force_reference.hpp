#ifndef TESSERA_PHYSICS_MD_PAIR_FORCE_PAIR_FORCE_REFERENCE_HPP
#define TESSERA_PHYSICS_MD_PAIR_FORCE_PAIR_FORCE_REFERENCE_HPP

#include "physics/md/pair_force/pair_force.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

/// \file
/// The oracle of md/pair_force: double precision, plain loops, all images.

namespace tessera::md {

enum class PairSearch {
  automatic,  ///< all pairs for at most 5,000 atoms or in small boxes, else cells
  all_pairs,
  cells,  ///< needs at least three cells as wide as the cutoff in each periodic direction
};

/// Half of the energy and virial of each pair of an atom.
struct AtomSums {
  double energy = 0;
  std::array<double, 6> virial{};
};

/// Options and further results, for comparisons.
struct PairForceDiagnostics {
  /// Relative distance from a cutoff below which the atoms of a pair are marked in near_cutoff,
  /// because in another precision the pair may be on the other side of the cutoff.
  double margin = 0;
  std::vector<char> near_cutoff;  ///< by target, as all that follows
  /// Sums of the magnitudes of the terms: errors are measured relative to these, because the sums
  /// themselves may cancel.
  std::vector<double> force_magnitude;   ///< by atom
  std::vector<double> torque_magnitude;  ///< by atom; empty unless the potential writes torques
  double energy_magnitude = 0;
  std::array<double, 6> virial_magnitude{};
  std::vector<AtomSums> by_atom;  ///< energies and virials of single atoms, if requested
  /// Not null: computes forces on these atoms only. Forces on other atoms and the totals are then
  /// zero or incomplete. A cell search costs proportionally less.
  const std::vector<std::int64_t>* only = nullptr;
};

/// Computes forces, and energies and virials for views that are given.
/// \throws ParticleError if two interacting atoms coincide.
template <class Storage>
void pair_force_oracle(const PairForceArgs<Storage>& args,
                       const std::string& potential = default_pair_potential(),
                       PairSearch search = PairSearch::automatic,
                       PairForceDiagnostics* diagnostics = nullptr);

template <class Storage>
void pair_force_reference(const PairForceProblem& problem, const PairForceArgs<Storage>& args);

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_PAIR_FORCE_PAIR_FORCE_REFERENCE_HPP
