#pragma once

#include <algorithm>
#include <string>
#include <tessera/backends/cuda/deposit_one_pass/deposit.cuh>
#include <tessera/backends/cuda/deposit_one_pass/plan.hpp>
#include <tessera/backends/cuda/execution/clear_grid.cuh>
#include <tessera/backends/cuda/execution/launch.hpp>
#include <tessera/backends/cuda/execution/space.hpp>
#include <tessera/core/execution/buffer.hpp>
#include <tessera/core/execution/reduction.hpp>

/// \file
/// The plan of cuda.one_pass, compiled once for each precision.

namespace tessera::cuda::deposit_one_pass {

/// The integers of a row of nodes to charges.
inline constexpr int store_threads = 128;
template <class Storage>
__global__ void __launch_bounds__(store_threads)
    store_rows(const pic::StoreCharge<Storage> store, unsigned rows_of_plane) {
  const std::int64_t i = blockIdx.x / rows_of_plane;
  const std::int64_t j = blockIdx.x % rows_of_plane;
  for (std::int64_t k = threadIdx.x; k < store.counts.extents[2]; k += store_threads)
    store(i, j, k);
}

template <class P>
class OnePassPlan<P>::Work {
 public:
  using Storage = typename P::Storage;

  Work(const pic::ChargeDepositProblem& problem, const Context& context, const Policy& policy)
      : problem_(problem),
        policy_(policy),
        exact_(problem.determinism > Determinism::none),
        space_(space_of<Space>(context)),
        counts_(space_),
        largest_(space_, exact_ && problem.weighted ? problem.particles : 0) {
    const CurrentDevice current(space_.ordinal());
    if (exact_) counts_.require(problem.nodes[0] * problem.nodes[1] * problem.nodes[2]);
    with_kernel([&](auto kernel) { allow_shared("deposit in one pass", kernel, shared_bytes()); });
  }

  void execute(const Args& args) {
    const CurrentDevice current(space_.ordinal());
    space_.fill(args.outside.data, 0, sizeof(std::int64_t));
    if (!exact_ && args.mode == pic::DepositMode::overwrite) clear_grid(space_, args.density);
    if (exact_) counts_.zero(counts_.size());
    const Call<Storage> call = call_of(args);
    if (call.particles > 0)
      with_kernel([&](auto kernel) {
        launch("deposit in one pass", kernel, blocks_for(call.particles, policy_.particles),
               static_cast<unsigned>(policy_.threads), shared_bytes(), space_.stream())(
            call, policy_.particles / (policy_.threads / gpu::warp_size), policy_.group);
      });
    if (!exact_) return;
    const auto rows = static_cast<unsigned>(problem_.nodes[1]);
    launch("deposit store", store_rows<Storage>, static_cast<unsigned>(problem_.nodes[0]) * rows,
           store_threads, 0,
           space_.stream())(pic::StoreCharge<Storage>{args.density, call.counts, call.unit,
                                                      static_cast<double>(call.charge),
                                                      args.mode == pic::DepositMode::add},
                            rows);
  }

 private:
  [[nodiscard]] std::size_t shared_bytes() const { return Sums::bytes(policy_.nodes); }

  [[nodiscard]] Call<Storage> call_of(const Args& args) {
    Call<Storage> call;
    call.args = args;
    call.axes = pic::grid_axes(args.grid, problem_.shape_order);
    call.particles = args.positions.extent(0);
    call.charge = pic::cell_charge(args);
    call.capacity = policy_.nodes;
    if (exact_) {
      call.counts = {counts_.data(), {problem_.nodes[0], problem_.nodes[1], problem_.nodes[2]}};
      call.unit = {pic::deposit_unit_exponent(call.particles)};
      if (problem_.weighted && call.particles > 0)
        call.unit.largest = largest_(
            "deposit weights", call.particles, std::uint32_t{0},
            pic::LargestWeight<Storage>{args.positions, args.weights, args.alive, call.axes},
            pic::JoinLargest{});
    } else {
      call.unit = {deposit_window::block_unit_exponent(policy_.particles, gpu::warp_size)};
    }
    const std::int64_t* const strides = exact_ ? call.counts.strides : args.density.strides;
    int* const by_stride = call.by_stride;
    for (int a = 0; a < 3; ++a)
      by_stride[a] = a;
    std::sort(by_stride, by_stride + 3, [&](int a, int b) { return strides[a] < strides[b]; });
    return call;
  }

  /// Calls `use(kernel)` with that of the problem and of the knobs.
  template <class Use>
  void with_kernel(const Use& use) const {
    Ahead::with(policy_.ahead, [&]<int Count>() {
      pic::with_shape_order(problem_.shape_order, [&]<int Order>() {
        exact_ ? use(one_pass<Storage, Order, true, Count>)
               : use(one_pass<Storage, Order, false, Count>);
      });
    });
  }

  pic::ChargeDepositProblem problem_;
  Policy policy_;
  bool exact_;
  Space space_;
  Buffer<std::int64_t, Space> counts_;  ///< for any_order
  Reduction<std::uint32_t, Space> largest_;
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
  constexpr std::int64_t most = std::int64_t{1} << 21;
  for (const std::int64_t nodes : problem.nodes)
    if (nodes >= most)
      return "takes less than 2^21 nodes in each direction, not " + std::to_string(nodes);
  if (problem.nodes[0] * problem.nodes[1] > std::int64_t{1} << 30)
    return "takes up to 2^30 rows of nodes, not " +
           std::to_string(problem.nodes[0] * problem.nodes[1]);
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
