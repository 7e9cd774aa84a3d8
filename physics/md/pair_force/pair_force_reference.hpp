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
  automatic,  ///< all pairs up to 5,000 atoms or in small boxes, cells above
  all_pairs,
  cells,  ///< needs at least three cells of the cutoff in each periodic direction
};

/// Halves of the pairs of an atom.
struct AtomSums {
  double energy = 0;
  std::array<double, 6> virial{};
};

/// Further information for comparisons besides the result.
struct PairForceDiagnostics {
  /// Share of a cutoff; an atom with a partner so close to the cutoff is marked, because another
  /// precision may fall on the other side.
  double margin = 0;
  std::vector<char> near_cutoff;
  /// Sums of the magnitudes of the terms: an error is to be measured against these, not against a
  /// sum that may cancel.
  std::vector<double> force_magnitude;  ///< by atom
  double energy_magnitude = 0;
  std::array<double, 6> virial_magnitude{};
  std::vector<AtomSums> by_atom;  ///< of what single atoms have, where it is asked for
  /// Not null: forces are wanted of these atoms alone, those of others and totals are left at zero,
  /// or at part of their sums. Where the search goes by cells it costs as much less.
  const std::vector<std::int64_t>* only = nullptr;
};

/// Forces, and energies and virials where given.
/// \throws ParticleError when two atoms that interact coincide.
template <class Storage>
void pair_force_oracle(const PairForceArgs<Storage>& args,
                       const std::string& potential = default_pair_potential(),
                       PairSearch search = PairSearch::automatic,
                       PairForceDiagnostics* diagnostics = nullptr);

template <class Storage>
void pair_force_reference(const PairForceProblem& problem, const PairForceArgs<Storage>& args);

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_PAIR_FORCE_PAIR_FORCE_REFERENCE_HPP
