#pragma once

#include <memory>
#include <tessera/backends/cuda/poisson_solve_planes/policy.hpp>
#include <tessera/pic/poisson_solve/poisson_solve.hpp>

/// \file
/// The plan of cuda.planes as host code sees it.

namespace tessera::cuda::poisson_solve_planes {

template <class P>
class PlanesPlan : public Plan<pic::PoissonSolve, P> {
 public:
  using Policy = poisson_solve_planes::Policy;
  using Args = typename Plan<pic::PoissonSolve, P>::Args;

  PlanesPlan(const pic::PoissonSolveProblem& problem, const Context& context, const Policy& policy);
  ~PlanesPlan() override;

  static Refusal can_run(const pic::PoissonSolveProblem& problem, const Context& context,
                         const Policy& policy);

  /// Transforms the Green function.
  void prepare(const Args& args) override;
  void execute(const Args& args) override;

 private:
  class Work;
  std::unique_ptr<Work> work_;
};

}  // namespace tessera::cuda::poisson_solve_planes
