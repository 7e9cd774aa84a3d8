#ifndef TESSERA_BACKENDS_GPU_SUM_SINGLE_PASS_PASSES_HPP
#define TESSERA_BACKENDS_GPU_SUM_SINGLE_PASS_PASSES_HPP

#include "backends/gpu/execution/gpu_runtime.hpp"
#include "backends/gpu/sum_single_pass/parameters.hpp"
#include "core/memory/device.hpp"
#include "core/memory/view.hpp"
#include "physics/reduction/sum/sum_passes.hpp"

#include <algorithm>
#include <cstdint>
#include <type_traits>

/// \file
/// Arguments of the kernels of cuda.single_pass.

namespace tessera::gpu::sum_single_pass {

inline constexpr int block_threads = 256;
/// Largest number of rows of a thread. Its running sums are not added to totals at intervals (as in
/// reduction::SumRun with Fold), so the limit bounds the loss of bits.
inline constexpr std::int64_t most_rows_of_thread = 4096;
/// Largest number of resident blocks of a multiprocessor that a kernel is compiled for.
inline constexpr int most_blocks_per_unit = 4;
/// Bytes that a thread loads with one access where the layout of rows allows it.
inline constexpr int vector_bytes = 16;
/// Number of magnitudes: one for each column, and one for the weights.
inline constexpr int magnitudes = reduction::most_columns + 1;

/// Memory that the blocks of a launch share.
struct Grid {
  void* partials = nullptr;          ///< blocks x slots
  std::uint32_t* largest = nullptr;  ///< blocks x magnitudes, in fixed point
  unsigned* arrived = nullptr;       ///< blocks that are done; zero between launches
};

/// Arguments of a kernel.
template <class How, class Storage>
struct Pass {
  reduction::SumSource<Storage> source;
  reduction::SumGroup group;
  How how;
  View<reduction::SumOf<Storage>, 1> result;
  View<std::int32_t, 1> overflow;
  Grid grid;
};

/// Queue, device and tuning parameters of a launch.
struct Machine {
  gpu::NativeStream stream{};
  int units = 1;
  int blocks_per_unit = 0;
  int ahead = 1;

  /// Number of blocks for `rows` rows that are read as `taken_as` units.
  [[nodiscard]] unsigned blocks_for(std::int64_t rows, std::int64_t taken_as, int per_unit) const {
    const std::int64_t resident =
        std::int64_t{units} * (blocks_per_unit > 0 ? blocks_per_unit : per_unit);
    const std::int64_t enough = (taken_as + block_threads - 1) / block_threads;
    return static_cast<unsigned>(
        std::max<std::int64_t>({std::min(resident, enough), fewest_blocks(rows), 1}));
  }
  /// Upper bound of the results of blocks_for().
  [[nodiscard]] std::int64_t most_blocks(std::int64_t rows) const {
    return std::max<std::int64_t>(
        std::int64_t{units} * std::max(blocks_per_unit, most_blocks_per_unit), fewest_blocks(rows));
  }

 private:
  [[nodiscard]] static std::int64_t fewest_blocks(std::int64_t rows) {
    constexpr std::int64_t rows_of_block = block_threads * most_rows_of_thread;
    return (rows + rows_of_block - 1) / rows_of_block;
  }
};

template <class How>
inline constexpr bool is_fixed = std::is_same_v<How, reduction::InFixedPoint>;

}  // namespace tessera::gpu::sum_single_pass

#endif  // TESSERA_BACKENDS_GPU_SUM_SINGLE_PASS_PASSES_HPP
