#ifndef TESSERA_BACKENDS_OPENMP_PAIR_FORCE_CLUSTER_SHIFTS_HPP
#define TESSERA_BACKENDS_OPENMP_PAIR_FORCE_CLUSTER_SHIFTS_HPP

#include "physics/md/box.hpp"

#include <cstdint>

/// \file
/// The lattice vectors by which images of clusters are shifted.

namespace tessera::openmp::cluster {

/// For each shift code (sx, sy, sz) the lattice vector that is nearest to sx, sy and sz box
/// lengths: sz times c, then the number of vectors b that brings y nearest to sy lengths, then the
/// number of vectors a for x. For two atoms in the brick (cluster_order.hpp), every image of one
/// that is closer to the other than half of the smallest length is shifted by one of these vectors:
/// along z it is less than 1.5 lengths away, hence -1, 0 or 1 vectors c; along y likewise, apart
/// from the y component of c, which is at most half a length; then along x.
///
/// The numbers of lattice vectors are chosen once; the vectors follow the box.
class Shifts {
 public:
  Shifts() = default;
  explicit Shifts(const md::Box& box);

  /// Recomputes the vectors, with the same numbers of lattice vectors, for another box.
  /// \pre the same directions are periodic.
  void follow(const md::Box& box);

  [[nodiscard]] const double* vector(int code) const { return vectors_[code]; }
  /// Whether a shift is 0 along all directions that are not periodic.
  [[nodiscard]] bool possible(int code) const;
  [[nodiscard]] bool tilted() const { return tilted_; }
  /// Largest number of lattice vectors along d (0: a, 1: b, 2: c) in a shift.
  [[nodiscard]] int most(int d) const;

 private:
  static constexpr int code_count = 27;
  std::int32_t counts_[code_count][3] = {};
  double vectors_[code_count][3] = {};
  bool periodic_[3] = {};
  bool tilted_ = false;
};

}  // namespace tessera::openmp::cluster

#endif  // TESSERA_BACKENDS_OPENMP_PAIR_FORCE_CLUSTER_SHIFTS_HPP
