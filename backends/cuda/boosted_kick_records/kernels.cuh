#pragma once

#include <cstdint>
#include <tessera/backends/cuda/field_records/field_records.cuh>
#include <tessera/pic/boosted_kick/boosted_kick.hpp>
#include <tessera/pic/boosted_kick/boosted_momenta.hpp>

/// \file
/// The kernel of cuda.records.

namespace tessera::cuda::boosted_kick_records {

using field_records::Record;

template <class Real, int Order, int PerThread>
__global__ void __launch_bounds__(512)
    kick_particles(const pic::BoostedKickArgs<Real> args, const pic::GridAxes axes,
                   const View<const Record<Real>, 3> field,
                   const pic::BoostedMomenta<Real> boosted) {
  __shared__ unsigned shared[2];
  const field_records::BlockCount outside(shared[0]);
  const field_records::BlockCount impossible(shared[1]);
  __syncthreads();
  const std::int64_t first = std::int64_t{blockIdx.x} * blockDim.x * PerThread + threadIdx.x;
  const std::int64_t particles = args.coordinates.extents[0];
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
      place[u][a] = args.coordinates(p, 2 * a);
      momenta[u][a] = args.coordinates(p, 2 * a + 1);
    }
  }
  unsigned off_grid = 0;
  unsigned not_converted = 0;
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
    const Real kick[3] = {here.x, here.y, here.z};
    if (!boosted.kick(kick, momenta[u])) {
      ++not_converted;
      if (args.alive.given()) args.alive(p) = 0;
      continue;
    }
    for (int a = 0; a < 3; ++a)
      args.coordinates(p, 2 * a + 1) = momenta[u][a];
  }
  outside.add(off_grid);
  impossible.add(not_converted);
  __syncthreads();
  outside.store(args.outside.data);
  impossible.store(args.impossible.data);
}

}  // namespace tessera::cuda::boosted_kick_records
