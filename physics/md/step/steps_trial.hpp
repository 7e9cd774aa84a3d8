#ifndef TESSERA_PHYSICS_MD_STEP_STEPS_TRIAL_HPP
#define TESSERA_PHYSICS_MD_STEP_STEPS_TRIAL_HPP

#include "core/base/random.hpp"
#include "core/memory/array.hpp"
#include "core/trials/trial.hpp"
#include "physics/md/pair_force/pair_force.hpp"
#include "physics/md/step/fused_steps.hpp"

#include <cmath>
#include <cstdint>
#include <memory>
#include <numbers>
#include <optional>
#include <utility>
#include <vector>

/// \file
/// Fused steps (fused_steps.hpp) of a trial of md/pair_force, for timing.

namespace tessera::md {

/// Initial velocities and time step of the atoms of a trial.
struct TrialMotion {
  double time_step = 0;                ///< 0: unknown, no fused steps
  std::vector<double> velocities;      ///< atoms x 3
  std::vector<double> force_to_accel;  ///< by type
};

/// Velocities of a liquid in equilibrium.
/// \param thermal root mean square of a component.
[[nodiscard]] inline std::vector<double> thermal_velocities(std::int64_t atoms, double thermal) {
  RandomSequence random(1859);
  std::vector<double> velocities(static_cast<std::size_t>(3 * atoms));
  for (double& v : velocities) {
    // G. E. P. Box and M. E. Muller, Ann. Math. Stat. 29, 610 (1958).
    const double radius = std::sqrt(-2 * std::log(1 - random.uniform()));
    v = thermal * radius * std::cos(2 * std::numbers::pi * random.uniform());
  }
  return velocities;
}

/// Initial state of the fused steps of a trial, shared by all its plans.
template <class Storage>
struct StepsStart {
  /// Positions of an input are not equilibrated: some atoms become faster than in a liquid, and
  /// lists last for fewer steps. After this number of steps their energy has spread to other atoms
  /// (README.md of cuda.list, "What the tuner times").
  static constexpr std::int64_t usual_warmup = 200;

  /// \param types indices into `how.force_to_accel`.
  StepsStart(const Context& context, const TrialMotion& how,
             const std::vector<double>& given_positions, const std::vector<std::int32_t>& types,
             std::int64_t warmup_steps = usual_warmup)
      : time_step(how.time_step),
        warmup(warmup_steps),
        positions(as_storage(context, given_positions)),
        velocities(as_storage(context, how.velocities)),
        mass_class(context, std::span<const std::int32_t>(types)),
        force_to_accel(context, std::span<const double>(how.force_to_accel)) {}

  double time_step;
  std::int64_t warmup;  ///< steps still to be made before any is timed
  Array<Storage> positions;
  Array<Storage> velocities;
  Array<std::int32_t> mass_class;  ///< indices into force_to_accel
  Array<double> force_to_accel;

 private:
  static Array<Storage> as_storage(const Context& context, const std::vector<double>& values) {
    const std::vector<Storage> stored(values.begin(), values.end());
    return Array<Storage>(context, std::span<const Storage>(stored));
  }
};

/// Successive fused steps of one plan.
template <class Storage, class Plan>
class StepsTrial final : public TrialSteps {
 public:
  /// Prepares the plan for the initial state. The first plan of a trial also makes the warm-up
  /// steps.
  /// \param args of the trial; types and charges are read.
  /// \returns null if the plan makes no fused steps, or the run blew up.
  [[nodiscard]] static std::unique_ptr<StepsTrial> start(StepsStart<Storage>& from, Plan& plan,
                                                         const PairForceArgs<Storage>& args) {
    std::unique_ptr<StepsTrial> trial(new StepsTrial(from, plan, args));
    if (!trial->prepare()) return nullptr;
    if (from.warmup == 0) return trial;
    if (!trial->make(from.warmup)) return nullptr;
    copy(from.positions, trial->positions_);
    copy(from.velocities, trial->velocities_);
    from.warmup = 0;
    return trial;
  }

  /// \returns whether all steps were made; false if the run blew up.
  [[nodiscard]] bool make(std::int64_t steps) override {
    FusedStepsArgs<Storage> args;
    args.positions = positions_.rows(3);
    args.velocities = velocities_.rows(3);
    args.images = images_.rows(3);
    args.built_positions = std::as_const(built_).rows(3);
    args.box = args_.box;
    args.types = args_.types;
    args.charges = args_.charges;
    args.mass_class = std::as_const(from_.mass_class).view();
    args.force_to_accel = std::as_const(from_.force_to_accel).view();
    args.time_step = from_.time_step;
    while (steps > 0) {
      steps_->begin(args, steps);
      while (steps_->advance()) {
      }
      const FusedStepsReport report = steps_->end();
      if (report.blown_up >= 0) return false;
      if (report.rebuilds > 0) {
        steps_->store_rebuilt(args);
        copy(built_, positions_);
      }
      steps_->store(args);
      steps -= report.steps;
      if (report.needs_prepare && !prepare()) return false;
    }
    return true;
  }

 private:
  StepsTrial(StepsStart<Storage>& from, Plan& plan, const PairForceArgs<Storage>& args)
      : from_(from),
        plan_(plan),
        args_(args),
        positions_(from.positions.context(), from.positions.size()),
        velocities_(from.positions.context(), from.positions.size()),
        built_(from.positions.context(), from.positions.size()),
        images_(from.positions.context(), from.positions.size()) {
    copy(positions_, from.positions);
    copy(velocities_, from.velocities);
    images_.fill_bytes(0);
    args_.positions = std::as_const(positions_).rows(3);
  }

  static void copy(Array<Storage>& to, const Array<Storage>& from) {
    if (to.size() > 0)
      to.context().device->copy(to.data(), from.data(), to.bytes(), to.context().stream);
  }

  [[nodiscard]] bool prepare() {
    plan_.prepare(args_);
    copy(built_, positions_);
    steps_ = dynamic_cast<FusedSteps<Storage>*>(plan_.fused_steps());
    return steps_ != nullptr;
  }

  StepsStart<Storage>& from_;
  Plan& plan_;
  PairForceArgs<Storage> args_;
  Array<Storage> positions_;
  Array<Storage> velocities_;
  Array<Storage> built_;
  Array<std::int32_t> images_;
  FusedSteps<Storage>* steps_ = nullptr;
};

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_STEP_STEPS_TRIAL_HPP
