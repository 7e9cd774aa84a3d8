#ifndef TESSERA_PHYSICS_MD_SIMULATION_OBSERVABLE_HPP
#define TESSERA_PHYSICS_MD_SIMULATION_OBSERVABLE_HPP

#include "core/state/operation_timer.hpp"
#include "physics/md/simulation/state.hpp"
#include "physics/md/thermo/thermo.hpp"

#include <vector>

/// \file
/// Interface of quantities that thermo shows and that no step needs.

namespace tessera::md {

/// Computed only for rows of thermo; report() does not change the state.
template <class P>
class Observable {
 public:
  virtual ~Observable() = default;
  Observable(const Observable&) = delete;
  Observable& operator=(const Observable&) = delete;

  /// Appends thermo columns: the same names in the same order at every call.
  virtual void report(State<P>& state, std::vector<ThermoColumn>& columns) = 0;

  /// Times, under names of operations with a remark in parentheses, for instance "md/pair_force
  /// (energies)", because they are not part of a step.
  [[nodiscard]] virtual std::vector<OperationTime> timings() const { return {}; }
  virtual void reset_timings() {}

 protected:
  Observable() = default;
};

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_SIMULATION_OBSERVABLE_HPP
