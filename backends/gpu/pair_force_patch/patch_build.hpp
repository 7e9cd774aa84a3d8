#ifndef TESSERA_BACKENDS_GPU_PAIR_FORCE_PATCH_PATCH_BUILD_HPP
#define TESSERA_BACKENDS_GPU_PAIR_FORCE_PATCH_PATCH_BUILD_HPP

#include "backends/gpu/pair_force_patch/patches.hpp"
#include "core/base/device_code.hpp"
#include "core/memory/view.hpp"
#include "physics/md/minimum_image.hpp"
#include "physics/md/neighbor/cell_grid.hpp"
#include "physics/md/neighbor/exclusion_filter.hpp"
#include "physics/md/neighbor/image_range.hpp"

#include <cstdint>

/// \file
/// Bodies of loops that make patches from positions, then the pairs of patches, then the memory
/// layout of the bits of these pairs.

namespace tessera::gpu::pair_force_patch {

template <class Storage>
[[nodiscard]] TESSERA_INLINE Vec3<double> place_of(const View<const Storage, 2>& positions,
                                                   std::int64_t i) {
  return {static_cast<double>(positions(i, 0)), static_cast<double>(positions(i, 1)),
          static_cast<double>(positions(i, 2))};
}

[[nodiscard]] TESSERA_INLINE Vec3<double> center_of(const md::CellGrid& grid,
                                                    const std::int32_t (&cell)[3]) {
  return Vec3<double>{grid.lower[0], grid.lower[1], grid.lower[2]} +
         grid.shift({(cell[0] + 0.5) / grid.count[0], (cell[1] + 0.5) / grid.count[1],
                     (cell[2] + 0.5) / grid.count[2]});
}

/// Number of bits of a key below the slot of the atom's cell. They hold the position of the atom in
/// the cell (curve_bits), or, where cells share slots, a hash that distinguishes most cells
/// (mark_bits).
inline constexpr int curve_bits = 30;
inline constexpr int mark_bits = 32;

template <class Storage>
struct PatchKeys {
  View<const Storage, 2> positions;
  md::CellGrid grid;
  int below;  ///< curve_bits, mark_bits or 0
  std::uint64_t* keys;
  std::int32_t* order;

  /// \param images in and out: range of the images of the box in which atoms are.
  TESSERA_FUNCTION void operator()(std::int64_t i, md::ImageRange& images) const {
    const Vec3<double> given = place_of(positions, i);
    const Vec3<double> r = grid.fold(given);
    images.add(grid.images(given, r));
    std::int32_t cell[3];
    grid.find_cell(r, cell);
    const auto slot = static_cast<std::uint64_t>(grid.slot_in_rows(cell[0], cell[1], cell[2]));
    keys[i] = slot << below | low_bits(r, cell);
    order[i] = static_cast<std::int32_t>(i);
  }

 private:
  [[nodiscard]] TESSERA_INLINE std::uint64_t low_bits(const Vec3<double>& r,
                                                      const std::int32_t (&cell)[3]) const {
    if (below == 0) return 0;
    if (below == mark_bits)
      return static_cast<std::uint32_t>(cell[0]) * 0x9E3779B1u ^
             static_cast<std::uint32_t>(cell[1]) * 0x85EBCA77u ^
             static_cast<std::uint32_t>(cell[2]) * 0xC2B2AE3Du;
    const Vec3<double> off = r - center_of(grid, cell);
    return place_on_curve(off.x * grid.inverse_length[0] * grid.count[0] + 0.5,
                          off.y * grid.inverse_length[1] * grid.count[1] + 0.5,
                          off.z * grid.inverse_length[2] * grid.count[2] + 0.5);
  }
};

/// Writes 1 for an atom that is the first of a patch, else 0.
template <class Storage>
struct MarkPatches {
  View<const Storage, 2> positions;
  md::CellGrid grid;
  const std::int32_t* order;
  std::int32_t* marks;

  TESSERA_FUNCTION void operator()(std::int64_t k) const {
    marks[k] = 1;
    if (k == 0) return;
    std::int32_t mine[3];
    std::int32_t before[3];
    grid.find_cell(grid.fold(place_of(positions, order[k])), mine);
    grid.find_cell(grid.fold(place_of(positions, order[k - 1])), before);
    if (mine[0] == before[0] && mine[1] == before[1] && mine[2] == before[2]) marks[k] = 0;
  }
};

/// Writes the patches. The loop has one index more than there are atoms, for the end of the last
/// patch.
template <class Storage>
struct WritePatches {
  View<const Storage, 2> positions;
  md::CellGrid grid;
  const std::int32_t* order;
  const std::int32_t* sums;  ///< exclusive prefix sums of the marks
  std::int64_t atoms;
  Patch* patches;
  std::int32_t* patch_of;

  TESSERA_FUNCTION void operator()(std::int64_t k) const {
    if (k == atoms) {
      patches[sums[k]] = {static_cast<std::int32_t>(k), {0, 0, 0}};
      return;
    }
    patch_of[k] = sums[k + 1] - 1;
    if (sums[k + 1] == sums[k]) return;
    Patch& patch = patches[sums[k]];
    patch.first = static_cast<std::int32_t>(k);
    grid.find_cell(grid.fold(place_of(positions, order[k])), patch.cell);
  }
};

/// An atom in the search: its offset from the center of its patch, and its type.
struct alignas(16) Candidate {
  float x, y, z;
  std::int32_t type;
};

template <class Storage>
struct OffsetAtoms {
  View<const Storage, 2> positions;
  View<const std::int32_t, 1> types;  ///< not given where all types have the same reach
  const std::int32_t* order;
  const std::int32_t* patch_of;
  PatchTable table;
  Candidate* offsets;

  TESSERA_FUNCTION void operator()(std::int64_t k) const {
    const std::int64_t i = order[k];
    const Vec3<double> off = table.grid.fold(place_of(positions, i)) -
                             center_of(table.grid, table.patches[patch_of[k]].cell);
    offsets[k] = {static_cast<float>(off.x), static_cast<float>(off.y), static_cast<float>(off.z),
                  types.given() ? types(i) : 0};
  }
};

struct CountPairs {
  PatchTable table;
  std::int64_t* counts;

  TESSERA_FUNCTION void operator()(std::int64_t p) const {
    std::int64_t near = 0;
    if (p < table.count)
      table.for_each_near(static_cast<std::int32_t>(p),
                          [&](std::int32_t, const std::int32_t(&)[3]) { ++near; });
    counts[p] = near;
  }
};

struct WritePairs {
  PatchTable table;
  const std::int64_t* starts;
  PatchPair* pairs;

  TESSERA_FUNCTION void operator()(std::int64_t p) const {
    PatchPair* next = pairs + starts[p];
    const auto one = static_cast<std::int32_t>(p);
    table.for_each_near(one, [&](std::int32_t other, const std::int32_t(&image)[3]) {
      PatchPair& pair = *next++;
      pair = {};
      pair.one = one;
      pair.other = other;
      for (int d = 0; d < 3; ++d)
        pair.image[d] = static_cast<std::int8_t>(image[d]);
    });
  }
};

/// Whether the image of patch 2 in the pair is the nearest image for two atoms. Where two images of
/// a patch are near another patch and the reach is slightly more than half of the box, both images
/// of an atom could be within reach; only one of them is listed.
[[nodiscard]] TESSERA_INLINE bool is_nearest(const PatchPair& pair, const md::CellGrid& grid,
                                             const md::MinimumImage& image, const Vec3<double>& own,
                                             const Vec3<double>& other) {
  const Vec3<double> r =
      grid.fold(own) - grid.fold(other) -
      grid.shift({static_cast<double>(pair.image[0]), static_cast<double>(pair.image[1]),
                  static_cast<double>(pair.image[2])});
  const Vec3<double> nearest = image(r);
  // A pair at half of the box has two nearest images; the one on the positive side counts.
  return nearest.x == r.x && nearest.y == r.y && nearest.z == r.z &&
         r.x * image.inverse[0] > -0.5 && r.y * image.inverse[1] > -0.5 &&
         r.z * image.inverse[2] > -0.5;
}

struct SizePairs {
  PatchTable table;
  const PatchPair* pairs;
  std::int64_t* words;
  std::int64_t* rows;

  TESSERA_FUNCTION void operator()(std::int64_t m) const {
    rows[m] = table.atoms(pairs[m].one);
    words[m] = rows[m] * words_for(table.atoms(pairs[m].other));
  }
};

struct PlacePairs {
  const std::int64_t* words;
  const std::int64_t* rows;
  PatchPair* pairs;

  TESSERA_FUNCTION void operator()(std::int64_t m) const {
    pairs[m].words = words[m];
    pairs[m].row = rows[m];
  }
};

/// View of the pair list, for loops over atoms.
struct PairBits {
  PatchTable table;
  const std::int32_t* patch_of;
  const std::int64_t* starts;  ///< for each patch the number of its first pair
  const PatchPair* pairs;
  std::uint32_t* words;

  /// The word that has, for atom `own` of patch 1, the bit of atom `other` of patch 2.
  [[nodiscard]] TESSERA_INLINE std::uint32_t& word(const PatchPair& pair, std::int32_t own,
                                                   std::int32_t other) const {
    return words[pair.words + std::int64_t{other / word_bits} * table.atoms(pair.one) + own];
  }

  /// Removes the atom at place `other` from the list of the atom at place k. Only the loop index k
  /// changes these words.
  TESSERA_INLINE void clear(std::int64_t k, std::int32_t other) const {
    const std::int32_t one = patch_of[k];
    const std::int32_t two = patch_of[other];
    const auto own = static_cast<std::int32_t>(k) - table.patches[one].first;
    const std::int32_t its = other - table.patches[two].first;
    for (std::int64_t m = starts[one]; m < starts[one + 1]; ++m)
      if (pairs[m].other == two) word(pairs[m], own, its) &= ~(std::uint32_t{1} << its % word_bits);
  }

  /// Empties the list of the atom at place k.
  TESSERA_INLINE void clear_all(std::int64_t k) const {
    const std::int32_t one = patch_of[k];
    const auto own = static_cast<std::int32_t>(k) - table.patches[one].first;
    for (std::int64_t m = starts[one]; m < starts[one + 1]; ++m)
      for (std::int32_t j = 0; j < table.atoms(pairs[m].other); j += word_bits)
        word(pairs[m], own, j) = 0;
  }

  /// Calls visit(other) with the place of every atom in the list of the atom at place k.
  template <class Visit>
  TESSERA_INLINE void for_each_listed(std::int64_t k, const Visit& visit) const {
    const std::int32_t one = patch_of[k];
    const auto own = static_cast<std::int32_t>(k) - table.patches[one].first;
    for (std::int64_t m = starts[one]; m < starts[one + 1]; ++m) {
      const std::int32_t two = pairs[m].other;
      for (std::int32_t j = 0; j < table.atoms(two); ++j)
        if (word(pairs[m], own, j) >> j % word_bits & 1u) visit(table.patches[two].first + j);
    }
  }
};

/// Removes excluded pairs from the list. `wrong` becomes 1 plus the largest row of an atom whose
/// exclusions contain itself or a row that does not exist; it stays 0 where there is none.
struct ClearExcluded {
  md::Exclusions exclusions;
  const std::int32_t* order;
  const std::int32_t* rank;
  std::int64_t atoms;
  PairBits bits;

  TESSERA_FUNCTION void operator()(std::int64_t k, std::int64_t& wrong) const {
    const std::int64_t i = order[k];
    for (std::int32_t e = exclusions.offsets(i); e < exclusions.offsets(i + 1); ++e) {
      const std::int64_t partner = exclusions.partners(e);
      if (partner < 0 || partner >= atoms || partner == i) {
        if (i + 1 > wrong) wrong = i + 1;
        continue;
      }
      bits.clear(k, rank[partner]);
    }
  }
};

/// Empties the lists of ghosts (md::PairForceArgs::owned).
struct ClearGhosts {
  const std::int32_t* order;
  std::int64_t owned;
  PairBits bits;

  TESSERA_FUNCTION void operator()(std::int64_t k) const {
    if (order[k] >= owned) bits.clear_all(k);
  }
};

/// Finds a listed pair of atoms at the same position. `coincident` becomes 1 plus the places of
/// both atoms, in 32 bits each; it stays 0 where there is no such pair.
template <class Storage>
struct FindCoincident {
  View<const Storage, 2> positions;
  const std::int32_t* order;
  md::MinimumImage image;
  PairBits bits;

  TESSERA_FUNCTION void operator()(std::int64_t k, std::int64_t& coincident) const {
    const Vec3<double> mine = place_of(positions, order[k]);
    bits.for_each_listed(k, [&](std::int32_t other) {
      const Vec3<double> theirs = place_of(positions, order[other]);
      // Rounding in the folding may remove a difference of two positions, or create one.
      const bool met = coincide(mine, theirs) ||
                       coincide(bits.table.grid.fold(mine), bits.table.grid.fold(theirs));
      const std::int64_t pair = (k + 1) << 32 | (std::int64_t{other} + 1);
      if (met && pair > coincident) coincident = pair;
    });
  }

 private:
  [[nodiscard]] TESSERA_INLINE bool coincide(const Vec3<double>& a, const Vec3<double>& b) const {
    const Vec3<double> r = image(a - b);
    return r.x == 0 && r.y == 0 && r.z == 0;
  }
};

}  // namespace tessera::gpu::pair_force_patch

#endif  // TESSERA_BACKENDS_GPU_PAIR_FORCE_PATCH_PATCH_BUILD_HPP
