#pragma once

#include <cstdint>

/// \file
/// How a thread gets its share of the rows, before the threads of a block add theirs up.

namespace ladder {

/// Steps 1 to 3: a thread for each row.
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

/// Steps 4 to 6: half of the threads were idle from the first addition on, so that each makes one
/// while it loads, and half of the blocks do.
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

/// Step 7: as many as there are, in strides of the whole grid. The cost of the tree is shared out
/// over all of them, and neighbouring threads read neighbouring rows at every turn.
struct ManyRows {
  static constexpr bool knows_block = true;
  static constexpr bool many = true;
  /// At least: a block with fewer spends its time in the tree.
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
