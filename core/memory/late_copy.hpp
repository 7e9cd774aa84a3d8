#ifndef TESSERA_CORE_MEMORY_LATE_COPY_HPP
#define TESSERA_CORE_MEMORY_LATE_COPY_HPP

/// \file
/// A copy to the host for which one need not wait at once.

namespace tessera {

/// Made for a number of bytes and a queue (Device::late_copy); used again and again.
class LateCopy {
 public:
  virtual ~LateCopy() = default;
  LateCopy(const LateCopy&) = delete;
  LateCopy& operator=(const LateCopy&) = delete;

  /// Puts the copy into the queue; one that was started before is forgotten.
  virtual void start(const void* source) = 0;
  /// Returns when the copy has arrived, whatever was put into the queue behind it. Where the bytes
  /// are, until the next start().
  /// \throws DeviceError when work before it failed.
  [[nodiscard]] virtual const void* wait() = 0;

 protected:
  LateCopy() = default;
};

}  // namespace tessera

#endif  // TESSERA_CORE_MEMORY_LATE_COPY_HPP
