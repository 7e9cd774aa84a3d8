#ifndef TESSERA_BACKENDS_GPU_DEPOSIT_WINDOW_BINNED_CUH
#define TESSERA_BACKENDS_GPU_DEPOSIT_WINDOW_BINNED_CUH

#include "backends/gpu/deposit_window/bins.cuh"
#include "backends/gpu/deposit_window/parameters.hpp"
#include "backends/gpu/execution/space.hpp"
#include "core/execution/buffer.hpp"

#include <algorithm>
#include <bit>
#include <string>

/// \file
/// The launches of the deposit by bins (algorithm=bins), and the memory that they use.

namespace tessera::gpu::deposit_window {

template <class Storage>
class BinnedDeposit {
 public:
  BinnedDeposit(const pic::ChargeDepositProblem& problem, const Parameters& parameters,
                int multiprocessors, const Space& space)
      : problem_(problem),
        parameters_(parameters),
        multiprocessors_(multiprocessors),
        tiling_(tiling_of(problem, parameters.tile)),
        space_(space),
        counts_(space),
        starts_(space),
        cursors_(space),
        pieces_(space),
        piece_tile_(space),
        places_(space),
        weights_(space) {}

  /// Reason why a device cannot bin the particles of a problem.
  [[nodiscard]] static Refusal refuse(const pic::ChargeDepositProblem& problem,
                                      const Parameters& parameters,
                                      const DeviceProperties& device) {
    const std::string tile = parameter_name(parameters.tile);
    const Tiling tiling = tiling_of(problem, parameters.tile);
    if (tiling.total > most_tiles)
      return "the grid has more than " + std::to_string(most_tiles) + " tiles of " + tile +
             "; use a larger tile or algorithm=window";
    if (problem.particles > INT32_MAX)
      return "algorithm=bins numbers particles in 31 bits, and there are more; use "
             "algorithm=window";
    const std::size_t bytes = std::max(
        {move_bytes<Storage, WidePosition>(tiling.total, problem.weighted),
         move_bytes<Storage, PackedPosition<0>>(tiling.total, problem.weighted),
         Sums::bytes(capacity_of(parameters.tile, problem.shape_order)) + sizeof(std::uint32_t)});
    if (static_cast<std::int64_t>(bytes) + beside > device.scratch_bytes)
      return "tiles of " + tile + " take " + std::to_string(bytes + beside) +
             " bytes of shared memory, the device has " + std::to_string(device.scratch_bytes) +
             "; use another tile or algorithm=window";
    return {};
  }

  /// Number of elements of the window of a tile, rounded up to a multiple of four.
  [[nodiscard]] static int capacity_of(const Tile& tile, int shape_order) {
    return (window_of({{0, 0, 0}, {tile.x - 1, tile.y - 1, tile.z - 1}}, shape_order).size + 3) /
           4 * 4;
  }

  /// Allocates the bins, once.
  void make() {
    if (places_.data() != nullptr) return;
    const std::int64_t tiles = std::int64_t{tiling_.total} + 1;
    const std::int64_t most = std::max<std::int64_t>(problem_.particles, 1);
    counts_.require(tiles);
    starts_.require(tiles);
    cursors_.require(tiles);
    pieces_.require(tiles);
    piece_tile_.require(std::int64_t{most_pieces(most)} + 1);
    constexpr std::int64_t packed = sizeof(PackedPosition<0>);
    constexpr std::int64_t wide = sizeof(WidePosition);
    places_.require(std::max(packed * most, wide * std::min(most, fewest_packed())));
    if (problem_.weighted) weights_.require(most);
    counts_.zero(tiles);
    allow_shared("deposit count", count_kernel(), count_bytes());
    for (const std::int64_t particles : {std::int64_t{0}, INT64_MAX})
      with_position(particles, [&]<bool Exact, class Position>() { allow<Exact, Position>(); });
  }

  /// Deposits the particles of a call.
  /// \param call its `capacity` is capacity_of() the tile and shape order of the plan.
  void operator()(const Call<Storage>& call) {
    const Bins bins{counts_.data(), starts_.data(), cursors_.data(), pieces_.data(),
                    piece_tile_.data()};
    const std::int64_t n = call.particles;
    if (n == 0) return;
    constexpr int count_threads = 512;
    launch("deposit count", count_kernel(),
           std::min(blocks_for(n, count_threads * read_at_a_time),
                    static_cast<unsigned>(4 * multiprocessors_)),
           count_threads, count_bytes(), space_.stream())(call, tiling_, counts_.data());
    launch("deposit scan", deposit_common::scan_bins, 1, deposit_common::scan_block, 0,
           space_.stream())(bins, tiling_.total, static_cast<unsigned>(parameters_.bin_chunk),
                            call.args.outside.data);
    with_position(n, [&]<bool Exact, class Position>() {
      const Records<Storage, Position> records{reinterpret_cast<Position*>(places_.data()),
                                               weights_.data()};
      launch("deposit move", move_to_bins<Storage, Exact, Position>,
             blocks_for(n, particles_per_block), move_threads,
             move_bytes<Storage, Position>(tiling_.total, problem_.weighted),
             space_.stream())(call, tiling_, cursors_.data(), records);
      with_kernel<Exact, Position>([&](auto kernel) {
        launch("deposit bins", kernel, most_pieces(n),
               static_cast<unsigned>(parameters_.bin_threads), Sums::bytes(call.capacity),
               space_.stream())(call, tiling_, bins, records,
                                static_cast<unsigned>(parameters_.bin_chunk));
      });
    });
  }

 private:
  /// Bytes of shared memory that are kept for static shared memory of the kernels.
  static constexpr std::int64_t beside = 1024;

  [[nodiscard]] bool is_exact() const { return problem_.determinism > Determinism::none; }
  /// Smallest number of particles for which positions are packed. With this many particles per
  /// node, the rounding of packed positions is small compared with the sum of a node. For
  /// any_order: the number from which the operation rounds positions anyway, or INT64_MAX (never)
  /// where packing would not keep all bits of the rounded positions.
  [[nodiscard]] std::int64_t fewest_packed() const {
    const std::int64_t nodes = problem_.nodes[0] * problem_.nodes[1] * problem_.nodes[2];
    if (!is_exact()) return parameters_.pack_min_density * nodes;
    bool holds_all = pic::position_rounding(INT64_MAX, problem_.nodes) > 0;
    for (int a = 0; a < 3; ++a)
      holds_all =
          holds_all && PackedPosition<1>::unit(a, tiling_.shift) >= pic::rounded_position_bits;
    return holds_all ? pic::fewest_rounded(problem_.nodes) : INT64_MAX;
  }
  [[nodiscard]] auto count_kernel() const {
    return is_exact() ? count_by_tile<Storage, true> : count_by_tile<Storage, false>;
  }
  [[nodiscard]] std::size_t count_bytes() const {
    return static_cast<std::size_t>(tiling_.total) * sizeof(unsigned);
  }
  /// Upper bound of the number of pieces: each tile may have one piece that is not full.
  [[nodiscard]] unsigned most_pieces(std::int64_t particles) const {
    return static_cast<unsigned>(particles / parameters_.bin_chunk +
                                 std::min<std::int64_t>(tiling_.total, particles));
  }

  [[nodiscard]] static Tiling tiling_of(const pic::ChargeDepositProblem& problem,
                                        const Tile& tile) {
    Tiling tiling{};
    const int cells_of_tile[3] = {tile.x, tile.y, tile.z};
    std::int64_t total = 1;
    for (int a = 0; a < 3; ++a) {
      const std::int64_t cells = problem.nodes[a] - (problem.periodic[a] ? 0 : problem.shape_order);
      tiling.shift[a] = std::countr_zero(static_cast<unsigned>(cells_of_tile[a]));
      const std::int64_t tiles = (cells + cells_of_tile[a] - 1) >> tiling.shift[a];
      tiling.tiles[a] = static_cast<int>(tiles);
      total = std::min<std::int64_t>(total * tiles, std::int64_t{most_tiles} + 1);
    }
    tiling.total = static_cast<int>(total);
    return tiling;
  }

  /// Calls `function.operator()<Exact, Position>()` with the type of stored positions for a call of
  /// `particles` particles.
  template <class Function>
  void with_position(std::int64_t particles, const Function& function) const {
    const bool packs = particles >= fewest_packed();
    if (is_exact())
      packs ? function.template operator()<true, PackedPosition<1>>()
            : function.template operator()<true, WidePosition>();
    else
      packs ? function.template operator()<false, PackedPosition<0>>()
            : function.template operator()<false, WidePosition>();
  }
  template <bool Exact, class Position, class Use>
  void with_kernel(const Use& use) const {
    pic::with_shape_order(problem_.shape_order,
                          [&]<int Order>() { use(add_bins<Storage, Order, Exact, Position>); });
  }
  template <bool Exact, class Position>
  void allow() const {
    allow_shared("deposit move", move_to_bins<Storage, Exact, Position>,
                 move_bytes<Storage, Position>(tiling_.total, problem_.weighted));
    with_kernel<Exact, Position>([&](auto kernel) {
      allow_shared("deposit bins", kernel,
                   Sums::bytes(capacity_of(parameters_.tile, problem_.shape_order)));
    });
  }

  pic::ChargeDepositProblem problem_;
  Parameters parameters_;
  int multiprocessors_;
  Tiling tiling_;
  Space space_;
  Buffer<unsigned, Space> counts_;
  Buffer<unsigned, Space> starts_;
  Buffer<unsigned, Space> cursors_;
  Buffer<unsigned, Space> pieces_;
  Buffer<unsigned, Space> piece_tile_;
  Buffer<unsigned char, Space> places_;
  Buffer<Storage, Space> weights_;
};

}  // namespace tessera::gpu::deposit_window

#endif  // TESSERA_BACKENDS_GPU_DEPOSIT_WINDOW_BINNED_CUH
