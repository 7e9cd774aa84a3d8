#ifndef TESSERA_BACKENDS_CUDA_SUM_SINGLE_PASS_PLAN_HPP
#define TESSERA_BACKENDS_CUDA_SUM_SINGLE_PASS_PLAN_HPP

#include "backends/cuda/sum_single_pass/parameters.hpp"
#include "physics/reduction/sum/sum.hpp"

#include <memory>

/// \file
/// Declaration of the plan of cuda.single_pass for host code.

namespace tessera::cuda::sum_single_pass {

template <class P>
class SinglePassPlan : public Plan<reduction::Sum, P> {
 public:
  using Parameters = sum_single_pass::Parameters;
  using Args = typename Plan<reduction::Sum, P>::Args;
  static constexpr Determinism determinism_on_request = Determinism::any_order;

  SinglePassPlan(const reduction::SumProblem& problem, const Context& context,
                 const Parameters& parameters);
  ~SinglePassPlan() override;

  static Refusal can_run(const reduction::SumProblem& problem, const Context& context);

  void execute(const Args& args) override;

 private:
  class Work;
  std::unique_ptr<Work> work_;
};

}  // namespace tessera::cuda::sum_single_pass

#endif  // TESSERA_BACKENDS_CUDA_SUM_SINGLE_PASS_PLAN_HPP
