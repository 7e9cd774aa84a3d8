#pragma once

#include <array>
#include <tessera/core/tuning/knobs.hpp>
#include <tuple>

namespace tessera::cuda::pair_force_list {

/// Parameters of cuda.list. README.md has the measurements behind the defaults.
struct Policy {
  int block_size = 128;            ///< threads of a block
  int threads_per_atom = 0;        ///< 1, 2, 4 or 8; 0: as few as fill the device
  double skin_over_cutoff = 0.16;  ///< width of the neighbor shell unless the problem asks for one

  static constexpr auto knobs() {
    return std::tuple{
        Knob{"block_size", &Policy::block_size, std::array{64, 128, 256}},
        Knob{"threads_per_atom", &Policy::threads_per_atom, std::array{0, 1, 2, 4, 8}},
        Knob{"skin_over_cutoff", &Policy::skin_over_cutoff,
             std::array{0.08, 0.1, 0.12, 0.14, 0.16, 0.2, 0.24}}};
  }

  [[nodiscard]] bool valid() const {
    const bool threads = threads_per_atom == 0 || threads_per_atom == 1 || threads_per_atom == 2 ||
                         threads_per_atom == 4 || threads_per_atom == 8;
    return threads && block_size >= 32 && block_size <= 256 && block_size % 32 == 0 &&
           skin_over_cutoff >= 0;
  }
};

}  // namespace tessera::cuda::pair_force_list
