#pragma once

#include <cstdint>
#include <memory>
#include <tessera/core/memory/array.hpp>
#include <tessera/core/operations/registry.hpp>
#include <tessera/md/displacement/displacement.hpp>
#include <tessera/md/integrate/integrate.hpp>
#include <tessera/md/pair_force/pair_force.hpp>
#include <tessera/md/simulation/operation_timer.hpp>
#include <tessera/md/simulation/simulation.hpp>
#include <tessera/md/wrap/wrap.hpp>
#include <tessera/reduction/sum/sum.hpp>
#include <vector>

/// \file
/// A simulation in one precision. Internal to simulation.cpp.

namespace tessera::md {

/// One operation of the step: the plan of the selected implementation and its clock.
template <class Operation, class P>
struct Stage {
  Stage(const typename Operation::Problem& problem, const Context& context)
      : Stage(select<Operation, P>(problem, context), problem, context) {}

  std::unique_ptr<Plan<Operation, P>> plan;
  OperationTimer timer;

 private:
  Stage(const Selected<Operation, P>& selected, const typename Operation::Problem& problem,
        const Context& context)
      : plan(selected.make_plan(problem, context)),
        timer(std::string(Operation::name), selected.choice) {}
};

template <class P>
class TypedSimulation final : public Simulation {
 public:
  using Storage = typename P::Storage;

  TypedSimulation(const Context& context, const System& system, CoefficientTable coefficients,
                  const Units& units, const SimulationOptions& options);

  void advance(std::int64_t steps) override;
  ThermoRow thermo() override;
  void rebuild() override;
  void set_box(const Box& box) override;
  [[nodiscard]] System system() const override;
  [[nodiscard]] std::vector<std::array<double, 3>> forces() const override;
  [[nodiscard]] std::int64_t steps_done() const override { return steps_; }
  [[nodiscard]] std::int64_t rebuilds() const override { return rebuilds_; }
  [[nodiscard]] double skin() const override {
    return 2 * pair_force_.plan->allowed_displacement();
  }
  [[nodiscard]] double neighbors_per_atom() const override {
    return pair_force_.plan->neighbors_per_atom();
  }
  [[nodiscard]] std::vector<OperationTime> timings() const override;
  void reset_timings() override;

 private:
  [[nodiscard]] PairForceArgs<Storage> force_args(bool with_energy);
  void integrate(IntegratePhase phase);
  void compute_forces(bool with_energy);
  /// Folds, remembers where atoms are and prepares the pair force.
  void build();
  /// Rebuilds when an atom has moved too far.
  void build_if_needed();
  [[nodiscard]] bool needs_build();
  [[noreturn]] void stop_blown_up(const DisplacementResult& worst);
  /// Whether this step waits for the device to take times.
  [[nodiscard]] bool sampled() const;

  Context context_;
  Units units_;
  SimulationOptions options_;
  System atoms_;  ///< as given; its moving parts are refreshed by system()
  Box box_;
  Box built_box_;
  CoefficientTable coefficients_;
  double cutoff_ = 0;
  std::int64_t steps_ = 0;
  std::int64_t built_step_ = 0;
  std::int64_t rebuilds_ = 0;
  double former_displacement_ = 0;
  bool energy_is_current_ = false;
  bool built_mid_step_ = false;  ///< the saved velocities lack the closing half kick

  Array<Storage> positions_;
  Array<Storage> velocities_;
  Array<Storage> forces_;
  Array<std::int32_t> types_;
  Array<Storage> charges_;
  Array<std::int32_t> images_;
  Array<double> masses_;
  Array<double> force_to_accel_;
  Array<Storage> built_positions_;   ///< at the last build
  Array<Storage> built_velocities_;  ///< at the last build
  Array<std::int32_t> built_images_;
  Array<double> totals_;  ///< energy, virial, kinetic tensor, momentum
  Array<DisplacementResult> displacement_result_;

  Stage<PairForce, P> pair_force_;
  Stage<Integrate, P> integrate_;
  Stage<Displacement, P> displacement_;
  Stage<Wrap, P> wrap_;
  Stage<reduction::Sum, P> sum_;
  OperationTimer build_timer_;
};

}  // namespace tessera::md
