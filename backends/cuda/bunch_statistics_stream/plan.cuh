#ifndef TESSERA_BACKENDS_CUDA_BUNCH_STATISTICS_STREAM_PLAN_CUH
#define TESSERA_BACKENDS_CUDA_BUNCH_STATISTICS_STREAM_PLAN_CUH

#include "backends/cuda/bunch_statistics_stream/plan.hpp"
#include "backends/cuda/bunch_statistics_stream/reader.cuh"
#include "backends/cuda/execution/space.hpp"
#include "physics/pic/bunch_statistics/bunch_statistics_portable.hpp"

/// \file
/// The plan of cuda.stream, compiled once for each precision.

namespace tessera::cuda::bunch_statistics_stream {

template <class P>
class StreamPlan<P>::Work : public pic::BunchStatisticsPortable<P, Space, StreamReader> {
 public:
  using pic::BunchStatisticsPortable<P, Space, StreamReader>::BunchStatisticsPortable;
};

template <class P>
Refusal StreamPlan<P>::can_run(const Problem& problem, const Context& context) {
  return Work::can_run(problem, context);
}

template <class P>
StreamPlan<P>::StreamPlan(const Problem& problem, const Context& context,
                          const Parameters& parameters)
    : work_(std::make_unique<Work>(problem, context, parameters)) {}

template <class P>
StreamPlan<P>::~StreamPlan() = default;

template <class P>
void StreamPlan<P>::execute(const Args& args) {
  work_->execute(args);
}

}  // namespace tessera::cuda::bunch_statistics_stream

#endif  // TESSERA_BACKENDS_CUDA_BUNCH_STATISTICS_STREAM_PLAN_CUH
