#pragma once

#include <cstdint>
#include <tessera/md/pair_force/pair_force.hpp>
#include <vector>

/// \file
/// The oracle of md/pair_force: double precision, plain loops, all images.

namespace tessera::md {

enum class PairSearch {
  automatic,  ///< all pairs up to 5,000 atoms or in small boxes, cells above
  all_pairs,
  cells,  ///< needs at least three cells of the cutoff in each periodic direction
};

/// Forces, and energy and virial where given.
/// \param near_cutoff where not null: set to 1 for each atom with a partner within `margin` of its
/// cutoff, where another precision may fall on the other side.
/// \throws ParticleError when two atoms coincide.
template <class Storage>
void pair_force_oracle(const PairForceArgs<Storage>& args,
                       PairSearch search = PairSearch::automatic,
                       std::vector<char>* near_cutoff = nullptr, double margin = 0);

template <class Storage>
void pair_force_reference(const PairForceProblem& problem, const PairForceArgs<Storage>& args);

}  // namespace tessera::md
