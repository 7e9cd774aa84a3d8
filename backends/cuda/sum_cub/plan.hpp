#ifndef TESSERA_BACKENDS_CUDA_SUM_CUB_PLAN_HPP
#define TESSERA_BACKENDS_CUDA_SUM_CUB_PLAN_HPP

#include "core/operations/operation.hpp"
#include "physics/reduction/sum/sum.hpp"

#include <memory>

/// \file
/// Declaration of the plan of cuda.cub for host code.

namespace tessera::cuda::sum_cub {

template <class P>
class CubPlan : public Plan<reduction::Sum, P> {
 public:
  using Parameters = NoParameters;
  using Args = typename Plan<reduction::Sum, P>::Args;

  CubPlan(const reduction::SumProblem& problem, const Context& context, const Parameters&);
  ~CubPlan() override;

  static Refusal can_run(const reduction::SumProblem& problem, const Context& context);

  void execute(const Args& args) override;

  class Work;  // not private: types of kernels are named through it

 private:
  std::unique_ptr<Work> work_;
};

}  // namespace tessera::cuda::sum_cub

#endif  // TESSERA_BACKENDS_CUDA_SUM_CUB_PLAN_HPP
