#ifndef TESSERA_PHYSICS_MD_SIMULATION_OBSERVABLE_HPP
#define TESSERA_PHYSICS_MD_SIMULATION_OBSERVABLE_HPP

#include "core/state/operation_timer.hpp"
#include "physics/md/simulation/state.hpp"
#include "physics/md/thermo/thermo.hpp"

#include <vector>

/// \file
/// Quantities that thermo shows and no step needs.

namespace tessera::md {

/// Computed where thermo is asked for, and only there; it changes nothing of the state.
template <class P>
class Observable {
 public:
  virtual ~Observable() = default;
  Observable(const Observable&) = delete;
  Observable& operator=(const Observable&) = delete;

  /// Columns of thermo, always the same ones.
  virtual void report(State<P>& state, std::vector<ThermoColumn>& columns) = 0;

  /// Under names of operations with a remark, as in "md/pair_force (energies)": no step runs them.
  [[nodiscard]] virtual std::vector<OperationTime> timings() const { return {}; }
  virtual void reset_timings() {}

 protected:
  Observable() = default;
};

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_SIMULATION_OBSERVABLE_HPP
