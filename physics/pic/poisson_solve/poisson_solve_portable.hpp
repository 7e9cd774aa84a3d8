#ifndef TESSERA_PHYSICS_PIC_POISSON_SOLVE_POISSON_SOLVE_PORTABLE_HPP
#define TESSERA_PHYSICS_PIC_POISSON_SOLVE_POISSON_SOLVE_PORTABLE_HPP

#include "core/memory/transform.hpp"
#include "core/operations/portable_plan.hpp"
#include "physics/pic/poisson_solve/convolution_solver.hpp"
#include "physics/pic/poisson_solve/pipe_solver.hpp"
#include "physics/pic/poisson_solve/poisson_solve.hpp"

#include <memory>
#include <string>

/// \file
/// Portable body of pic/poisson_solve.

namespace tessera::pic {

template <class P, ExecutionSpace Space>
class PoissonSolvePortable : public PortablePlan<PoissonSolve, P, Space> {
 public:
  using Args = typename Plan<PoissonSolve, P>::Args;
  using Storage = typename P::Storage;
  /// FFTW and cuFFT return the same bits for the same input, on every backend and number of
  /// threads.
  static constexpr PlanTraits<PoissonSolve> traits{.determinism = Determinism::any_order};

  PoissonSolvePortable(const PoissonSolveProblem& problem, const Context& context,
                       const NoParameters& parameters)
      : PortablePlan<PoissonSolve, P, Space>(problem, context, parameters) {
    if (problem.boundary == PoissonBoundary::pipe)
      solver_ = std::make_unique<PipeSolver<Storage, Space>>(problem, context, this->space_);
    else
      solver_ = std::make_unique<ConvolutionSolver<Storage, Space>>(problem, context, this->space_);
  }

  static Refusal can_run(const PoissonSolveProblem&, const Context& context, const NoParameters&) {
    const std::string missing = context.opened().transforms().unavailable();
    return missing.empty() ? Refusal() : Refusal(missing);
  }

  void prepare(const Args& args) override { solver_->prepare(args); }
  void execute(const Args& args) override { solver_->execute(args); }

 private:
  std::unique_ptr<PoissonSolver<Storage>> solver_;
};

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_POISSON_SOLVE_POISSON_SOLVE_PORTABLE_HPP
