#ifndef TESSERA_PHYSICS_MD_LISTED_FORCE_LISTED_SUMS_HPP
#define TESSERA_PHYSICS_MD_LISTED_FORCE_LISTED_SUMS_HPP

#include "core/base/device_code.hpp"
#include "core/memory/view.hpp"
#include "physics/md/listed_force/listed_potential.hpp"
#include "physics/md/pair_force/fixed_point_pairs.hpp"
#include "physics/md/pair_potential/potential_traits.hpp"

#include <cstdint>

/// \file
/// Sums over the listed terms of an atom, and over all atoms.

namespace tessera::md {

/// The share that an atom has of a term.
template <class Real>
struct ListedShare {
  potentials::Vector<Real> force;
  Real energy;
  Real virial[6];  ///< xx yy zz xy xz yz
};

/// Tallies by class, in which each atom counts with its share of a term.
template <class Tally>
struct TalliesByClass {
  Tally of_class[listed_classes] = {};
};
using ListedTally = TalliesByClass<Tally>;
using FixedListedTally = TalliesByClass<FixedTally>;

template <class Join>
struct JoinByClass {
  template <class Tallies>
  TESSERA_FUNCTION void operator()(Tallies& into, const Tallies& from) const {
    for (int c = 0; c < listed_classes; ++c)
      Join{}(into.of_class[c], from.of_class[c]);
  }
};

/// Writes the sums at the end of a reduction to the views that are given.
struct StoreListedTally {
  View<double, 1> energy;
  View<double, 2> virial;
  bool present[listed_classes] = {};  ///< whether the views have a row for the class
  double energy_unit = 1;             ///< of sums in fixed point: energy of the integer 1
  double virial_unit = 1;

  TESSERA_FUNCTION void operator()(const ListedTally& sums) const {
    int row = 0;
    for (int c = 0; c < listed_classes; ++c)
      if (present[c]) store(row++, sums.of_class[c]);
  }
  TESSERA_FUNCTION void operator()(const FixedListedTally& sums) const {
    int row = 0;
    for (int c = 0; c < listed_classes; ++c) {
      if (!present[c]) continue;
      Tally tally;
      StoreFixedTally{&tally, energy_unit, virial_unit}(sums.of_class[c]);
      store(row++, tally);
    }
  }

 private:
  TESSERA_FUNCTION void store(int row, const Tally& tally) const {
    if (energy.given()) energy(row) = tally.energy;
    if (virial.given())
      for (int c = 0; c < 6; ++c)
        virial(row, c) = tally.virial[c];
  }
};

/// Sums over the terms of an atom.
template <class Real>
struct ListedSums {
  using Tally = md::Tally;
  using Join = JoinTallies;

  Real sum[3] = {};

  TESSERA_INLINE explicit ListedSums(const PairRange&) {}

  TESSERA_INLINE void add(const ListedShare<Real>& share) {
    sum[0] += share.force.x;
    sum[1] += share.force.y;
    sum[2] += share.force.z;
  }
  TESSERA_INLINE void add(const ListedShare<Real>& share, Tally& tally) {
    tally.energy += static_cast<double>(share.energy);
    for (int c = 0; c < 6; ++c)
      tally.virial[c] += static_cast<double>(share.virial[c]);
  }
  [[nodiscard]] TESSERA_INLINE Real force(int d) const { return sum[d]; }
};

/// The same sums in fixed point.
template <class Real>
struct FixedListedSums {
  using Tally = FixedTally;
  using Join = JoinFixedTallies;

  double inverse_force;
  double inverse_energy;
  double inverse_virial;
  double force_range;
  FixedPointSum sums[3] = {};
  bool within = true;

  TESSERA_INLINE explicit FixedListedSums(const PairRange& range)
      : inverse_force(1 / range.force),
        inverse_energy(1 / range.energy),
        inverse_virial(1 / range.virial()),
        force_range(range.force) {}

  TESSERA_INLINE void add(const ListedShare<Real>& share) {
    const double f[3] = {static_cast<double>(share.force.x) * inverse_force,
                         static_cast<double>(share.force.y) * inverse_force,
                         static_cast<double>(share.force.z) * inverse_force};
    for (int d = 0; d < 3; ++d) {
      within &= is_within(f[d]);
      sums[d].add(f[d]);
    }
  }
  TESSERA_INLINE void add(const ListedShare<Real>& share, Tally& tally) {
    add(static_cast<double>(share.energy) * inverse_energy, tally.energy, tally);
    for (int c = 0; c < 6; ++c)
      add(static_cast<double>(share.virial[c]) * inverse_virial, tally.virial[c], tally);
  }
  [[nodiscard]] TESSERA_INLINE double force(int d) const {
    return within ? sums[d].value() * force_range : __builtin_nan("");
  }

 private:
  /// False for NaN too.
  [[nodiscard]] static TESSERA_INLINE bool is_within(double x) { return x < 1 && x > -1; }
  static TESSERA_INLINE void add(double x, reduction::fixed_point::Integer128& sum, Tally& tally) {
    FixedPointSum one;
    one.add(x);
    sum += one.total();
    if (!is_within(x)) tally.beyond = 1;
  }
};

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_LISTED_FORCE_LISTED_SUMS_HPP
