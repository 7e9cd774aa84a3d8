#ifndef TESSERA_BACKENDS_OPENMP_PAIR_FORCE_CLUSTER_PARAMETERS_HPP
#define TESSERA_BACKENDS_OPENMP_PAIR_FORCE_CLUSTER_PARAMETERS_HPP

#include "backends/openmp/pair_force_cluster/lane_count.hpp"
#include "backends/openmp/pair_force_cluster/processor.hpp"
#include "core/memory/device.hpp"
#include "core/parameters/tuning_parameter.hpp"

#include <array>
#include <tuple>

/// \file
/// Tuning parameters of openmp.cluster; the defaults are the winners of the table in README.md.

namespace tessera::openmp::cluster {

struct Parameters {
  /// Skin over the cutoff where the problem sets no skin.
  double skin_over_cutoff = 0.14;
  /// Largest number of atoms per cluster, which is the number of lanes of a vector; of float, half
  /// as many of double. It is smaller where the vectors of the processor are shorter.
  int lanes = 8;
  int chunk_clusters = 32;  ///< largest number of clusters of a chunk (ClusterList); a power of two
  double column_width = 1;  ///< width of columns over the edge of a cube that holds one cluster
  int atoms_ahead = 64;     ///< prefetch distance in the caller's memory, in atoms
  int threads = 0;          ///< largest number of threads; 0: all

  static constexpr auto tuning_parameters() {
    return TuningParameters{
        std::tuple{
            TuningParameter{
                "skin_over_cutoff", &Parameters::skin_over_cutoff,
                in_space(std::array{0.08, 0.1, 0.12, 0.14, 0.18, 0.24},
                         std::array{0.06, 0.08, 0.1, 0.12, 0.14, 0.16, 0.18, 0.2, 0.24, 0.3})},
            TuningParameter{"lanes", &Parameters::lanes, FloatLanes{}},
            TuningParameter{"chunk_clusters", &Parameters::chunk_clusters,
                            in_space(std::array{16, 32, 64}, std::array{8, 16, 32, 64, 128})},
            TuningParameter{
                "column_width", &Parameters::column_width,
                in_space(std::array{0.75, 1.0, 1.5}, std::array{0.5, 0.75, 1.0, 1.25, 1.5, 2.0})},
            TuningParameter{"atoms_ahead", &Parameters::atoms_ahead,
                            in_space(std::array{32, 64, 128}, std::array{0, 16, 32, 64, 128, 256})},
            TuningParameter{"threads", &Parameters::threads,
                            in_space(std::array{0}, std::array{0, 1, 2, 4, 8, 16, 32})}},
        ParameterRules<Parameters>{.refusal = &Parameters::refusal,
                                   .defaults = &Parameters::defaults}};
  }
  static Parameters defaults(const DeviceProperties&) {
    Parameters parameters;
    if (prefers_512_bits()) {
      parameters.lanes = 16;
      parameters.column_width = 1.5;
    }
    return parameters;
  }
  [[nodiscard]] Refusal refusal() const {
    if (!(skin_over_cutoff >= 0)) return "a skin_over_cutoff of 0 or more";
    if (chunk_clusters < 1 || chunk_clusters > 4096 || (chunk_clusters & (chunk_clusters - 1)) != 0)
      return "a chunk_clusters from 1 to 4096 that is a power of two";
    if (!(column_width >= 0.1 && column_width <= 10)) return "a column_width from 0.1 to 10";
    if (atoms_ahead < 0 || atoms_ahead > 4096) return "an atoms_ahead from 0 to 4096";
    if (threads < 0) return "threads of 0 or more";
    return {};
  }
};

}  // namespace tessera::openmp::cluster

#endif  // TESSERA_BACKENDS_OPENMP_PAIR_FORCE_CLUSTER_PARAMETERS_HPP
