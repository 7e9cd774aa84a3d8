#pragma once

/// \file
/// Knobs of the openmp.cluster pair force.

namespace tessera::openmp::cluster {

/// The defaults are the winners of the table in README.md.
struct Policy {
  /// Atoms per cluster and vector lanes, at most: 4, 8 or 16. A vector of the machine that is shorter
  /// wins. Double precision uses half of it.
  int lanes = 8;

  friend bool operator==(const Policy&, const Policy&) = default;
};

}  // namespace tessera::openmp::cluster
