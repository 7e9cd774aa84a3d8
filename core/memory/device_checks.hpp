#ifndef TESSERA_CORE_MEMORY_DEVICE_CHECKS_HPP
#define TESSERA_CORE_MEMORY_DEVICE_CHECKS_HPP

#include "core/memory/stream.hpp"
#include "core/memory/view.hpp"

#include <cstdint>
#include <memory>
#include <vector>

/// \file
/// Checks of the arrays of a call: whether a device can read them, and whether indices are in
/// range.

namespace tessera {

/// Integers that a kernel uses as indices into another array, and the range they must lie in.
struct IndexRange {
  View<const std::int32_t, 1> values;
  std::int64_t lower = 0;  ///< smallest allowed value
  std::int64_t upper = 0;  ///< one more than the largest allowed value
  bool ascending = false;  ///< whether no value may be less than the one before
};

/// Checks indices on the device. Keeps its scratch memory from one check to the next.
class IndexValidator {
 public:
  virtual ~IndexValidator() = default;
  IndexValidator(const IndexValidator&) = delete;
  IndexValidator& operator=(const IndexValidator&) = delete;

  /// Position of the first invalid index of each range, -1 where all are valid. Synchronizes once.
  [[nodiscard]] virtual std::vector<std::int64_t> first_invalid(
      const std::vector<IndexRange>& ranges) = 0;

 protected:
  IndexValidator() = default;
};

/// The part of a device that checks arguments.
class DeviceChecks {
 public:
  virtual ~DeviceChecks() = default;
  DeviceChecks(const DeviceChecks&) = delete;
  DeviceChecks& operator=(const DeviceChecks&) = delete;

  /// Whether kernels can read the memory that the pointer points to, as far as the system knows:
  /// false for memory of another device, or of the host where kernels cannot reach it.
  [[nodiscard]] virtual bool reaches(const void* pointer) const = 0;

  [[nodiscard]] virtual std::unique_ptr<IndexValidator> make_index_validator(Stream) const = 0;

 protected:
  DeviceChecks() = default;
};

}  // namespace tessera

#endif  // TESSERA_CORE_MEMORY_DEVICE_CHECKS_HPP
