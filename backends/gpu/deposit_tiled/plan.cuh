#ifndef TESSERA_BACKENDS_GPU_DEPOSIT_TILED_PLAN_CUH
#define TESSERA_BACKENDS_GPU_DEPOSIT_TILED_PLAN_CUH

#include "backends/gpu/deposit_tiled/bins.cuh"
#include "backends/gpu/deposit_tiled/parameters.hpp"
#include "backends/gpu/deposit_tiled/particle.cuh"
#include "backends/gpu/deposit_tiled/runs.cuh"
#include "backends/gpu/deposit_tiled/tiles.cuh"
#include "backends/gpu/execution/clear_grid.cuh"
#include "backends/gpu/execution/space.hpp"
#include "core/execution/buffer.hpp"
#include "physics/pic/charge_deposit/cell_charge.hpp"
#include "physics/pic/charge_deposit/charge_deposit.hpp"

#include <algorithm>
#include <cstddef>
#include <string>

/// \file
/// The plan of cuda.tiled.

namespace tessera::gpu::deposit_tiled {

/// An instance of deposit_tiles for one of the compiled tile shapes.
template <class Storage>
struct TileKernel {
  using Function = void (*)(const Call<Storage>, const Tiling, const Bins, const Record<Storage>*,
                            unsigned);
  Function function = nullptr;
  unsigned threads = 0;
  unsigned chunk = 0;
  std::size_t shared_bytes = 0;
  int shift[3] = {0, 0, 0};
};

[[nodiscard]] constexpr int log2_of(int value) {
  return value <= 1 ? 0 : 1 + log2_of(value / 2);
}

template <class Storage, int X, int Y, int Z, int PerThread>
[[nodiscard]] TileKernel<Storage> tile_kernel() {
  using Shape = TileShape<Storage, X, Y, Z, PerThread>;
  return {deposit_tiles<Storage, X, Y, Z, PerThread>,
          Shape::threads,
          Shape::chunk,
          Shape::shared_bytes,
          {log2_of(X), log2_of(Y), log2_of(Z)}};
}

template <class Storage>
[[nodiscard]] TileKernel<Storage> tile_kernel_of(const Parameters& parameters) {
  TileKernel<Storage> kernel;
  Tiles::with(parameters.tile, [&]<Tile T>() {
    PerThread::with(parameters.per_thread,
                    [&]<int Count>() { kernel = tile_kernel<Storage, T.x, T.y, T.z, Count>(); });
  });
  return kernel;
}

/// Division of the grid of a problem into tiles.
template <class Storage>
[[nodiscard]] Tiling tiling_of(const pic::ChargeDepositProblem& problem,
                               const TileKernel<Storage>& kernel) {
  Tiling tiling{};
  std::int64_t total = 1;
  for (int a = 0; a < 3; ++a) {
    const std::int64_t cells = problem.nodes[a] - (problem.periodic[a] ? 0 : 1);
    const std::int64_t tiles = (cells + (1 << kernel.shift[a]) - 1) >> kernel.shift[a];
    tiling.shift[a] = kernel.shift[a];
    tiling.tiles[a] = static_cast<int>(tiles);
    total *= tiles;
    if (total > most_tiles) break;
  }
  tiling.total = static_cast<int>(std::min<std::int64_t>(total, std::int64_t{most_tiles} + 1));
  return tiling;
}

/// Reason why a device cannot bin the particles of a grid by tiles.
template <class Storage>
[[nodiscard]] Refusal refuse_tiles(const pic::ChargeDepositProblem& problem,
                                   const Parameters& parameters, const DeviceProperties& device) {
  const TileKernel<Storage> kernel = tile_kernel_of<Storage>(parameters);
  if (device.scratch_bytes < static_cast<std::int64_t>(kernel.shared_bytes))
    return "tiles of " + parameter_name(parameters.tile) +
           " with per_thread=" + std::to_string(parameters.per_thread) + " take " +
           std::to_string(kernel.shared_bytes) + " bytes of shared memory, the device has " +
           std::to_string(device.scratch_bytes) + "; use a smaller tile or algorithm=runs";
  const std::int64_t counters =
      device.scratch_bytes / static_cast<std::int64_t>(sizeof(unsigned)) - 1;
  const std::int64_t most = std::min<std::int64_t>(most_tiles, counters);
  if (tiling_of(problem, kernel).total > most)
    return "the grid has more than " + std::to_string(most) + " tiles of " +
           parameter_name(parameters.tile) + "; use a larger tile or algorithm=runs";
  return {};
}

template <class P>
class TiledPlan : public Plan<pic::ChargeDeposit, P> {
 public:
  using Parameters = deposit_tiled::Parameters;
  using Args = typename Plan<pic::ChargeDeposit, P>::Args;
  using Storage = typename P::Storage;

  static constexpr PlanTraits<pic::ChargeDeposit> traits{
      .determinism = Determinism::none,
      .description =
          "sums in registers over runs of particles in a cell, or over tiles after binning",
      .features = {.shape_orders = 1}};

  static Refusal can_run(const pic::ChargeDepositProblem& problem, const Context& context,
                         const Parameters& parameters) {
    constexpr std::int64_t most = std::int64_t{1} << 21;
    for (const std::int64_t nodes : problem.nodes)
      if (nodes >= most)
        return "takes less than 2^21 nodes in each direction, not " + std::to_string(nodes);
    if (parameters.algorithm == Algorithm::tiles)
      return refuse_tiles<typename P::Storage>(problem, parameters, context.device->properties());
    return {};
  }

  TiledPlan(const pic::ChargeDepositProblem& problem, const Context& context,
            const Parameters& parameters)
      : problem_(problem),
        parameters_(parameters),
        multiprocessors_(context.device->properties().compute_units),
        space_(space_of<Space>(context)),
        kernel_(tile_kernel_of<Storage>(parameters)),
        sample_(space_, 1),
        counts_(space_),
        starts_(space_),
        cursors_(space_),
        pieces_(space_),
        piece_tile_(space_),
        records_(space_) {
    const CurrentDevice current(space_.ordinal());
    can_tile_ = !refuse_tiles<Storage>(problem, parameters, context.device->properties());
    tiling_ = tiling_of(problem, kernel_);
    if (!can_tile_) tiling_.total = 0;
    if (can_tile_) {
      allow_shared("deposit count", count_particles<Storage>, counter_bytes());
      allow_shared("deposit move", move_particles<Storage>, counter_bytes());
      allow_shared("deposit tiles", kernel_.function, kernel_.shared_bytes);
    }
    if (parameters.algorithm == Algorithm::tiles) {
      algorithm_ = Algorithm::tiles;
      make_bins();
    }
  }

  void prepare(const Args& args) override {
    const CurrentDevice current(space_.ordinal());
    if (parameters_.algorithm != Algorithm::by_order) return;
    algorithm_ = Algorithm::runs;
    if (!can_tile_) return;
    // With few particles per tile, adding the nodes of the tiles to the grid takes more atomic
    // additions than the tiles save.
    const std::int64_t nodes = problem_.nodes[0] * problem_.nodes[1] * problem_.nodes[2];
    const std::int64_t particles = args.positions.extent(0);
    constexpr std::int64_t fewest = std::int64_t{1} << 18;
    if (particles < std::max(fewest, nodes / 2)) return;
    if (cells_in_a_warp(args) <= parameters_.longest_list) return;
    algorithm_ = Algorithm::tiles;
    make_bins();
  }

  void execute(const Args& args) override {
    const CurrentDevice current(space_.ordinal());
    const Call<Storage> call = call_of(args);
    if (args.mode == pic::DepositMode::overwrite) clear_grid(space_, args.density);
    space_.fill(&args.outside(0), 0, sizeof(std::int64_t));
    const std::int64_t particles = args.positions.extent(0);
    if (particles == 0) return;
    if (algorithm_ == Algorithm::tiles)
      deposit_by_tiles(call, particles);
    else
      deposit_by_runs(call, particles);
  }

 private:
  [[nodiscard]] std::size_t counter_bytes() const {
    return (static_cast<std::size_t>(tiling_.total) + 1) * sizeof(unsigned);
  }
  [[nodiscard]] unsigned piece_size() const {
    return kernel_.chunk * static_cast<unsigned>(parameters_.rounds);
  }
  [[nodiscard]] std::int64_t batch() const { return std::int64_t{1} << parameters_.log2_batch; }
  /// Upper bound of the number of pieces: each tile may have one piece that is not full.
  [[nodiscard]] unsigned most_pieces(std::int64_t particles) const {
    return static_cast<unsigned>(particles / piece_size() +
                                 std::min<std::int64_t>(tiling_.total, particles));
  }

  [[nodiscard]] static Call<Storage> call_of(const Args& args) {
    return {args.positions, args.weights,           pic::grid_axes(args.grid),
            args.density,   pic::cell_charge(args), args.outside.data};
  }

  void make_bins() {
    if (records_.data() != nullptr) return;
    const std::int64_t most = std::max<std::int64_t>(std::min(problem_.particles, batch()), 1);
    const std::int64_t tiles_and_one = std::int64_t{tiling_.total} + 1;
    counts_.require(tiles_and_one);
    starts_.require(tiles_and_one);
    cursors_.require(tiles_and_one);
    pieces_.require(tiles_and_one);
    piece_tile_.require(std::int64_t{most_pieces(most)} + 1);
    records_.require(most);
    space_.fill(counts_.data(), 0, counter_bytes());
  }

  /// Mean number of cells that contain the particles of a warp, from a sample.
  [[nodiscard]] int cells_in_a_warp(const Args& args) {
    constexpr std::int64_t most_samples = 4096;
    const std::int64_t particles = args.positions.extent(0);
    const std::int64_t samples = std::min(most_samples, particles / gpu::warp_size);
    space_.fill(sample_.data(), 0, sizeof(int));
    launch("deposit sample", sample_order<Storage>, blocks_for(samples, runs_warps), runs_block, 0,
           space_.stream())(call_of(args), samples, particles / samples, sample_.data());
    return static_cast<int>((sample_.read() + samples / 2) / samples);
  }

  void deposit_by_runs(const Call<Storage>& call, std::int64_t particles) {
    const std::int64_t per_block = std::int64_t{parameters_.runs_per_warp} * runs_warps;
    launch("deposit runs", deposit_runs<Storage>, blocks_for(particles, per_block), runs_block, 0,
           space_.stream())(call, particles, parameters_.runs_per_warp, parameters_.most_cells);
  }

  void deposit_by_tiles(const Call<Storage>& call, std::int64_t particles) {
    const Bins bins{counts_.data(), starts_.data(), cursors_.data(), pieces_.data(),
                    piece_tile_.data()};
    for (std::int64_t first = 0; first < particles; first += batch()) {
      const int n = static_cast<int>(std::min(batch(), particles - first));
      constexpr int chunk = bin_block * bin_per_thread;
      const int chunks = (n + chunk - 1) / chunk;
      launch("deposit count", count_particles<Storage>,
             static_cast<unsigned>(std::min(chunks, 4 * multiprocessors_)), bin_block,
             counter_bytes(), space_.stream())(call, first, n, tiling_, counts_.data());
      launch("deposit scan", scan_bins, 1, scan_block, 0, space_.stream())(
          bins, tiling_.total, piece_size(), call.outside);
      launch("deposit move", move_particles<Storage>, static_cast<unsigned>(chunks), bin_block,
             counter_bytes(),
             space_.stream())(call, first, n, tiling_, cursors_.data(), records_.data());
      launch("deposit tiles", kernel_.function, most_pieces(n), kernel_.threads,
             kernel_.shared_bytes,
             space_.stream())(call, tiling_, bins, records_.data(), piece_size());
    }
  }

  pic::ChargeDepositProblem problem_;
  Parameters parameters_;
  int multiprocessors_;
  Space space_;
  TileKernel<Storage> kernel_;
  Tiling tiling_{};
  bool can_tile_ = false;
  Algorithm algorithm_ = Algorithm::runs;
  Buffer<int, Space> sample_;
  Buffer<unsigned, Space> counts_;
  Buffer<unsigned, Space> starts_;
  Buffer<unsigned, Space> cursors_;
  Buffer<unsigned, Space> pieces_;
  Buffer<unsigned, Space> piece_tile_;
  Buffer<Record<Storage>, Space> records_;
};

}  // namespace tessera::gpu::deposit_tiled

#endif  // TESSERA_BACKENDS_GPU_DEPOSIT_TILED_PLAN_CUH
