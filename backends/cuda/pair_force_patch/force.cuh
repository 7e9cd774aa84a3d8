#ifndef TESSERA_BACKENDS_CUDA_PAIR_FORCE_PATCH_FORCE_CUH
#define TESSERA_BACKENDS_CUDA_PAIR_FORCE_PATCH_FORCE_CUH

#include "backends/cuda/execution/space.hpp"
#include "backends/cuda/pair_force_list/coordinates.cuh"
#include "backends/cuda/pair_force_patch/parameters.hpp"
#include "backends/cuda/pair_force_patch/patches.hpp"
#include "core/memory/view.hpp"
#include "physics/md/tally.hpp"

#include <cstdint>
#include <type_traits>

/// \file
/// Declarations that the plan of cuda.patch and its pair loops (rows.cuh) share, and the sum over
/// the pairs of a patch.

namespace tessera::cuda::pair_force_patch {

using pair_force_list::DoublePosition;
using pair_force_list::FixedPoint;
using pair_force_list::InTiltedBox;

inline constexpr int sum_block = 128;

/// Forces of pairs of patches by row: x of all rows, y of all, z of all.
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
  Storage unit;  ///< of the pair terms, in the caller's
  View<Storage, 2> forces;
  bool add;

  /// On the atom at place k.
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

/// Input and output of every thread of a pair loop.
template <class Coordinates, class Storage>
struct PatchLoop {
  using Real = typename Coordinates::Real;

  const typename Coordinates::Atom* atoms;
  const Real* charges;  ///< null where the form reads none
  const Patch* patches;
  const PatchPair* pairs;
  const std::int64_t* starts;  ///< of the pairs of each patch
  const std::uint32_t* words;
  const std::int32_t* own_of;  ///< atom of patch 1 by row; null: as they stand
  bool by_pair;                ///< a block has a pair of patches, else all of a patch
  std::int32_t tile;           ///< atoms of patch 2 in shared memory, whole words
  Coordinates coordinates;
  const Real* table;    ///< types x types x width
  const Real* samples;  ///< of forms that read any
  int types;
  PairForces<Real> parts;  ///< by pair
  ForceOutput<Storage> output;
};

/// One call of a pair loop.
template <class Coordinates, class Storage>
struct PatchLaunch {
  Space space;
  PatchLoop<Coordinates, Storage> loop;
  InTiltedBox<Coordinates> tilted_coordinates;  ///< instead of the loop's where the box is tilted
  bool tilted;
  const typename Coordinates::Real* host_table;
  int patch1_per_thread;
  unsigned blocks;
  unsigned block_size;
  md::Tally* tallies;  ///< not null: energy and virial are asked for, those of each block
  const void* opaque;  ///< of the row
};

/// A row of cuda.patch.
template <class Coordinates, class Storage>
using PairKernelFunction = void(PatchLaunch<Coordinates, Storage>&);

/// Adds up what the pairs of its patch left for an atom, in their order.
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
