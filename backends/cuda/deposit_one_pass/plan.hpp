#pragma once

#include <memory>
#include <tessera/backends/cuda/deposit_one_pass/policy.hpp>
#include <tessera/pic/charge_deposit/charge_deposit.hpp>

/// \file
/// The plan of cuda.one_pass as host code sees it.

namespace tessera::cuda::deposit_one_pass {

template <class P>
class OnePassPlan : public Plan<pic::ChargeDeposit, P> {
 public:
  using Policy = deposit_one_pass::Policy;
  using Args = typename Plan<pic::ChargeDeposit, P>::Args;
  static constexpr Determinism determinism_on_request = Determinism::any_order;
  static constexpr int shape_orders = pic::most_shape_order;
  static constexpr bool passes_over_lost = true;

  OnePassPlan(const pic::ChargeDepositProblem& problem, const Context& context,
              const Policy& policy);
  ~OnePassPlan() override;

  static Refusal can_run(const pic::ChargeDepositProblem& problem, const Context& context,
                         const Policy& policy);

  void execute(const Args& args) override;

 private:
  class Work;
  std::unique_ptr<Work> work_;
};

}  // namespace tessera::cuda::deposit_one_pass
