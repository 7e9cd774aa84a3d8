#ifndef TESSERA_PHYSICS_PIC_CHARGE_DEPOSIT_CHARGE_DEPOSIT_REFERENCE_HPP
#define TESSERA_PHYSICS_PIC_CHARGE_DEPOSIT_CHARGE_DEPOSIT_REFERENCE_HPP

#include "physics/pic/charge_deposit/charge_deposit.hpp"

#include <vector>

namespace tessera::pic {

/// Result of the oracle, in double.
struct ChargeDepositResult {
  std::vector<double> density;  ///< nx x ny x nz, z fastest; contribution of the particles only
  std::int64_t outside = 0;
};

/// Oracle of pic/charge_deposit: one particle after the other, compensated sums on each node.
template <class Storage>
[[nodiscard]] ChargeDepositResult charge_deposit_oracle(const ChargeDepositArgs<Storage>& args,
                                                        int shape_order);

/// The oracle as an implementation: writes the results to `args`.
template <class Storage>
void charge_deposit_reference(const ChargeDepositProblem& problem,
                              const ChargeDepositArgs<Storage>& args);

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_CHARGE_DEPOSIT_CHARGE_DEPOSIT_REFERENCE_HPP
