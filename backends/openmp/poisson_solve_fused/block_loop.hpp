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
  constexpr std::int64_t kLanes = hn::MaxLanes(Tag<T>());
  constexpr std::int64_t kPair = 2 * kLanes;
  const std::int64_t row = task.block_pitch * kPair;
  const std::int64_t column = task.plane_pitch * kPair;
  const std::int64_t length_x = task.x.length, length_y = task.y.length;
  T* const line = task.scratch;  // a transform along x
  T* const room = task.scratch + length_x * kPair;
  for (std::int64_t i = 0; i < task.nodes_x; ++i)
    Passes<T, false>::template run<false>(task.y, {task.block + i * kPair, row, task.nodes_y},
                                          {task.plane + i * column, kPair, length_y}, {}, room);
  for (std::int64_t y = 0; y < length_y; ++y) {
    T* const at = task.plane + y * kPair;
    const T* const kernel = task.kernel + std::min(y, length_y - y) * task.kernel_pitch * kLanes;
    Passes<T, false>::template run<true>(task.x, {at, column, task.nodes_x},
                                         {line, kPair, length_x}, {kernel, kLanes}, room);
    Passes<T, true>::template run<false>(task.x, {line, kPair, length_x},
                                         {at, column, task.nodes_x}, {}, room);
  }
  for (std::int64_t i = 0; i < task.nodes_x; ++i)
    Passes<T, true>::template run<false>(task.y, {task.plane + i * column, kPair, length_y},
                                         {task.block + i * kPair, row, task.nodes_y}, {}, room);
}

template <class T>
void to_blocks(const PencilTask<T>& task) {
  const Tag<T> d;
  constexpr std::int64_t kLanes = hn::MaxLanes(Tag<T>());
  for (std::int64_t b = 0; b < task.number; ++b)
    for (std::int64_t p = 0; p < task.count; ++p) {
      hn::Vec<Tag<T>> re, im;
      hn::LoadInterleaved2(d, task.waves + 2 * (p * task.waves_pitch + b * kLanes), re, im);
      T* const to = task.blocks + b * task.block_size + p * 2 * kLanes;
      hn::StoreU(re, d, to);
      hn::StoreU(im, d, to + kLanes);
    }
}

template <class T>
void from_blocks(const PencilTask<T>& task) {
  const Tag<T> d;
  constexpr std::int64_t kLanes = hn::MaxLanes(Tag<T>());
  for (std::int64_t b = 0; b < task.number; ++b)
    for (std::int64_t p = 0; p < task.count; ++p) {
      const T* const from = task.blocks + b * task.block_size + p * 2 * kLanes;
      hn::StoreInterleaved2(hn::LoadU(d, from), hn::LoadU(d, from + kLanes), d,
                            task.waves + 2 * (p * task.waves_pitch + b * kLanes));
    }
}

}  // namespace tessera::openmp::fused::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
