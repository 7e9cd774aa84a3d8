#ifndef TESSERA_BACKENDS_CUDA_FRAME_CHANGE_STREAM_PLAN_CUH
#define TESSERA_BACKENDS_CUDA_FRAME_CHANGE_STREAM_PLAN_CUH

#include "backends/cuda/execution/launch.hpp"
#include "backends/cuda/execution/space.hpp"
#include "backends/cuda/frame_change_stream/change_frame.cuh"
#include "backends/cuda/frame_change_stream/plan.hpp"

#include <cstdint>

/// \file
/// The plan of cuda.stream, compiled once for each precision.

namespace tessera::cuda::frame_change_stream {

template <class P>
class StreamPlan<P>::Work {
 public:
  explicit Work(const Context& context) : space_(space_of<Space>(context)) {}

  void execute(const Args& args) {
    const CurrentDevice current(space_.ordinal());
    space_.fill(&args.impossible(0), 0, sizeof(std::int64_t));
    const std::int64_t particles = args.coordinates.extent(0);
    if (particles == 0) return;
    const pic::ChangeFrameOfParticle<typename P::Storage> body{args,
                                                               pic::FrameNumbers(args.reference)};
    launch("change frame", change_frame<typename P::Storage>, blocks_for(particles, threads),
           threads, 0, space_.stream())(body, particles, args.impossible.data);
  }

 private:
  Space space_;
};

template <class P>
StreamPlan<P>::StreamPlan(const pic::FrameChangeProblem&, const Context& context, const Parameters&)
    : work_(std::make_unique<Work>(context)) {}

template <class P>
StreamPlan<P>::~StreamPlan() = default;

template <class P>
void StreamPlan<P>::execute(const Args& args) {
  work_->execute(args);
}

}  // namespace tessera::cuda::frame_change_stream

#endif  // TESSERA_BACKENDS_CUDA_FRAME_CHANGE_STREAM_PLAN_CUH
