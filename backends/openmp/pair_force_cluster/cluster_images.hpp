#ifndef TESSERA_BACKENDS_OPENMP_PAIR_FORCE_CLUSTER_CLUSTER_IMAGES_HPP
#define TESSERA_BACKENDS_OPENMP_PAIR_FORCE_CLUSTER_CLUSTER_IMAGES_HPP

#include "backends/openmp/pair_force_cluster/cluster_kernels.hpp"
#include "backends/openmp/pair_force_cluster/cluster_order.hpp"
#include "backends/openmp/pair_force_cluster/shifts.hpp"

#include <cstdint>
#include <vector>

/// \file
/// The periodic images of clusters that may be neighbors of clusters. An image is a cluster moved
/// by a lattice vector, with coordinates and forces of its own, so that a row of the list may have
/// clusters and images alike.

namespace tessera::openmp::cluster {

/// Whether clusters of group `from` are listed with images of clusters of group `to` at a shift.
/// Each periodic pair is listed once: clusters of the earlier of two groups are listed with all
/// images of the later group, and within a group only one of two opposite shifts is used.
[[nodiscard]] constexpr bool interacts_with_images(int from, int to, int code) {
  return from < to ? code != no_shift : from == to && code > no_shift;
}

class ClusterImages {
 public:
  /// Range of clusters of a column that have images at a shift; the image of cluster c has the
  /// number c + offset.
  struct Range {
    ClusterRange clusters;
    std::uint32_t offset;
  };

  /// Finds the images.
  /// \param reach distance within which clusters of one group are listed with those of another; 0:
  /// they
  ///   are not.
  /// \param first number of the first image, past the clusters.
  /// \throws ArgumentError when clusters and images are 2^32 or more.
  void build(const ClusterOrder& order, const Shifts& shifts,
             const double (&reach)[max_groups][max_groups], std::int64_t first);

  /// Images are numbered from first() to end() - 1.
  [[nodiscard]] std::int64_t first() const { return first_; }
  [[nodiscard]] std::int64_t end() const {
    return first_ + static_cast<std::int64_t>(owner_.size());
  }
  /// The cluster of an image, and the code of the shift that moves it there.
  [[nodiscard]] std::uint32_t owner(std::int64_t image) const {
    return owner_[static_cast<std::size_t>(image - first_)];
  }
  [[nodiscard]] int code(std::int64_t image) const {
    return code_[static_cast<std::size_t>(image - first_)];
  }

  /// Images of a column at a shift; none where the range is empty.
  [[nodiscard]] Range of_column(int column, int code) const;

  /// Calls visit(image) for the images of a cluster.
  template <class Visit>
  void of_cluster(std::int64_t cluster, const Visit& visit) const {
    const auto c = static_cast<std::size_t>(cluster);
    for (std::uint32_t k = of_cluster_begin_[c]; k < of_cluster_begin_[c + 1]; ++k)
      visit(static_cast<std::int64_t>(of_cluster_[k]));
  }

 private:
  struct Column {
    int column;
    Range range;
  };

  void enter_group(const ClusterOrder& order, const double* shift, int group, double reach,
                   int code);
  void index(std::int64_t clusters);

  std::int64_t first_ = 0;
  std::vector<Column> columns_[shift_count];  ///< for each shift, by ascending column
  std::vector<std::uint32_t> owner_;
  std::vector<std::uint8_t> code_;
  std::vector<std::uint32_t> of_cluster_begin_, of_cluster_;
};

}  // namespace tessera::openmp::cluster

#endif  // TESSERA_BACKENDS_OPENMP_PAIR_FORCE_CLUSTER_CLUSTER_IMAGES_HPP
