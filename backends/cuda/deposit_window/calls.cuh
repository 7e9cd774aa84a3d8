#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <tessera/backends/cuda/deposit_window/block.cuh>
#include <tessera/backends/cuda/execution/clear_grid.cuh>
#include <tessera/backends/cuda/execution/launch.hpp>
#include <tessera/backends/cuda/execution/space.hpp>
#include <tessera/core/execution/buffer.hpp>
#include <tessera/core/execution/reduction.hpp>

/// \file
/// What deposits over windows have in common: their calls, and the integers of any_order.

namespace tessera::cuda::deposit_window {

/// Why a grid has no windows.
[[nodiscard]] inline Refusal refuse_grid(const pic::ChargeDepositProblem& problem) {
  constexpr std::int64_t most = std::int64_t{1} << 21;
  for (const std::int64_t nodes : problem.nodes)
    if (nodes >= most)
      return "takes less than 2^21 nodes in each direction, not " + std::to_string(nodes);
  const std::int64_t rows = problem.nodes[0] * problem.nodes[1];
  if (rows > std::int64_t{1} << 30)
    return "takes up to 2^30 rows of nodes, not " + std::to_string(rows);
  return {};
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

/// The calls of a plan, on the current device.
template <class Storage>
class Calls {
 public:
  using Args = pic::ChargeDepositArgs<Storage>;

  Calls(const pic::ChargeDepositProblem& problem, const Space& space)
      : problem_(problem),
        space_(space),
        counts_(space),
        largest_(space, exact() && problem.weighted ? problem.particles : 0) {
    if (exact()) counts_.require(problem.nodes[0] * problem.nodes[1] * problem.nodes[2]);
  }

  /// Whether any order is to give the same bits.
  [[nodiscard]] bool exact() const { return problem_.determinism > Determinism::none; }

  /// All but what is of a way. \param exponent of the unit of blocks; any_order has one of the
  /// call.
  [[nodiscard]] Call<Storage> make(const Args& args, int exponent, int capacity) {
    Call<Storage> call;
    call.args = args;
    call.axes = pic::grid_axes(args.grid, problem_.shape_order);
    call.particles = args.positions.extent(0);
    call.charge = pic::cell_charge(args);
    call.capacity = capacity;
    call.unit = {exponent};
    if (exact()) {
      call.counts = {counts_.data(), {problem_.nodes[0], problem_.nodes[1], problem_.nodes[2]}};
      call.unit = {pic::deposit_unit_exponent(call.particles)};
      if (problem_.weighted && call.particles > 0)
        call.unit.largest = largest_(
            "deposit weights", call.particles, std::uint32_t{0},
            pic::LargestWeight<Storage>{args.positions, args.weights, args.alive, call.axes},
            pic::JoinLargest{});
    }
    const std::int64_t* const strides = exact() ? call.counts.strides : args.density.strides;
    int* const by_stride = call.by_stride;
    for (int a = 0; a < 3; ++a)
      by_stride[a] = a;
    std::sort(by_stride, by_stride + 3, [&](int a, int b) { return strides[a] < strides[b]; });
    return call;
  }

  /// Nothing deposited yet.
  void clear(const Args& args) {
    space_.fill(args.outside.data, 0, sizeof(std::int64_t));
    if (exact())
      counts_.zero(counts_.size());
    else if (args.mode == pic::DepositMode::overwrite)
      clear_grid(space_, args.density);
  }

  /// What is deposited, to the caller's density where it is not there yet.
  void store(const Call<Storage>& call) {
    if (!exact()) return;
    const auto rows = static_cast<unsigned>(problem_.nodes[1]);
    launch("deposit store", store_rows<Storage>, static_cast<unsigned>(problem_.nodes[0]) * rows,
           store_threads, 0,
           space_.stream())(pic::StoreCharge<Storage>{call.args.density, call.counts, call.unit,
                                                      static_cast<double>(call.charge),
                                                      call.args.mode == pic::DepositMode::add},
                            rows);
  }

 private:
  pic::ChargeDepositProblem problem_;
  Space space_;
  Buffer<std::int64_t, Space> counts_;  ///< for any_order
  Reduction<std::uint32_t, Space> largest_;
};

}  // namespace tessera::cuda::deposit_window
