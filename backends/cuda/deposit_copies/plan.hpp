#ifndef TESSERA_BACKENDS_CUDA_DEPOSIT_COPIES_PLAN_HPP
#define TESSERA_BACKENDS_CUDA_DEPOSIT_COPIES_PLAN_HPP

#include "backends/cuda/deposit_copies/parameters.hpp"
#include "physics/pic/charge_deposit/charge_deposit.hpp"

#include <memory>

/// \file
/// Declaration of the plan of cuda.copies for host code.

namespace tessera::cuda::deposit_copies {

template <class P>
class CopiesPlan : public Plan<pic::ChargeDeposit, P> {
 public:
  using Parameters = deposit_copies::Parameters;
  using Args = typename Plan<pic::ChargeDeposit, P>::Args;
  static constexpr int shape_orders = pic::most_shape_order;
  static constexpr bool passes_over_lost = true;

  CopiesPlan(const pic::ChargeDepositProblem& problem, const Context& context,
             const Parameters& parameters);
  ~CopiesPlan() override;

  static Refusal can_run(const pic::ChargeDepositProblem& problem, const Context& context,
                         const Parameters& parameters);

  void execute(const Args& args) override;

 private:
  class Work;
  std::unique_ptr<Work> work_;
};

}  // namespace tessera::cuda::deposit_copies

#endif  // TESSERA_BACKENDS_CUDA_DEPOSIT_COPIES_PLAN_HPP
