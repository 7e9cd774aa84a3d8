#pragma once

#include <array>
#include <string>
#include <string_view>
#include <tessera/backends/cuda/deposit_tiled/policy.hpp>
#include <tessera/backends/cuda/execution/gpu_runtime.hpp>
#include <tessera/core/tuning/knobs.hpp>
#include <tuple>

/// \file
/// The parameters of cuda.window.

namespace tessera::cuda::deposit_window {

/// The ways to deposit; README.md says when each pays.
enum class Way { by_order, runs, window, bins };

[[nodiscard]] constexpr std::string_view knob_name(Way way) {
  switch (way) {
    case Way::runs:
      return "runs";
    case Way::window:
      return "window";
    case Way::bins:
      return "bins";
    case Way::by_order:
      break;
  }
  return "by_order";
}

/// Cells of a tile, powers of two.
using deposit_tiled::Tile;

/// Particles that a thread takes, of what the kernels are compiled for.
using PerThread = Compiled<2, 4>;

/// What a block of one of the ways takes, and the elements of its window.
struct Shape {
  int threads;
  int per_thread;
  int rounds;
  int nodes;

  [[nodiscard]] int together() const { return threads * per_thread; }
  [[nodiscard]] int particles() const { return together() * rounds; }
};

struct Policy {
  Way way = Way::by_order;
  int longest_list = 4;  ///< by_order: runs up to so many cells in a warp's particles
  int run_threads = 512;
  int run_per_thread = 4;
  int run_rounds = 4;
  int run_length = 8;  ///< particles in a row that a thread adds up
  int run_nodes = 2048;
  int threads = 512;
  int per_thread = 4;
  int rounds = 4;  ///< times that a block reads particles, threads times per_thread at a time
  int nodes = 6144;
  Tile tile{16, 16, 8};
  int bin_threads = 512;  ///< bins: of a block that adds up
  int piece = 8192;       ///< and particles that it takes at most
  int packed_from = 8;    ///< particles a node from which their places are packed

  static constexpr auto knobs() {
    return std::tuple{
        Knob{"way", &Policy::way, std::array{Way::by_order, Way::runs, Way::window, Way::bins}},
        Knob{"longest_list", &Policy::longest_list, std::array{2, 4, 8}},
        Knob{"run_threads", &Policy::run_threads, std::array{256, 512}},
        Knob{"run_per_thread", &Policy::run_per_thread, PerThread{}},
        Knob{"run_rounds", &Policy::run_rounds, std::array{4, 8}},
        Knob{"run_length", &Policy::run_length, std::array{8, 16}},
        Knob{"run_nodes", &Policy::run_nodes, std::array{1024, 2048}},
        Knob{"threads", &Policy::threads, std::array{512, 1024}},
        Knob{"per_thread", &Policy::per_thread, PerThread{}},
        Knob{"rounds", &Policy::rounds, std::array{4, 8}},
        Knob{"nodes", &Policy::nodes, std::array{4096, 6144, 8192}},
        Knob{"tile", &Policy::tile,
             in_space(std::array{Tile{16, 16, 8}, Tile{8, 8, 8}, Tile{16, 16, 16}},
                      std::array{Tile{16, 16, 8}, Tile{8, 8, 8}, Tile{16, 16, 16}, Tile{16, 8, 8},
                                 Tile{8, 8, 16}})},
        Knob{"bin_threads", &Policy::bin_threads, std::array{256, 512}},
        Knob{"piece", &Policy::piece, std::array{8192, 16384}},
        Knob{"packed_from", &Policy::packed_from, std::array{8}}};
  }

  [[nodiscard]] Shape shape_of_runs() const {
    return {run_threads, run_per_thread, run_rounds, run_nodes};
  }
  [[nodiscard]] Shape shape() const { return {threads, per_thread, rounds, nodes}; }

  [[nodiscard]] Refusal refusal() const {
    if (longest_list < 1 || longest_list > gpu::warp_size)
      return "a longest_list from 1 to " + std::to_string(gpu::warp_size);
    const auto no_power = [](int count, int least, int most) {
      return count < least || count > most || (count & (count - 1)) != 0;
    };
    const std::string threads_of_block = "that are a power of two from 32 to 1024";
    if (no_power(run_threads, 32, 1024)) return "run_threads " + threads_of_block;
    if (no_power(threads, 32, 1024)) return "threads " + threads_of_block;
    if (no_power(bin_threads, 32, 1024)) return "bin_threads " + threads_of_block;
    if (piece < 256 || piece > 1 << 20) return "a piece from 256 to 1048576";
    if (packed_from < 0) return "packed_from 0 (always) or more particles a node";
    const auto no_rounds = [](int count) { return count < 1 || count > 64; };
    if (no_rounds(run_rounds)) return "run_rounds from 1 to 64";
    if (no_rounds(rounds)) return "rounds from 1 to 64";
    if (no_power(run_length, 2, 32)) return "a run_length that is a power of two from 2 to 32";
    const std::string room = "from 64 to 28672 that are a multiple of 4";
    const auto no_room = [](int count) { return count < 64 || count > 28672 || count % 4 != 0; };
    if (no_room(run_nodes)) return "run_nodes " + room;
    if (no_room(nodes)) return "nodes " + room;
    return {};
  }

  /// by_order reads all, but only to take one of the others: those are tuned as such, and the list
  /// that decides between them is what it adds.
  [[nodiscard]] Policy settled() const {
    Policy settled;
    settled.way = way;
    if (way == Way::by_order) settled.longest_list = longest_list;
    if (way == Way::runs) {
      settled.run_threads = run_threads;
      settled.run_per_thread = run_per_thread;
      settled.run_rounds = run_rounds;
      settled.run_length = run_length;
      settled.run_nodes = run_nodes;
    }
    if (way == Way::window) {
      settled.threads = threads;
      settled.per_thread = per_thread;
      settled.rounds = rounds;
      settled.nodes = nodes;
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

  /// What was measured, by architecture.
  static Policy defaults(const DeviceProperties& device);
};

inline constexpr std::array<DefaultRow<Policy>, 1> policy_rows{{{"", {}, "not measured"}}};

inline Policy Policy::defaults(const DeviceProperties& device) {
  return default_row(policy_rows, device.architecture).policy;
}

}  // namespace tessera::cuda::deposit_window
