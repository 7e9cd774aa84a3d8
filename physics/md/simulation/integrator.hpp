#ifndef TESSERA_PHYSICS_MD_SIMULATION_INTEGRATOR_HPP
#define TESSERA_PHYSICS_MD_SIMULATION_INTEGRATOR_HPP

#include "core/state/operation_timer.hpp"
#include "core/state/restart_scalars.hpp"
#include "physics/md/simulation/state.hpp"
#include "physics/md/step/fused_steps.hpp"
#include "physics/md/thermo/thermo.hpp"

#include <string>
#include <vector>

/// \file
/// Integrators move the atoms: they are the part of a step before and after the computation of
/// forces.

namespace tessera::md {

template <class P>
class Integrator {
 public:
  virtual ~Integrator() = default;
  Integrator(const Integrator&) = delete;
  Integrator& operator=(const Integrator&) = delete;

  /// Moves the atoms to the positions at which the next forces are computed. The clock still shows
  /// the step before.
  virtual void before(State<P>& state) = 0;
  /// Called when the forces at the new positions are known.
  /// \param seen whether the velocities are read before the next step. If not, the work may be left
  /// to the next before().
  virtual void after(State<P>& state, bool seen) = 0;

  /// Sets how fused steps (md/step/fused_steps.hpp) move the atoms, from the present step on.
  /// \returns whether they move atoms as the integrator does.
  [[nodiscard]] virtual bool fill(State<P>&, FusedStepsArgs<typename P::Storage>&) { return false; }

  /// Degrees of freedom that define the temperature: 3 N - 3 for N atoms with conserved total
  /// momentum; 3 for each moving atom if other atoms are frozen, because frozen atoms take up
  /// momentum. In two dimensions 2 instead of 3.
  [[nodiscard]] virtual double degrees_of_freedom(const State<P>& state) const {
    const std::int64_t free = state.moving_atoms() - (state.frozen > 0 ? 0 : 1);
    return state.description.dimensions * static_cast<double>(free);
  }

  /// Saves scalars for a restart file, under names that begin with the name of the integrator.
  virtual void save(RestartScalars&) const {}
  virtual void load(const RestartScalars&) {}
  /// Whether report() adds columns. If so, each row of thermo must be completed before the next
  /// step.
  [[nodiscard]] virtual bool reports() const { return false; }
  /// Adds the thermo columns of the integrator; `row` has all other numbers.
  virtual void report(State<P>&, const ThermoRow&, std::vector<ThermoColumn>&) {}

  [[nodiscard]] virtual std::vector<OperationTime> timings() const = 0;
  virtual void reset_timings() = 0;

 protected:
  Integrator() = default;
};

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_SIMULATION_INTEGRATOR_HPP
