#ifndef TESSERA_BACKENDS_GPU_FRAME_CHANGE_STREAM_CHANGE_FRAME_CUH
#define TESSERA_BACKENDS_GPU_FRAME_CHANGE_STREAM_CHANGE_FRAME_CUH

#include "backends/gpu/execution/count_threads.cuh"
#include "physics/pic/frame_change/frame_change_portable.hpp"

#include <cstdint>

/// \file
/// The kernel of cuda.stream.

namespace tessera::gpu::frame_change_stream {

inline constexpr int threads = 256;

/// Changes the frame of all particles, one thread per particle, so that new blocks load particles
/// while other blocks compute.
/// \param impossible out: number of particles that cannot be converted; 0 before the launch.
template <class Storage>
__global__ void __launch_bounds__(threads)
    change_frame(const pic::ChangeFrameOfParticle<Storage> particle, std::int64_t particles,
                 std::int64_t* impossible) {
  const std::int64_t p = std::int64_t{blockIdx.x} * threads + threadIdx.x;
  std::int64_t found = 0;
  if (p < particles) {
    const auto& args = particle.args;
    // All loads are issued before any value is used.
    const Storage values[4] = {args.coordinates(p, 1), args.coordinates(p, 3),
                               args.coordinates(p, 4), args.coordinates(p, 5)};
    const bool lives = !args.alive.given() || args.alive(p) != 0;
    particle.convert(p, values, lives, found);
  }
  count_threads(found != 0, impossible);
}

}  // namespace tessera::gpu::frame_change_stream

#endif  // TESSERA_BACKENDS_GPU_FRAME_CHANGE_STREAM_CHANGE_FRAME_CUH
