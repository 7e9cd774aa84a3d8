#ifndef TESSERA_BACKENDS_CUDA_BOOSTED_KICK_RECORDS_PLAN_HPP
#define TESSERA_BACKENDS_CUDA_BOOSTED_KICK_RECORDS_PLAN_HPP

#include "backends/cuda/field_records/parameters.hpp"
#include "physics/pic/boosted_kick/boosted_kick.hpp"

#include <memory>

/// \file
/// Declaration of the plan of cuda.records for host code.

namespace tessera::cuda::boosted_kick_records {

template <class P>
class RecordsPlan : public Plan<pic::BoostedKick, P> {
 public:
  using Parameters = field_records::Parameters;
  using Args = typename Plan<pic::BoostedKick, P>::Args;
  static constexpr int shape_orders = pic::most_shape_order;

  RecordsPlan(const pic::BoostedKickProblem& problem, const Context& context,
              const Parameters& parameters);
  ~RecordsPlan() override;

  void execute(const Args& args) override;

 private:
  class Work;
  std::unique_ptr<Work> work_;
};

}  // namespace tessera::cuda::boosted_kick_records

#endif  // TESSERA_BACKENDS_CUDA_BOOSTED_KICK_RECORDS_PLAN_HPP
