#ifndef TESSERA_BACKENDS_GPU_POISSON_SOLVE_PLANES_PARAMETERS_HPP
#define TESSERA_BACKENDS_GPU_POISSON_SOLVE_PLANES_PARAMETERS_HPP

#include "core/parameters/tuning_parameter.hpp"

#include <array>
#include <string_view>
#include <tuple>

/// \file
/// Tuning parameters of cuda.planes.

namespace tessera::gpu::poisson_solve_planes {

/// Algorithms of the convolution across x and y; README.md says when each is used.
enum class Algorithm { by_size, plane, lines };

[[nodiscard]] constexpr std::string_view parameter_name(Algorithm algorithm) {
  return algorithm == Algorithm::plane   ? "plane"
         : algorithm == Algorithm::lines ? "lines"
                                         : "by_size";
}

/// Compiled numbers of threads of a block.
using AcrossThreads = InSpace<Compiled<256, 512, 1024>, Compiled<128, 256, 512, 1024>>;
using AlongThreads = InSpace<Compiled<128, 256, 512>, Compiled<64, 128, 256, 512>>;

struct Parameters {
  Algorithm algorithm = Algorithm::by_size;
  int across_threads = 512;
  int along_threads = 256;
  /// Largest number of neighbors in x that a block processes along z, and with Algorithm::lines
  /// along y; fewer where the memory of a block is too small. A power of two.
  int neighbors = 8;

  static constexpr auto tuning_parameters() {
    return TuningParameters{
        std::tuple{TuningParameter{
                       "algorithm", &Parameters::algorithm,
                       std::array{Algorithm::by_size, Algorithm::plane, Algorithm::lines}, "way"},
                   TuningParameter{"across_threads", &Parameters::across_threads, AcrossThreads{}},
                   TuningParameter{"along_threads", &Parameters::along_threads, AlongThreads{}},
                   TuningParameter{"neighbors", &Parameters::neighbors, std::array{2, 4, 8, 16}}},
        ParameterRules<Parameters>{.refusal = &Parameters::refusal}};
  }

  [[nodiscard]] Refusal refusal() const {
    if (neighbors < 1 || neighbors > 32 || (neighbors & (neighbors - 1)) != 0)
      return "neighbors is a power of two from 1 to 32";
    return {};
  }
};

}  // namespace tessera::gpu::poisson_solve_planes

#endif  // TESSERA_BACKENDS_GPU_POISSON_SOLVE_PLANES_PARAMETERS_HPP
