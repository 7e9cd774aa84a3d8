#pragma once

#include <array>
#include <string>
#include <tessera/backends/cuda/execution/gpu_runtime.hpp>
#include <tessera/core/tuning/knobs.hpp>
#include <tuple>

namespace tessera::cuda::pair_force_list {

/// Threads that share an atom, of which a pair loop is compiled for each.
using ThreadsPerAtom = Compiled<1, 2, 4, 8>;

/// Parameters of cuda.list. README.md has the measurements behind the defaults.
struct Policy {
  int block_size = 128;            ///< threads of a block
  int threads_per_atom = 0;        ///< 0: as few as fill the device
  double skin_over_cutoff = 0.16;  ///< width of the neighbor shell unless the problem asks for one

  static constexpr auto knobs() {
    return std::tuple{Knob{"block_size", &Policy::block_size, std::array{64, 128, 256}},
                      Knob{"threads_per_atom", &Policy::threads_per_atom, ThreadsPerAtom::And<0>{}},
                      Knob{"skin_over_cutoff", &Policy::skin_over_cutoff,
                           std::array{0.08, 0.1, 0.12, 0.14, 0.16, 0.2, 0.24}}};
  }

  [[nodiscard]] Refusal refusal() const {
    if (block_size < gpu::warp_size || block_size > 256 || block_size % gpu::warp_size != 0)
      return "a block_size up to 256 that is a multiple of " + std::to_string(gpu::warp_size);
    if (!(skin_over_cutoff >= 0)) return "a skin_over_cutoff of 0 or more";
    return {};
  }
};

}  // namespace tessera::cuda::pair_force_list
