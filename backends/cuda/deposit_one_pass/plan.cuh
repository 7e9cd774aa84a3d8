#pragma once

#include <algorithm>
#include <string>
#include <tessera/backends/cuda/deposit_one_pass/deposit.cuh>
#include <tessera/backends/cuda/deposit_one_pass/plan.hpp>
#include <tessera/backends/cuda/deposit_window/calls.cuh>
#include <tessera/backends/cuda/execution/launch.hpp>
#include <tessera/backends/cuda/execution/space.hpp>

/// \file
/// The plan of cuda.one_pass, compiled once for each precision.

namespace tessera::cuda::deposit_one_pass {

template <class P>
class OnePassPlan<P>::Work {
 public:
  using Storage = typename P::Storage;

  Work(const pic::ChargeDepositProblem& problem, const Context& context, const Policy& policy)
      : problem_(problem),
        policy_(policy),
        space_(space_of<Space>(context)),
        calls_(problem, space_) {
    const CurrentDevice current(space_.ordinal());
    with_kernel([&](auto kernel) { allow_shared("deposit in one pass", kernel, shared_bytes()); });
  }

  void execute(const Args& args) {
    const CurrentDevice current(space_.ordinal());
    calls_.clear(args);
    const Call<Storage> call =
        calls_.make(args,
                    deposit_window::block_unit_exponent(
                        std::min<std::int64_t>(policy_.particles, args.positions.extent(0)), 1),
                    policy_.nodes);
    if (call.particles > 0)
      with_kernel([&](auto kernel) {
        launch("deposit in one pass", kernel, blocks_for(call.particles, policy_.particles),
               static_cast<unsigned>(policy_.threads), shared_bytes(), space_.stream())(
            call, steps_of(args), policy_.particles / (policy_.threads / gpu::warp_size),
            policy_.group);
      });
    calls_.store(call);
  }

 private:
  [[nodiscard]] std::size_t shared_bytes() const { return Sums::bytes(policy_.nodes); }

  [[nodiscard]] Steps steps_of(const Args& args) const {
    constexpr auto bytes = static_cast<std::int64_t>(sizeof(Storage));
    return {bytes * args.positions.strides[1], bytes * args.positions.strides[0] * gpu::warp_size,
            args.weights.given() ? bytes * args.weights.strides[0] * gpu::warp_size : 0,
            args.alive.given() ? args.alive.strides[0] * gpu::warp_size : 0};
  }

  /// Calls `use(kernel)` with that of the problem and of the knobs.
  template <class Use>
  void with_kernel(const Use& use) const {
    const bool* const periodic = problem_.periodic;
    pic::with_shape_order(problem_.shape_order, [&]<int Order>() {
      if (periodic[0] || periodic[1] || periodic[2])
        with_level<Order, true>(use);
      else
        with_level<Order, false>(use);
    });
  }

  template <int Order, bool Periodic, class Use>
  void with_level(const Use& use) const {
    Resident::with(policy_.resident, [&]<int Count>() {
      calls_.exact() ? use(one_pass<Storage, Order, true, Periodic, Count>)
                     : use(one_pass<Storage, Order, false, Periodic, Count>);
    });
  }

  pic::ChargeDepositProblem problem_;
  Policy policy_;
  Space space_;
  deposit_window::Calls<Storage> calls_;
};

template <class P>
OnePassPlan<P>::OnePassPlan(const pic::ChargeDepositProblem& problem, const Context& context,
                            const Policy& policy)
    : work_(std::make_unique<Work>(problem, context, policy)) {}

template <class P>
OnePassPlan<P>::~OnePassPlan() = default;

template <class P>
Refusal OnePassPlan<P>::can_run(const pic::ChargeDepositProblem& problem, const Context& context,
                                const Policy& policy) {
  if (Refusal refusal = deposit_window::refuse_grid(problem)) return refusal;
  const std::int64_t bytes =
      static_cast<std::int64_t>(sizeof(Block) + Sums::bytes(policy.nodes) + 1024);
  if (bytes > context.device->properties().scratch_bytes)
    return "nodes take " + std::to_string(bytes) + " bytes of shared memory, the device has " +
           std::to_string(context.device->properties().scratch_bytes);
  return {};
}

template <class P>
void OnePassPlan<P>::execute(const Args& args) {
  work_->execute(args);
}

}  // namespace tessera::cuda::deposit_one_pass
