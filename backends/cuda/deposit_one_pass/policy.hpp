#pragma once

#include <array>
#include <string>
#include <tessera/core/tuning/knobs.hpp>
#include <tuple>

/// \file
/// The parameters of cuda.one_pass.

namespace tessera::cuda::deposit_one_pass {

/// Blocks that a multiprocessor holds at a time, which says how many registers a thread has.
using Resident = InSpace<Compiled<3, 4>, Compiled<3, 4>>;

struct Policy {
  int threads = 256;
  int particles = 8192;  ///< of a block
  int nodes = 4096;      ///< elements of its window
  int resident = 3;
  int group = 8;  ///< least lanes of one cell that are added up in registers; 33: never

  static constexpr auto knobs() {
    return std::tuple{
        Knob{"threads", &Policy::threads, in_space(std::array{256}, std::array{128, 256})},
        Knob{"particles", &Policy::particles,
             in_space(std::array{8192, 16384}, std::array{4096, 8192, 16384, 32768})},
        Knob{"nodes", &Policy::nodes, std::array{3072, 4096, 6144}},
        Knob{"group", &Policy::group, in_space(std::array{8, 33}, std::array{4, 8, 16, 33})},
        Knob{"resident", &Policy::resident, Resident{}}};
  }

  [[nodiscard]] Refusal refusal() const {
    const auto is_power = [](int number) { return number > 0 && (number & (number - 1)) == 0; };
    if (!is_power(threads) || threads < 32 || threads > 256)
      return "threads that are a power of two from 32 to 256";
    if (!is_power(particles) || particles < threads || particles > 1 << 20)
      return "particles that are a power of two from the threads to 1048576";
    if (nodes < 64 || nodes > 28672 || nodes % 4 != 0)
      return "nodes from 64 to 28672 that are a multiple of 4";
    if (group < 2 || group > 33) return "a group from 2 to 33";
    return {};
  }

  friend bool operator==(const Policy&, const Policy&) = default;
};

}  // namespace tessera::cuda::deposit_one_pass
