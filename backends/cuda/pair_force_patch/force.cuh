#ifndef TESSERA_BACKENDS_CUDA_PAIR_FORCE_PATCH_FORCE_CUH
#define TESSERA_BACKENDS_CUDA_PAIR_FORCE_PATCH_FORCE_CUH

#include "backends/cuda/execution/space.hpp"
#include "backends/cuda/pair_common/coordinates.cuh"
#include "backends/cuda/pair_force_patch/parameters.hpp"
#include "backends/cuda/pair_force_patch/patches.hpp"
#include "core/memory/view.hpp"
#include "physics/md/pair_force/atom_data.hpp"
#include "physics/md/tally.hpp"

#include <cstdint>
#include <type_traits>

/// \file
/// Declarations that the plan of cuda.patch and its pair loops (rows.cuh) share, and the kernel
/// that sums forces over the pairs of a patch.

namespace tessera::cuda::pair_force_patch {

using pair_common::DoublePosition;
using pair_common::FixedPoint;
using pair_common::InTiltedBox;

inline constexpr int sum_block = 128;

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
  const Real* values;  ///< what the potential reads of the atoms (md::PackAtomData)
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
};

/// One call of a pair loop.
template <class Coordinates, class Storage>
struct PatchLaunch {
  Space space;
  PatchLoop<Coordinates, Storage> loop;
  InTiltedBox<Coordinates> tilted_coordinates;  ///< used instead of the loop's where `tilted`
  bool tilted;
  const typename Coordinates::Real* host_table;
  int patch1_per_thread;
  unsigned blocks;
  unsigned block_size;
  md::Tally* tallies;  ///< out: energy and virial of each block; null: not requested
  const void* opaque;  ///< that of md::PairKernel
};

/// The function of a form in cuda.patch (see md::PairKernels).
template <class Coordinates, class Storage>
using PairKernelFunction = void(PatchLaunch<Coordinates, Storage>&);

/// Sums the force on each atom over the pairs of its patch, in the order of the pairs.
/// \param counts number of listed atoms by row.
template <class Real, class Storage>
__global__ void __launch_bounds__(sum_block)
    sum_pairs(std::int64_t atoms, const std::int32_t* __restrict__ patch_of,
              const Patch* __restrict__ patches, const std::int64_t* __restrict__ starts,
              const PatchPair* __restrict__ pairs, const std::int32_t* __restrict__ counts,
              PairForces<Real> parts, ForceOutput<Storage> output) {
  const std::int64_t k = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (k >= atoms) return;
  const std::int32_t patch = patch_of[k];
  const std::int32_t first = patches[patch].first;
  const std::int32_t own_count = patches[patch + 1].first - first;
  Real force[3] = {};
  // Rows of the pairs of a patch follow each other.
  std::int64_t row = pairs[starts[patch]].row + (k - first);
  for (std::int64_t m = starts[patch]; m < starts[patch + 1]; ++m, row += own_count) {
    if (counts[row] == 0) continue;  // no thread wrote this row
    for (int d = 0; d < 3; ++d)
      force[d] += parts.at(row, d);
  }
  output.store(k, force);
}

}  // namespace tessera::cuda::pair_force_patch

#endif  // TESSERA_BACKENDS_CUDA_PAIR_FORCE_PATCH_FORCE_CUH
