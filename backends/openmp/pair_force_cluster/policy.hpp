#pragma once

#include <array>
#include <tessera/core/tuning/knobs.hpp>
#include <tuple>

/// \file
/// Knobs of the openmp.cluster pair force; the defaults are the winners of the table in README.md.

namespace tessera::openmp::cluster {

struct Policy {
  /// Width of the neighbor shell unless the problem asks for one.
  double skin_over_cutoff = 0.14;
  /// Atoms per cluster and lanes of a vector of float, at most; half of it for double. A shorter
  /// vector of the machine wins.
  int lanes = 8;

  static constexpr auto knobs() {
    return std::tuple{Knob{"skin_over_cutoff", &Policy::skin_over_cutoff,
                           std::array{0.08, 0.1, 0.12, 0.14, 0.16, 0.18, 0.2, 0.24}},
                      Knob{"lanes", &Policy::lanes, Compiled<4, 8, 16>{}}};
  }
  [[nodiscard]] Refusal refusal() const {
    if (skin_over_cutoff >= 0) return {};
    return "a skin_over_cutoff of 0 or more";
  }
};

}  // namespace tessera::openmp::cluster
