#ifndef TESSERA_BACKENDS_GPU_FRAME_CHANGE_STREAM_PLAN_CUH
#define TESSERA_BACKENDS_GPU_FRAME_CHANGE_STREAM_PLAN_CUH

#include "backends/gpu/execution/launch.hpp"
#include "backends/gpu/execution/space.hpp"
#include "backends/gpu/frame_change_stream/change_frame.cuh"
#include "physics/pic/frame_change/frame_change.hpp"

#include <cstdint>

/// \file
/// The plan of cuda.stream.

namespace tessera::gpu::frame_change_stream {

template <class P>
class StreamPlan : public Plan<pic::FrameChange, P> {
 public:
  using Parameters = NoParameters;
  using Args = typename Plan<pic::FrameChange, P>::Args;
  static constexpr PlanTraits<pic::FrameChange> traits{
      .determinism = Determinism::any_order,
      .description = "a thread a particle, in blocks of their own"};

  static Refusal can_run(const pic::FrameChangeProblem&, const Context&, const Parameters&) {
    return {};
  }

  StreamPlan(const pic::FrameChangeProblem&, const Context& context, const Parameters&)
      : space_(space_of<Space>(context)) {}

  void execute(const Args& args) override {
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

}  // namespace tessera::gpu::frame_change_stream

#endif  // TESSERA_BACKENDS_GPU_FRAME_CHANGE_STREAM_PLAN_CUH
