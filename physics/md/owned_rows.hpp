#ifndef TESSERA_PHYSICS_MD_OWNED_ROWS_HPP
#define TESSERA_PHYSICS_MD_OWNED_ROWS_HPP

#include "core/operations/argument_check.hpp"

#include <cstdint>
#include <optional>
#include <string>

/// \file
/// Check of the number of targets among the rows of a call.

namespace tessera::md {

/// \throws ArgumentError where `owned` is out of range, or is not that of the last prepare().
inline void check_owned(ArgumentCheck& check, const std::optional<std::int64_t>& owned,
                        std::int64_t rows) {
  const std::int64_t count = owned.value_or(rows);
  check.require(count >= 0 && count <= rows, "owned", [&] {
    return std::to_string(count) + ", expected 0 to " + std::to_string(rows) +
           ", the number of rows";
  });
  check.as_prepared("owned", count);
}

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_OWNED_ROWS_HPP
