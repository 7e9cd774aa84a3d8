#ifndef TESSERA_BACKENDS_GPU_PAIR_FORCE_CLUSTER_CLUSTERS_HPP
#define TESSERA_BACKENDS_GPU_PAIR_FORCE_CLUSTER_CLUSTERS_HPP

#include "backends/gpu/pair_force_cluster/cluster_entries.hpp"
#include "core/base/device_code.hpp"
#include "physics/md/minimum_image.hpp"
#include "physics/md/pair_force/pair_force.hpp"

#include <climits>
#include <cmath>
#include <cstdint>

/// \file
/// Clusters of atoms, the boxes around them, and the test which pairs of atoms of two clusters are
/// listed. The code also compiles for the host, so that tests run it without a GPU.
///
/// Positions ("place") are 32-bit fractions of the lattice vectors, so that differences wrap around
/// as the box does. In a direction that is not periodic they are fractions of a length for which no
/// difference wraps.

namespace tessera::gpu::pair_force_cluster {

[[nodiscard]] TESSERA_INLINE std::int64_t supers_for(std::int64_t atoms) {
  return (atoms + super_atoms - 1) / super_atoms;
}

/// An atom in the search.
struct alignas(16) Candidate {
  std::uint32_t place[3];
  /// Row in the caller's arrays; ~row where the atom is nowhere (its position is not finite or out
  /// of range); `no_atom` for padding of the last super-cluster.
  std::int32_t atom;

  static constexpr std::int32_t no_atom = INT_MIN;

  [[nodiscard]] TESSERA_INLINE bool is_somewhere() const { return atom >= 0; }
  [[nodiscard]] TESSERA_INLINE std::int32_t row() const { return atom >= 0 ? atom : ~atom; }
};

/// Bounding box of atoms, ends included; empty where the low end is above the high one.
struct ClusterBox {
  std::uint32_t low[3] = {UINT_MAX, UINT_MAX, UINT_MAX};
  std::uint32_t high[3] = {0, 0, 0};

  [[nodiscard]] TESSERA_INLINE bool is_empty() const { return low[0] > high[0]; }
  TESSERA_INLINE void add(const Candidate& atom) {
    if (!atom.is_somewhere()) return;
    for (int d = 0; d < 3; ++d) {
      if (atom.place[d] < low[d]) low[d] = atom.place[d];
      if (atom.place[d] > high[d]) high[d] = atom.place[d];
    }
  }
  TESSERA_INLINE void join(const ClusterBox& other) {
    for (int d = 0; d < 3; ++d) {
      if (other.low[d] < low[d]) low[d] = other.low[d];
      if (other.high[d] > high[d]) high[d] = other.high[d];
    }
  }
};

/// Gap between two ranges of fractions, the shorter one of the two ways around the period.
[[nodiscard]] TESSERA_INLINE std::uint32_t gap_between(std::uint32_t low_a, std::uint32_t high_a,
                                                       std::uint32_t low_b, std::uint32_t high_b) {
  if (low_a <= high_b && low_b <= high_a) return 0;
  const std::uint32_t up = low_b - high_a;
  const std::uint32_t down = low_a - high_b;
  return up < down ? up : down;
}

/// Range of places, in the order of clusters, of the excluded partners of an atom behind it; it may
/// contain other atoms too.
struct ExcludedRange {
  std::int32_t first = INT_MAX;
  std::int32_t last = -1;
};

/// Test whether a pair of atoms is listed. Each pair is listed once, with the atom that comes first
/// in the order of clusters. The list may have superfluous pairs but must not lack one.
template <class Storage>
struct PairTest {
  const Candidate* atoms;
  const ClusterBox* clusters;
  const ClusterBox* supers;
  const ClusterBox* regions;
  std::int64_t super_count;

  bool tilted;
  float edge[3];       ///< length of a step of 2^-32 over the list radius, across the faces
  float box_reach_sq;  ///< squared reach for boxes, over the squared list radius
  float touching_sq;   ///< upper bound of the squared distance of atoms at one position, likewise
  bool exact;          ///< distances come from positions in double, not from fractions
  double inverse_radius;
  md::MinimumImage image;
  View<const Storage, 2> positions;

  const std::int32_t* types;  ///< in the order of clusters; null: all types have the same reach
  std::int32_t type_count;
  const float* reaches_sq;  ///< types x types, or 1; squared reach over the squared list radius

  md::Exclusions exclusions;
  const ExcludedRange* excluded;  ///< null where no pair is excluded

  std::int64_t owned;   ///< number of targets (md::PairForceArgs::owned)
  int targets_of_pair;  ///< number of targets in the pairs to be listed; 0: all atoms are targets

  [[nodiscard]] TESSERA_INLINE bool are_near(const ClusterBox& a, const ClusterBox& b) const {
    if (a.is_empty() || b.is_empty()) return false;
    float sum = 0;
    float largest = 0;
    for (int d = 0; d < 3; ++d) {
      const float gap =
          static_cast<float>(gap_between(a.low[d], a.high[d], b.low[d], b.high[d])) * edge[d];
      const float square = gap * gap;
      sum += square;
      if (square > largest) largest = square;
    }
    // In a tilted box only the gap along one direction is a lower bound of the distance, not the
    // sum.
    return (tilted ? largest : sum) < box_reach_sq;
  }

  /// Whether the pair of places k < other is listed.
  /// \param distance_sq out: squared distance over the squared list radius.
  [[nodiscard]] TESSERA_INLINE bool is_listed(std::int64_t k, std::int64_t other,
                                              float& distance_sq) const {
    return is_listed(k, atoms[k], other, atoms[other], distance_sq);
  }
  /// The same for atoms at these places that the caller has loaded.
  [[nodiscard]] TESSERA_INLINE bool is_listed(std::int64_t k, const Candidate& one,
                                              std::int64_t other, const Candidate& two,
                                              float& distance_sq) const {
    distance_sq = 2e30f;
    if (k >= other) return false;
    if (!one.is_somewhere() || !two.is_somewhere()) return false;
    const bool first_owned = one.row() < owned;
    if (targets_of_pair != 0 &&
        (first_owned ? 1 : 0) + (two.row() < owned ? 1 : 0) != targets_of_pair)
      return false;
    distance_sq = exact ? exact_distance_sq(one, two) : distance_of_fractions_sq(one, two);
    const float reach_sq = types == nullptr
                               ? reaches_sq[0]
                               : reaches_sq[std::int64_t{types[k]} * type_count + types[other]];
    if (!(distance_sq < reach_sq)) return false;
    if (excluded == nullptr) return true;
    // The exclusions of ghosts need not be given.
    if (targets_of_pair == 1 && !first_owned) return !has_excluded(two, one);
    return !is_excluded(excluded[k], other, one, two);
  }
  /// Whether all pairs have the same reach, distances come from fractions, and all atoms are
  /// targets.
  [[nodiscard]] TESSERA_INLINE bool is_plain() const {
    return !exact && types == nullptr && targets_of_pair == 0;
  }
  /// is_listed() where is_plain().
  /// \param range range of the excluded partners of the first atom.
  [[nodiscard]] TESSERA_INLINE bool is_listed_plainly(std::int64_t k, const Candidate& one,
                                                      const ExcludedRange& range,
                                                      std::int64_t other, const Candidate& two,
                                                      float reach_sq, float& distance_sq) const {
    distance_sq = distance_of_fractions_sq(one, two);
    if (!(distance_sq < reach_sq) || k >= other || (one.atom | two.atom) < 0) return false;
    return other > range.last || !is_excluded(range, other, one, two);
  }

 private:
  [[nodiscard]] TESSERA_INLINE float distance_of_fractions_sq(const Candidate& one,
                                                              const Candidate& two) const {
    float sum = 0;
    for (int d = 0; d < 3; ++d) {
      const float length =
          static_cast<float>(static_cast<std::int32_t>(one.place[d] - two.place[d])) * edge[d];
      sum += length * length;
    }
    return sum;
  }
  [[nodiscard]] TESSERA_INLINE Vec3<double> position(const Candidate& atom) const {
    return {static_cast<double>(positions(atom.atom, 0)),
            static_cast<double>(positions(atom.atom, 1)),
            static_cast<double>(positions(atom.atom, 2))};
  }
  [[nodiscard]] TESSERA_INLINE float exact_distance_sq(const Candidate& one,
                                                       const Candidate& two) const {
    const Vec3<double> r = image(position(one) - position(two));
    const double x = r.x * inverse_radius;
    const double y = r.y * inverse_radius;
    const double z = r.z * inverse_radius;
    return static_cast<float>(fmin(x * x + y * y + z * z, 1e30));
  }
  [[nodiscard]] TESSERA_INLINE bool is_excluded(const ExcludedRange& range, std::int64_t other,
                                                const Candidate& one, const Candidate& two) const {
    if (other < range.first || other > range.last) return false;
    return has_excluded(one, two);
  }
  [[nodiscard]] TESSERA_INLINE bool has_excluded(const Candidate& one, const Candidate& two) const {
    for (std::int32_t e = exclusions.offsets(one.atom); e < exclusions.offsets(one.atom + 1); ++e)
      if (exclusions.partners(e) == two.atom) return true;
    return false;
  }
};

}  // namespace tessera::gpu::pair_force_cluster

#endif  // TESSERA_BACKENDS_GPU_PAIR_FORCE_CLUSTER_CLUSTERS_HPP
