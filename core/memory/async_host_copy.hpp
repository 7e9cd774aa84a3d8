#ifndef TESSERA_CORE_MEMORY_ASYNC_HOST_COPY_HPP
#define TESSERA_CORE_MEMORY_ASYNC_HOST_COPY_HPP

/// \file
/// Asynchronous device-to-host copy.

namespace tessera {

/// A reusable copy of a fixed number of bytes on a queue, made by Device::async_host_copy.
class AsyncHostCopy {
 public:
  virtual ~AsyncHostCopy() = default;
  AsyncHostCopy(const AsyncHostCopy&) = delete;
  AsyncHostCopy& operator=(const AsyncHostCopy&) = delete;

  /// Enqueues the copy; discards a copy that was started before.
  virtual void start(const void* source) = 0;
  /// Blocks until the copy has arrived, but does not wait for work enqueued after it. Returns the
  /// address of the bytes, valid until the next start().
  /// \throws DeviceError when earlier work failed.
  [[nodiscard]] virtual const void* wait() = 0;

 protected:
  AsyncHostCopy() = default;
};

}  // namespace tessera

#endif  // TESSERA_CORE_MEMORY_ASYNC_HOST_COPY_HPP
