#ifndef TESSERA_BACKENDS_CUDA_BUNCH_STATISTICS_STREAM_PLAN_HPP
#define TESSERA_BACKENDS_CUDA_BUNCH_STATISTICS_STREAM_PLAN_HPP

#include "physics/pic/bunch_statistics/bunch_statistics.hpp"

#include <memory>

/// \file
/// Declaration of the plan of cuda.stream for host code.

namespace tessera::cuda::bunch_statistics_stream {

template <class P>
class StreamPlan : public Plan<pic::BunchStatistics, P> {
 public:
  using Parameters = NoParameters;
  using Problem = pic::BunchStatisticsProblem;
  using Args = typename Plan<pic::BunchStatistics, P>::Args;

  static Refusal can_run(const Problem& problem, const Context& context);

  StreamPlan(const Problem& problem, const Context& context, const Parameters& parameters);
  ~StreamPlan() override;

  void execute(const Args& args) override;

 private:
  class Work;
  std::unique_ptr<Work> work_;
};

}  // namespace tessera::cuda::bunch_statistics_stream

#endif  // TESSERA_BACKENDS_CUDA_BUNCH_STATISTICS_STREAM_PLAN_HPP
