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
  double spread = 0;  ///< how far the median of the samples is behind the best, the larger of both
  double others = 0;  ///< share of the processors that other processes took meanwhile; hosts only
};

/// Copy bandwidth of a device between arrays larger than its caches. Keeps the arrays, so that
/// copies can be timed in turn with other work: bandwidth drifts where other processes use it.
class CopyLimit {
 public:
  virtual ~CopyLimit() = default;
  CopyLimit(const CopyLimit&) = delete;
  CopyLimit& operator=(const CopyLimit&) = delete;

  /// Bytes read plus written per second, in one sample of some milliseconds.
  [[nodiscard]] virtual double sample() = 0;
  /// The most of many samples, taken in a second at most.
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

  /// Time that the queue takes for the work that `work` enqueues: by events of the device where it
  /// has them, else from one fence to the next.
  [[nodiscard]] virtual double seconds_of(Stream, const std::function<void()>& work) = 0;

  /// Measured anew at each call, in less than a second, in two where others use the machine
  /// (core/execution/machine_limits.hpp).
  [[nodiscard]] virtual ArithmeticLimits measure_arithmetic() = 0;

  /// Copies on the default queue. \throws DeviceError when the memory cannot be allocated.
  [[nodiscard]] virtual std::unique_ptr<CopyLimit> copy_limit() = 0;

 protected:
  DeviceTiming() = default;
};

}  // namespace tessera

#endif  // TESSERA_CORE_MEMORY_DEVICE_TIMING_HPP
