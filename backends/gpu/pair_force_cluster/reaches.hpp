#ifndef TESSERA_BACKENDS_GPU_PAIR_FORCE_CLUSTER_REACHES_HPP
#define TESSERA_BACKENDS_GPU_PAIR_FORCE_CLUSTER_REACHES_HPP

#include "backends/gpu/pair_force_cluster/cluster_order.hpp"
#include "physics/md/neighbor/cutoff_classes.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

/// \file
/// Reaches of the search, as floats in units of the list radius. They are slightly larger than the
/// exact ones, so that rounding loses no pair.

namespace tessera::gpu::pair_force_cluster {

struct Reaches {
  double radius;
  bool tilted;
  bool exact;
  float edge[3];
  float box_sq;
  float touching_sq;
  std::vector<float> pairs_sq;  ///< types x types, or 1 where all types have the same reach

  /// \param list_radius cutoff and skin.
  Reaches(const Fractions& fractions, bool is_tilted, double list_radius,
          const md::CutoffClasses& classes)
      : radius(list_radius), tilted(is_tilted) {
    // Allowance for rounding to float.
    constexpr double wider = 1 + 1e-5;
    double steps = 0;
    for (int d = 0; d < 3; ++d) {
      // Larger steps are cut, because their squares would overflow; that only makes more boxes
      // near.
      const double step = std::min(fractions.step[d] / radius, 1e14);
      steps += step;
      edge[d] = static_cast<float>(step);
    }
    // Each fraction is rounded by less than a step.
    const double coarse = 4 * steps;
    exact = tilted || coarse > 1e-5;
    box_sq = static_cast<float>((wider + coarse) * (wider + coarse));
    touching_sq = 1e-8f;
    const double more = exact ? 0 : coarse;
    if (classes.uniform) {
      pairs_sq.push_back(static_cast<float>((wider + more) * (wider + more)));
      return;
    }
    double largest = 0;
    for (const double cutoff : classes.cutoffs)
      largest = std::max(largest, cutoff);
    for (const double squared : classes.squared_reaches(radius - largest)) {
      const double reach = std::sqrt(squared) / radius * wider + more;
      pairs_sq.push_back(squared > 0 ? static_cast<float>(reach * reach) : 0.0f);
    }
  }

  template <class Storage>
  void give(PairTest<Storage>& test) const {
    test.tilted = tilted;
    for (int d = 0; d < 3; ++d)
      test.edge[d] = edge[d];
    test.box_reach_sq = box_sq;
    test.touching_sq = touching_sq;
    test.exact = exact;
    test.inverse_radius = 1 / radius;
  }
};

}  // namespace tessera::gpu::pair_force_cluster

#endif  // TESSERA_BACKENDS_GPU_PAIR_FORCE_CLUSTER_REACHES_HPP
