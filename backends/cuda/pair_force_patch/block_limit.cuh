#ifndef TESSERA_BACKENDS_CUDA_PAIR_FORCE_PATCH_BLOCK_LIMIT_CUH
#define TESSERA_BACKENDS_CUDA_PAIR_FORCE_PATCH_BLOCK_LIMIT_CUH

/// \file
/// The size of the blocks for which kernels of pairs of patches are compiled.

namespace tessera::cuda::pair_force_patch {

/// Largest number of threads of a block, and of atoms of patch 2 that a thread loads at a time.
/// Their product fits into the default limit of shared memory.
inline constexpr int most_block = 256;
inline constexpr int most_loads = 4;

}  // namespace tessera::cuda::pair_force_patch

#endif  // TESSERA_BACKENDS_CUDA_PAIR_FORCE_PATCH_BLOCK_LIMIT_CUH
