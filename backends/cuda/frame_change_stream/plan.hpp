#ifndef TESSERA_BACKENDS_CUDA_FRAME_CHANGE_STREAM_PLAN_HPP
#define TESSERA_BACKENDS_CUDA_FRAME_CHANGE_STREAM_PLAN_HPP

#include "physics/pic/frame_change/frame_change.hpp"

#include <memory>

/// \file
/// Declaration of the plan of cuda.stream for host code.

namespace tessera::cuda::frame_change_stream {

template <class P>
class StreamPlan : public Plan<pic::FrameChange, P> {
 public:
  using Parameters = NoParameters;
  using Args = typename Plan<pic::FrameChange, P>::Args;

  StreamPlan(const pic::FrameChangeProblem& problem, const Context& context,
             const Parameters& parameters);
  ~StreamPlan() override;

  void execute(const Args& args) override;

 private:
  class Work;
  std::unique_ptr<Work> work_;
};

}  // namespace tessera::cuda::frame_change_stream

#endif  // TESSERA_BACKENDS_CUDA_FRAME_CHANGE_STREAM_PLAN_HPP
