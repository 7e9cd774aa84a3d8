#pragma once

#include <cstdint>

/// \file
/// Loads of the rows of a thread, before the threads of a block add their sums.

namespace ladder {

/// Steps 1 to 3: one row per thread.
struct OneRow {
  static constexpr bool knows_block = false;
  static constexpr bool many = false;
  static constexpr int rows_of_thread = 1;

  template <int, class Total, class Source>
  [[nodiscard]] static __device__ Total sum(const Source& source, std::int64_t rows) {
    const std::int64_t row = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
    return row < rows ? static_cast<Total>(source(row)) : Total{};
  }
};

/// Steps 4 to 6: half of the threads were idle from the first addition on. Here each thread makes
/// one addition while it loads, and half as many blocks suffice.
struct TwoRows {
  static constexpr bool knows_block = false;
  static constexpr bool many = false;
  static constexpr int rows_of_thread = 2;

  template <int, class Total, class Source>
  [[nodiscard]] static __device__ Total sum(const Source& source, std::int64_t rows) {
    const std::int64_t row = std::int64_t{blockIdx.x} * (2 * blockDim.x) + threadIdx.x;
    Total sum{};
    if (row < rows) sum = static_cast<Total>(source(row));
    if (row + blockDim.x < rows) sum += static_cast<Total>(source(row + blockDim.x));
    return sum;
  }
};

/// Step 7: all rows, in strides of the whole grid. The cost of the tree is spread over all of them,
/// and neighbouring threads read neighbouring rows in every iteration.
struct ManyRows {
  static constexpr bool knows_block = true;
  static constexpr bool many = true;
  /// Minimum: a block with fewer rows spends most of its time in the tree.
  static constexpr int rows_of_thread = 16;

  template <int Block, class Total, class Source>
  [[nodiscard]] static __device__ Total sum(const Source& source, std::int64_t rows) {
    std::int64_t row = std::int64_t{blockIdx.x} * (2 * Block) + threadIdx.x;
    const std::int64_t stride = std::int64_t{gridDim.x} * (2 * Block);
    Total sum{};
    for (; row + Block < rows; row += stride)
      sum += static_cast<Total>(source(row)) + static_cast<Total>(source(row + Block));
    if (row < rows) sum += static_cast<Total>(source(row));
    return sum;
  }
};

}  // namespace ladder
