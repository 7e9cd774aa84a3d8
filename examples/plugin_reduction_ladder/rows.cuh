#pragma once

#include <tessera/core/base/device_code.hpp>
#include <tessera/reduction/sum/term_of_row.hpp>

#include <cstdint>

/// \file
/// Input and output of the kernels.

namespace ladder {

/// Input from a dense column, or from the sums of an earlier launch.
template <class Number>
struct Column {
  const Number* data;

  [[nodiscard]] TESSERA_INLINE Number operator()(std::int64_t row) const { return data[row]; }
};

/// Input from any other term of one column: squares, counts, weights, masks, strides, an origin.
template <class Storage, class Total>
struct Products {
  tessera::reduction::SumArgs<Storage> args;

  [[nodiscard]] TESSERA_INLINE Total operator()(std::int64_t row) const {
    return tessera::reduction::term_of_row<Total>(args, args.terms.term[0], row);
  }
};

/// Output: one sum per block.
template <class Total>
struct Target {
  Total* sums;
  std::int32_t* overflow;  ///< set to 0 (no overflow) unless null; null in all but the last launch

  TESSERA_INLINE void store(unsigned block, Total sum) const {
    sums[block] = sum;
    if (overflow != nullptr) *overflow = 0;
  }
};

}  // namespace ladder
