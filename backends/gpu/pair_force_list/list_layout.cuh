#ifndef TESSERA_BACKENDS_GPU_PAIR_FORCE_LIST_LIST_LAYOUT_CUH
#define TESSERA_BACKENDS_GPU_PAIR_FORCE_LIST_LIST_LAYOUT_CUH

#include "backends/gpu/execution/warp.cuh"
#include "core/base/device_code.hpp"

#include <cstdint>

/// \file
/// Memory layout of the lists.

namespace tessera::gpu::pair_force_list {

/// Largest number of threads of a block. A larger limit would leave the kernels fewer registers.
inline constexpr int most_block = 256;

/// Number of threads of a block that processes one long list.
inline constexpr int long_list_block = 1024;

/// Layout of the lists in memory. The lists of 2^shift atoms (a tile) are interleaved: slot 0 of
/// each of them, then slot 1, and so on. With a tile of warp_size atoms a warp reads a slot of its
/// lists in one transaction, and its writes during the search stay in a few kilobytes, which the
/// cache joins to full lines. Threads that share an atom read fewer lines with smaller tiles.
///
/// Kernels are compiled for the shift of a warp, which takes the fewest registers, and once for any
/// shift.
struct ListLayout {
  static constexpr int of_warp = gpu::warp_size == 64 ? 6 : 5;
  static constexpr int any = -1;

  std::int32_t capacity = 0;  ///< slots per atom
  std::int32_t shift = of_warp;

  /// Index of a slot in the list of the k-th atom.
  /// \tparam Shift value of `shift`, or `any`.
  template <int Shift = any>
  [[nodiscard]] TESSERA_INLINE std::int64_t at(std::int64_t k, std::int32_t slot) const {
    if constexpr (Shift == of_warp)
      return (gpu::warp_of(k) * capacity + slot) * gpu::warp_size + gpu::lane_of(k);
    const auto place = static_cast<std::uint64_t>(k);
    const std::uint64_t tile = (place >> shift) * static_cast<std::uint64_t>(capacity) << shift;
    const std::uint64_t of_tile = place & ((std::uint64_t{1} << shift) - 1);
    return static_cast<std::int64_t>(tile | of_tile) + (std::int64_t{slot} << shift);
  }
  /// Distance in elements from a slot of a list to the next one.
  template <int Shift = any>
  [[nodiscard]] TESSERA_INLINE std::int32_t spacing() const {
    return std::int32_t{1} << (Shift == any ? shift : Shift);
  }
  /// Number of elements of the lists of `atoms` atoms.
  [[nodiscard]] std::int64_t size(std::int64_t atoms) const {
    return ((atoms + (std::int64_t{1} << shift) - 1) >> shift) * capacity << shift;
  }
};

}  // namespace tessera::gpu::pair_force_list

#endif  // TESSERA_BACKENDS_GPU_PAIR_FORCE_LIST_LIST_LAYOUT_CUH
