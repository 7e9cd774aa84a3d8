#ifndef TESSERA_BACKENDS_OPENMP_PAIR_FORCE_CLUSTER_SHIFTS_HPP
#define TESSERA_BACKENDS_OPENMP_PAIR_FORCE_CLUSTER_SHIFTS_HPP

#include "physics/md/box.hpp"

#include <cstdint>

/// \file
/// The lattice vectors by which clusters are shifted to meet others.

namespace tessera::openmp::cluster {

/// For each shift code the lattice vector nearest to that many box lengths: of z first, where that
/// is whole c, then of y in whole b, then of x in whole a. An atom in the brick and the image of
/// another one, closer than half the least length, differ by one of these vectors: along z by less
/// than 1.5 lengths, which are whole ones; along y then too, in whole lengths around what c brings
/// along, which is at most half of one; likewise along x.
///
/// The counts of lattice vectors are chosen once; the vectors follow the box.
class Shifts {
 public:
  Shifts() = default;
  explicit Shifts(const md::Box& box);

  /// The same counts in another box. \pre the same directions are periodic.
  void follow(const md::Box& box);

  [[nodiscard]] const double* vector(int code) const { return vectors_[code]; }
  /// Whether a shift is along periodic directions alone.
  [[nodiscard]] bool possible(int code) const;
  [[nodiscard]] bool tilted() const { return tilted_; }
  /// The most lattice vectors of a kind in a shift.
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
