#pragma once

#include <tessera/core/base/device_code.hpp>
#include <tessera/core/memory/view.hpp>

/// \file
/// Energy and virial as kernels add them up.

namespace tessera::md {

/// Of a range of atoms; every pair is met twice, once for each of its atoms.
struct Tally {
  double energy = 0;
  double virial[6] = {};  ///< xx yy zz xy xz yz
};

struct JoinTallies {
  TESSERA_FUNCTION void operator()(Tally& into, const Tally& from) const {
    into.energy += from.energy;
    for (int c = 0; c < 6; ++c)
      into.virial[c] += from.virial[c];
  }
};

/// Writes half of the sums, in the units of the caller, where they are asked for.
struct StoreHalfTally {
  const Tally* tally = nullptr;
  View<double, 1> energy;
  View<double, 1> virial;
  double energy_unit = 1;
  double virial_unit = 1;

  TESSERA_FUNCTION void operator()(std::int64_t) const { (*this)(*tally); }
  /// As the end of a reduction.
  TESSERA_FUNCTION void operator()(const Tally& sum) const {
    if (energy.given()) energy(0) = 0.5 * energy_unit * sum.energy;
    if (virial.given())
      for (int c = 0; c < 6; ++c)
        virial(c) = 0.5 * virial_unit * sum.virial[c];
  }
};

/// Tallies of parts, in their order.
struct AddTally {
  const Tally* part;

  TESSERA_FUNCTION void operator()(std::int64_t i, Tally& sum) const {
    JoinTallies{}(sum, part[i]);
  }
};

}  // namespace tessera::md
