#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <tessera/backends/cuda/deposit_tiled/bins.cuh>
#include <tessera/backends/cuda/deposit_tiled/launch.cuh>
#include <tessera/backends/cuda/deposit_tiled/particle.cuh>
#include <tessera/backends/cuda/deposit_tiled/plan.hpp>
#include <tessera/backends/cuda/deposit_tiled/runs.cuh>
#include <tessera/backends/cuda/deposit_tiled/tiles.cuh>
#include <tessera/backends/cuda/execution/check.hpp>
#include <tessera/backends/cuda/execution/memory.hpp>
#include <type_traits>

/// \file
/// The plan of cuda.tiled, compiled once for each precision.

namespace tessera::cuda::deposit_tiled {

/// Memory of one device.
template <class T>
class DeviceArray {
 public:
  explicit DeviceArray(int ordinal) : ordinal_(ordinal) {}
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  ~DeviceArray() { release(ordinal_, data_); }

  /// Uninitialised; the former content is lost when it has to grow.
  void require(std::size_t size) {
    if (size <= size_) return;
    release(ordinal_, data_);
    data_ = nullptr;
    size_ = 0;
    data_ = static_cast<T*>(allocate(ordinal_, size * sizeof(T)));
    size_ = size;
  }
  [[nodiscard]] T* data() const { return data_; }

 private:
  int ordinal_;
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

/// A view of the same elements with the closest ones last, so that threads touch neighbours.
template <class Storage>
[[nodiscard]] View<Storage, 3> closest_last(View<Storage, 3> view) {
  for (int pass = 0; pass < 2; ++pass)
    for (int r = 0; r < 2; ++r)
      if (view.strides[r] < view.strides[r + 1]) {
        std::swap(view.strides[r], view.strides[r + 1]);
        std::swap(view.extents[r], view.extents[r + 1]);
      }
  return view;
}

inline constexpr int zero_block = 256;

template <class Storage>
__global__ void __launch_bounds__(zero_block) zero(const View<Storage, 3> view) {
  const std::int64_t n = std::int64_t{blockIdx.x} * zero_block + threadIdx.x;
  if (n >= view.size()) return;
  const std::int64_t k = n % view.extents[2];
  const std::int64_t rest = n / view.extents[2];
  view(rest / view.extents[1], rest % view.extents[1], k) = 0;
}

/// deposit_tiles in one of its compiled shapes.
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
[[nodiscard]] TileKernel<Storage> tile_kernel_of(const Policy& policy) {
  TileKernel<Storage> kernel;
  Tiles::with(policy.tile, [&]<Tile T>() {
    PerThread::with(policy.per_thread,
                    [&]<int Count>() { kernel = tile_kernel<Storage, T.x, T.y, T.z, Count>(); });
  });
  return kernel;
}

/// The grid cut into tiles.
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

/// Why the particles of a grid cannot be binned by tiles on a device.
template <class Storage>
[[nodiscard]] Refusal refuse_tiles(const pic::ChargeDepositProblem& problem, const Policy& policy,
                                   const DeviceProperties& device) {
  const TileKernel<Storage> kernel = tile_kernel_of<Storage>(policy);
  if (device.scratch_bytes < static_cast<std::int64_t>(kernel.shared_bytes))
    return "tiles of " + knob_name(policy.tile) +
           " with per_thread=" + std::to_string(policy.per_thread) + " take " +
           std::to_string(kernel.shared_bytes) + " bytes of shared memory, the device has " +
           std::to_string(device.scratch_bytes) + "; take a smaller tile or way=runs";
  const std::int64_t counters =
      device.scratch_bytes / static_cast<std::int64_t>(sizeof(unsigned)) - 1;
  const std::int64_t most = std::min<std::int64_t>(most_tiles, counters);
  if (tiling_of(problem, kernel).total > most)
    return "the grid has more than " + std::to_string(most) + " tiles of " +
           knob_name(policy.tile) + "; take a larger tile or way=runs";
  return {};
}

template <class P>
class TiledPlan<P>::Work {
 public:
  using Storage = typename P::Storage;

  Work(const pic::ChargeDepositProblem& problem, const Context& context, const Policy& policy)
      : problem_(problem),
        policy_(policy),
        ordinal_(context.device->properties().ordinal),
        multiprocessors_(context.device->properties().compute_units),
        stream_(static_cast<cudaStream_t>(context.stream.handle)),
        kernel_(tile_kernel_of<Storage>(policy)),
        sample_(ordinal_),
        counts_(ordinal_),
        starts_(ordinal_),
        cursors_(ordinal_),
        pieces_(ordinal_),
        piece_tile_(ordinal_),
        records_(ordinal_) {
    const CurrentDevice current(ordinal_);
    can_tile_ = !refuse_tiles<Storage>(problem, policy, context.device->properties());
    tiling_ = tiling_of(problem, kernel_);
    if (!can_tile_) tiling_.total = 0;
    sample_.require(1);
    if (can_tile_) {
      allow_shared(count_particles<Storage>, counter_bytes());
      allow_shared(move_particles<Storage>, counter_bytes());
      allow_shared(kernel_.function, kernel_.shared_bytes);
    }
    if (policy.way == Way::tiles) {
      way_ = Way::tiles;
      make_bins();
    }
  }

  void prepare(const Args& args) {
    const CurrentDevice current(ordinal_);
    if (policy_.way != Way::by_order) return;
    way_ = Way::runs;
    if (!can_tile_) return;
    // A tile that gathers few particles costs more atomic additions than it saves.
    const std::int64_t nodes = problem_.nodes[0] * problem_.nodes[1] * problem_.nodes[2];
    const std::int64_t particles = args.positions.extent(0);
    constexpr std::int64_t fewest = std::int64_t{1} << 18;
    if (particles < std::max(fewest, nodes / 2)) return;
    if (cells_in_32(args) <= policy_.longest_list) return;
    way_ = Way::tiles;
    make_bins();
  }

  void execute(const Args& args) {
    const CurrentDevice current(ordinal_);
    const Call<Storage> call = call_of(args);
    if (args.mode == pic::DepositMode::overwrite) clear(args.density);
    check(cudaMemsetAsync(args.outside.data, 0, sizeof(std::int64_t), stream_), "cudaMemsetAsync");
    const std::int64_t particles = args.positions.extent(0);
    if (particles == 0) return;
    if (way_ == Way::tiles)
      deposit_by_tiles(call, particles);
    else
      deposit_by_runs(call, particles);
  }

 private:
  template <class Kernel>
  static void allow_shared(Kernel kernel, std::size_t bytes) {
    constexpr std::size_t without_asking = 48 * 1024;
    if (bytes > without_asking)
      check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                 static_cast<int>(bytes)),
            "cudaFuncSetAttribute of shared memory");
  }

  [[nodiscard]] std::size_t counter_bytes() const {
    return (static_cast<std::size_t>(tiling_.total) + 1) * sizeof(unsigned);
  }
  [[nodiscard]] unsigned piece_size() const {
    return kernel_.chunk * static_cast<unsigned>(policy_.rounds);
  }
  [[nodiscard]] std::int64_t batch() const { return std::int64_t{1} << policy_.log2_batch; }
  /// Every tile may have one piece that is not full.
  [[nodiscard]] unsigned most_pieces(std::int64_t particles) const {
    return static_cast<unsigned>(particles / piece_size() +
                                 std::min<std::int64_t>(tiling_.total, particles));
  }

  [[nodiscard]] static Call<Storage> call_of(const Args& args) {
    const double* const h = args.grid.spacing;
    return {args.positions,
            args.weights,
            pic::grid_axes(args.grid),
            args.density,
            static_cast<Storage>(args.charge / (h[0] * h[1] * h[2])),
            args.outside.data};
  }

  void make_bins() {
    if (records_.data() != nullptr) return;
    const std::int64_t most = std::max<std::int64_t>(std::min(problem_.particles, batch()), 1);
    const auto tiles_and_one = static_cast<std::size_t>(tiling_.total) + 1;
    counts_.require(tiles_and_one);
    starts_.require(tiles_and_one);
    cursors_.require(tiles_and_one);
    pieces_.require(tiles_and_one);
    piece_tile_.require(most_pieces(most) + 1);
    records_.require(static_cast<std::size_t>(most));
    check(cudaMemsetAsync(counts_.data(), 0, counter_bytes(), stream_), "cudaMemsetAsync");
  }

  /// Mean number of cells that 32 particles in a row lie in, from a sample.
  [[nodiscard]] int cells_in_32(const Args& args) {
    constexpr std::int64_t most_samples = 4096;
    const std::int64_t particles = args.positions.extent(0);
    const std::int64_t samples = std::min(most_samples, particles / 32);
    check(cudaMemsetAsync(sample_.data(), 0, sizeof(int), stream_), "cudaMemsetAsync");
    constexpr std::int64_t warps = runs_block / 32;
    launch("deposit sample", sample_order<Storage>,
           static_cast<unsigned>((samples + warps - 1) / warps), runs_block, 0, stream_,
           call_of(args), samples, particles / samples, sample_.data());
    int cells = 0;
    copy_to_host(ordinal_, {stream_, MemorySpace::cuda}, &cells, sample_.data(), sizeof(int));
    return static_cast<int>((cells + samples / 2) / samples);
  }

  void clear(const View<Storage, 3>& density) {
    const View<Storage, 3> view = closest_last(density);
    if (view.dense()) {
      check(cudaMemsetAsync(view.data, 0, static_cast<std::size_t>(view.size()) * sizeof(Storage),
                            stream_),
            "cudaMemsetAsync");
      return;
    }
    launch("deposit zero", zero<Storage>,
           static_cast<unsigned>((view.size() + zero_block - 1) / zero_block), zero_block, 0,
           stream_, view);
  }

  void deposit_by_runs(const Call<Storage>& call, std::int64_t particles) {
    constexpr std::int64_t per_block = std::int64_t{runs_per_warp} * (runs_block / 32);
    // Past half a warp the lanes do better on their own.
    constexpr int most_cells = 16;
    launch("deposit runs", deposit_runs<Storage>,
           static_cast<unsigned>((particles + per_block - 1) / per_block), runs_block, 0, stream_,
           call, particles, most_cells);
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
             counter_bytes(), stream_, call, first, n, tiling_, counts_.data());
      launch("deposit scan", scan_bins, 1, scan_block, 0, stream_, bins, tiling_.total,
             piece_size(), call.outside);
      launch("deposit move", move_particles<Storage>, static_cast<unsigned>(chunks), bin_block,
             counter_bytes(), stream_, call, first, n, tiling_, cursors_.data(), records_.data());
      launch("deposit tiles", kernel_.function, most_pieces(n), kernel_.threads,
             kernel_.shared_bytes, stream_, call, tiling_, bins, records_.data(), piece_size());
    }
  }

  pic::ChargeDepositProblem problem_;
  Policy policy_;
  int ordinal_;
  int multiprocessors_;
  cudaStream_t stream_;
  TileKernel<Storage> kernel_;
  Tiling tiling_{};
  bool can_tile_ = false;
  Way way_ = Way::runs;
  DeviceArray<int> sample_;
  DeviceArray<unsigned> counts_;
  DeviceArray<unsigned> starts_;
  DeviceArray<unsigned> cursors_;
  DeviceArray<unsigned> pieces_;
  DeviceArray<unsigned> piece_tile_;
  DeviceArray<Record<Storage>> records_;
};

template <class P>
TiledPlan<P>::TiledPlan(const pic::ChargeDepositProblem& problem, const Context& context,
                        const Policy& policy)
    : work_(std::make_unique<Work>(problem, context, policy)) {}

template <class P>
TiledPlan<P>::~TiledPlan() = default;

template <class P>
Refusal TiledPlan<P>::can_run(const pic::ChargeDepositProblem& problem, const Context& context,
                              const Policy& policy) {
  constexpr std::int64_t most = std::int64_t{1} << 21;
  for (const std::int64_t nodes : problem.nodes)
    if (nodes >= most)
      return "takes less than 2^21 nodes in each direction, not " + std::to_string(nodes);
  if (policy.way == Way::tiles)
    return refuse_tiles<typename P::Storage>(problem, policy, context.device->properties());
  return {};
}

template <class P>
void TiledPlan<P>::prepare(const Args& args) {
  work_->prepare(args);
}

template <class P>
void TiledPlan<P>::execute(const Args& args) {
  work_->execute(args);
}

}  // namespace tessera::cuda::deposit_tiled
