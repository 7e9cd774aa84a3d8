#ifndef TESSERA_BACKENDS_GPU_BUNCH_STATISTICS_STREAM_READER_CUH
#define TESSERA_BACKENDS_GPU_BUNCH_STATISTICS_STREAM_READER_CUH

#include "backends/gpu/execution/rows_ahead.cuh"
#include "core/execution/reduction_shape.hpp"
#include "core/execution/row_reduction.hpp"
#include "core/memory/device.hpp"
#include "physics/pic/bunch_statistics/bunch_run.hpp"

#include <algorithm>
#include <cstdint>

/// \file
/// Reader of cuda.stream: prefetches the next particles while one is added to the sums.

namespace tessera::gpu::bunch_statistics_stream {

class StreamReader {
 public:
  /// Number of lanes, that is threads of the reduction: as many whole waves of resident blocks as
  /// the limit on the number of blocks (reduction_shape::most_groups) allows.
  [[nodiscard]] static std::int64_t lanes(const DeviceProperties& device, std::int64_t particles) {
    using Totals = pic::BunchTotals<
        reduction::SumTotals<double, reduction::slots_of(pic::coordinates_of_particle, true)>,
        pic::BunchRange>;
    constexpr std::int64_t most = reduction_shape::most_groups;
    const std::int64_t wave =
        std::int64_t{device.compute_units} * reduction_shape::resident_groups(sizeof(Totals));
    const std::int64_t blocks = std::min(std::max<std::int64_t>(most / wave, 1) * wave, most);
    return lanes_of_four(blocks * reduction_shape::threads, particles);
  }

  template <int Columns, class Storage, class Use>
  static __device__ __forceinline__ void for_each(const reduction::SumSource<Storage>& source,
                                                  std::int64_t first, std::int64_t step,
                                                  std::int64_t end, const Use& use) {
    using Rows = RowsAhead<Storage, Columns, sizeof(Storage) == 8 ? 2 : 3>;
    __shared__ __align__(16) unsigned char shared[Rows::shared_bytes(reduction_shape::threads)];
    typename Rows::Source columns{{}, {source.stride}, source.mask};
#pragma unroll
    for (int c = 0; c < Columns; ++c)
      columns.column[c] = source.column[c];
    Rows(columns, shared).for_each(first, step, end, use);
  }
};

}  // namespace tessera::gpu::bunch_statistics_stream

#endif  // TESSERA_BACKENDS_GPU_BUNCH_STATISTICS_STREAM_READER_CUH
