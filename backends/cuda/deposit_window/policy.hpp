#ifndef TESSERA_BACKENDS_CUDA_DEPOSIT_WINDOW_POLICY_HPP
#define TESSERA_BACKENDS_CUDA_DEPOSIT_WINDOW_POLICY_HPP

#include "backends/cuda/deposit_tiled/policy.hpp"
#include "backends/cuda/execution/gpu_runtime.hpp"
#include "core/parameters/knobs.hpp"

#include <array>
#include <string>
#include <string_view>
#include <tuple>

/// \file
/// Tuning parameters of cuda.window.

namespace tessera::cuda::deposit_window {

/// Deposit algorithms; README.md says when each is faster.
enum class Way { by_order, straight, window, bins };

[[nodiscard]] constexpr std::string_view knob_name(Way way) {
  switch (way) {
    case Way::straight:
      return "straight";
    case Way::window:
      return "window";
    case Way::bins:
      return "bins";
    case Way::by_order:
      break;
  }
  return "by_order";
}

/// Numbers of cells of a tile, powers of two.
using deposit_tiled::Tile;

struct Policy {
  Way way = Way::by_order;
  int threads = 256;
  int particles = 8192;  ///< window: particles of a block; fewer where the problem is small
  int nodes = 4096;      ///< window: elements of the window
  int group = 6;         ///< window: smallest number of lanes that hold a common cell; 33: never
  Tile tile{16, 16, 8};
  int bin_threads = 512;  ///< bins: threads of a block that adds up
  int piece = 8192;       ///< bins: most particles of a block that adds up
  int packed_from = 8;    ///< bins: particles per node from which positions are packed

  static constexpr auto knobs() {
    return std::tuple{
        Knob{"way", &Policy::way, std::array{Way::by_order, Way::straight, Way::window, Way::bins}},
        Knob{"threads", &Policy::threads, in_space(std::array{256}, std::array{128, 256})},
        Knob{"particles", &Policy::particles,
             in_space(std::array{8192, 16384}, std::array{4096, 8192, 16384, 32768})},
        Knob{"nodes", &Policy::nodes, std::array{3072, 4096, 6144}},
        Knob{"group", &Policy::group, in_space(std::array{6, 33}, std::array{4, 6, 8, 16, 33})},
        Knob{"tile", &Policy::tile,
             in_space(std::array{Tile{16, 16, 8}, Tile{8, 8, 8}, Tile{16, 16, 16}},
                      std::array{Tile{16, 16, 8}, Tile{8, 8, 8}, Tile{16, 16, 16}, Tile{16, 8, 8},
                                 Tile{8, 8, 16}})},
        Knob{"bin_threads", &Policy::bin_threads, std::array{256, 512}},
        Knob{"piece", &Policy::piece, std::array{8192, 16384}},
        Knob{"packed_from", &Policy::packed_from, std::array{8}}};
  }

  [[nodiscard]] Refusal refusal() const {
    const auto no_power = [](int count, int least, int most) {
      return count < least || count > most || (count & (count - 1)) != 0;
    };
    if (no_power(threads, 32, 256)) return "threads that are a power of two from 32 to 256";
    if (no_power(particles, threads, 1 << 20))
      return "particles that are a power of two from the threads to 1048576";
    if (nodes < 64 || nodes > 28672 || nodes % 4 != 0)
      return "nodes from 64 to 28672 that are a multiple of 4";
    if (group < 2 || group > 33) return "a group from 2 to 33";
    if (no_power(bin_threads, 32, 1024))
      return "bin_threads that are a power of two from 32 to 1024";
    if (piece < 256 || piece > 1 << 20) return "a piece from 256 to 1048576";
    if (packed_from < 0) return "packed_from 0 (always) or more particles a node";
    return {};
  }

  /// by_order reads all parameters, but only to run one of the other algorithms, which are tuned
  /// separately.
  [[nodiscard]] Policy settled() const {
    Policy settled;
    settled.way = way;
    if (way == Way::window) {
      settled.threads = threads;
      settled.particles = particles;
      settled.nodes = nodes;
      settled.group = group;
    }
    if (way == Way::bins) {
      settled.tile = tile;
      settled.bin_threads = bin_threads;
      settled.piece = piece;
      settled.packed_from = packed_from;
    }
    return settled;
  }

  friend bool operator==(const Policy&, const Policy&) = default;

  /// Measured defaults by architecture.
  static Policy defaults(const DeviceProperties& device);
};

inline constexpr std::array<DefaultRow<Policy>, 1> policy_rows{{{"", {}, "not measured"}}};

inline Policy Policy::defaults(const DeviceProperties& device) {
  return default_row(policy_rows, device.architecture).policy;
}

}  // namespace tessera::cuda::deposit_window

#endif  // TESSERA_BACKENDS_CUDA_DEPOSIT_WINDOW_POLICY_HPP
