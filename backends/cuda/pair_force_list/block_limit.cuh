#ifndef TESSERA_BACKENDS_CUDA_PAIR_FORCE_LIST_BLOCK_LIMIT_CUH
#define TESSERA_BACKENDS_CUDA_PAIR_FORCE_LIST_BLOCK_LIMIT_CUH

/// \file
/// The sizes of the blocks for which kernels of pairs are compiled.

namespace tessera::cuda::pair_force_list {

/// Largest number of threads of a block. A larger limit would leave the kernels fewer registers.
inline constexpr int most_block = 256;

/// Number of threads of a block that processes one long list.
inline constexpr int long_list_block = 1024;

}  // namespace tessera::cuda::pair_force_list

#endif  // TESSERA_BACKENDS_CUDA_PAIR_FORCE_LIST_BLOCK_LIMIT_CUH
