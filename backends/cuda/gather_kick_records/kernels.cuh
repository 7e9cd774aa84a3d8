#pragma once

#include <cstdint>
#include <tessera/backends/cuda/field_records/field_records.cuh>
#include <tessera/pic/gather_kick/gather_kick.hpp>

/// \file
/// The kernel of cuda.records.

namespace tessera::cuda::gather_kick_records {

using field_records::Record;

template <class Real, int Order, int PerThread>
__global__ void __launch_bounds__(512)
    kick_particles(const pic::GatherKickArgs<Real> args, const pic::GridAxes axes,
                   const View<const Record<Real>, 3> field, const Real factor) {
  __shared__ unsigned shared;
  const field_records::BlockCount outside(shared);
  __syncthreads();
  const std::int64_t first = std::int64_t{blockIdx.x} * blockDim.x * PerThread + threadIdx.x;
  const std::int64_t particles = args.positions.extents[0];
  // All loads before the first is waited for.
  Real place[PerThread][3];
  Real momenta[PerThread][3];
  bool counts[PerThread];
#pragma unroll
  for (int u = 0; u < PerThread; ++u) {
    const std::int64_t p = first + std::int64_t{u} * blockDim.x;
    counts[u] = p < particles;
    if (!counts[u]) continue;
    if (args.alive.given()) counts[u] = args.alive(p) != 0;
    for (int a = 0; a < 3; ++a) {
      place[u][a] = args.positions(p, a);
      momenta[u][a] = args.momenta(p, a);
    }
  }
  unsigned off_grid = 0;
#pragma unroll
  for (int u = 0; u < PerThread; ++u) {
    if (!counts[u]) continue;
    const std::int64_t p = first + std::int64_t{u} * blockDim.x;
    std::int32_t low[3] = {0, 0, 0};
    double fraction[3] = {0, 0, 0};
    bool inside = true;
    for (int a = 0; a < 3; ++a)
      inside = inside && axes.axis[a].locate(static_cast<double>(place[u][a]), low[a], fraction[a]);
    if (!inside) {
      ++off_grid;
      continue;
    }
    const auto here =
        field_records::gather(pic::SharedParticle<Order, Real>(low, fraction), axes, field);
    args.momenta(p, 0) = momenta[u][0] + factor * here.x;
    args.momenta(p, 1) = momenta[u][1] + factor * here.y;
    args.momenta(p, 2) = momenta[u][2] + factor * here.z;
  }
  outside.add(off_grid);
  __syncthreads();
  outside.store(args.outside.data);
}

}  // namespace tessera::cuda::gather_kick_records
