#pragma once

#include <cstdint>
#include <tessera/backends/cuda/execution/space.hpp>
#include <tessera/backends/cuda/frame_change_stream/change_frame.cuh>
#include <tessera/backends/cuda/frame_change_stream/plan.hpp>
#include <tessera/core/execution/row_reduction.hpp>

/// \file
/// The plan of cuda.stream, compiled once for each precision.

namespace tessera::cuda::frame_change_stream {

template <class P>
class StreamPlan<P>::Work {
 public:
  Work(const pic::FrameChangeProblem& problem, const Context& context, const Policy& policy)
      : particles_(problem.particles),
        policy_(policy),
        space_(space_of<Space>(context)),
        count_(space_, problem.particles, lanes_of_four(enough_lanes, problem.particles)) {}

  void execute(const Args& args) {
    Ahead::with(policy_.ahead, [&]<int Count>() {
      const ChangeFrameOfRun<typename P::Storage, Count> body{
          {args, pic::FrameNumbers(args.reference)}};
      count_("change frame", particles_, std::int64_t{0}, body, pic::JoinCounts{},
             pic::StoreCount{args.impossible});
    });
  }

 private:
  std::int64_t particles_;
  Policy policy_;
  Space space_;
  RowReduction<std::int64_t, Space> count_;
};

template <class P>
StreamPlan<P>::StreamPlan(const pic::FrameChangeProblem& problem, const Context& context,
                          const Policy& policy)
    : work_(std::make_unique<Work>(problem, context, policy)) {}

template <class P>
StreamPlan<P>::~StreamPlan() = default;

template <class P>
void StreamPlan<P>::execute(const Args& args) {
  work_->execute(args);
}

}  // namespace tessera::cuda::frame_change_stream
