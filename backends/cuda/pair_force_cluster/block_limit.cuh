#ifndef TESSERA_BACKENDS_CUDA_PAIR_FORCE_CLUSTER_BLOCK_LIMIT_CUH
#define TESSERA_BACKENDS_CUDA_PAIR_FORCE_CLUSTER_BLOCK_LIMIT_CUH

#include <cstddef>

/// \file
/// The sizes for which kernels of pairs of clusters are compiled.

namespace tessera::cuda::pair_force_cluster {

/// Largest number of threads of a block of the pair loop. Its warps are independent; a block is
/// only the unit that starts together.
inline constexpr int most_block = 128;

/// Largest size in bytes of a table of coefficients that blocks copy to shared memory.
inline constexpr std::size_t most_shared_table = 8192;

}  // namespace tessera::cuda::pair_force_cluster

#endif  // TESSERA_BACKENDS_CUDA_PAIR_FORCE_CLUSTER_BLOCK_LIMIT_CUH
