#pragma once

#include <memory>
#include <tessera/backends/cuda/sum_single_pass/policy.hpp>
#include <tessera/reduction/sum/sum.hpp>

/// \file
/// The plan of cuda.single_pass as host code sees it.

namespace tessera::cuda::sum_single_pass {

template <class P>
class SinglePassPlan : public Plan<reduction::Sum, P> {
 public:
  using Policy = sum_single_pass::Policy;
  using Args = typename Plan<reduction::Sum, P>::Args;
  static constexpr Determinism determinism_on_request = Determinism::any_order;

  SinglePassPlan(const reduction::SumProblem& problem, const Context& context,
                 const Policy& policy);
  ~SinglePassPlan() override;

  static Refusal can_run(const reduction::SumProblem& problem, const Context& context);

  void execute(const Args& args) override;

 private:
  class Work;
  std::unique_ptr<Work> work_;
};

}  // namespace tessera::cuda::sum_single_pass
