#ifndef TESSERA_BACKENDS_CUDA_DEPOSIT_TILED_PLAN_HPP
#define TESSERA_BACKENDS_CUDA_DEPOSIT_TILED_PLAN_HPP

#include "backends/cuda/deposit_tiled/parameters.hpp"
#include "physics/pic/charge_deposit/charge_deposit.hpp"

#include <cstdint>
#include <memory>

/// \file
/// Declaration of the plan of cuda.tiled for host code.

namespace tessera::cuda::deposit_tiled {

template <class P>
class TiledPlan : public Plan<pic::ChargeDeposit, P> {
 public:
  using Parameters = deposit_tiled::Parameters;
  using Args = typename Plan<pic::ChargeDeposit, P>::Args;
  static constexpr int shape_orders = 1;

  TiledPlan(const pic::ChargeDepositProblem& problem, const Context& context,
            const Parameters& parameters);
  ~TiledPlan() override;

  static Refusal can_run(const pic::ChargeDepositProblem& problem, const Context& context,
                         const Parameters& parameters);

  /// Chooses the algorithm from a sample of the particles, and allocates the memory that it needs.
  void prepare(const Args& args) override;
  void execute(const Args& args) override;

 private:
  class Work;
  std::unique_ptr<Work> work_;
};

}  // namespace tessera::cuda::deposit_tiled

#endif  // TESSERA_BACKENDS_CUDA_DEPOSIT_TILED_PLAN_HPP
