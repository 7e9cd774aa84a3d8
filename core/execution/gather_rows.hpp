#pragma once

#include <cstdint>
#include <tessera/core/base/device_code.hpp>

/// \file
/// The bodies that move rows of arrays and turn permutations around.

namespace tessera {

/// An item is a word of four bytes, so that neighboring threads write neighboring words.
struct GatherWords {
  std::uint32_t* target;
  const std::uint32_t* source;
  const std::int32_t* from;  ///< row of the target -> row of the source
  std::int64_t words;        ///< of a row

  TESSERA_FUNCTION void operator()(std::int64_t item) const {
    const std::int64_t row = item / words;
    target[item] = source[from[row] * words + (item - row * words)];
  }
};

struct InvertPermutation {
  std::int32_t* inverse;
  const std::int32_t* permutation;

  TESSERA_FUNCTION void operator()(std::int64_t i) const {
    inverse[permutation[i]] = static_cast<std::int32_t>(i);
  }
};

}  // namespace tessera
