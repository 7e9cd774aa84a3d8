#ifndef TESSERA_CORE_MEMORY_DEVICE_HPP
#define TESSERA_CORE_MEMORY_DEVICE_HPP

#include "core/memory/late_copy.hpp"
#include "core/memory/memory_space.hpp"
#include "core/memory/stream.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

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

class DeviceChecks;
class DeviceGraphs;
class DeviceTiming;
class DeviceTransforms;

/// Memory, copies and queues of a device. Parts that few callers need have interfaces of their own.
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

  /// The queue that a context uses unless the user gives another.
  [[nodiscard]] virtual Stream default_stream() const = 0;

  [[nodiscard]] virtual const DeviceChecks& checks() const = 0;  ///< core/memory/device_checks.hpp
  [[nodiscard]] virtual DeviceGraphs& graphs() = 0;              ///< core/memory/work_graph.hpp
  [[nodiscard]] virtual DeviceTiming& timing() = 0;              ///< core/memory/device_timing.hpp
  [[nodiscard]] virtual DeviceTransforms& transforms() = 0;      ///< core/memory/transform.hpp

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
