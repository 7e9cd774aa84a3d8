#ifndef TESSERA_BACKENDS_GPU_PAIR_FORCE_PATCH_PATCHES_HPP
#define TESSERA_BACKENDS_GPU_PAIR_FORCE_PATCH_PATCHES_HPP

#include "backends/gpu/pair_force_patch/pair_of_patches.hpp"
#include "core/base/device_code.hpp"
#include "core/base/vec3.hpp"
#include "physics/md/neighbor/cell_grid.hpp"
#include "physics/md/neighbor/neighbor_list.hpp"

#include <cstdint>

/// \file
/// The patches of all atoms, and which pairs of them are near. The code also compiles
/// for the host, so that tests run it without a GPU.

namespace tessera::gpu::pair_force_patch {

[[nodiscard]] TESSERA_INLINE std::int32_t words_for(std::int32_t atoms) {
  return (atoms + word_bits - 1) / word_bits;
}

/// The patches, sorted by the slot of their cells; one more marks the end.
struct PatchTable {
  const Patch* patches = nullptr;
  std::int32_t count = 0;
  md::CellGrid grid;
  std::int32_t within[3] = {1, 1, 1};  ///< number of cells on either side that may be near
  double reach_sq = 0;                 ///< squared reach of the search

  [[nodiscard]] TESSERA_INLINE std::int32_t atoms(std::int32_t patch) const {
    return patches[patch + 1].first - patches[patch].first;
  }

  /// Vector from the center of patch 2, in the image of the pair, to the center of patch 1.
  [[nodiscard]] TESSERA_INLINE Vec3<double> between(const PatchPair& pair) const {
    double lengths[3];
    for (int d = 0; d < 3; ++d)
      lengths[d] = static_cast<double>(patches[pair.one].cell[d] - patches[pair.other].cell[d]) /
                       grid.count[d] -
                   pair.image[d];
    return grid.shift({lengths[0], lengths[1], lengths[2]});
  }

  /// Calls visit(other, image) for each image of a patch that may have atoms within reach of the
  /// atoms of `patch`, including `patch` itself. The order depends only on the patches.
  template <class Visit>
  TESSERA_INLINE void for_each_near(std::int32_t patch, const Visit& visit) const {
    const Patch me = patches[patch];
    const md::CellRanges rx(grid, me.cell[0], 0, within[0]);
    const md::CellRanges ry(grid, me.cell[1], 1, within[1]);
    const md::CellRanges rz(grid, me.cell[2], 2, within[2]);
    for (int ax = 0; ax < rx.count; ++ax)
      for (std::int32_t x = rx.from[ax]; x < rx.to[ax]; ++x)
        for (int ay = 0; ay < ry.count; ++ay)
          for (std::int32_t y = ry.from[ay]; y < ry.to[ay]; ++y)
            for (int az = 0; az < rz.count; ++az) {
              const std::int32_t image[3] = {rx.image[ax], ry.image[ay], rz.image[az]};
              for_row(x, y, rz.from[az], rz.to[az], [&](std::int32_t other) {
                if (is_near(me, patches[other], image)) visit(other, image);
              });
            }
  }

 private:
  /// Calls visit(p) for the patches of the cells (x, y, from) to (x, y, to - 1).
  template <class Visit>
  TESSERA_INLINE void for_row(std::int32_t x, std::int32_t y, std::int32_t from, std::int32_t to,
                              const Visit& visit) const {
    for (std::int32_t z = from; z < to; ++z) {
      const std::int64_t first = grid.slot_in_rows(x, y, z);
      // The slots of a row follow each other where cells have their own.
      const std::int64_t last = grid.shared ? first : first + (to - 1 - z);
      for (std::int32_t p = first_at(first); p < count && slot(p) <= last; ++p) {
        const std::int32_t(&cell)[3] = patches[p].cell;
        if (!grid.shared || (cell[0] == x && cell[1] == y && cell[2] == z)) visit(p);
      }
      if (!grid.shared) return;
    }
  }

  [[nodiscard]] TESSERA_INLINE std::int64_t slot(std::int32_t patch) const {
    const std::int32_t(&cell)[3] = patches[patch].cell;
    return grid.slot_in_rows(cell[0], cell[1], cell[2]);
  }
  /// Number of the first patch whose cell has the slot `wanted` or a higher one.
  [[nodiscard]] TESSERA_INLINE std::int32_t first_at(std::int64_t wanted) const {
    std::int32_t low = 0;
    std::int32_t high = count;
    while (low < high) {
      const std::int32_t middle = low + (high - low) / 2;
      if (slot(middle) < wanted)
        low = middle + 1;
      else
        high = middle;
    }
    return low;
  }

  /// Whether the cells of two patches are within reach. Without tilts this excludes cells at the
  /// corners of the searched range.
  [[nodiscard]] TESSERA_INLINE bool is_near(const Patch& me, const Patch& other,
                                            const std::int32_t (&image)[3]) const {
    if (grid.tilted) return true;
    double gap_sq = 0;
    for (int d = 0; d < 3; ++d) {
      const std::int64_t off =
          std::int64_t{other.cell[d]} + std::int64_t{image[d]} * grid.count[d] - me.cell[d];
      const std::int64_t cells = (off < 0 ? -off : off) - 1;
      if (cells <= 0) continue;
      const double gap = static_cast<double>(cells) * grid.width[d];
      gap_sq += gap * gap;
    }
    return gap_sq < reach_sq;
  }
};

/// Position of a point of the unit cube on the curve of Morton (1966), which interleaves the bits
/// of its coordinates, in 30 bits. A coordinate that is NaN counts as 0.
[[nodiscard]] TESSERA_INLINE std::uint32_t place_on_curve(double x, double y, double z) {
  constexpr int bits = 10;
  const double s[3] = {x, y, z};
  std::uint32_t place = 0;
  for (int d = 0; d < 3; ++d) {
    constexpr double steps = 1 << bits;
    const double at = s[d] * steps;
    const std::uint32_t step =
        !(at > 0) ? 0 : (at < steps ? static_cast<std::uint32_t>(at) : (1u << bits) - 1);
    for (int b = 0; b < bits; ++b)
      place |= (step >> b & 1u) << (3 * b + d);
  }
  return place;
}

}  // namespace tessera::gpu::pair_force_patch

#endif  // TESSERA_BACKENDS_GPU_PAIR_FORCE_PATCH_PATCHES_HPP
