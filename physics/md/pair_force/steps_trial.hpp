#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>
#include <optional>
#include <tessera/core/base/random.hpp>
#include <tessera/core/memory/array.hpp>
#include <tessera/md/pair_force/pair_force.hpp>
#include <utility>
#include <vector>

/// \file
/// Whole steps (verlet_steps.hpp) of a trial of md/pair_force, to be timed.

namespace tessera::md {

/// How the atoms of a trial move.
struct TrialMotion {
  double time_step = 0;                ///< 0: it is not known
  std::vector<double> velocities;      ///< atoms x 3
  std::vector<double> force_to_accel;  ///< by type
};

/// Velocities of a liquid.
/// \param thermal root of the mean square of a component.
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

template <class Storage>
class StepsTrial {
 public:
  StepsTrial(const Context& context, const TrialMotion& motion,
             const std::vector<double>& positions, const std::vector<std::int32_t>& types)
      : atoms_(static_cast<std::int64_t>(types.size())),
        time_step_(motion.time_step),
        start_positions_(as_storage(context, positions)),
        start_velocities_(as_storage(context, motion.velocities)),
        positions_(context, 3 * atoms_),
        velocities_(context, 3 * atoms_),
        built_(context, 3 * atoms_),
        images_(context, 3 * atoms_),
        motion_(context, std::span<const std::int32_t>(types)),
        force_to_accel_(context, std::span<const double>(motion.force_to_accel)) {}

  /// Prepares the plan for the atoms as they are at first.
  /// \param args of the trial; types and charges are read.
  /// \returns whether it makes whole steps.
  template <class Plan>
  [[nodiscard]] bool start(Plan& plan, PairForceArgs<Storage> args) {
    copy(positions_, start_positions_);
    copy(velocities_, start_velocities_);
    images_.fill_bytes(0);
    args_ = args;
    args_.positions = std::as_const(positions_).rows(3);
    return prepare(plan);
  }

  /// \returns whether all of them were made; false where atoms flew apart.
  template <class Plan>
  [[nodiscard]] bool make(Plan& plan, std::int64_t steps) {
    VerletStepsArgs<Storage> args;
    args.positions = positions_.rows(3);
    args.velocities = velocities_.rows(3);
    args.images = images_.rows(3);
    args.built_positions = std::as_const(built_).rows(3);
    args.types = args_.types;
    args.charges = args_.charges;
    args.motion = std::as_const(motion_).view();
    args.force_to_accel = std::as_const(force_to_accel_).view();
    args.time_step = time_step_;
    while (steps > 0) {
      steps_->begin(args, steps);
      while (steps_->advance()) {
      }
      const VerletStepsReport report = steps_->end();
      if (report.blown_up >= 0) return false;
      if (report.rebuilds > 0) {
        steps_->give_built(args);
        copy(built_, positions_);
      }
      steps_->give(args);
      steps -= report.steps;
      if (report.needs_prepare && !prepare(plan)) return false;
    }
    return true;
  }

 private:
  static Array<Storage> as_storage(const Context& context, const std::vector<double>& values) {
    const std::vector<Storage> stored(values.begin(), values.end());
    return Array<Storage>(context, std::span<const Storage>(stored));
  }
  static void copy(Array<Storage>& to, const Array<Storage>& from) {
    if (to.size() > 0)
      to.context().device->copy(to.data(), from.data(), to.bytes(), to.context().stream);
  }

  template <class Plan>
  [[nodiscard]] bool prepare(Plan& plan) {
    plan.prepare(args_);
    copy(built_, positions_);
    steps_ = dynamic_cast<VerletSteps<Storage>*>(plan.verlet_steps());
    return steps_ != nullptr;
  }

  std::int64_t atoms_;
  double time_step_;
  Array<Storage> start_positions_;
  Array<Storage> start_velocities_;
  Array<Storage> positions_;
  Array<Storage> velocities_;
  Array<Storage> built_;
  Array<std::int32_t> images_;
  Array<std::int32_t> motion_;
  Array<double> force_to_accel_;
  PairForceArgs<Storage> args_;
  VerletSteps<Storage>* steps_ = nullptr;
};

}  // namespace tessera::md
