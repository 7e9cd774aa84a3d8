#ifndef TESSERA_BACKENDS_CUDA_POISSON_SOLVE_PLANES_PLAN_HPP
#define TESSERA_BACKENDS_CUDA_POISSON_SOLVE_PLANES_PLAN_HPP

#include "backends/cuda/poisson_solve_planes/parameters.hpp"
#include "physics/pic/poisson_solve/poisson_solve.hpp"

#include <memory>

/// \file
/// Declaration of the plan of cuda.planes for host code.

namespace tessera::cuda::poisson_solve_planes {

template <class P>
class PlanesPlan : public Plan<pic::PoissonSolve, P> {
 public:
  using Parameters = poisson_solve_planes::Parameters;
  using Args = typename Plan<pic::PoissonSolve, P>::Args;

  PlanesPlan(const pic::PoissonSolveProblem& problem, const Context& context,
             const Parameters& parameters);
  ~PlanesPlan() override;

  static Refusal can_run(const pic::PoissonSolveProblem& problem, const Context& context,
                         const Parameters& parameters);

  /// Transforms the Green function.
  void prepare(const Args& args) override;
  void execute(const Args& args) override;

 private:
  class Work;
  std::unique_ptr<Work> work_;
};

}  // namespace tessera::cuda::poisson_solve_planes

#endif  // TESSERA_BACKENDS_CUDA_POISSON_SOLVE_PLANES_PLAN_HPP
