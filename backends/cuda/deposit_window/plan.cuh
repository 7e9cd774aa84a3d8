#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <tessera/backends/cuda/deposit_window/binned.cuh>
#include <tessera/backends/cuda/deposit_window/deposit.cuh>
#include <tessera/backends/cuda/deposit_window/plan.hpp>
#include <tessera/backends/cuda/deposit_window/sample.cuh>
#include <tessera/backends/cuda/execution/clear_grid.cuh>
#include <tessera/backends/cuda/execution/space.hpp>
#include <tessera/core/execution/buffer.hpp>
#include <tessera/core/execution/reduction.hpp>

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
class WindowPlan<P>::Work {
 public:
  using Storage = typename P::Storage;

  Work(const pic::ChargeDepositProblem& problem, const Context& context, const Policy& policy)
      : problem_(problem),
        policy_(policy),
        exact_(problem.determinism > Determinism::none),
        multiprocessors_(context.device->properties().compute_units),
        space_(space_of<Space>(context)),
        bins_(problem, policy, multiprocessors_, space_),
        sample_(space_),
        left_count_(space_, 1),
        left_(space_),
        counts_(space_),
        largest_(space_, exact_ && problem.weighted ? problem.particles : 0) {
    const CurrentDevice current(space_.ordinal());
    way_ = policy.way == Way::by_order ? Way::window : policy.way;
    if (policy.way == Way::bins) bins_.make();
    if (policy.way != Way::bins) left_.require(most_pieces());
    can_bin_ = !BinnedDeposit<Storage>::refuse(problem, policy, context.device->properties());
    if (exact_) counts_.require(problem.nodes[0] * problem.nodes[1] * problem.nodes[2]);
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
    space_.fill(args.outside.data, 0, sizeof(std::int64_t));
    if (!exact_ && args.mode == pic::DepositMode::overwrite) clear_grid(space_, args.density);
    if (exact_) counts_.zero(counts_.size());
    const Call<Storage> call = call_of(args, way_);
    if (way_ == Way::bins)
      bins_(call);
    else
      deposit_in_order(call);
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
    Call<Storage> call;
    call.args = args;
    call.axes = pic::grid_axes(args.grid, problem_.shape_order);
    call.particles = args.positions.extent(0);
    call.charge = pic::cell_charge(args);
    call.capacity = way == Way::bins
                        ? BinnedDeposit<Storage>::capacity_of(policy_.tile, problem_.shape_order)
                        : shape.nodes;
    call.rounds = shape.rounds;
    call.stage = stage_of(policy_);
    call.left = {left_count_.data(), left_.data()};
    View<std::int64_t, 3> counts;
    if (exact_) {
      counts = {counts_.data(), {problem_.nodes[0], problem_.nodes[1], problem_.nodes[2]}};
      call.unit = {pic::deposit_unit_exponent(call.particles)};
      if (problem_.weighted && call.particles > 0)
        call.unit.largest = largest_(
            "deposit weights", call.particles, std::uint32_t{0},
            pic::LargestWeight<Storage>{args.positions, args.weights, args.alive, call.axes},
            pic::JoinLargest{});
    } else if (way == Way::bins) {
      call.unit = {block_unit_exponent(policy_.piece, 1)};
    } else {
      call.unit = {
          block_unit_exponent(shape.particles(), way == Way::runs ? policy_.run_length : 1)};
    }
    call.counts = counts;
    const std::int64_t* const strides = exact_ ? call.counts.strides : args.density.strides;
    int* const by_stride = call.by_stride;
    for (int a = 0; a < 3; ++a)
      by_stride[a] = a;
    std::sort(by_stride, by_stride + 3, [&](int a, int b) { return strides[a] < strides[b]; });
    return call;
  }

  /// Calls `function` with the order of the shape and whether any order gives the same bits.
  template <class Function>
  void with_shape(const Function& function) const {
    pic::with_shape_order(problem_.shape_order, [&]<int Order>() {
      exact_ ? function.template operator()<Order, true>()
             : function.template operator()<Order, false>();
    });
  }
  /// Calls `use(kernel)` with that of a way and of the knobs.
  template <class Use>
  void with_kernel(Way way, const Use& use) const {
    PerThread::with(shape_of(way).per_thread, [&]<int Count>() {
      if (way == Way::runs)
        exact_ ? use(deposit_window::deposit_in_order<Storage, 1, true, Count, true>)
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
  bool exact_;
  int multiprocessors_;
  Way way_ = Way::window;
  bool can_bin_ = false;
  Space space_;
  BinnedDeposit<Storage> bins_;
  Buffer<Sample, Space> sample_;
  Buffer<unsigned, Space> left_count_;
  Buffer<unsigned, Space> left_;
  Buffer<std::int64_t, Space> counts_;  ///< for any_order
  Reduction<std::uint32_t, Space> largest_;
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
  constexpr std::int64_t most = std::int64_t{1} << 21;
  for (const std::int64_t nodes : problem.nodes)
    if (nodes >= most)
      return "takes less than 2^21 nodes in each direction, not " + std::to_string(nodes);
  if (problem.nodes[0] * problem.nodes[1] > std::int64_t{1} << 30)
    return "takes up to 2^30 rows of nodes, not " +
           std::to_string(problem.nodes[0] * problem.nodes[1]);
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
