#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <tessera/backends/cuda/deposit_window/binned.cuh>
#include <tessera/backends/cuda/deposit_window/calls.cuh>
#include <tessera/backends/cuda/deposit_window/deposit.cuh>
#include <tessera/backends/cuda/deposit_window/plan.hpp>
#include <tessera/backends/cuda/deposit_window/sample.cuh>
#include <tessera/backends/cuda/execution/space.hpp>
#include <tessera/core/execution/buffer.hpp>

/// \file
/// The plan of cuda.window, compiled once for each precision.

namespace tessera::cuda::deposit_window {

[[nodiscard]] constexpr int log2_of(int value) {
  return value <= 1 ? 0 : 1 + log2_of(value / 2);
}

/// Where the particles of a block wait that are added up in runs.
[[nodiscard]] inline Stage stage_of(const Policy& policy) {
  const int log2_length = log2_of(policy.run_length);
  return {log2_length, log2_of(policy.shape_of_runs().together()) - log2_length};
}

/// Bytes of dynamic shared memory that a block takes.
[[nodiscard]] inline std::size_t shared_bytes(const Policy& policy, Way way, bool weighted) {
  if (way != Way::runs) return Sums::bytes(policy.nodes);
  return Sums::bytes(policy.run_nodes) +
         static_cast<std::size_t>(stage_of(policy).size()) *
             ((weighted ? 4 : 3) * sizeof(double) + sizeof(std::int32_t));
}

/// Why blocks of a way do not run on a device.
[[nodiscard]] inline Refusal refuse_blocks(const Policy& policy, Way way, bool weighted,
                                           const DeviceProperties& device) {
  // What the threads of a block tell each other lies beside it.
  constexpr std::int64_t beside = 1024;
  const std::int64_t bytes =
      beside + static_cast<std::int64_t>(shared_bytes(policy, way, weighted));
  if (bytes <= device.scratch_bytes) return {};
  return std::string(way == Way::runs ? "run_threads, run_per_thread, run_length and run_nodes"
                                      : "nodes") +
         " take " + std::to_string(bytes) + " bytes of shared memory, the device has " +
         std::to_string(device.scratch_bytes);
}

template <class P>
class WindowPlan<P>::Work {
 public:
  using Storage = typename P::Storage;

  Work(const pic::ChargeDepositProblem& problem, const Context& context, const Policy& policy)
      : problem_(problem),
        policy_(policy),
        multiprocessors_(context.device->properties().compute_units),
        space_(space_of<Space>(context)),
        bins_(problem, policy, multiprocessors_, space_),
        sample_(space_),
        left_count_(space_, 1),
        left_(space_),
        calls_(problem, space_) {
    const CurrentDevice current(space_.ordinal());
    way_ = policy.way == Way::by_order ? Way::window : policy.way;
    if (policy.way == Way::bins) bins_.make();
    if (policy.way != Way::bins) left_.require(most_pieces());
    can_bin_ = !BinnedDeposit<Storage>::refuse(problem, policy, context.device->properties());
    if (policy.way == Way::by_order) sample_.require(1);
    for (const Way way : {Way::runs, Way::window})
      if (policy.way == way || policy.way == Way::by_order)
        with_kernel(
            way, [&](auto kernel) { allow_shared("deposit in order", kernel, shared_bytes(way)); });
  }

  void prepare(const Args& args) {
    const CurrentDevice current(space_.ordinal());
    if (policy_.way != Way::by_order) return;
    way_ = Way::window;
    const std::int64_t particles = args.positions.extent(0);
    if (particles == 0) return;
    const Looks looks = look(args);
    // A tile that gathers few particles costs more atomic additions than it saves.
    constexpr std::int64_t fewest = std::int64_t{1} << 18;
    const std::int64_t nodes = problem_.nodes[0] * problem_.nodes[1] * problem_.nodes[2];
    if (problem_.shape_order == 1 && looks.cells_in_a_warp <= policy_.longest_list) {
      way_ = Way::runs;
    } else if (can_bin_ && !looks.fit && particles >= std::max(fewest, nodes / 2)) {
      way_ = Way::bins;
      bins_.make();
    }
  }

  void execute(const Args& args) {
    const CurrentDevice current(space_.ordinal());
    calls_.clear(args);
    const Call<Storage> call = call_of(args, way_);
    if (way_ == Way::bins)
      bins_(call);
    else
      deposit_in_order(call);
    calls_.store(call);
  }

 private:
  /// What a sample of the particles looks like.
  struct Looks {
    int cells_in_a_warp;  ///< mean number of cells that the particles of a warp lie in
    bool fit;             ///< most blocks of way=window find one for what they read together
  };

  void deposit_in_order(const Call<Storage>& call) {
    left_count_.zero(1);
    with_kernel(way_, [&](auto kernel) {
      launch("deposit in order", kernel, blocks_for(call.particles, shape_of(way_).particles()),
             static_cast<unsigned>(shape_of(way_).threads), shared_bytes(way_),
             space_.stream())(call);
    });
    // As many blocks as run at a time; without pieces they leave at once.
    const auto blocks = std::min<std::int64_t>(2 * multiprocessors_,
                                               blocks_for(call.particles, shape_of(way_).threads));
    with_shape([&]<int Order, bool Exact>() {
      launch("deposit left", deposit_left<Storage, Order, Exact>, static_cast<unsigned>(blocks),
             static_cast<unsigned>(shape_of(way_).threads), 0, space_.stream())(call);
    });
  }

  [[nodiscard]] Shape shape_of(Way way) const {
    return way == Way::runs ? policy_.shape_of_runs() : policy_.shape();
  }
  [[nodiscard]] std::int64_t most_pieces() const {
    std::int64_t most = 0;
    for (const Way way : {Way::runs, Way::window})
      most = std::max<std::int64_t>(
          most, shape_of(way).per_thread *
                    std::int64_t{blocks_for(problem_.particles, shape_of(way).together())});
    return most;
  }
  [[nodiscard]] std::size_t shared_bytes(Way way) const {
    return deposit_window::shared_bytes(policy_, way, problem_.weighted);
  }

  [[nodiscard]] Call<Storage> call_of(const Args& args, Way way) {
    const Shape shape = shape_of(way);
    const bool binned = way == Way::bins;
    const std::int64_t of_block = std::min<std::int64_t>(binned ? policy_.piece : shape.particles(),
                                                         args.positions.extent(0));
    const int exponent = block_unit_exponent(of_block, way == Way::runs ? policy_.run_length : 1);
    Call<Storage> call =
        calls_.make(args, exponent,
                    binned ? BinnedDeposit<Storage>::capacity_of(policy_.tile, problem_.shape_order)
                           : shape.nodes);
    call.rounds = shape.rounds;
    call.stage = stage_of(policy_);
    call.left = {left_count_.data(), left_.data()};
    return call;
  }

  /// Calls `function` with the order of the shape and whether any order gives the same bits.
  template <class Function>
  void with_shape(const Function& function) const {
    pic::with_shape_order(problem_.shape_order, [&]<int Order>() {
      calls_.exact() ? function.template operator()<Order, true>()
                     : function.template operator()<Order, false>();
    });
  }
  /// Calls `use(kernel)` with that of a way and of the knobs.
  template <class Use>
  void with_kernel(Way way, const Use& use) const {
    PerThread::with(shape_of(way).per_thread, [&]<int Count>() {
      if (way == Way::runs)
        calls_.exact() ? use(deposit_window::deposit_in_order<Storage, 1, true, Count, true>)
                       : use(deposit_window::deposit_in_order<Storage, 1, false, Count, true>);
      else
        with_shape([&]<int Order, bool Exact>() {
          use(deposit_window::deposit_in_order<Storage, Order, Exact, Count, false>);
        });
    });
  }

  [[nodiscard]] Looks look(const Args& args) {
    constexpr std::int64_t most_blocks = 512;
    const Shape shape = policy_.shape();
    const Call<Storage> call = call_of(args, Way::window);
    const std::int64_t blocks =
        std::clamp<std::int64_t>(call.particles / shape.together(), 1, most_blocks);
    sample_.zero(1);
    PerThread::with(shape.per_thread, [&]<int Count>() {
      launch("deposit sample", sample_order<Storage, Count>, static_cast<unsigned>(blocks),
             static_cast<unsigned>(shape.threads), 0,
             space_.stream())(call, call.particles / blocks, problem_.shape_order, sample_.data());
    });
    const std::int64_t warps =
        blocks * shape.per_thread * gpu::warps_for(std::int64_t{shape.threads});
    const Sample sample = sample_.read();
    return {static_cast<int>((sample.cells + warps / 2) / warps), 2 * sample.fit >= blocks};
  }

  pic::ChargeDepositProblem problem_;
  Policy policy_;
  int multiprocessors_;
  Way way_ = Way::window;
  bool can_bin_ = false;
  Space space_;
  BinnedDeposit<Storage> bins_;
  Buffer<Sample, Space> sample_;
  Buffer<unsigned, Space> left_count_;
  Buffer<unsigned, Space> left_;
  Calls<Storage> calls_;
};

template <class P>
WindowPlan<P>::WindowPlan(const pic::ChargeDepositProblem& problem, const Context& context,
                          const Policy& policy)
    : work_(std::make_unique<Work>(problem, context, policy)) {}

template <class P>
WindowPlan<P>::~WindowPlan() = default;

template <class P>
Refusal WindowPlan<P>::can_run(const pic::ChargeDepositProblem& problem, const Context& context,
                               const Policy& policy) {
  if (Refusal refusal = refuse_grid(problem)) return refusal;
  if (policy.way == Way::runs && problem.shape_order != 1)
    return "way=runs takes particle shapes of order 1, not " + std::to_string(problem.shape_order) +
           "; take way=window";
  for (const Way way : {Way::runs, Way::window})
    if (policy.way == way || policy.way == Way::by_order)
      if (Refusal refusal =
              refuse_blocks(policy, way, problem.weighted, context.device->properties()))
        return refusal;
  if (policy.way == Way::bins)
    return BinnedDeposit<typename P::Storage>::refuse(problem, policy,
                                                      context.device->properties());
  return {};
}

template <class P>
void WindowPlan<P>::prepare(const Args& args) {
  work_->prepare(args);
}

template <class P>
void WindowPlan<P>::execute(const Args& args) {
  work_->execute(args);
}

}  // namespace tessera::cuda::deposit_window
