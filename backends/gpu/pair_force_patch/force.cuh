#ifndef TESSERA_BACKENDS_GPU_PAIR_FORCE_PATCH_FORCE_CUH
#define TESSERA_BACKENDS_GPU_PAIR_FORCE_PATCH_FORCE_CUH

#include "backends/gpu/execution/space.hpp"
#include "backends/gpu/pair_common/coordinates.cuh"
#include "backends/gpu/pair_force_patch/patch_loop.cuh"
#include "physics/md/tally.hpp"

#include <cstdint>

/// \file
/// One call of a pair loop, as the plan of cuda.patch passes it to the launcher (launch_loop.cuh),
/// and the kernel that sums forces over the pairs of a patch.

namespace tessera::gpu::pair_force_patch {

using namespace pair_common;

inline constexpr int sum_block = 128;

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
};

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

}  // namespace tessera::gpu::pair_force_patch

#endif  // TESSERA_BACKENDS_GPU_PAIR_FORCE_PATCH_FORCE_CUH
