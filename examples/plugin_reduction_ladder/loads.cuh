#pragma once

#include <cstdint>

/// \file
/// Loads: a thread reads its rows and returns their sum, before the threads of a block add theirs.

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

/// Steps 4 to 6: two rows per thread. With one row per thread, half of the threads are idle from
/// the first addition of the tree on. Here each thread adds while it loads, and half as many blocks
/// suffice.
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

/// Step 7: many rows per thread, in strides of the whole grid. A block runs its tree once for all
/// its rows, and neighbouring threads read neighbouring rows in every iteration.
struct ManyRows {
  static constexpr bool knows_block = true;
  static constexpr bool many = true;
  /// Minimum, which limits the number of blocks: with fewer rows per thread a block would spend
  /// most of its time in the tree.
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
