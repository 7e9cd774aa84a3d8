#ifndef TESSERA_CORE_STATE_OPERATION_TIMER_HPP
#define TESSERA_CORE_STATE_OPERATION_TIMER_HPP

#include "core/base/precision.hpp"
#include "core/memory/device.hpp"
#include "core/operations/choices.hpp"

#include <cstdint>
#include <string>
#include <utility>

/// \file
/// Wall time of one operation inside the time step.

namespace tessera {

/// Wall time of an operation in a run, extrapolated where only a sample of the calls was timed.
struct OperationTime {
  std::string operation;
  Precision precision = Precision::double_precision;
  Choice choice;  ///< the implementation and the source of the choice
  std::int64_t calls = 0;
  double seconds = 0;
};

/// Times the calls that the caller marks as `sampled`, each between two fences, and extrapolates
/// the total to all calls. Callers sample every call on a host. On a GPU fences would slow the
/// steps down: they sample a few steps there, unless exact timings are requested.
class OperationTimer {
 public:
  OperationTimer(std::string operation, Precision precision, Choice choice)
      : operation_(std::move(operation)), precision_(precision), choice_(std::move(choice)) {}

  template <class Call>
  void time(const Context& context, bool sampled, const Call& call) {
    ++calls_;
    if (!sampled) {
      call();
      return;
    }
    context.fence();
    const double start = now();
    call();
    context.fence();
    seconds_ += now() - start;
    ++timed_;
  }

  [[nodiscard]] OperationTime total() const {
    const double scale = timed_ > 0 ? static_cast<double>(calls_) / static_cast<double>(timed_) : 0;
    return {operation_, precision_, choice_, calls_, seconds_ * scale};
  }

  void reset() {
    calls_ = timed_ = 0;
    seconds_ = 0;
  }

 private:
  /// Seconds of the steady clock. Not inline, because the header of clocks is slow to compile.
  [[nodiscard]] static double now();

  std::string operation_;
  Precision precision_;
  Choice choice_;
  std::int64_t calls_ = 0;
  std::int64_t timed_ = 0;
  double seconds_ = 0;
};

}  // namespace tessera

#endif  // TESSERA_CORE_STATE_OPERATION_TIMER_HPP
