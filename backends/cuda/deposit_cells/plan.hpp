#ifndef TESSERA_BACKENDS_CUDA_DEPOSIT_CELLS_PLAN_HPP
#define TESSERA_BACKENDS_CUDA_DEPOSIT_CELLS_PLAN_HPP

#include "backends/cuda/deposit_cells/parameters.hpp"
#include "physics/pic/charge_deposit/charge_deposit.hpp"

#include <memory>

/// \file
/// Declaration of the plan of cuda.cells for host code.

namespace tessera::cuda::deposit_cells {

template <class P>
class CellsPlan : public Plan<pic::ChargeDeposit, P> {
 public:
  using Parameters = deposit_cells::Parameters;
  using Args = typename Plan<pic::ChargeDeposit, P>::Args;
  static constexpr int shape_orders = 1;
  static constexpr bool passes_over_lost = true;

  CellsPlan(const pic::ChargeDepositProblem& problem, const Context& context,
            const Parameters& parameters);
  ~CellsPlan() override;

  static Refusal can_run(const pic::ChargeDepositProblem& problem, const Context& context);

  void execute(const Args& args) override;

 private:
  class Work;
  std::unique_ptr<Work> work_;
};

}  // namespace tessera::cuda::deposit_cells

#endif  // TESSERA_BACKENDS_CUDA_DEPOSIT_CELLS_PLAN_HPP
