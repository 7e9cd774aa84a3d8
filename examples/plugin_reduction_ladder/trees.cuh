#pragma once

#include <tessera/backends/gpu/execution/gpu_runtime.hpp>

/// \file
/// Block reductions: the threads of a block add one number each in shared memory, into shared[0].

namespace ladder {

/// Step 1. Adds neighbours first. The active threads are spread over all warps, so that every warp
/// diverges, and the operator % is slow.
struct DivergentTree {
  static constexpr bool knows_block = false;

  template <int, class Total>
  static __device__ void add(Total* shared) {
    for (unsigned distance = 1; distance < blockDim.x; distance *= 2) {
      if (threadIdx.x % (2 * distance) == 0) shared[threadIdx.x] += shared[threadIdx.x + distance];
      __syncthreads();
    }
  }
};

/// Step 2. Makes the additions of step 1 with the first threads of the block, so that whole warps
/// are active or idle. But they access shared memory with a stride of a power of two, which causes
/// bank conflicts.
struct ConflictTree {
  static constexpr bool knows_block = false;

  template <int, class Total>
  static __device__ void add(Total* shared) {
    for (unsigned distance = 1; distance < blockDim.x; distance *= 2) {
      const unsigned at = 2 * distance * threadIdx.x;
      if (at < blockDim.x) shared[at] += shared[at + distance];
      __syncthreads();
    }
  }
};

/// Step 3. Adds the upper half to the lower one: neighbouring threads read neighbouring numbers.
struct SequentialTree {
  static constexpr bool knows_block = false;

  template <int, class Total>
  static __device__ void add(Total* shared) {
    for (unsigned distance = blockDim.x / 2; distance > 0; distance /= 2) {
      if (threadIdx.x < distance) shared[threadIdx.x] += shared[threadIdx.x + distance];
      __syncthreads();
    }
  }
};

/// The first 32 lanes of a warp add the last 64 numbers. They need no barrier of the block, and no
/// condition either: all of them add in every iteration, and the superfluous sums of the upper ones
/// do not reach shared[0]. All lanes of a warp of 64 call the function.
///
/// In 2007 the lanes of a warp executed in lockstep by definition, and `volatile` was sufficient.
/// Since Volta lanes are scheduled independently: the warp must be synchronized between reading and
/// writing, and between writing and reading.
template <class Total>
__device__ void add_last_warp(Total* shared) {
  const bool adds = threadIdx.x < 32;
#pragma unroll
  for (unsigned distance = 32; distance > 0; distance /= 2) {
    const Total other = adds ? shared[threadIdx.x + distance] : Total(0);
    tessera::gpu::syncwarp();
    if (adds) shared[threadIdx.x] += other;
    tessera::gpu::syncwarp();
  }
}

/// Step 5. Like step 3 until one warp is left.
struct LastWarpTree {
  static constexpr bool knows_block = false;

  template <int, class Total>
  static __device__ void add(Total* shared) {
    for (unsigned distance = blockDim.x / 2; distance > 32; distance /= 2) {
      if (threadIdx.x < distance) shared[threadIdx.x] += shared[threadIdx.x + distance];
      __syncthreads();
    }
    if (threadIdx.x < tessera::gpu::warp_size) add_last_warp(shared);
  }
};

template <unsigned Distance, class Total>
__device__ void fold(Total* shared) {
  if (threadIdx.x < Distance) shared[threadIdx.x] += shared[threadIdx.x + Distance];
  __syncthreads();
}

/// Steps 6 and 7. The block size is a template argument, so that all loops are unrolled.
struct UnrolledTree {
  static constexpr bool knows_block = true;

  template <int Block, class Total>
  static __device__ void add(Total* shared) {
    static_assert(Block >= 64 && Block <= 512);
    if constexpr (Block >= 512) fold<256>(shared);
    if constexpr (Block >= 256) fold<128>(shared);
    if constexpr (Block >= 128) fold<64>(shared);
    if (threadIdx.x < tessera::gpu::warp_size) add_last_warp(shared);
  }
};

}  // namespace ladder
