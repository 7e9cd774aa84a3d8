// Highway includes this file once for each instruction set; a toggle takes the place of an include
// guard.
#if defined(TESSERA_FUSED_BLOCK_LOOP) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_FUSED_BLOCK_LOOP
#undef TESSERA_FUSED_BLOCK_LOOP
#else
#define TESSERA_FUSED_BLOCK_LOOP
#endif

#include "backends/openmp/poisson_solve_fused/lane_passes.hpp"

#include <hwy/highway.h>

#include <algorithm>
#include <cstdint>

/// \file
/// Convolution of a block, and copies of wave numbers of pencils to and from blocks. Include
/// after hwy/foreach_target.h.

HWY_BEFORE_NAMESPACE();
namespace tessera::openmp::fused::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class T>
void convolve(const BlockTask<T>& task) {
  constexpr std::int64_t lane_count = hn::MaxLanes(Tag<T>());
  constexpr std::int64_t pair_stride = 2 * lane_count;
  const std::int64_t row = task.block_pitch * pair_stride;
  const std::int64_t column = task.plane_pitch * pair_stride;
  const std::int64_t length_x = task.x.length, length_y = task.y.length;
  T* const line = task.scratch;  // result of a transform along x
  T* const passes_scratch = task.scratch + length_x * pair_stride;
  for (std::int64_t i = 0; i < task.nodes_x; ++i)
    Passes<T, false>::template run<false>(task.y, {task.block + i * pair_stride, row, task.nodes_y},
                                          {task.plane + i * column, pair_stride, length_y}, {},
                                          passes_scratch);
  for (std::int64_t y = 0; y < length_y; ++y) {
    T* const at = task.plane + y * pair_stride;
    const T* const kernel =
        task.kernel + std::min(y, length_y - y) * task.kernel_pitch * lane_count;
    Passes<T, false>::template run<true>(task.x, {at, column, task.nodes_x},
                                         {line, pair_stride, length_x}, {kernel, lane_count},
                                         passes_scratch);
    Passes<T, true>::template run<false>(task.x, {line, pair_stride, length_x},
                                         {at, column, task.nodes_x}, {}, passes_scratch);
  }
  for (std::int64_t i = 0; i < task.nodes_x; ++i)
    Passes<T, true>::template run<false>(task.y, {task.plane + i * column, pair_stride, length_y},
                                         {task.block + i * pair_stride, row, task.nodes_y}, {},
                                         passes_scratch);
}

template <class T>
void to_blocks(const PencilTask<T>& task) {
  const Tag<T> d;
  constexpr std::int64_t lane_count = hn::MaxLanes(Tag<T>());
  for (std::int64_t b = 0; b < task.number; ++b)
    for (std::int64_t p = 0; p < task.count; ++p) {
      hn::Vec<Tag<T>> re, im;
      hn::LoadInterleaved2(d, task.waves + 2 * (p * task.waves_pitch + b * lane_count), re, im);
      T* const to = task.blocks + b * task.block_size + p * 2 * lane_count;
      hn::StoreU(re, d, to);
      hn::StoreU(im, d, to + lane_count);
    }
}

template <class T>
void from_blocks(const PencilTask<T>& task) {
  const Tag<T> d;
  constexpr std::int64_t lane_count = hn::MaxLanes(Tag<T>());
  for (std::int64_t b = 0; b < task.number; ++b)
    for (std::int64_t p = 0; p < task.count; ++p) {
      const T* const from = task.blocks + b * task.block_size + p * 2 * lane_count;
      hn::StoreInterleaved2(hn::LoadU(d, from), hn::LoadU(d, from + lane_count), d,
                            task.waves + 2 * (p * task.waves_pitch + b * lane_count));
    }
}

}  // namespace tessera::openmp::fused::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
