#pragma once

#include <cstdint>
#include <tessera/backends/cuda/execution/rows_ahead.cuh>
#include <tessera/core/execution/reduction_shape.hpp>
#include <tessera/pic/frame_change/frame_change_portable.hpp>

/// \file
/// The body of cuda.stream: a run of particles, those that come next on their way while one is
/// converted.

namespace tessera::cuda::frame_change_stream {

/// \tparam Ahead particles on their way.
template <class Storage, int Ahead>
struct ChangeFrameOfRun {
  pic::ChangeFrameOfParticle<Storage> particle;

  __device__ void operator()(std::int64_t first, std::int64_t step, std::int64_t end,
                             std::int64_t& impossible) const {
    using Rows = RowsAhead<Storage, 4, Ahead>;
    __shared__ alignas(16) unsigned char shared[Rows::shared_bytes(reduction_shape::threads)];
    const View<Storage, 2>& rows = particle.args.coordinates;
    const Storage* const x = rows.data;
    const std::int64_t column = rows.strides[1];
    const typename Rows::Source source{{x + column, x + 3 * column, x + 4 * column, x + 5 * column},
                                       {rows.strides[0]},
                                       particle.args.alive};
    Rows(source, shared)
        .for_each(first, step, end, [&](std::int64_t p, const Storage(&values)[4], bool lives) {
          particle.convert(p, values, lives, impossible);
        });
  }
};

}  // namespace tessera::cuda::frame_change_stream
