#ifndef TESSERA_BACKENDS_GPU_DEPOSIT_WINDOW_PLAN_CUH
#define TESSERA_BACKENDS_GPU_DEPOSIT_WINDOW_PLAN_CUH

#include "backends/gpu/deposit_window/binned.cuh"
#include "backends/gpu/deposit_window/calls.cuh"
#include "backends/gpu/deposit_window/deposit.cuh"
#include "backends/gpu/deposit_window/parameters.hpp"
#include "backends/gpu/deposit_window/sample.cuh"
#include "backends/gpu/execution/space.hpp"
#include "core/execution/buffer.hpp"
#include "physics/pic/charge_deposit/charge_deposit.hpp"

#include <algorithm>
#include <cstdint>
#include <string>

/// \file
/// The plan of cuda.window.

namespace tessera::gpu::deposit_window {

/// Reason why the blocks of algorithm=window do not fit into the shared memory of a device; none if
/// they do.
[[nodiscard]] inline Refusal refuse_blocks(const Parameters& parameters,
                                           const DeviceProperties& device) {
  // Besides the sums, shared memory holds the variables of a block, and 1 KiB is kept for other
  // static shared memory.
  const auto bytes =
      static_cast<std::int64_t>(sizeof(Block) + 1024 + Sums::bytes(parameters.nodes));
  if (bytes <= device.scratch_bytes) return {};
  return "nodes take " + std::to_string(bytes) + " bytes of shared memory, the device has " +
         std::to_string(device.scratch_bytes);
}

template <class P>
class WindowPlan : public Plan<pic::ChargeDeposit, P> {
 public:
  using Parameters = deposit_window::Parameters;
  using Args = typename Plan<pic::ChargeDeposit, P>::Args;
  using Storage = typename P::Storage;

  static constexpr PlanTraits<pic::ChargeDeposit> traits{
      .determinism = Determinism::none,
      .determinism_on_request = Determinism::any_order,
      .description =
          "sums in fixed point over windows of the grid in shared memory, or over tiles after "
          "binning",
      .features = {.shape_orders = pic::most_shape_order, .passes_over_lost = true}};

  static Refusal can_run(const pic::ChargeDepositProblem& problem, const Context& context,
                         const Parameters& parameters) {
    if (Refusal refusal = refuse_grid(problem)) return refusal;
    if (parameters.algorithm == Algorithm::by_order || parameters.algorithm == Algorithm::window)
      if (Refusal refusal = refuse_blocks(parameters, context.device->properties())) return refusal;
    if (parameters.algorithm == Algorithm::bins)
      return BinnedDeposit<typename P::Storage>::refuse(problem, parameters,
                                                        context.device->properties());
    return {};
  }

  WindowPlan(const pic::ChargeDepositProblem& problem, const Context& context,
             const Parameters& parameters)
      : problem_(problem),
        parameters_(parameters),
        multiprocessors_(context.device->properties().compute_units),
        space_(space_of<Space>(context)),
        bins_(problem, parameters, multiprocessors_, space_),
        fit_(space_),
        calls_(problem, space_) {
    const CurrentDevice current(space_.ordinal());
    algorithm_ =
        parameters.algorithm == Algorithm::by_order ? Algorithm::window : parameters.algorithm;
    can_bin_ = !BinnedDeposit<Storage>::refuse(problem, parameters, context.device->properties());
    if (parameters.algorithm == Algorithm::by_order) fit_.require(1);
    if (parameters.algorithm == Algorithm::bins) bins_.make();
    if (parameters.algorithm == Algorithm::by_order || parameters.algorithm == Algorithm::window)
      with_problem([&]<int Order, bool Exact, bool Periodic>() {
        for (const bool rounded : {false, true})
          allow_shared("deposit in order", in_order<Order, Exact, Periodic>(rounded),
                       Sums::bytes(parameters_.nodes));
      });
  }

  void prepare(const Args& args) override {
    const CurrentDevice current(space_.ordinal());
    if (parameters_.algorithm != Algorithm::by_order) return;
    // With few particles per window or tile, adding it to the grid costs more than it saves.
    constexpr std::int64_t fewest_in_windows = std::int64_t{1} << 16;
    constexpr std::int64_t fewest_in_bins = std::int64_t{1} << 18;
    const std::int64_t particles = args.positions.extent(0);
    const std::int64_t nodes = problem_.nodes[0] * problem_.nodes[1] * problem_.nodes[2];
    algorithm_ = Algorithm::straight;
    if (particles < fewest_in_windows) return;
    if (is_in_order(args)) {
      algorithm_ = Algorithm::window;
    } else if (can_bin_ && particles >= std::max(fewest_in_bins, nodes / 2)) {
      algorithm_ = Algorithm::bins;
      bins_.make();
    }
  }

  void execute(const Args& args) override {
    const CurrentDevice current(space_.ordinal());
    calls_.clear(args);
    const Call<Storage> call = call_of(args);
    if (algorithm_ == Algorithm::bins)
      bins_(call);
    else if (call.particles > 0)
      with_problem([&]<int Order, bool Exact, bool Periodic>() {
        if (algorithm_ == Algorithm::straight)
          launch("deposit straight",
                 deposit_window::deposit_straight<Storage, Order, Exact, Periodic>,
                 blocks_for(call.particles, threads_in_order), threads_in_order, 0,
                 space_.stream())(call);
        else
          launch("deposit in order", in_order<Order, Exact, Periodic>(call.rounding > 0),
                 blocks_for(call.particles, of_block(call.particles)),
                 static_cast<unsigned>(parameters_.threads), Sums::bytes(parameters_.nodes),
                 space_.stream())(call, steps_of(args), of_warp(call.particles), parameters_.group);
      });
    calls_.store(call, args);
  }

 private:
  template <int Order, bool Exact, bool Periodic>
  [[nodiscard]] static auto in_order([[maybe_unused]] bool rounded) {
    if constexpr (Exact && !Periodic)
      if (rounded) return deposit_window::deposit_in_order<Storage, Order, true, false, true>;
    return deposit_window::deposit_in_order<Storage, Order, Exact, Periodic, false>;
  }
  /// Number of particles of a block, reduced where the call has too few particles for
  /// blocks_at_a_time blocks on every multiprocessor.
  [[nodiscard]] int of_block(std::int64_t particles) const {
    const std::int64_t blocks = std::int64_t{blocks_at_a_time} * multiprocessors_;
    int some = parameters_.particles;
    while (some > parameters_.threads && some * blocks > particles)
      some /= 2;
    return some;
  }
  [[nodiscard]] int of_warp(std::int64_t particles) const {
    return of_block(particles) / (parameters_.threads / gpu::warp_size);
  }
  [[nodiscard]] Steps steps_of(const Args& args) const {
    constexpr auto bytes = static_cast<std::int64_t>(sizeof(Storage));
    return {bytes * args.positions.strides[1], bytes * args.positions.strides[0] * gpu::warp_size,
            args.weights.given() ? bytes * args.weights.strides[0] * gpu::warp_size : 0,
            args.alive.given() ? args.alive.strides[0] * gpu::warp_size : 0};
  }

  [[nodiscard]] Call<Storage> call_of(const Args& args) {
    const bool binned = algorithm_ == Algorithm::bins;
    const std::int64_t particles = args.positions.extent(0);
    const int together = binned ? parameters_.bin_chunk : of_block(particles);
    return calls_.make(
        args, block_unit_exponent(std::min<std::int64_t>(together, particles), 1),
        binned ? BinnedDeposit<Storage>::capacity_of(parameters_.tile, problem_.shape_order)
               : parameters_.nodes);
  }

  /// Calls `use.operator()<Order, Exact, Periodic>()` with the values for the problem.
  template <class Use>
  void with_problem(const Use& use) const {
    const bool* const periodic = problem_.periodic;
    pic::with_shape_order(problem_.shape_order, [&]<int Order>() {
      if (periodic[0] || periodic[1] || periodic[2])
        calls_.exact() ? use.template operator()<Order, true, true>()
                       : use.template operator()<Order, false, true>();
      else
        calls_.exact() ? use.template operator()<Order, true, false>()
                       : use.template operator()<Order, false, false>();
    });
  }

  /// Whether, in a sample, the particles of at least half of the warps fit into one window each.
  [[nodiscard]] bool is_in_order(const Args& args) {
    constexpr std::int64_t most_blocks = 512;
    const Call<Storage> call = call_of(args);
    const std::int64_t blocks =
        std::clamp<std::int64_t>(call.particles / of_block(call.particles), 1, most_blocks);
    fit_.zero(1);
    launch("deposit sample", sample_order<Storage>, static_cast<unsigned>(blocks),
           static_cast<unsigned>(parameters_.threads), 0, space_.stream())(
        call, call.particles / blocks, of_warp(call.particles), problem_.shape_order, fit_.data());
    return 2 * std::int64_t{fit_.read()} >= blocks * parameters_.threads / gpu::warp_size;
  }

  pic::ChargeDepositProblem problem_;
  Parameters parameters_;
  int multiprocessors_;
  Algorithm algorithm_ = Algorithm::window;
  bool can_bin_ = false;
  Space space_;
  BinnedDeposit<Storage> bins_;
  Buffer<unsigned, Space> fit_;  ///< number of warps of a sample whose particles fit
  Calls<Storage> calls_;
};

}  // namespace tessera::gpu::deposit_window

#endif  // TESSERA_BACKENDS_GPU_DEPOSIT_WINDOW_PLAN_CUH
