#ifndef TESSERA_PHYSICS_PIC_CHARGE_DEPOSIT_CELL_CHARGE_HPP
#define TESSERA_PHYSICS_PIC_CHARGE_DEPOSIT_CELL_CHARGE_HPP

#include "core/base/error.hpp"
#include "core/base/shortest_number.hpp"
#include "physics/pic/charge_deposit/charge_deposit.hpp"

#include <cmath>
#include <limits>

/// \file
/// Charge density of a particle of weight 1.

namespace tessera::pic {

/// Charge divided by the volume of a cell, in the storage type of kernels.
/// \throws RefusalError where the value is out of the range of Storage.
template <class Storage>
[[nodiscard]] Storage cell_charge(const ChargeDepositArgs<Storage>& args) {
  const double* const h = args.grid.spacing;
  const double charge = args.charge / (h[0] * h[1] * h[2]);
  using Limits = std::numeric_limits<Storage>;
  const double size = std::abs(charge);
  const bool fits = charge == 0 ? args.charge == 0
                                : size >= double{Limits::min()} && size <= double{Limits::max()};
  if (!fits)
    throw RefusalError("pic/charge_deposit",
                       "the charge " + shortest_number(args.charge) + " per volume of a cell is " +
                           shortest_number(charge) + ", beyond what the density holds" +
                           (sizeof(Storage) == 4 ? "; use double" : ""));
  return static_cast<Storage>(charge);
}

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_CHARGE_DEPOSIT_CELL_CHARGE_HPP
