#ifndef TESSERA_CORE_STATE_STEP_CLOCK_HPP
#define TESSERA_CORE_STATE_STEP_CLOCK_HPP

#include <cstdint>

/// \file
/// Step and time of a simulation.

namespace tessera {

/// The time is origin_time + (step - origin_step) * time_step, never a running sum, so that a
/// continued run has bitwise the same times as an uninterrupted one.
class StepClock {
 public:
  StepClock() = default;
  /// \param time_step may be negative, for time running backwards.
  explicit StepClock(double time_step, std::int64_t step = 0, double time = 0)
      : time_step_(time_step), step_(step), origin_step_(step), origin_time_(time) {}
  /// Restores a saved clock.
  StepClock(double time_step, std::int64_t step, std::int64_t origin_step, double origin_time)
      : time_step_(time_step), step_(step), origin_step_(origin_step), origin_time_(origin_time) {}

  [[nodiscard]] std::int64_t step() const { return step_; }
  [[nodiscard]] double time() const {
    return origin_time_ + static_cast<double>(step_ - origin_step_) * time_step_;
  }
  [[nodiscard]] double time_step() const { return time_step_; }
  [[nodiscard]] std::int64_t origin_step() const { return origin_step_; }
  [[nodiscard]] double origin_time() const { return origin_time_; }

  void advance(std::int64_t steps = 1) { step_ += steps; }
  /// Goes back to an earlier step, after a blow-up.
  void return_to(std::int64_t step) { step_ = step; }
  /// The clock with another time step from the present step on.
  [[nodiscard]] StepClock with_time_step(double time_step) const {
    return time_step == time_step_ ? *this : StepClock(time_step, step_, time());
  }

  friend bool operator==(const StepClock&, const StepClock&) = default;

 private:
  double time_step_ = 0;
  std::int64_t step_ = 0;
  std::int64_t origin_step_ = 0;
  double origin_time_ = 0;
};

}  // namespace tessera

#endif  // TESSERA_CORE_STATE_STEP_CLOCK_HPP
