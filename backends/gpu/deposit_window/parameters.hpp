#ifndef TESSERA_BACKENDS_GPU_DEPOSIT_WINDOW_PARAMETERS_HPP
#define TESSERA_BACKENDS_GPU_DEPOSIT_WINDOW_PARAMETERS_HPP

#include "backends/gpu/deposit_common/tile.hpp"
#include "backends/gpu/execution/gpu_runtime.hpp"
#include "core/parameters/tuning_parameter.hpp"

#include <array>
#include <string>
#include <string_view>
#include <tuple>

/// \file
/// Tuning parameters of cuda.window.

namespace tessera::gpu::deposit_window {

/// Deposit algorithms; README.md says when each is faster.
enum class Algorithm { by_order, straight, window, bins };

[[nodiscard]] constexpr std::string_view parameter_name(Algorithm algorithm) {
  switch (algorithm) {
    case Algorithm::straight:
      return "straight";
    case Algorithm::window:
      return "window";
    case Algorithm::bins:
      return "bins";
    case Algorithm::by_order:
      break;
  }
  return "by_order";
}

/// Numbers of cells of a tile, powers of two.
using deposit_common::Tile;

struct Parameters {
  Algorithm algorithm = Algorithm::by_order;
  int threads = 256;     ///< window: threads of a block
  int particles = 8192;  ///< window: particles of a block; fewer where the call has few
  int nodes = 4096;      ///< window: largest number of elements of a window
  /// window, order 1: smallest number of lanes of a warp with particles in one cell for which these
  /// lanes add up their shares in registers; 33: never.
  int group = 6;
  Tile tile{16, 16, 8};      ///< bins: cells of a tile
  int bin_threads = 512;     ///< bins: threads of a block that adds up binned particles
  int bin_chunk = 8192;      ///< bins: largest number of binned particles that a block adds up
  int pack_min_density = 8;  ///< bins: particles per node from which positions are packed

  static constexpr auto tuning_parameters() {
    return TuningParameters{
        std::tuple{
            TuningParameter{"algorithm", &Parameters::algorithm,
                            std::array{Algorithm::by_order, Algorithm::straight, Algorithm::window,
                                       Algorithm::bins},
                            "way"},
            TuningParameter{"threads", &Parameters::threads,
                            in_space(std::array{256}, std::array{128, 256})},
            TuningParameter{
                "particles", &Parameters::particles,
                in_space(std::array{8192, 16384}, std::array{4096, 8192, 16384, 32768})},
            TuningParameter{"nodes", &Parameters::nodes, std::array{3072, 4096, 6144}},
            TuningParameter{"group", &Parameters::group,
                            in_space(std::array{6, 33}, std::array{4, 6, 8, 16, 33})},
            TuningParameter{"tile", &Parameters::tile,
                            in_space(std::array{Tile{16, 16, 8}, Tile{8, 8, 8}, Tile{16, 16, 16}},
                                     std::array{Tile{16, 16, 8}, Tile{8, 8, 8}, Tile{16, 16, 16},
                                                Tile{16, 8, 8}, Tile{8, 8, 16}})},
            TuningParameter{"bin_threads", &Parameters::bin_threads, std::array{256, 512}},
            TuningParameter{"bin_chunk", &Parameters::bin_chunk, std::array{8192, 16384}, "piece"},
            TuningParameter{"pack_min_density", &Parameters::pack_min_density, std::array{8},
                            "packed_from"}},
        ParameterRules<Parameters>{.refusal = &Parameters::refusal,
                                   .canonical = &Parameters::canonical}};
  }

  [[nodiscard]] Refusal refusal() const {
    const auto no_power = [](int count, int least, int most) {
      return count < least || count > most || (count & (count - 1)) != 0;
    };
    const std::string least = std::to_string(gpu::warp_size);
    if (no_power(threads, gpu::warp_size, 256))
      return "threads that are a power of two from " + least + " to 256";
    if (no_power(particles, threads, 1 << 20))
      return "particles that are a power of two from the threads to 1048576";
    if (nodes < 64 || nodes > 28672 || nodes % 4 != 0)
      return "nodes from 64 to 28672 that are a multiple of 4";
    if (group < 2 || group > 33) return "a group from 2 to 33";
    if (no_power(bin_threads, gpu::warp_size, 1024))
      return "bin_threads that are a power of two from " + least + " to 1024";
    if (bin_chunk < 256 || bin_chunk > 1 << 20) return "a bin_chunk from 256 to 1048576";
    if (pack_min_density < 0) return "pack_min_density 0 (always) or more particles a node";
    return {};
  }

  /// Resets the parameters that the algorithm does not read. by_order reads all, but only to pass
  /// them on to one of the other algorithms, which are tuned separately.
  [[nodiscard]] Parameters canonical() const {
    Parameters canonical;
    canonical.algorithm = algorithm;
    if (algorithm == Algorithm::window) {
      canonical.threads = threads;
      canonical.particles = particles;
      canonical.nodes = nodes;
      canonical.group = group;
    }
    if (algorithm == Algorithm::bins) {
      canonical.tile = tile;
      canonical.bin_threads = bin_threads;
      canonical.bin_chunk = bin_chunk;
      canonical.pack_min_density = pack_min_density;
    }
    return canonical;
  }

  friend bool operator==(const Parameters&, const Parameters&) = default;
};

}  // namespace tessera::gpu::deposit_window

#endif  // TESSERA_BACKENDS_GPU_DEPOSIT_WINDOW_PARAMETERS_HPP
