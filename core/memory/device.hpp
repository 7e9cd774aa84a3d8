#ifndef TESSERA_CORE_MEMORY_DEVICE_HPP
#define TESSERA_CORE_MEMORY_DEVICE_HPP

#include "core/memory/late_copy.hpp"
#include "core/memory/memory_space.hpp"
#include "core/memory/transform.hpp"
#include "core/memory/view.hpp"
#include "core/memory/work_graph.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

/// \file
/// A device behind an interface without templates: what the command line, tests and a simulation
/// hold, so that code compiled by an ordinary compiler can keep its state on a GPU. Every backend
/// gets its Device from its ExecutionSpace through core/execution/space_device.hpp.

namespace tessera {

/// What a device is, for tables, fingerprints and the key of a tuning record.
struct DeviceProperties {
  std::string backend;  ///< backend that opened it
  std::string name;     ///< marketing name of the processor or GPU
  MemorySpace memory = MemorySpace::host;
  int ordinal = 0;                 ///< number among the devices of its kind
  std::int64_t concurrency = 1;    ///< hardware threads that can run at once
  int warp_size = 1;               ///< lanes that run in lock step
  int compute_units = 1;           ///< cores or multiprocessors
  bool alone = false;              ///< its implementations come before those of other backends
  std::int64_t scratch_bytes = 0;  ///< fast memory that one team can have
  std::int64_t memory_bytes = 0;   ///< capacity, 0 when unknown
  std::int64_t cache_bytes = 0;    ///< last-level cache, 0 when unknown
  std::string architecture;        ///< "sm_90", "x86-64", ...
  std::string driver;              ///< version of driver and runtime, empty on a host
};

/// What a device computes at best, per second.
struct ArithmeticLimits {
  double flops_double = 0;  ///< multiply-adds count as two
  double flops_single = 0;
  double spread = 0;  ///< how far the median of the samples is behind the best, the larger of both
  double others = 0;  ///< share of the processors that other processes took meanwhile; hosts only
};

/// How fast a device copies between arrays larger than its caches. Keeps the arrays, so that copies
/// can be timed in turn with other work: what memory gives drifts where others use it too.
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

/// A queue of work on a device: a native handle (cudaStream_t, hipStream_t) tagged with the memory
/// space whose runtime it belongs to. Null is the default queue.
struct Stream {
  void* handle = nullptr;
  MemorySpace memory = MemorySpace::host;
};

/// Whole numbers that a kernel will use as places in another array.
struct IndexRange {
  View<const std::int32_t, 1> values;
  std::int64_t lower = 0;  ///< the least that is allowed
  std::int64_t upper = 0;  ///< one more than the largest
  bool ascending = false;  ///< none may be less than the one before
};

/// Looks on the device at whole numbers; keeps the memory that it needs from one look to the next.
class IndexLook {
 public:
  virtual ~IndexLook() = default;
  IndexLook(const IndexLook&) = delete;
  IndexLook& operator=(const IndexLook&) = delete;

  /// The place of the first wrong number of each, -1 where all are right. Waits once.
  [[nodiscard]] virtual std::vector<std::int64_t> first_wrong(
      const std::vector<IndexRange>& ranges) = 0;

 protected:
  IndexLook() = default;
};

class Device {
 public:
  virtual ~Device() = default;
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  [[nodiscard]] virtual const DeviceProperties& properties() const = 0;
  [[nodiscard]] MemorySpace memory() const { return properties().memory; }

  /// Uninitialised bytes, aligned to at least 64. Zero bytes give a null pointer.
  /// \throws DeviceError when the memory is not there.
  [[nodiscard]] virtual void* allocate(std::size_t bytes) = 0;
  virtual void release(void* pointer) noexcept = 0;

  /// Copies are ordered with the work on `stream`; those to the host have arrived on return.
  virtual void copy_to_device(void* target, const void* host, std::size_t bytes, Stream) = 0;
  virtual void copy_to_host(void* host, const void* source, std::size_t bytes, Stream) = 0;
  virtual void copy(void* target, const void* source, std::size_t bytes, Stream) = 0;
  virtual void fill(void* target, unsigned char byte, std::size_t bytes, Stream) = 0;

  /// For copies of so many bytes to the host that need not have arrived when their call returns.
  [[nodiscard]] virtual std::unique_ptr<LateCopy> late_copy(std::size_t bytes, Stream) = 0;

  /// Returns when all work on `stream` is done.
  /// \throws DeviceError when any of it failed.
  virtual void fence(Stream) = 0;

  /// How long the queue takes for what `work` puts into it: by events of the device where it has
  /// them, else from one fence to the next.
  [[nodiscard]] virtual double seconds_of(Stream, const std::function<void()>& work) = 0;

  /// Work of a queue to be run again and again; its queue is idle while it is recorded. On a device
  /// that records nothing each run calls it, and waits for conditions.
  [[nodiscard]] virtual std::unique_ptr<WorkGraph> make_graph(Stream, const RecordWork& record) = 0;

  /// Why there are no transforms on this device, empty when there are: the library that makes them
  /// is looked for when the first program asks.
  [[nodiscard]] virtual std::string transforms_unavailable() const = 0;
  /// Transforms on the queue, to be executed again and again on the same arrays.
  /// \throws DeviceError where there are none, or the memory for them is not there.
  [[nodiscard]] virtual std::unique_ptr<Transform> make_transform(Stream,
                                                                  const TransformBatch&) = 0;

  /// The queue that a context uses unless the user gives another.
  [[nodiscard]] virtual Stream default_stream() const = 0;

  /// Whether kernels can read what the pointer points to, as far as the system knows: false for
  /// memory of another device or of the host where that is out of reach.
  [[nodiscard]] virtual bool reaches(const void* pointer) const = 0;
  [[nodiscard]] virtual std::unique_ptr<IndexLook> index_look(Stream) const = 0;

  /// Measured anew at each call, in less than a second, in two where others use the machine
  /// (core/execution/machine_limits.hpp).
  [[nodiscard]] virtual ArithmeticLimits measure_arithmetic() = 0;
  /// Of the usual queue. \throws DeviceError when the memory is not there.
  [[nodiscard]] virtual std::unique_ptr<CopyLimit> copy_limit() = 0;

 protected:
  Device() = default;
};

/// What a backend tells of its devices; core/execution/space_device.hpp makes one from an
/// ExecutionSpace.
struct BackendDevices {
  /// Reason why no device can be opened here and now, empty when one can.
  std::function<std::string()> unavailable;
  std::function<int()> count;
  /// Opens nothing.
  std::function<DeviceProperties(int ordinal)> describe;
  /// The one that is taken when nobody names one.
  std::function<int()> default_ordinal;
  std::function<std::shared_ptr<Device>(int ordinal)> open;
};

class Choices;
class HostThreads;

/// Where work runs: a device and a queue on it, and what was chosen to run there. Cheap to copy;
/// keeps the device alive.
struct Context {
  std::shared_ptr<Device> device;
  Stream stream;
  /// Implementations and knob values (core/operations/choices.hpp); null: those of the
  /// configuration.
  std::shared_ptr<const Choices> choices = nullptr;
  /// Threads on which a portable body for hosts runs; an implementation sets those of its backend
  /// when it makes a plan.
  std::shared_ptr<const HostThreads> host_threads = nullptr;

  /// The device. \throws ArgumentError where there is none: the context was not opened.
  [[nodiscard]] Device& opened() const;
  [[nodiscard]] MemorySpace memory() const { return opened().memory(); }
  void fence() const { opened().fence(stream); }
};

}  // namespace tessera

#endif  // TESSERA_CORE_MEMORY_DEVICE_HPP
