#ifndef TESSERA_CORE_MEMORY_DEVICE_TIMING_HPP
#define TESSERA_CORE_MEMORY_DEVICE_TIMING_HPP

#include "core/memory/stream.hpp"

#include <functional>
#include <memory>

/// \file
/// Time of work on a device, and the speed that the device reaches at best.

namespace tessera {

/// Peak arithmetic rate of a device.
struct ArithmeticLimits {
  double flops_double = 0;  ///< operations per second; a multiply-add counts as two
  double flops_single = 0;
  double spread = 0;  ///< median time of the samples over the best time, minus 1; the larger value
                      ///< of the two precisions
  double others = 0;  ///< share of the processor time that other processes used; hosts only
};

/// Copy bandwidth of a device between arrays larger than its caches. Keeps the arrays, so that
/// copies can be timed alternately with other work: the available bandwidth drifts on shared
/// machines.
class CopyLimit {
 public:
  virtual ~CopyLimit() = default;
  CopyLimit(const CopyLimit&) = delete;
  CopyLimit& operator=(const CopyLimit&) = delete;

  /// Bytes read plus written per second, from one short sample.
  [[nodiscard]] virtual double sample() = 0;
  /// The highest of many samples, which take about one second at most.
  [[nodiscard]] virtual double best() = 0;

 protected:
  CopyLimit() = default;
};

/// The timing part of a device.
class DeviceTiming {
 public:
  virtual ~DeviceTiming() = default;
  DeviceTiming(const DeviceTiming&) = delete;
  DeviceTiming& operator=(const DeviceTiming&) = delete;

  /// Time that the queue spends on the operations that `work` enqueues. Measured with device events
  /// where the device has them, otherwise between two fences.
  [[nodiscard]] virtual double seconds_of(Stream, const std::function<void()>& work) = 0;

  /// Each call measures anew, in less than a second, or in two where other processes use the
  /// machine (core/execution/machine_limits.hpp).
  [[nodiscard]] virtual ArithmeticLimits measure_arithmetic() = 0;

  /// Copy bandwidth on the default queue. \throws DeviceError when the memory allocation fails.
  [[nodiscard]] virtual std::unique_ptr<CopyLimit> copy_limit() = 0;

 protected:
  DeviceTiming() = default;
};

}  // namespace tessera

#endif  // TESSERA_CORE_MEMORY_DEVICE_TIMING_HPP
