#ifndef TESSERA_BACKENDS_GPU_DEPOSIT_WINDOW_CALLS_CUH
#define TESSERA_BACKENDS_GPU_DEPOSIT_WINDOW_CALLS_CUH

#include "backends/gpu/deposit_window/block.cuh"
#include "backends/gpu/execution/clear_grid.cuh"
#include "backends/gpu/execution/launch.hpp"
#include "backends/gpu/execution/space.hpp"
#include "core/execution/buffer.hpp"
#include "core/execution/reduction.hpp"

#include <algorithm>
#include <cstdint>
#include <string>

/// \file
/// Common part of the deposit algorithms: arguments of kernels, and the integer sums of calls with
/// Determinism::any_order.

namespace tessera::gpu::deposit_window {

/// Reason why the kernels cannot run on a grid.
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

/// Quotient of two non-negative numbers. A 64-bit division takes a hundred instructions, so a
/// 32-bit one is used where it suffices.
[[nodiscard]] __device__ inline std::int64_t quotient(std::int64_t number, std::int64_t by) {
  if ((number | by) >> 32 == 0)
    return static_cast<std::uint32_t>(number) / static_cast<std::uint32_t>(by);
  return number / by;
}

/// Adjacent elements that are read and written with one access.
template <class T, int Width>
struct alignas(Width * sizeof(T)) AlignedVector {
  T of[Width];
};

/// Numbers of particles off the grid: the counter that kernels add to, and the result of the call.
struct Outside {
  std::int64_t* counted;
  std::int64_t* reported;
};

inline constexpr int store_threads = 256;
/// Number of rows of nodes that a thread of store_rows processes. It reads an element of each row
/// before it writes the first.
inline constexpr int rows_per_thread = 4;

/// Converts the integer sums of nodes to charges and resets the sums to zero. Also stores and
/// resets the number of particles off the grid. A row of nodes along the last direction, which
/// should have the smallest stride, is processed by 2^log2_lanes threads. \tparam Width number of
/// adjacent nodes that a thread processes with one access; the length and
///   the alignment of rows must be multiples of it.
template <int Width, class Storage>
__global__ void __launch_bounds__(store_threads)
    store_rows(const pic::StoreCharge<Storage> store, const Outside outside, int log2_lanes) {
  using Counts = AlignedVector<std::int64_t, Width>;
  using Charges = AlignedVector<Storage, Width>;
  const auto& extents = store.counts.extents;
  const int lanes = 1 << log2_lanes;
  const int rows_of_block = store_threads >> log2_lanes;
  std::int64_t* counts[rows_per_thread];
  Storage* density[rows_per_thread];
  const std::int64_t row = std::int64_t{blockIdx.x} * (rows_per_thread * rows_of_block) +
                           (static_cast<int>(threadIdx.x) >> log2_lanes);
  std::int64_t i = quotient(row, extents[1]);
  std::int64_t j = row - i * extents[1];
#pragma unroll
  for (int r = 0; r < rows_per_thread; ++r) {
    const bool is_one = i < extents[0];
    counts[r] = is_one ? &store.counts(i, j, 0) : nullptr;
    density[r] = is_one ? &store.density(i, j, 0) : nullptr;
    for (j += rows_of_block; j >= extents[1]; j -= extents[1])
      ++i;
  }
  const double one = store.of_one();
  gpu::grid_dependency_wait();
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    *outside.reported = *outside.counted;
    *outside.counted = 0;
  }
  for (std::int64_t k = Width * (static_cast<int>(threadIdx.x) & (lanes - 1)); k < extents[2];
       k += Width * lanes) {
    Counts found[rows_per_thread];
#pragma unroll
    for (int r = 0; r < rows_per_thread; ++r)
      found[r] = counts[r] != nullptr
                     ? *reinterpret_cast<Counts*>(counts[r] + k * store.counts.strides[2])
                     : Counts{};
#pragma unroll
    for (int r = 0; r < rows_per_thread; ++r) {
      if (counts[r] == nullptr) continue;
      auto* const charges = reinterpret_cast<Charges*>(density[r] + k * store.density.strides[2]);
      Charges put{};
      if (store.add) put = *charges;
      bool any = false;
#pragma unroll
      for (int w = 0; w < Width; ++w) {
        store.put(put.of[w], found[r].of[w], one);
        any |= found[r].of[w] != 0;
      }
      *charges = put;
      if (any) *reinterpret_cast<Counts*>(counts[r] + k * store.counts.strides[2]) = Counts{};
    }
  }
}

/// Whether all rows of a view consist of pairs of elements that can be accessed as one.
template <class T>
[[nodiscard]] bool has_pairs(const View<T, 3>& view) {
  return view.strides[2] == 1 && view.extents[2] % 2 == 0 && view.strides[0] % 2 == 0 &&
         view.strides[1] % 2 == 0 &&
         reinterpret_cast<std::uintptr_t>(view.data) % (2 * sizeof(T)) == 0;
}

/// The view with its directions sorted by stride, smallest last.
template <class T>
[[nodiscard]] View<T, 3> closest_last(const View<T, 3>& view, const int (&by_stride)[3]) {
  View<T, 3> turned;
  turned.data = view.data;
  for (int r = 0; r < 3; ++r) {
    turned.extents[r] = view.extents[by_stride[2 - r]];
    turned.strides[r] = view.strides[by_stride[2 - r]];
  }
  return turned;
}

/// Arguments of the kernels of a plan, and its integer sums, on the current device.
template <class Storage>
class Calls {
 public:
  using Args = pic::ChargeDepositArgs<Storage>;

  Calls(const pic::ChargeDepositProblem& problem, const Space& space)
      : problem_(problem),
        space_(space),
        counts_(space),
        largest_(space, exact() && problem.weighted ? problem.particles : 0) {
    if (exact()) counts_.require(nodes() + 1);
  }

  /// Whether the result must be bitwise reproducible for any particle order.
  [[nodiscard]] bool exact() const { return problem_.determinism > Determinism::none; }

  /// Arguments of the kernels for a call.
  /// \param exponent exponent of the unit of blocks; any_order uses one of the whole call instead.
  [[nodiscard]] Call<Storage> make(const Args& args, int exponent, int capacity) {
    Call<Storage> call;
    call.args = args;
    call.axes = pic::grid_axes(args.grid, problem_.shape_order);
    call.particles = args.positions.extent(0);
    call.charge = pic::cell_charge(args);
    call.capacity = capacity;
    call.unit = {exponent};
    call.rounding = exact() ? pic::position_rounding(call.particles, problem_.nodes) : 0;
    const std::int64_t* const strides = args.density.strides;
    int* const by_stride = call.by_stride;
    for (int a = 0; a < 3; ++a)
      by_stride[a] = a;
    std::sort(by_stride, by_stride + 3, [&](int a, int b) { return strides[a] < strides[b]; });
    if (exact()) {
      call.args.outside.data = counts_.data() + nodes();
      // The sums have the order of directions of the density, so that threads access both along
      // rows.
      call.counts = {counts_.data(), {problem_.nodes[0], problem_.nodes[1], problem_.nodes[2]}};
      std::int64_t stride = 1;
      for (const int a : call.by_stride) {
        call.counts.strides[a] = stride;
        stride *= problem_.nodes[a];
      }
      call.unit = {pic::deposit_unit_exponent(call.particles)};
      if (problem_.weighted && call.particles > 0)
        call.unit.largest = largest_(
            "deposit weights", call.particles, std::uint32_t{0},
            pic::LargestWeight<Storage>{args.positions, args.weights, args.alive, call.axes},
            pic::JoinLargest{});
    }
    return call;
  }

  /// Clears the sums before a deposit.
  void clear(const Args& args) {
    if (exact()) {
      if (!are_zero_) counts_.zero(counts_.size());
      are_zero_ = false;
      return;
    }
    space_.fill(&args.outside(0), 0, sizeof(std::int64_t));
    if (args.mode == pic::DepositMode::overwrite) clear_grid(space_, args.density);
  }

  /// Converts integer sums to charges in the caller's arrays, for any_order. In other calls the
  /// kernels have added the charges to these arrays already.
  void store(const Call<Storage>& call, const Args& args) {
    if (!exact()) return;
    const pic::StoreCharge<Storage> charges{
        closest_last(call.args.density, call.by_stride), closest_last(call.counts, call.by_stride),
        call.unit, static_cast<double>(call.charge), call.args.mode == pic::DepositMode::add};
    const Outside outside{call.args.outside.data, args.outside.data};
    if (has_pairs(charges.counts) && has_pairs(charges.density))
      store_by<2>(charges, outside);
    else
      store_by<1>(charges, outside);
    are_zero_ = true;
  }

 private:
  template <int Width>
  void store_by(const pic::StoreCharge<Storage>& charges, const Outside& outside) {
    const auto& extents = charges.counts.extents;
    static_assert(store_threads == 1 << 8);
    int log2_lanes = 0;
    while (log2_lanes < 8 && std::int64_t{Width} << log2_lanes < extents[2])
      ++log2_lanes;
    launch("deposit store", store_rows<Width, Storage>,
           blocks_for((extents[0] * extents[1]) << log2_lanes, rows_per_thread * store_threads),
           store_threads, 0, space_.stream())
        .early(charges, outside, log2_lanes);
  }

  [[nodiscard]] std::int64_t nodes() const {
    return problem_.nodes[0] * problem_.nodes[1] * problem_.nodes[2];
  }

  pic::ChargeDepositProblem problem_;
  Space space_;
  Buffer<std::int64_t, Space> counts_;  ///< if deterministic: sums of nodes, then the number of
                                        ///< particles off the grid
  bool are_zero_ = false;               ///< whether the last call left the sums at zero
  Reduction<std::uint32_t, Space> largest_;
};

}  // namespace tessera::gpu::deposit_window

#endif  // TESSERA_BACKENDS_GPU_DEPOSIT_WINDOW_CALLS_CUH
