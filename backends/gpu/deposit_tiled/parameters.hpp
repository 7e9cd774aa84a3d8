#ifndef TESSERA_BACKENDS_GPU_DEPOSIT_TILED_PARAMETERS_HPP
#define TESSERA_BACKENDS_GPU_DEPOSIT_TILED_PARAMETERS_HPP

#include "backends/gpu/deposit_common/tile.hpp"
#include "backends/gpu/execution/gpu_runtime.hpp"
#include "core/parameters/tuning_parameter.hpp"

#include <array>
#include <string>
#include <string_view>
#include <tuple>

/// \file
/// Tuning parameters of cuda.tiled.

namespace tessera::gpu::deposit_tiled {

using deposit_common::Tile;

/// Deposit algorithms; README.md says when each is faster.
enum class Algorithm { by_order, runs, tiles };

[[nodiscard]] constexpr std::string_view parameter_name(Algorithm algorithm) {
  return algorithm == Algorithm::runs    ? "runs"
         : algorithm == Algorithm::tiles ? "tiles"
                                         : "by_order";
}

/// Tile shapes that deposit_tiles is compiled for.
using Tiles =
    InSpace<Compiled<Tile{8, 8, 8}, Tile{4, 8, 16}, Tile{8, 8, 4}, Tile{4, 4, 16}>,
            Compiled<Tile{8, 8, 8}, Tile{4, 8, 16}, Tile{8, 8, 4}, Tile{4, 4, 16}, Tile{8, 4, 16},
                     Tile{16, 4, 8}, Tile{4, 4, 8}, Tile{4, 4, 4}, Tile{8, 8, 16}>>;
using PerThread = InSpace<Compiled<2, 4>, Compiled<1, 2, 4, 8>>;

/// Parameters of cuda.tiled. README.md ("Measured") has the times behind the defaults.
struct Parameters {
  Algorithm algorithm =
      Algorithm::by_order;  ///< by_order: prepare chooses by the order of the particles
  int longest_list =
      4;  ///< by_order: largest mean number of cells of a warp's particles for which runs is chosen
  int runs_per_warp = 512;  ///< runs: particles that a warp processes
  /// runs: largest number of cells, among one particle per lane of a warp, for which the warp adds
  /// up the particles in registers; with more cells each lane adds its particle to the grid itself.
  int most_cells = gpu::warp_size / 2;
  Tile tile{8, 8, 8};
  int per_thread = 4;   ///< tiles: particles that a thread sorts at a time
  int rounds = 4;       ///< tiles: chunks that a block sorts and adds up
  int log2_batch = 25;  ///< tiles: 2^log2_batch particles are binned at a time; bounds the memory

  static constexpr auto tuning_parameters() {
    return TuningParameters{
        std::tuple{
            TuningParameter{"algorithm", &Parameters::algorithm,
                            std::array{Algorithm::by_order, Algorithm::runs, Algorithm::tiles},
                            "way"},
            TuningParameter{"longest_list", &Parameters::longest_list, std::array{2, 4, 8}},
            TuningParameter{"runs_per_warp", &Parameters::runs_per_warp,
                            in_space(std::array{256, 512, 1024, 2048},
                                     std::array{128, 256, 512, 1024, 2048, 4096})},
            TuningParameter{
                "most_cells", &Parameters::most_cells,
                in_space(std::array{gpu::warp_size / 4, gpu::warp_size / 2, gpu::warp_size},
                         std::array{gpu::warp_size / 8, gpu::warp_size / 4, gpu::warp_size / 2,
                                    gpu::warp_size})},
            TuningParameter{"tile", &Parameters::tile, Tiles{}},
            TuningParameter{"per_thread", &Parameters::per_thread, PerThread{}},
            TuningParameter{"rounds", &Parameters::rounds,
                            in_space(std::array{1, 2, 4, 8, 16}, std::array{1, 2, 4, 8, 16, 32})},
            TuningParameter{
                "log2_batch", &Parameters::log2_batch,
                in_space(std::array{20, 21, 23, 25}, std::array{18, 20, 21, 22, 23, 25})}},
        ParameterRules<Parameters>{.refusal = &Parameters::refusal,
                                   .canonical = &Parameters::canonical}};
  }

  [[nodiscard]] Refusal refusal() const {
    if (longest_list < 1 || longest_list > gpu::warp_size)
      return "a longest_list from 1 to " + std::to_string(gpu::warp_size);
    if (runs_per_warp < gpu::warp_size || runs_per_warp > 1 << 16 ||
        runs_per_warp % gpu::warp_size != 0)
      return "a runs_per_warp up to 65536 that is a multiple of " + std::to_string(gpu::warp_size);
    if (most_cells < 0 || most_cells > gpu::warp_size)
      return "a most_cells from 0 to " + std::to_string(gpu::warp_size);
    if (rounds < 1 || rounds > 64) return "rounds from 1 to 64";
    if (log2_batch < 16 || log2_batch > 28) return "a log2_batch from 16 to 28";
    return {};
  }

  /// Resets the parameters that the algorithm does not read. by_order reads all, but passes all
  /// except longest_list on to one of the other two algorithms, which are tuned separately.
  [[nodiscard]] Parameters canonical() const {
    Parameters canonical;
    canonical.algorithm = algorithm;
    if (algorithm == Algorithm::by_order) canonical.longest_list = longest_list;
    if (algorithm == Algorithm::runs) {
      canonical.runs_per_warp = runs_per_warp;
      canonical.most_cells = most_cells;
    }
    if (algorithm == Algorithm::tiles) {
      canonical.tile = tile;
      canonical.per_thread = per_thread;
      canonical.rounds = rounds;
      canonical.log2_batch = log2_batch;
    }
    return canonical;
  }

  friend bool operator==(const Parameters&, const Parameters&) = default;
};

}  // namespace tessera::gpu::deposit_tiled

#endif  // TESSERA_BACKENDS_GPU_DEPOSIT_TILED_PARAMETERS_HPP
