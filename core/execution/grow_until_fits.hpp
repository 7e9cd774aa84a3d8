#ifndef TESSERA_CORE_EXECUTION_GROW_UNTIL_FITS_HPP
#define TESSERA_CORE_EXECUTION_GROW_UNTIL_FITS_HPP

#include "core/base/error.hpp"

#include <concepts>
#include <cstdint>
#include <limits>
#include <string>

/// \file
/// Capacities that are found by trying: nothing is dropped, and a plan asks once.

namespace tessera {

/// Calls `attempt(capacity)`, which says how much it would have needed, until that is no more than
/// the capacity. \returns the capacity, to begin with the next time.
/// \throws ArgumentError when it would not fit in 32 bits.
template <std::invocable<std::int32_t> Attempt>
[[nodiscard]] std::int32_t grow_until_fits(std::int32_t capacity, const Attempt& attempt) {
  for (;;) {
    const std::int64_t needed = attempt(capacity);
    if (needed <= capacity) return capacity;
    // Some room, so that the next slow growth does not cost another attempt.
    const std::int64_t next = (needed + needed / 8 + 15) / 16 * 16;
    if (next > std::numeric_limits<std::int32_t>::max())
      throw ArgumentError("a capacity of " + std::to_string(needed) + " is beyond what is indexed");
    capacity = static_cast<std::int32_t>(next);
  }
}

}  // namespace tessera

#endif  // TESSERA_CORE_EXECUTION_GROW_UNTIL_FITS_HPP
