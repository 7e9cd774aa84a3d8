#ifndef TESSERA_BACKENDS_OPENMP_PAIR_FORCE_CLUSTER_COORDINATES_HPP
#define TESSERA_BACKENDS_OPENMP_PAIR_FORCE_CLUSTER_COORDINATES_HPP

#include "backends/openmp/pair_force_cluster/cluster_input.hpp"
#include "backends/openmp/pair_force_cluster/cluster_kernels.hpp"

#include <bit>
#include <cstdint>
#include <type_traits>

/// \file
/// Conversion of positions to the coordinates of clusters.

namespace tessera::openmp::cluster {

/// After the addition of this constant, the low bits of a number of magnitude below 2^51 are the
/// integer nearest to it.
inline constexpr double rounder = 6755399441055744.0;

[[nodiscard]] inline std::int32_t low_bits(double rounded) {
  return static_cast<std::int32_t>(std::bit_cast<std::int64_t>(rounded));
}

/// Unit and origin of coordinates.
template <class T>
struct Scale {
  double quantum = 1;  ///< length of one unit of coordinates
  double inverse = 1;  ///< 1 / quantum
  double origin[3] = {0, 0, 0};

  /// Coordinate of a position; `poison` becomes NaN where the position is not finite.
  [[nodiscard]] Coordinate<T> coordinate(double x, int d, double& poison) const {
    if constexpr (std::is_same_v<T, float>) {
      const double t = (x - origin[d]) * inverse;
      poison += t * 0;
      return low_bits(t + rounder);
    } else {
      poison += x * 0;
      return x;
    }
  }
  [[nodiscard]] Coordinate<T> distance(double x) const {
    if constexpr (std::is_same_v<T, float>) {
      return low_bits(x * inverse + rounder);
    } else {
      return x;
    }
  }
};

/// Positions in the images in which a ClusterOrder has the atoms.
template <class Storage>
class Folded {
 public:
  Folded(const ClusterInput<Storage>& input, const ClusterOrder& order)
      : input_(input), atoms_(order.atom()), images_(order.image()) {
    for (int d = 0; d < 3; ++d) {
      period_[d] = input.box.periodic[d] ? input.box.length[d] : 0;
      tilt_[d] = input.box.tilt[d];
    }
  }

  /// Component d of the caller's present position of the atom in a slot, folded into its image.
  /// \param shifted value of ClusterOrder::shifted() for its cluster.
  template <bool Tilted>
  [[nodiscard]] double at(std::int64_t slot, int d, bool shifted) const {
    return fold<Tilted>(input_.positions(atoms_[slot], d), slot, d, shifted);
  }
  /// The same for a given component x of the position.
  template <bool Tilted>
  [[nodiscard]] double fold(double x, std::int64_t slot, int d, bool shifted) const {
    if (shifted) {
      const std::int32_t* n = images_ + 3 * slot;
      x -= n[d] * period_[d];
      if (Tilted && d == 0) x -= n[1] * tilt_[0] + n[2] * tilt_[1];
      if (Tilted && d == 1) x -= n[2] * tilt_[2];
    }
    return x;
  }

 private:
  const ClusterInput<Storage>& input_;
  const std::int32_t* atoms_;
  const std::int32_t* images_;
  double period_[3];
  double tilt_[3];
};

/// Sum and difference that wrap around in fixed point.
[[nodiscard]] inline std::int32_t wrapping_sum(std::int32_t a, std::int32_t b) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) + static_cast<std::uint32_t>(b));
}
[[nodiscard]] inline double wrapping_sum(double a, double b) {
  return a + b;
}
[[nodiscard]] inline std::int32_t wrapping_difference(std::int32_t a, std::int32_t b) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) - static_cast<std::uint32_t>(b));
}
[[nodiscard]] inline double wrapping_difference(double a, double b) {
  return a - b;
}

}  // namespace tessera::openmp::cluster

#endif  // TESSERA_BACKENDS_OPENMP_PAIR_FORCE_CLUSTER_COORDINATES_HPP
