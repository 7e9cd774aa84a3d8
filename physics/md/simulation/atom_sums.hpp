#ifndef TESSERA_PHYSICS_MD_SIMULATION_ATOM_SUMS_HPP
#define TESSERA_PHYSICS_MD_SIMULATION_ATOM_SUMS_HPP

#include "core/memory/array.hpp"
#include "physics/md/simulation/domain.hpp"

/// \file
/// Energies and stresses of single atoms, added up over the terms.

namespace tessera::md {

template <class P>
class AtomSums {
 public:
  /// \throws RefusalError if a term cannot compute energies of single atoms.
  explicit AtomSums(Domain<P>& domain);

  [[nodiscard]] AtomThermo compute();

 private:
  Domain<P>& domain_;
  // Scratch that each term overwrites in turn.
  Array<typename P::Storage> forces_;
  Array<double> energies_;
  Array<double> virials_;
};

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_SIMULATION_ATOM_SUMS_HPP
