#ifndef TESSERA_PHYSICS_MD_TALLY_HPP
#define TESSERA_PHYSICS_MD_TALLY_HPP

#include "core/base/device_code.hpp"
#include "core/memory/view.hpp"
#include "physics/md/tally_sums.hpp"

#include <cstdint>

/// \file
/// Energy and virial that kernels sum, and what follows the sums.

namespace tessera::md {

struct JoinTallies {
  TESSERA_FUNCTION void operator()(Tally& into, const Tally& from) const {
    into.energy += from.energy;
    for (int c = 0; c < 6; ++c)
      into.virial[c] += from.virial[c];
  }
};

/// Writes half of the sums, in the units of the caller, to the views that are given.
struct StoreHalfTally {
  const Tally* tally = nullptr;
  View<double, 1> energy;
  View<double, 1> virial;
  double energy_unit = 1;
  double virial_unit = 1;

  TESSERA_FUNCTION void operator()(std::int64_t) const { (*this)(*tally); }
  /// Called with the sum at the end of a reduction.
  TESSERA_FUNCTION void operator()(const Tally& sum) const {
    if (energy.given()) energy(0) = 0.5 * energy_unit * sum.energy;
    if (virial.given())
      for (int c = 0; c < 6; ++c)
        virial(c) = 0.5 * virial_unit * sum.virial[c];
  }
};

/// Writes half of the sums over the pairs of single atoms, in the units of the caller, to the views
/// that are given.
struct StoreAtomTallies {
  View<double, 1> energies;
  View<double, 2> virials;
  double unit = 1;

  [[nodiscard]] TESSERA_FUNCTION bool given() const { return energies.given() || virials.given(); }
  TESSERA_FUNCTION void operator()(std::int64_t atom, const Tally& tally) const {
    if (energies.given()) energies(atom) = 0.5 * unit * tally.energy;
    if (virials.given())
      for (int c = 0; c < 6; ++c)
        virials(atom, c) = 0.5 * unit * tally.virial[c];
  }
};

/// Body of a loop over atoms that sums tallies and also stores the tally of each atom.
/// \tparam Row with a call operator (k, tally), and place(k), the index of the atom
template <class Row>
struct RowByAtom {
  Row row;
  StoreAtomTallies store;

  TESSERA_FUNCTION void operator()(std::int64_t k, Tally& sum) const {
    Tally own;
    row(k, own);
    store(row.place(k), own);
    JoinTallies{}(sum, own);
  }
};

/// Adds the tallies of the parts in ascending order.
struct AddTally {
  const Tally* part;

  TESSERA_FUNCTION void operator()(std::int64_t i, Tally& sum) const {
    JoinTallies{}(sum, part[i]);
  }
};

/// Adds the tallies of all blocks to the first, in order of the blocks.
struct JoinBlocks {
  Tally* tallies;
  int count;

  TESSERA_FUNCTION void operator()(std::int64_t) const {
    for (int b = 1; b < count; ++b)
      JoinTallies{}(tallies[0], tallies[b]);
  }
};

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_TALLY_HPP
