#ifndef TESSERA_BACKENDS_GPU_EXECUTION_BLOCK_SUMS_CUH
#define TESSERA_BACKENDS_GPU_EXECUTION_BLOCK_SUMS_CUH

#include "backends/gpu/execution/warp.cuh"

namespace tessera::gpu {

/// Sums `Values` numbers over the threads of a block. All threads of the block must call it.
/// \tparam MostThreads upper bound of the threads of a block, at least `Values`.
/// \param value value(v) is the contribution of the calling thread to sum v.
/// \param store store(v, sum) is called once for each sum, each time by a different thread.
template <int Values, int MostThreads, class Value, class Store>
__device__ __forceinline__ void block_sums(const Value& value, const Store& store) {
  __shared__ double part[MostThreads / warp_size][Values];
#pragma unroll
  for (int v = 0; v < Values; ++v) {
    double sum = value(v);
    for (int offset = warp_size / 2; offset > 0; offset /= 2)
      sum += shfl_xor(sum, offset);
    if (lane() == 0) part[warp()][v] = sum;
  }
  __syncthreads();
  if (threadIdx.x >= Values) return;
  double sum = 0;
  for (int w = 0; w < warps_for(static_cast<int>(blockDim.x)); ++w)
    sum += part[w][threadIdx.x];
  store(static_cast<int>(threadIdx.x), sum);
}

}  // namespace tessera::gpu

#endif  // TESSERA_BACKENDS_GPU_EXECUTION_BLOCK_SUMS_CUH
