#pragma once

#include <tessera/backends/cuda/deposit_window/add.cuh>
#include <tessera/backends/cuda/deposit_window/block.cuh>
#include <tessera/backends/cuda/deposit_window/flush.cuh>
#include <tessera/backends/cuda/execution/launch.hpp>

/// \file
/// The deposit of particles in the order of memory: a block takes some that follow each other, adds
/// up their shares in a window of the grid in shared memory, and the window to the grid.

namespace tessera::cuda::deposit_window {

/// Particles of the window, one lane a particle. \param place of their first nodes; negative where
/// they are none of it.
template <class Storage, int Order, bool Exact, int PerThread>
__device__ void add_particles(const Call<Storage>& call, const pic::DepositUnit& unit,
                              const Window& window, const int (&place)[PerThread],
                              const double (&fraction)[PerThread][3], std::int64_t first,
                              const Sums& sums) {
  const Scale<Exact> scale(unit);
#pragma unroll
  for (int k = 0; k < PerThread; ++k)
    if (place[k] >= 0)
      add_shares<Order>(place[k], fraction[k],
                        scale(call.args.weights, first + threadIdx.x + k * blockDim.x), window,
                        scale.short_ones(), sums);
}

/// A block of particles in rows: each thread adds up those of its row that share a cell in
/// registers, and takes them to the window only when the cell changes.
template <class Storage, bool Exact, int PerThread>
__device__ void add_runs(const Call<Storage>& call, const pic::DepositUnit& unit,
                         const Window& window, const int (&place)[PerThread],
                         const double (&fraction)[PerThread][3], std::int64_t first,
                         const Sums& sums, unsigned char* memory) {
  const int threads = static_cast<int>(blockDim.x);
  const int thread = static_cast<int>(threadIdx.x);
  const Stage stage = call.stage;
  const int size = stage.size();
  auto* const x = reinterpret_cast<double*>(memory);
  double* const y = x + size;
  double* const z = y + size;
  double* const whole = z + size;  // where there are weights
  const bool weighted = call.args.weights.given();
  auto* const cell = reinterpret_cast<std::int32_t*>(whole + (weighted ? size : 0));
  const Scale<Exact> scale(unit);
#pragma unroll
  for (int k = 0; k < PerThread; ++k) {
    const int at = stage.place(thread + k * threads);
    cell[at] = place[k];
    x[at] = fraction[k][0];
    y[at] = fraction[k][1];
    z[at] = fraction[k][2];
    if (weighted)
      whole[at] = scale.value(call.args.weights, first + thread + k * threads, place[k] >= 0);
  }
  __syncthreads();
  if (thread >= stage.rows()) return;
  Run<Exact> run;
  int at = stage.first(thread);
#pragma unroll 1
  for (int k = 0; k < stage.length(); ++k, at += stage.width()) {
    if (cell[at] < 0) continue;
    if (cell[at] != run.place()) {
      run.flush(window, sums);
      run.start(cell[at]);
    }
    run.add(x[at], y[at], z[at], weighted ? whole[at] : scale.one(), scale.short_ones());
  }
  run.flush(window, sums);
}

/// Dynamic shared memory: two words for each element of a window; with Runs also the Stage, of four
/// or five arrays.
template <class Storage, int Order, bool Exact, int PerThread, bool Runs>
__global__ void __launch_bounds__(most_threads) deposit_in_order(const Call<Storage> call) {
  static_assert(!Runs || Order == 1);
  __shared__ Block<PerThread> block;
  const Sums sums = Sums::in(dynamic_shared(), call.capacity);
  const int together = static_cast<int>(blockDim.x) * PerThread;
  const bool own_unit = !Exact && call.args.weights.given();
  if (threadIdx.x == 0) block.start();
  sums.clear(call.capacity);
  __syncthreads();
#pragma unroll 1
  for (int round = 0; round < call.rounds; ++round) {
    const std::int64_t number = std::int64_t{blockIdx.x} * call.rounds + round;
    const std::int64_t first = number * together;
    if (first >= call.particles) break;
    // Once; or where the particles do not share one window once for each that they take, which
    // reads them anew and thus keeps no registers for what is rare.
    int end = 0;
#pragma unroll 1
    for (int begin = 0; begin < PerThread; begin = end) {
      Particles<PerThread> particles;
      const int outside = read_particles(call, first, particles);
      take_images(call, first, particles);
      if (begin == 0) {
        count_outside(call, outside);
        find_bounds(block, particles);
        if (own_unit) find_largest_weight(call, particles, first, block.largest);
        __syncthreads();
        find_window<Order>(call, block, particles, own_unit);
      } else {
        __syncthreads();
        if (threadIdx.x == 0) choose_window(call, block, begin, Order, own_unit);
        __syncthreads();
      }
      end = block.end;
      if (block.left) {
        if (threadIdx.x == 0)
          call.left.take(static_cast<unsigned>(number * PerThread) + begin, end - begin);
        continue;
      }
      const int slot = block.slot;
      if (block.flushes) {
        flush<Storage, Exact>(call, block.unit(call.unit, own_unit, 1 - slot),
                              block.window[1 - slot], sums, true);
        __syncthreads();
      }
      const Window& window = block.window[slot];
      const pic::DepositUnit unit = block.unit(call.unit, own_unit, slot);
      int place[PerThread];
#pragma unroll
      for (int k = 0; k < PerThread; ++k) {
        const bool taken = k >= begin && k < end && particles.lies_on_grid(k);
        place[k] = taken ? window.place(particles.low[k]) : -1;
        gpu::settle(place[k]);  // instead of the three that it is made of
      }
      if constexpr (Runs)
        add_runs<Storage, Exact>(call, unit, window, place, particles.fraction, first, sums,
                                 dynamic_shared() + Sums::bytes(call.capacity));
      else
        add_particles<Storage, Order, Exact>(call, unit, window, place, particles.fraction, first,
                                             sums);
    }
  }
  __syncthreads();
  flush<Storage, Exact>(call, block.unit(call.unit, own_unit, block.slot), block.window[block.slot],
                        sums, false);
}

/// What is left of the others, a block a piece at a time, straight to the grid.
template <class Storage, int Order, bool Exact>
__global__ void __launch_bounds__(most_threads) deposit_left(const Call<Storage> call) {
  const auto& args = call.args;
  const unsigned count = *call.left.count;
  for (unsigned n = blockIdx.x; n < count; n += gridDim.x) {
    const std::int64_t p = std::int64_t{call.left.pieces[n]} * blockDim.x + threadIdx.x;
    if (p >= call.particles || (args.alive.given() && args.alive(p) == 0)) continue;
    std::int32_t low[3];
    double fraction[3];
    if (!pic::locate_particle(call.axes, args.positions, p, low, fraction)) continue;
    add_to_grid<Order, Exact>(call, low, fraction, args.weights, p);
  }
}

}  // namespace tessera::cuda::deposit_window
