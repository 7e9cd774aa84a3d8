#ifndef TESSERA_BACKENDS_GPU_EXECUTION_SPACE_HPP
#define TESSERA_BACKENDS_GPU_EXECUTION_SPACE_HPP

#include "backends/gpu/execution/async_host_copy.hpp"
#include "backends/gpu/execution/check.hpp"
#include "backends/gpu/execution/collectives.hpp"
#include "backends/gpu/execution/graph.hpp"
#include "backends/gpu/execution/launch.hpp"
#include "backends/gpu/execution/launch_bounds.cuh"
#include "backends/gpu/execution/memory.hpp"
#include "backends/gpu/execution/transform.hpp"
#include "backends/gpu/execution/words.hpp"
#include "core/base/device_code.hpp"
#include "core/execution/execution_space.hpp"
#include "core/execution/reduction_shape.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>

/// \file
/// The execution space of portable bodies on CUDA. Include this header only in files that nvcc
/// compiles.

namespace tessera::gpu {

namespace detail {

inline constexpr int block_size = 128;
inline constexpr int largest_each_block = 256;
inline constexpr int largest_block = 1024;
inline constexpr int reduce_block = reduction_shape::threads;

template <class Body>
__global__ void __launch_bounds__(largest_each_block) for_each(std::int64_t n, const Body body) {
  gpu::trigger_dependent_launch();
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) body(i);
}

template <class Body>
__global__ void __launch_bounds__(block_size) for_each_3(Extents3 extents, const Body body) {
  const std::int64_t flat = std::int64_t{blockIdx.x} * block_size + threadIdx.x;
  if (flat >= extents.x * extents.y * extents.z) return;
  const std::int64_t plane = extents.y * extents.z;
  const std::int64_t i = flat / plane;
  const std::int64_t rest = flat - i * plane;
  const std::int64_t j = rest / extents.z;
  body(i, j, rest - j * extents.z);
}

/// Reduces the values of all lanes of a warp into that of lane 0, as a tree in a fixed order.
/// Values travel between lanes word by word.
template <class T, class Joiner>
__device__ void join_warp(T& value, const Joiner& joiner) {
  static_assert(sizeof(T) % sizeof(unsigned) == 0);
  // A copy, which stays in registers; the value of the caller may be in local memory.
  T joined = value;
#pragma unroll
  for (int distance = gpu::warp_size / 2; distance > 0; distance /= 2) {
    auto words = std::bit_cast<gpu::WordsOf<T>>(joined);
    for (unsigned& word : words)
      word = gpu::shfl_down(word, distance);
    joiner(joined, std::bit_cast<T>(words));
  }
  value = joined;
}

/// Reduces the values of all threads of a block into that of thread 0. Values may be large, so
/// shared memory holds only one for each warp.
template <class T, class Joiner>
__device__ void join_block(T& value, const Joiner& joiner) {
  constexpr int warps = reduce_block / gpu::warp_size;
  __shared__ SharedArray<T, warps> of_warp;
  join_warp(value, joiner);
  if (gpu::lane() == 0) of_warp[gpu::warp()] = value;
  __syncthreads();
  if (threadIdx.x == 0)
    for (int warp = 1; warp < warps; ++warp)
      joiner(value, of_warp[warp]);
}

/// Reduction in one kernel: the last block to finish joins the partial results of all blocks, in an
/// order that does not depend on the order in which they finish.
template <class T, class Body, class Joiner, class Finish>
__global__ void TESSERA_RESIDENT(reduce_block, reduction_shape::resident_groups(sizeof(T)))
    reduce(std::int64_t n, T identity, const Body body, const Joiner joiner, const Finish finish,
           T* partials, std::uint32_t* arrived, T* result) {
  if constexpr (std::is_base_of_v<SkippingBody, Body>)
    if (body.skips()) return;
  T partial = identity;
  const std::int64_t stride = std::int64_t{gridDim.x} * reduce_block;
  for (std::int64_t i = std::int64_t{blockIdx.x} * reduce_block + threadIdx.x; i < n; i += stride)
    body(i, partial);
  join_block(partial, joiner);
  if (gridDim.x > 1) {
    __shared__ bool last;
    if (threadIdx.x == 0) {
      partials[blockIdx.x] = partial;
      __threadfence();
      last = atomicAdd(arrived, 1u) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last) return;
    __threadfence();
    partial = identity;
    for (unsigned i = threadIdx.x; i < gridDim.x; i += reduce_block)
      joiner(partial, partials[i]);
    join_block(partial, joiner);
    if (threadIdx.x == 0) atomicExch(arrived, 0u);
  }
  if (threadIdx.x > 0) return;
  *result = partial;
  finish(partial);
}

/// A block of threads, as bodies of for_each_team() see it.
class Team {
 public:
  __device__ Team(std::int64_t league_rank, unsigned char* scratch)
      : league_rank_(league_rank), scratch_(scratch) {}

  [[nodiscard]] __device__ std::int64_t league_rank() const { return league_rank_; }
  [[nodiscard]] __device__ int rank() const { return static_cast<int>(threadIdx.x); }
  [[nodiscard]] __device__ int size() const { return static_cast<int>(blockDim.x); }
  __device__ void barrier() const { __syncthreads(); }

  template <class T>
  __device__ void scratch(std::int64_t count, T*& pointer) const {
    used_ = (used_ + alignof(T) - 1) / alignof(T) * alignof(T);
    pointer = reinterpret_cast<T*>(scratch_ + used_);
    used_ += static_cast<std::size_t>(count) * sizeof(T);
  }

  template <class T>
  [[nodiscard]] __device__ T reduce_sum(T value) const {
    constexpr int most_warps = largest_block / gpu::warp_size;
    __shared__ SharedArray<T, most_warps> partial;
    for (int offset = gpu::warp_size / 2; offset > 0; offset /= 2)
      value += gpu::shfl_down(value, offset);
    __syncthreads();
    if (gpu::lane() == 0) partial[gpu::warp()] = value;
    __syncthreads();
    T total{};
    for (int warp = 0; warp < gpu::warps_for(size()); ++warp)
      total += partial[warp];
    return total;
  }

 private:
  std::int64_t league_rank_;
  unsigned char* scratch_;
  mutable std::size_t used_ = 0;
};

template <class Body>
__global__ void for_each_team(const Body body) {
  body(Team(blockIdx.x, dynamic_shared()));
}

}  // namespace detail

/// CUDA device and queue on which portable bodies run. Models ExecutionSpace
/// (core/execution/execution_space.hpp), which documents the functions.
class Space {
 public:
  static constexpr std::string_view backend = gpu::backend_name;
  static constexpr MemorySpace memory = gpu::memory;
  static constexpr bool coalesced = true;

  Space(int ordinal, Stream stream) : ordinal_(ordinal), stream_(stream) {}

  [[nodiscard]] gpu::NativeStream stream() const {
    return static_cast<gpu::NativeStream>(stream_.handle);
  }
  [[nodiscard]] int ordinal() const { return ordinal_; }

  template <class Body>
  void for_each(const char* label, std::int64_t n, const Body& body, int team_size = 0) {
    if (n <= 0) return;
    const CurrentDevice current(ordinal_);
    const int block = team_size <= 0 ? detail::block_size
                                     : std::min(gpu::warps_for(team_size) * gpu::warp_size,
                                                detail::largest_each_block);
    launch(label, detail::for_each<Body>, blocks_for(n, block), static_cast<unsigned>(block), 0,
           stream())(n, body);
  }

  template <class Body>
  void for_each(const char* label, Extents3 extents, const Body& body) {
    const std::int64_t n = extents.x * extents.y * extents.z;
    if (extents.x <= 0 || extents.y <= 0 || extents.z <= 0) return;
    const CurrentDevice current(ordinal_);
    launch(label, detail::for_each_3<Body>, blocks_for(n, detail::block_size), detail::block_size,
           0, stream())(extents, body);
  }

  /// Rounds the team size up to whole warps, and clamps it to the largest block that the kernel can
  /// be launched with.
  template <class Body>
  void for_each_team(const char* label, std::int64_t teams, int team_size,
                     std::size_t scratch_bytes, const Body& body) {
    if (teams <= 0) return;
    const CurrentDevice current(ordinal_);
    constexpr auto kernel = detail::for_each_team<Body>;
    runtime::FunctionAttributes attributes{};
    check(runtime::attributes_of(&attributes, reinterpret_cast<const void*>(kernel)), label);
    const int wanted = gpu::warps_for(team_size) * gpu::warp_size;
    const int threads =
        wanted < attributes.maxThreadsPerBlock ? wanted : attributes.maxThreadsPerBlock;
    allow_shared(label, kernel, scratch_bytes);
    launch(label, kernel, static_cast<unsigned>(teams), static_cast<unsigned>(threads),
           scratch_bytes, stream())(body);
  }

  template <class T, class Body, class Joiner, class Finish = NoFinish>
  void reduce(const char* label, std::int64_t n, T identity, const Body& body, const Joiner& joiner,
              T* result, Workspace workspace, const Finish& finish = {}) {
    static_assert(std::is_trivially_copyable_v<T>);
    const CurrentDevice current(ordinal_);
    T* const partials = static_cast<T*>(workspace.data);
    const int grid = partial_blocks(n);
    launch(label, detail::reduce<T, Body, Joiner, Finish>, static_cast<unsigned>(grid),
           detail::reduce_block, 0,
           stream())(n, identity, body, joiner, finish, partials, workspace.arrived, result);
  }
  template <class T>
  static std::size_t reduce_bytes(std::int64_t n) {
    return static_cast<std::size_t>(partial_blocks(n)) * sizeof(T);
  }

  template <class T>
  void exclusive_scan(const char*, std::int64_t n, const T* in, T* out, Workspace workspace) {
    const CurrentDevice current(ordinal_);
    gpu::exclusive_scan(n, in, out, workspace, stream_);
  }
  template <class T>
  static std::size_t scan_bytes(std::int64_t n) {
    return gpu::scan_bytes<T>(n);
  }

  template <class Key, class Value>
  void sort_by_key(const char*, std::int64_t n, Key* keys, Value* values, int key_bits,
                   Workspace workspace) {
    const CurrentDevice current(ordinal_);
    gpu::sort_by_key(n, keys, values, key_bits, workspace, stream_);
  }
  template <class Key, class Value>
  static std::size_t sort_bytes(std::int64_t n) {
    return gpu::sort_bytes<Key>(n);
  }

  /// CUDA has no atomicAdd for signed 64-bit integers; in two's complement the unsigned one gives
  /// the same bits.
  template <class T>
  static TESSERA_INLINE T atomic_add(T* address, T value) {
#if defined(TESSERA_DEVICE_PASS) || defined(TESSERA_EMULATED_GPU)
    if constexpr (std::is_same_v<T, std::int64_t>)
      return static_cast<T>(::atomicAdd(reinterpret_cast<unsigned long long*>(address),
                                        static_cast<unsigned long long>(value)));
    else
      return ::atomicAdd(address, value);
#else
    const T former = *address;
    *address += value;
    return former;
#endif
  }

  void* allocate(std::size_t bytes) {
    return gpu::allocate(ordinal_, bytes);
  }
  void release(void* pointer) noexcept {
    gpu::release(ordinal_, pointer);
  }
  void copy_to_device(void* target, const void* source, std::size_t bytes) {
    gpu::copy(ordinal_, stream_, target, source, bytes);
  }
  void copy_to_host(void* target, const void* source, std::size_t bytes) {
    gpu::copy_to_host(ordinal_, stream_, target, source, bytes);
  }
  void copy(void* target, const void* source, std::size_t bytes) {
    gpu::copy(ordinal_, stream_, target, source, bytes);
  }
  void fill(void* target, unsigned char byte, std::size_t bytes) {
    gpu::fill(ordinal_, stream_, target, byte, bytes);
  }
  void fence() {
    gpu::fence(ordinal_, stream_);
  }

  static std::string unavailable() {
    return gpu::unavailable();
  }
  static int device_count() {
    return gpu::device_count();
  }
  static int default_ordinal() {
    return 0;
  }
  static Stream default_stream(int ordinal) {
    return gpu::default_stream(ordinal);
  }
  static DeviceProperties properties(int ordinal) {
    return gpu::properties(ordinal);
  }
  static constexpr SpaceFunctions functions{.seconds_of = gpu::seconds_of,
                                            .async_host_copy = gpu::async_host_copy,
                                            .make_graph = gpu::make_graph,
                                            .transforms_unavailable = gpu::transforms_unavailable,
                                            .make_transform = gpu::make_transform,
                                            .reaches = gpu::reaches};

 private:
  [[nodiscard]] static int partial_blocks(std::int64_t n) {
    const std::int64_t wanted = blocks_for(n, detail::reduce_block);
    return static_cast<int>(std::clamp<std::int64_t>(wanted, 1, reduction_shape::most_groups));
  }

  int ordinal_;
  Stream stream_;
};

static_assert(ExecutionSpace<Space>);

}  // namespace tessera::gpu

#endif  // TESSERA_BACKENDS_GPU_EXECUTION_SPACE_HPP
