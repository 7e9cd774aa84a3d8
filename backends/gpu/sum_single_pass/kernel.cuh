#ifndef TESSERA_BACKENDS_GPU_SUM_SINGLE_PASS_KERNEL_CUH
#define TESSERA_BACKENDS_GPU_SUM_SINGLE_PASS_KERNEL_CUH

#include "backends/gpu/execution/launch_bounds.cuh"
#include "backends/gpu/sum_single_pass/join.cuh"
#include "backends/gpu/sum_single_pass/passes.hpp"
#include "backends/gpu/sum_single_pass/rows.cuh"

#include <cstdint>

/// \file
/// The kernel of cuda.single_pass: each thread sums its rows, each block sums over its threads in
/// shared memory, and the last block to finish sums over the blocks, in the order of the blocks.

namespace tessera::gpu::sum_single_pass {

inline constexpr int block_warps = block_threads / gpu::warp_size;

/// Shared memory of a block: sums of its warps, which the first threads of the block join.
template <class Total, int Slots>
struct BlockSums {
  static constexpr int width = power_of_two_from(Slots);
  /// Number of blocks whose sums the last block reads in parallel.
  static constexpr int groups = block_threads / width;

  Total part[groups > block_warps ? groups : block_warps][width];
  std::uint32_t largest[block_warps][magnitudes];
  Total total[width];
  std::uint32_t most[magnitudes];
  bool last;
};

template <class How, int Slots>
using TotalOf = std::remove_cvref_t<decltype(typename How::template Totals<Slots>{}.value[0])>;

/// Row `r` of a unit.
template <class Number, int Columns, int Rows>
[[nodiscard]] __device__ __forceinline__ SumBatch<Number, Columns, 1> row_of(
    const SumBatch<Number, Columns, Rows>& unit, int r) {
  SumBatch<Number, Columns, 1> row;
#pragma unroll
  for (int c = 0; c < Columns; ++c)
    row.value[c][0] = unit.value[c][r];
  row.weight[0] = unit.weight[r];
  row.in[0] = unit.in[r];
  return row;
}

/// Sums the rows of the calling thread. The rows of a unit (rows.cuh) are added to one set of sums,
/// one after the other, because the registers of several sets would cost more time than they save.
/// Plain sums in fixed point subtract no origin, because they need the registers that it would
/// take.
template <class How, class Rows, int Columns, bool Products, bool Plain, int Ahead, class Storage>
__device__ __forceinline__ auto sums_of_thread(const Pass<How, Storage>& pass) {
  using Running = typename How::template Sums<Columns, Products, 1>;
  using Unit = SumBatch<typename How::Number, Columns, Rows::rows>;
  const SumSource<Storage>& source = pass.source;
  constexpr bool has_origin = !(is_fixed<How> && Plain);
  auto running = pass.how.template start<Running>();
  const SumOrigin<typename How::Number, Columns> origin(source);
  const std::int64_t units = source.rows / Rows::rows;
  const std::int64_t threads = std::int64_t{gridDim.x} * block_threads;
  const std::int64_t thread = std::int64_t{blockIdx.x} * block_threads + threadIdx.x;
  std::int64_t rows = 0;
  const auto add = [&](Unit& unit) {
    if constexpr (has_origin) unit.template subtract_origin<Plain>(origin);
#pragma unroll
    for (int r = 0; r < Rows::rows; ++r)
      running.template add<Plain>(row_of(unit, r));
    rows += Rows::rows;
  };
  std::int64_t at = thread;
  if constexpr (Ahead == 1 && (Plain || Rows::rows == 1)) {
    // The sums occupy most registers, so only one unit is loaded ahead of the one being added.
    if (at < units) {
      Unit unit;
      Rows::template load<Plain>(unit, source, at);
      for (at += threads; at < units; at += threads) {
        Unit next;
        Rows::template load<Plain>(next, source, at);
        add(unit);
        unit = next;
      }
      add(unit);
    }
  } else {
    for (; at + (Ahead - 1) * threads < units; at += Ahead * threads) {
      Unit unit[Ahead];
#pragma unroll
      for (int a = 0; a < Ahead; ++a)
        Rows::template load<Plain>(unit[a], source, at + a * threads);
#pragma unroll
      for (int a = 0; a < Ahead; ++a)
        add(unit[a]);
    }
    for (; at < units; at += threads) {
      Unit unit;
      Rows::template load<Plain>(unit, source, at);
      add(unit);
    }
  }
  if constexpr (Rows::rows > 1) {
    const std::int64_t left = units * Rows::rows + thread;
    if (left < source.rows) {
      SumBatch<typename How::Number, Columns, 1> row;
      row.load_values(source, left, 1);
      row.template load_weights<Plain>(source, left, 1);
      if constexpr (has_origin) row.template subtract_origin<Plain>(origin);
      running.template add<Plain>(row);
      ++rows;
    }
  }
  typename How::template Totals<Running::slots> totals;
  running.template finish<Plain>(rows, totals);
  return totals;
}

template <class How, class Rows, int Columns, bool Products, bool Plain, int Ahead, int MinBlocks,
          class Storage>
__global__ void TESSERA_RESIDENT(block_threads, MinBlocks) sum_rows(const Pass<How, Storage> pass) {
  if (pass.how.skips()) return;
  constexpr int slots = reduction::slots_of(Columns, Products);
  using Total = TotalOf<How, slots>;
  using Shared = BlockSums<Total, slots>;
  __shared__ __align__(alignof(Shared)) unsigned char bytes[sizeof(Shared)];
  Shared& shared = *reinterpret_cast<Shared*>(bytes);
  const int thread = static_cast<int>(threadIdx.x);
  const int blocks = static_cast<int>(gridDim.x);
  Total* const partials = static_cast<Total*>(pass.grid.partials);

  {
    const auto totals = sums_of_thread<How, Rows, Columns, Products, Plain, Ahead>(pass);
    const Total sum = warp_sum(totals.value);
    if (gpu::lane() < Shared::width) shared.part[gpu::warp()][gpu::lane()] = sum;
    if constexpr (is_fixed<How>)
#pragma unroll
      for (int c = 0; c < magnitudes; ++c) {
        if (c >= Columns && c < reduction::most_columns) continue;
        const std::uint32_t most = warp_max(totals.largest[c]);
        if (gpu::lane() == 0) shared.largest[gpu::warp()][c] = most;
      }
  }
  __syncthreads();
  if (thread < slots) {
    Total sum = shared.part[0][thread];
    for (int w = 1; w < block_warps; ++w)
      sum += shared.part[w][thread];
    partials[static_cast<std::int64_t>(blockIdx.x) * slots + thread] = sum;
    __threadfence();
  }
  if constexpr (is_fixed<How>)
    if (thread < magnitudes) {
      std::uint32_t most = 0;
      if (thread < Columns || thread == reduction::most_columns)
        for (int w = 0; w < block_warps; ++w)
          most = most < shared.largest[w][thread] ? shared.largest[w][thread] : most;
      pass.grid.largest[static_cast<int>(blockIdx.x) * magnitudes + thread] = most;
      __threadfence();
    }
  __syncthreads();
  if (thread < magnitudes) shared.most[thread] = 0;
  if (thread == 0) shared.last = atomicAdd(pass.grid.arrived, 1u) == gridDim.x - 1;
  __syncthreads();
  if (!shared.last) return;
  __threadfence();

  {
    const int slot = thread % Shared::width;
    const int group = thread / Shared::width;
    Total sum{};
    if (slot < slots)
      for (int b = group; b < blocks; b += Shared::groups)
        sum += partials[static_cast<std::int64_t>(b) * slots + slot];
    shared.part[group][slot] = sum;
  }
  if constexpr (is_fixed<How>)
    for (int i = thread; i < blocks * magnitudes; i += block_threads)
      atomicMax(&shared.most[i % magnitudes], pass.grid.largest[i]);
  __syncthreads();
  if (thread < slots) {
    Total sum = shared.part[0][thread];
    for (int g = 1; g < Shared::groups; ++g)
      sum += shared.part[g][thread];
    shared.total[thread] = sum;
  }
  if (thread == 0) {
    atomicExch(pass.grid.arrived, 0u);
    if constexpr (is_fixed<How>)
      if (!pass.how.second) reduction::finish_scales(shared.most, Columns, *pass.how.state);
  }
  __syncthreads();
  if constexpr (is_fixed<How>)
    if (!pass.how.second && pass.how.state->again != 0) return;
  for (int t = thread; t < pass.group.terms; t += block_threads)
    pass.how.store(pass.group, t, shared.total[reduction::slot_of(Columns, pass.group.local[t])],
                   pass.result, pass.overflow);
}

}  // namespace tessera::gpu::sum_single_pass

#endif  // TESSERA_BACKENDS_GPU_SUM_SINGLE_PASS_KERNEL_CUH
