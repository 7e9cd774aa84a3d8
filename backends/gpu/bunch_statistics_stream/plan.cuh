#ifndef TESSERA_BACKENDS_GPU_BUNCH_STATISTICS_STREAM_PLAN_CUH
#define TESSERA_BACKENDS_GPU_BUNCH_STATISTICS_STREAM_PLAN_CUH

#include "backends/gpu/bunch_statistics_stream/reader.cuh"
#include "backends/gpu/execution/space.hpp"
#include "physics/pic/bunch_statistics/bunch_statistics_portable.hpp"

/// \file
/// The plan of cuda.stream.

namespace tessera::gpu::bunch_statistics_stream {

template <class P>
class StreamPlan : public pic::BunchStatisticsPortable<P, Space, StreamReader> {
 public:
  using pic::BunchStatisticsPortable<P, Space, StreamReader>::BunchStatisticsPortable;
  static constexpr PlanTraits<pic::BunchStatistics> traits{
      .determinism = Determinism::run_to_run,
      .description = "one pass, particles that come next on their way into shared memory"};
};

}  // namespace tessera::gpu::bunch_statistics_stream

#endif  // TESSERA_BACKENDS_GPU_BUNCH_STATISTICS_STREAM_PLAN_CUH
