#ifndef TESSERA_BACKENDS_GPU_PAIR_FORCE_CLUSTER_PARAMETERS_HPP
#define TESSERA_BACKENDS_GPU_PAIR_FORCE_CLUSTER_PARAMETERS_HPP

#include "backends/gpu/execution/gpu_runtime.hpp"
#include "backends/gpu/pair_force_cluster/cluster_entries.hpp"
#include "backends/gpu/pair_force_cluster/clusters.hpp"
#include "core/parameters/tuning_parameter.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <tuple>

namespace tessera::gpu::pair_force_cluster {

/// Largest number of entries of an item, which one warp processes.
inline constexpr int most_entries = 256;

/// Approximate number of entries of the lists of `atoms` atoms. It fits the counts for random
/// atoms, 27.6 to 279 pairs an atom, within a few hundredths (README.md).
/// \param volume volume that the atoms occupy.
/// \param radius cutoff and skin.
[[nodiscard]] inline double expected_entries(std::int64_t atoms, double volume, double radius) {
  const auto n = static_cast<double>(atoms);
  const double sphere = 4.0 / 3 * 3.14159265358979324 * radius * radius * radius;
  const double neighbors = volume > 0 ? std::fmin(n, n / volume * sphere) : n;
  // Width, in interatomic distances, of the sphere of the pairs plus the clusters that it cuts.
  const double width = std::cbrt(0.5 * neighbors) + 3.65;
  return n * 0.0039 * width * width * width;
}

/// Default number of entries of an item: a power of two from 4 to 64, such that each warp that the
/// device can run gets about two items.
/// \param expected expected number of entries of all lists.
/// \param concurrency number of threads that the device can run at once.
[[nodiscard]] inline int usual_entries(double expected, std::int64_t concurrency) {
  const double warps = std::fmax(1, static_cast<double>(concurrency) / gpu::warp_size);
  const double share = expected / (2 * warps);
  int entries = 4;
  while (entries < 64 && 1.5 * entries < share)
    entries *= 2;
  return entries;
}

/// Default number of warps that share the search around a super-cluster, from 1 to 16, such that
/// all warps that the device can run have work.
[[nodiscard]] inline int usual_searchers(std::int64_t supers, std::int64_t concurrency) {
  const std::int64_t warps = concurrency / gpu::warp_size;
  return static_cast<int>(
      std::clamp<std::int64_t>(warps / std::max<std::int64_t>(supers, 1), 1, 16));
}

/// Parameters of cuda.cluster. README.md has measurements.
struct Parameters {
  int block_size = 128;      ///< threads of a block of the pair loop
  int entries_per_warp = 0;  ///< entries of an item; 0: usual_entries()
  int searchers = 0;         ///< warps that search around a super-cluster; 0: usual_searchers()
  /// Skin over the cutoff where the problem sets no skin; 0: usual_skin().
  double skin_over_cutoff = 0;
  /// Skin of the inner list over the cutoff. There is no inner list where it is 0 or more than a
  /// third of the skin of the list.
  double inner_skin_over_cutoff = 0.08;

  static constexpr auto tuning_parameters() {
    return TuningParameters{
        std::tuple{
            TuningParameter{"block_size", &Parameters::block_size,
                            in_space(std::array{64, 128}, std::array{32, 64, 96, 128})},
            TuningParameter{"entries_per_warp", &Parameters::entries_per_warp,
                            in_space(std::array{0, 8, 32}, std::array{0, 4, 8, 16, 32, 64, 128})},
            TuningParameter{"searchers", &Parameters::searchers,
                            in_space(std::array{0, 1}, std::array{0, 1, 2, 4, 8, 16})},
            TuningParameter{
                "skin_over_cutoff", &Parameters::skin_over_cutoff,
                in_space(std::array{0.0, 0.1, 0.2, 0.3, 0.4},
                         std::array{0.0, 0.06, 0.1, 0.14, 0.18, 0.22, 0.25, 0.3, 0.35, 0.4, 0.45})},
            TuningParameter{"inner_skin_over_cutoff", &Parameters::inner_skin_over_cutoff,
                            in_space(std::array{0.0, 0.08},
                                     std::array{0.0, 0.03, 0.04, 0.05, 0.06, 0.07, 0.08, 0.1})}},
        ParameterRules<Parameters>{.refusal = &Parameters::refusal}};
  }

  /// The skin over the cutoff. Forms with charges have more, and more costly, pairs; a wide list
  /// that is pruned to an inner list then pays off.
  [[nodiscard]] double usual_skin(bool charges) const {
    if (skin_over_cutoff > 0) return skin_over_cutoff;
    return charges ? 0.35 : 0.14;
  }

  [[nodiscard]] Refusal refusal() const {
    if (block_size < gpu::warp_size || block_size > most_block || block_size % gpu::warp_size != 0)
      return "a block_size up to 128 that is a multiple of " + std::to_string(gpu::warp_size);
    if (entries_per_warp < 0 || entries_per_warp > most_entries)
      return "an entries_per_warp from 1 to " + std::to_string(most_entries) + ", or 0";
    if (searchers < 0 || searchers > 32) return "searchers from 1 to 32, or 0";
    if (!(skin_over_cutoff >= 0)) return "a skin_over_cutoff of 0 or more";
    if (!(inner_skin_over_cutoff >= 0)) return "an inner_skin_over_cutoff of 0 or more";
    return {};
  }
};

}  // namespace tessera::gpu::pair_force_cluster

#endif  // TESSERA_BACKENDS_GPU_PAIR_FORCE_CLUSTER_PARAMETERS_HPP
