#ifndef TESSERA_PHYSICS_MD_SIMULATION_TYPED_SIMULATION_HPP
#define TESSERA_PHYSICS_MD_SIMULATION_TYPED_SIMULATION_HPP

#include "physics/md/simulation/atom_sums.hpp"
#include "physics/md/simulation/domain.hpp"
#include "physics/md/simulation/fused_run.hpp"
#include "physics/md/simulation/rebuilds.hpp"
#include "physics/md/simulation/recovery.hpp"
#include "physics/md/simulation/simulation.hpp"
#include "physics/md/simulation/thermo_requests.hpp"

#include <cstdint>
#include <optional>
#include <vector>

/// \file
/// A simulation in one precision: the loop over steps. Used by simulation.cpp only.

namespace tessera::md {

template <class P>
class TypedSimulation final : public Simulation {
 public:
  TypedSimulation(State<P> state, const SimulationParts& parts, const SimulationOptions& options,
                  const RestartFile* continued);

  using Simulation::advance;
  void advance(std::int64_t steps, const std::function<bool()>& stop,
               const ThermoRows& rows) override;
  ThermoRow thermo() override { return thermo_.now(); }
  void request_thermo() override { thermo_.request(); }
  ThermoRow requested_thermo() override { return thermo_.requested(); }
  AtomThermo by_atom() override;
  void rebuild() override;
  void set_box(const Box& box) override;
  [[nodiscard]] std::int64_t atoms() const override { return state().atoms(); }
  [[nodiscard]] const Box& box() const override { return state().box(); }
  [[nodiscard]] const System& description() const override { return state().description; }
  [[nodiscard]] System system() const override { return system_of(state()); }
  [[nodiscard]] const Columns& columns() const override { return state().columns; }
  [[nodiscard]] std::vector<std::array<double, 3>> forces() const override {
    return domain_.forces();
  }
  void save(RestartFile& file) const override;
  [[nodiscard]] const StepClock& clock() const override { return state().clock; }
  [[nodiscard]] std::int64_t steps_done() const override {
    return state().clock.step() - first_step_;
  }
  [[nodiscard]] std::int64_t rebuilds() const override { return rebuilds_.count(); }
  [[nodiscard]] double skin() const override { return domain_.skin(); }
  [[nodiscard]] double neighbors_per_atom() const override { return domain_.neighbors_per_atom(); }
  [[nodiscard]] Refusal fused_steps_refusal() const override { return fused_.refusal(); }
  [[nodiscard]] std::vector<OperationTime> timings() const override;
  void reset_timings() override;

 private:
  [[nodiscard]] const State<P>& state() const { return domain_.state; }
  void make_steps(std::int64_t steps, const std::function<bool()>& stop, const ThermoRows& rows);
  /// Computes forces, after the requested row of thermo has been completed if their energies would
  /// overwrite its numbers.
  void compute_forces(bool with_energy);
  /// Whether this step waits for the device in order to take times.
  [[nodiscard]] bool timed() const;
  /// Loads the columns of a restart file, except positions and image flags if the box was replaced
  /// by another of its lattice: these are given for that box already.
  void load_columns(const RestartFile& file);
  void warn_of_unused(const RestartFile& file, const RestartScalars& saved) const;

  SimulationOptions options_;
  std::int64_t first_step_;
  StepTotals totals_;
  Domain<P> domain_;
  Recovery<P> recovery_;
  ThermoRequests<P> thermo_;
  Rebuilds<P> rebuilds_;
  FusedRun<P> fused_;
  std::optional<AtomSums<P>> by_atom_;  ///< if the options ask for it
};

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_SIMULATION_TYPED_SIMULATION_HPP
