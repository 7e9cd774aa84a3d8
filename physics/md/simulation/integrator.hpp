#ifndef TESSERA_PHYSICS_MD_SIMULATION_INTEGRATOR_HPP
#define TESSERA_PHYSICS_MD_SIMULATION_INTEGRATOR_HPP

#include "core/state/operation_timer.hpp"
#include "core/state/restart_scalars.hpp"
#include "physics/md/simulation/state.hpp"
#include "physics/md/thermo/thermo.hpp"

#include <string>
#include <vector>

/// \file
/// Integrators move the atoms: the part of a step before and after the forces.

namespace tessera::md {

template <class P>
class Integrator {
 public:
  virtual ~Integrator() = default;
  Integrator(const Integrator&) = delete;
  Integrator& operator=(const Integrator&) = delete;

  /// Moves the atoms to where the next forces are taken. The clock still shows the step that is
  /// left behind.
  virtual void before(State<P>& state) = 0;
  /// New forces are there.
  /// \param seen whether the velocities are read before the next step; if not, the work may be left
  ///         to the next before().
  virtual void after(State<P>& state, bool seen) = 0;

  /// Whether it is velocity Verlet and nothing else, so that the implementation of the forces
  /// may make fused steps (md/pair_force/verlet_steps.hpp).
  [[nodiscard]] virtual bool is_velocity_verlet() const { return false; }

  /// 3 N - 3 of N atoms where total momentum is conserved; 3 for each that moves where others are
  /// frozen, for these take up momentum. In two dimensions 2 instead of 3.
  [[nodiscard]] virtual double degrees_of_freedom(const State<P>& state) const {
    const std::int64_t free = state.moving_atoms() - (state.frozen > 0 ? 0 : 1);
    return state.description.dimensions * static_cast<double>(free);
  }

  /// Numbers that a restart needs, under names that begin with that of the integrator.
  virtual void save(RestartScalars&) const {}
  virtual void load(const RestartScalars&) {}
  /// Whether report() adds columns, for which a row of thermo has to be complete at once.
  [[nodiscard]] virtual bool reports() const { return false; }
  /// Adds columns of thermo to a row that is complete but for them.
  virtual void report(State<P>&, const ThermoRow&, std::vector<ThermoColumn>&) {}

  [[nodiscard]] virtual std::vector<OperationTime> timings() const = 0;
  virtual void reset_timings() = 0;

 protected:
  Integrator() = default;
};

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_SIMULATION_INTEGRATOR_HPP
