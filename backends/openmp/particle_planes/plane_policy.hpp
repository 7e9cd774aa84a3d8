#ifndef TESSERA_BACKENDS_OPENMP_PARTICLE_PLANES_PLANE_POLICY_HPP
#define TESSERA_BACKENDS_OPENMP_PARTICLE_PLANES_PLANE_POLICY_HPP

#include "backends/openmp/particle_planes/plane_layout.hpp"
#include "core/parameters/tuning_parameter.hpp"

#include <array>
#include <cstdint>
#include <string_view>
#include <tuple>

/// \file
/// Tuning parameters of openmp.planes. The defaults were the fastest in the tables of README.md of
/// deposit_planes and gather_kick_planes.

namespace tessera::openmp::planes {

/// Algorithms. by_size runs the portable body where planes were measured not to be faster.
enum class Algorithm { by_size, planes };

[[nodiscard]] constexpr std::string_view parameter_name(Algorithm algorithm) {
  return algorithm == Algorithm::planes ? "planes" : "by_size";
}

struct Parameters {
  Algorithm algorithm = Algorithm::by_size;
  int bins = 64;        ///< largest number of bins
  int log2_batch = 22;  ///< logarithm of the particles sorted at a time, which bounds the memory

  static constexpr auto tuning_parameters() {
    return TuningParameters{
        std::tuple{
            TuningParameter{"algorithm", &Parameters::algorithm,
                            std::array{Algorithm::by_size, Algorithm::planes}, "way"},
            TuningParameter{"bins", &Parameters::bins,
                            in_space(std::array{32, 64, 128}, std::array{16, 32, 64, 128, 254})},
            TuningParameter{"log2_batch", &Parameters::log2_batch,
                            in_space(std::array{20, 22, 24}, std::array{18, 20, 21, 22, 23, 24})}},
        ParameterRules<Parameters>{.refusal = &Parameters::refusal}};
  }
  [[nodiscard]] Refusal refusal() const {
    if (bins < 1 || bins >= most_bins) return "a number of bins from 1 to 254";
    if (log2_batch < 10 || log2_batch > 28) return "a log2_batch from 10 to 28";
    return {};
  }
  [[nodiscard]] std::int64_t batch() const { return std::int64_t{1} << log2_batch; }
};

/// Whether node indices within a plane fit into a record, for any strides.
[[nodiscard]] inline bool fits_records(const pic::GridAxes& axes, int order, int bins) {
  constexpr std::int64_t most = std::int64_t{1} << 30;
  double nodes = 1;
  for (const pic::GridAxis& axis : axes.axis)
    nodes *= static_cast<double>(copied_nodes(axis, order) + 4);
  return nodes < static_cast<double>(most) && most_touched_nodes(axes, order, bins) < most;
}

}  // namespace tessera::openmp::planes

#endif  // TESSERA_BACKENDS_OPENMP_PARTICLE_PLANES_PLANE_POLICY_HPP
