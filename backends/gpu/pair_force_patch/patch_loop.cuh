#ifndef TESSERA_BACKENDS_GPU_PAIR_FORCE_PATCH_PATCH_LOOP_CUH
#define TESSERA_BACKENDS_GPU_PAIR_FORCE_PATCH_PATCH_LOOP_CUH

#include "backends/gpu/pair_force_patch/pair_of_patches.hpp"
#include "core/memory/view.hpp"

#include <cstdint>
#include <type_traits>

/// \file
/// Input and output of the kernels of a pair loop, which do not depend on the potential.

namespace tessera::gpu::pair_force_patch {

/// Forces of pairs of patches, by row (PatchPair::row): all x, then all y, then all z.
template <class Real>
struct PairForces {
  Real* parts;
  std::int64_t rows;

  [[nodiscard]] __device__ Real& at(std::int64_t row, int d) const { return parts[d * rows + row]; }
};

/// Output array of the forces on atoms.
template <class Storage>
struct ForceOutput {
  const std::int32_t* order;
  Storage unit;  ///< unit of forces in the loop, in the caller's unit
  View<Storage, 2> forces;
  bool add;

  /// Stores the force on the atom at place k.
  template <class Real>
  __device__ void store(std::int64_t k, const Real (&force)[3]) const {
    const std::int64_t i = order[k];
    for (int d = 0; d < 3; ++d) {
      auto value = static_cast<Storage>(force[d]);
      if constexpr (std::is_same_v<Real, float>) value *= unit;
      forces(i, d) = add ? forces(i, d) + value : value;
    }
  }
};

/// Input and output of a pair loop, the same for all threads.
template <class Coordinates, class Storage>
struct PatchLoop {
  using Real = typename Coordinates::Real;

  const typename Coordinates::Atom* atoms;
  const Real* values;  ///< values of the atoms that the potential reads (md::PackAtomData)
  const Patch* patches;
  const PatchPair* pairs;
  const std::int64_t* starts;  ///< for each patch the number of its first pair
  const std::uint32_t* words;  ///< bits of the pair list
  const std::int32_t* own_of;  ///< atoms of patch 1 in sorted order, by row; null: not sorted
  bool by_pair;                ///< whether a block processes one pair; else all pairs of a patch
  std::int32_t tile;           ///< atoms of patch 2 in shared memory, a multiple of word_bits
  Coordinates coordinates;
  const Real* table;    ///< types x types x table_stride()
  const Real* samples;  ///< used by forms that have any
  int types;
  PairForces<Real> parts;  ///< output where `by_pair`
  ForceOutput<Storage> output;

  /// The same with other coordinates.
  template <class Other>
  [[nodiscard]] PatchLoop<Other, Storage> in(const Other& coordinates_of_other) const {
    return {atoms, values,  patches, pairs, starts,
            words, own_of,  by_pair, tile,  coordinates_of_other,
            table, samples, types,   parts, output};
  }
};

}  // namespace tessera::gpu::pair_force_patch

#endif  // TESSERA_BACKENDS_GPU_PAIR_FORCE_PATCH_PATCH_LOOP_CUH
