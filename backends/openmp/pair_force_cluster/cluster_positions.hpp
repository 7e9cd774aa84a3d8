#ifndef TESSERA_BACKENDS_OPENMP_PAIR_FORCE_CLUSTER_CLUSTER_POSITIONS_HPP
#define TESSERA_BACKENDS_OPENMP_PAIR_FORCE_CLUSTER_CLUSTER_POSITIONS_HPP

#include "backends/openmp/pair_force_cluster/cluster_images.hpp"
#include "backends/openmp/pair_force_cluster/cluster_input.hpp"
#include "backends/openmp/pair_force_cluster/coordinates.hpp"
#include "backends/openmp/pair_force_cluster/lane_count.hpp"
#include "backends/openmp/pair_force_cluster/scratch_array.hpp"
#include "backends/openmp/pair_force_cluster/shifts.hpp"

#include <cstdint>

/// \file
/// Coordinates of clusters and of their images, and what the potential reads of their atoms, in the
/// form that pair loops take.

namespace tessera::openmp::cluster {

template <class T>
class ClusterPositions {
 public:
  /// Chooses the unit of coordinates (Scale).
  /// \param shortest shortest length of the coefficients; 0: none.
  /// \param given_in_double whether the caller's positions are doubles.
  /// \throws ArgumentError when the atoms of the order spread over more than about 10^7 list radii.
  void choose_scale(const ClusterOrder& order, double list_radius, double shortest,
                    bool given_in_double);
  /// Sets the vectors from clusters to their images.
  void set_moves(const Shifts& shifts);
  /// Allocates memory for clusters and images.
  /// \param components number of components that the potential reads of an atom.
  void require(std::int64_t clusters_and_images, int lanes, int components);

  /// Loads positions and values of a range of clusters, and sets those of their images.
  /// \param ahead prefetch distance in the caller's memory, in atoms.
  /// \returns 0, or NaN where a coordinate is not finite.
  template <class Storage>
  double load(const ClusterInput<Storage>& input, const ClusterOrder& order,
              const ClusterImages& images, ClusterRange range, int ahead);

  /// Loads only the values of a range of clusters, and sets those of their images.
  template <class Storage>
  void load_values(const ClusterInput<Storage>& input, const ClusterOrder& order,
                   const ClusterImages& images, ClusterRange range);

  /// Sets the coordinates of a cluster and its images from the positions x of its atoms.
  /// \param bad for each lane, becomes NaN where a position is not finite.
  template <int Lanes>
  void place(const ClusterOrder& order, const ClusterImages& images, std::int64_t cluster,
             const double (&x)[3][Lanes], double (&bad)[Lanes]) {
    const Scale<T> scale = scale_;
    Coordinate<T>* __restrict block = coordinates_.data() + cluster * 3 * Lanes;
    for (int d = 0; d < 3; ++d) {
      TESSERA_EACH_LANE
      for (int lane = 0; lane < Lanes; ++lane)
        block[d * Lanes + lane] = scale.coordinate(x[d][lane], d, bad[lane]);
    }
    for (int lane = order.count()[cluster]; lane < Lanes; ++lane)
      block[lane] = wrapping_sum(block[lane], away_);
    images.of_cluster(cluster, [&](std::int64_t image) {
      const Coordinate<T>* move = moves_[images.code(image)];
      Coordinate<T>* __restrict moved = coordinates_.data() + image * 3 * Lanes;
      for (int d = 0; d < 3; ++d) {
        const Coordinate<T> by = move[d];
        TESSERA_EACH_LANE
        for (int lane = 0; lane < Lanes; ++lane)
          moved[d * Lanes + lane] = wrapping_sum(block[d * Lanes + lane], by);
      }
    });
  }

  [[nodiscard]] const Scale<T>& scale() const { return scale_; }
  [[nodiscard]] const Coordinate<T>* coordinates() const { return coordinates_.data(); }
  [[nodiscard]] const T* values() const { return values_.data(); }

 private:
  template <int Lanes, bool Tilted, class Storage>
  double load_lanes(const ClusterInput<Storage>& input, const ClusterOrder& order,
                    const ClusterImages& images, ClusterRange range, int ahead);
  template <int Lanes, class Storage>
  void set_values(const ClusterInput<Storage>& input, const ClusterOrder& order,
                  const ClusterImages& images, std::int64_t cluster);

  Scale<T> scale_;
  Coordinate<T> away_ = 0;                    ///< distance of padding from the atoms along x
  Coordinate<T> moves_[shift_count][3] = {};  ///< vectors of shifts in the unit of coordinates
  ScratchArray<Coordinate<T>> coordinates_;
  ScratchArray<T> values_;
};

}  // namespace tessera::openmp::cluster

#endif  // TESSERA_BACKENDS_OPENMP_PAIR_FORCE_CLUSTER_CLUSTER_POSITIONS_HPP
