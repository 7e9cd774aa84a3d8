#ifndef TESSERA_CORE_MEMORY_DEVICE_HPP
#define TESSERA_CORE_MEMORY_DEVICE_HPP

#include "core/memory/async_host_copy.hpp"
#include "core/memory/memory_space.hpp"
#include "core/memory/stream.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

/// \file
/// A device behind a non-template interface. The command line, tests and a simulation hold a
/// Device, so that code compiled by an ordinary compiler can keep its state on a GPU.
/// core/execution/space_device.hpp makes the Device of each backend from its ExecutionSpace.

namespace tessera {

/// Description of a device, for tables, fingerprints and the key of a tuning record.
struct DeviceProperties {
  std::string backend;  ///< backend that opened it
  std::string name;     ///< marketing name of the processor or GPU
  MemorySpace memory = MemorySpace::host;
  int ordinal = 0;                 ///< number among the devices of its backend
  std::int64_t concurrency = 1;    ///< hardware threads that can run at the same time
  int warp_size = 1;               ///< lanes that run in lock step
  int compute_units = 1;           ///< cores or multiprocessors
  bool exclusive = false;          ///< runs prefer implementations of its backend to all others
  std::int64_t scratch_bytes = 0;  ///< fast memory available to one team
  std::int64_t memory_bytes = 0;   ///< size of its memory, 0 when unknown
  std::int64_t cache_bytes = 0;    ///< size of the last-level cache, 0 when unknown
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

  /// Uninitialized memory, aligned to at least 64 bytes. Zero bytes give a null pointer.
  /// \throws DeviceError when the allocation fails.
  [[nodiscard]] virtual void* allocate(std::size_t bytes) = 0;
  virtual void release(void* pointer) noexcept = 0;

  /// Copies in the order of `stream`. Copies to the host block until the data have arrived.
  virtual void copy_to_device(void* target, const void* host, std::size_t bytes, Stream) = 0;
  virtual void copy_to_host(void* host, const void* source, std::size_t bytes, Stream) = 0;
  virtual void copy(void* target, const void* source, std::size_t bytes, Stream) = 0;
  virtual void fill(void* target, unsigned char byte, std::size_t bytes, Stream) = 0;

  /// A reusable asynchronous copy of `bytes` bytes to the host.
  [[nodiscard]] virtual std::unique_ptr<AsyncHostCopy> async_host_copy(std::size_t bytes,
                                                                       Stream) = 0;

  /// Blocks until all work on `stream` is done.
  /// \throws DeviceError when any of the work failed.
  virtual void fence(Stream) = 0;

  /// The queue of a context for which the user gives no other.
  [[nodiscard]] virtual Stream default_stream() const = 0;

  [[nodiscard]] virtual const DeviceChecks& checks() const = 0;  ///< core/memory/device_checks.hpp
  [[nodiscard]] virtual DeviceGraphs& graphs() = 0;              ///< core/memory/task_graph.hpp
  [[nodiscard]] virtual DeviceTiming& timing() = 0;              ///< core/memory/device_timing.hpp
  [[nodiscard]] virtual DeviceTransforms& transforms() = 0;      ///< core/memory/transform.hpp

 protected:
  Device() = default;
};

/// Functions of a backend that enumerate and open its devices; core/execution/space_device.hpp
/// makes one from an ExecutionSpace.
struct BackendDevices {
  /// Reason why no device can be opened at present; empty when one can.
  std::function<std::string()> unavailable;
  std::function<int()> count;
  /// Describes a device without opening it.
  std::function<DeviceProperties(int ordinal)> describe;
  /// The device to use when none is named.
  std::function<int()> default_ordinal;
  std::function<std::shared_ptr<Device>(int ordinal)> open;
};

class Choices;
class HostThreads;

/// Target of work: a device, a queue on it, and the choices of implementations. Cheap to copy;
/// keeps the device alive.
struct Context {
  std::shared_ptr<Device> device;
  Stream stream;
  /// Implementations and tuning parameters (core/operations/choices.hpp); null selects those of the
  /// configuration.
  std::shared_ptr<const Choices> choices = nullptr;
  /// Threads for portable bodies on hosts. An implementation sets the threads of its backend when
  /// it makes a plan.
  std::shared_ptr<const HostThreads> host_threads = nullptr;

  /// The device. \throws ArgumentError where there is none, that is, the context was not opened.
  [[nodiscard]] Device& opened() const;
  [[nodiscard]] MemorySpace memory() const { return opened().memory(); }
  void fence() const { opened().fence(stream); }
};

}  // namespace tessera

#endif  // TESSERA_CORE_MEMORY_DEVICE_HPP
