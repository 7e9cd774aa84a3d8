#pragma once

#include "rows.cuh"
#include "steps.cuh"
#include "tree_sum.cuh"
#include <tessera/backends/gpu/execution/space.hpp>
#include <tessera/reduction/sum/fixed_point.hpp>
#include <tessera/reduction/sum/sum_overflow.hpp>

#include <cstdint>
#include <type_traits>

/// \file
/// Sums of one column and one term that are not the plain sum of a dense column: with strides,
/// weights, a mask, squares or counts. They all use the code of step 7 and are not part of the
/// study.

namespace ladder {

/// Accumulator of integers: the sum of the squares of 2^32 int32 values does not fit in int64.
using Wide = tessera::reduction::fixed_point::Integer128;

inline __global__ void narrow(const Wide* sum, std::int64_t* result, std::int32_t* overflow) {
  *result = static_cast<std::int64_t>(*sum);
  *overflow = Wide{*result} == *sum ? 0 : 1;
}

template <class Storage>
class AnyTerm {
 public:
  using Args = tessera::reduction::SumArgs<Storage>;
  static constexpr bool integers = std::is_integral_v<Storage>;

  AnyTerm(const tessera::gpu::Space& space, std::int64_t rows)
      : space_(space), sum_(space, rows, 256, 1024), wide_(space, 1), overflow_(space) {}

  /// \throws OverflowError if a sum of integers does not fit in int64 and `args.overflow` is not
  ///   given.
  void execute(const Args& args) {
    overflow_.execute(args, [this](const Args& with_place) {
      if constexpr (integers) {
        sum_.execute(Products<Storage, Total>{with_place}, wide_.data(), nullptr);
        tessera::gpu::launch("ladder narrow", narrow, 1, 1, 0, space_.stream())(
            wide_.data(), with_place.result.data, with_place.overflow.data);
      } else {
        sum_.execute(Products<Storage, Total>{with_place}, with_place.result.data, nullptr);
      }
    });
  }

 private:
  using Total = std::conditional_t<integers, Wide, double>;

  tessera::gpu::Space space_;
  TreeSum<Step7, Total> sum_;
  tessera::Buffer<Wide, tessera::gpu::Space> wide_;
  tessera::reduction::SumOverflow<Storage, tessera::gpu::Space> overflow_;
};

}  // namespace ladder
