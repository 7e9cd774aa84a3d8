#ifndef TESSERA_CORE_EXECUTION_GROW_UNTIL_FITS_HPP
#define TESSERA_CORE_EXECUTION_GROW_UNTIL_FITS_HPP

#include "core/base/error.hpp"

#include <concepts>
#include <cstdint>
#include <limits>
#include <string>

/// \file
/// Capacities that are found by trying, so that no element is dropped.

namespace tessera {

/// Calls `attempt(capacity)`, which returns the capacity that it needs, until the given one
/// suffices.
/// \returns the capacity, as the start value of the next call.
/// \throws ArgumentError when the capacity does not fit in 32 bits.
template <std::invocable<std::int32_t> Attempt>
[[nodiscard]] std::int32_t grow_until_fits(std::int32_t capacity, const Attempt& attempt) {
  for (;;) {
    const std::int64_t needed = attempt(capacity);
    if (needed <= capacity) return capacity;
    // The margin avoids another attempt when the need grows slowly.
    const std::int64_t next = (needed + needed / 8 + 15) / 16 * 16;
    if (next > std::numeric_limits<std::int32_t>::max())
      throw ArgumentError("a capacity of " + std::to_string(needed) + " is beyond what is indexed");
    capacity = static_cast<std::int32_t>(next);
  }
}

}  // namespace tessera

#endif  // TESSERA_CORE_EXECUTION_GROW_UNTIL_FITS_HPP
