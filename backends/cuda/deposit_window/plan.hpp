#ifndef TESSERA_BACKENDS_CUDA_DEPOSIT_WINDOW_PLAN_HPP
#define TESSERA_BACKENDS_CUDA_DEPOSIT_WINDOW_PLAN_HPP

#include "backends/cuda/deposit_window/parameters.hpp"
#include "physics/pic/charge_deposit/charge_deposit.hpp"

#include <memory>

/// \file
/// Declaration of the plan of cuda.window for host code.

namespace tessera::cuda::deposit_window {

template <class P>
class WindowPlan : public Plan<pic::ChargeDeposit, P> {
 public:
  using Parameters = deposit_window::Parameters;
  using Args = typename Plan<pic::ChargeDeposit, P>::Args;
  static constexpr Determinism determinism_on_request = Determinism::any_order;
  static constexpr int shape_orders = pic::most_shape_order;
  static constexpr bool passes_over_lost = true;

  WindowPlan(const pic::ChargeDepositProblem& problem, const Context& context,
             const Parameters& parameters);
  ~WindowPlan() override;

  static Refusal can_run(const pic::ChargeDepositProblem& problem, const Context& context,
                         const Parameters& parameters);

  /// Chooses the algorithm from a sample of the particles.
  void prepare(const Args& args) override;
  void execute(const Args& args) override;

 private:
  class Work;
  std::unique_ptr<Work> work_;
};

}  // namespace tessera::cuda::deposit_window

#endif  // TESSERA_BACKENDS_CUDA_DEPOSIT_WINDOW_PLAN_HPP
