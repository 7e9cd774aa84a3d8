#pragma once

#include <cstdint>
#include <tessera/core/base/device_code.hpp>
#include <tessera/reduction/sum/sum.hpp>
#include <type_traits>

/// \file
/// What kernels read and where they write.

namespace ladder {

/// A dense column, or the sums that an earlier launch left.
template <class Number>
struct Column {
  const Number* data;

  [[nodiscard]] TESSERA_INLINE Number operator()(std::int64_t row) const { return data[row]; }
};

/// Whatever else one term of one column can be: squares, counts, weights, masks, strides.
template <class Storage, class Total>
struct Products {
  tessera::reduction::SumArgs<Storage> args;

  [[nodiscard]] TESSERA_INLINE Total operator()(std::int64_t row) const {
    if (args.mask.given() && args.mask(row) == 0) return 0;
    Total product = 1;
    if constexpr (!std::is_integral_v<Storage>)
      if (args.weights.given())
        product =
            args.weights(args.weight_class.given() ? std::int64_t{args.weight_class(row)} : row);
    const tessera::reduction::SumTerm term = args.terms.term[0];
    if (term.a >= 0) product *= static_cast<Total>(args.values(row, term.a));
    if (term.b >= 0) product *= static_cast<Total>(args.values(row, term.b));
    return product;
  }
};

/// A sum for each block.
template <class Total>
struct Target {
  Total* sums;
  std::int32_t* overflow;  ///< set to "none" if it is there: of the result alone

  TESSERA_INLINE void store(unsigned block, Total sum) const {
    sums[block] = sum;
    if (overflow != nullptr) *overflow = 0;
  }
};

}  // namespace ladder
