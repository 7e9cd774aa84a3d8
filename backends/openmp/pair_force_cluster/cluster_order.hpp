#ifndef TESSERA_BACKENDS_OPENMP_PAIR_FORCE_CLUSTER_CLUSTER_ORDER_HPP
#define TESSERA_BACKENDS_OPENMP_PAIR_FORCE_CLUSTER_CLUSTER_ORDER_HPP

#include "backends/openmp/pair_force_cluster/cluster_kernels.hpp"
#include "backends/openmp/pair_force_cluster/columns.hpp"
#include "backends/openmp/pair_force_cluster/scratch_array.hpp"
#include "physics/md/box.hpp"
#include "physics/md/neighbor/image_range.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

/// \file
/// Groups atoms that lie close together into clusters of `lanes` atoms.
///
/// The x-y plane is cut into columns, about as wide as a cube that holds one cluster. The atoms of
/// a column are sorted along z, and every `lanes` of them make a cluster. Along a column neither
/// the lower nor the upper ends of the bounding boxes of clusters decrease. The order depends only
/// on the positions, not on the number of threads.
///
/// Each atom is wrapped into the brick, the cuboid with the lengths of the box. This is possible in
/// a tilted box too, because its lattice vectors are triangular: z is wrapped along c, which moves
/// x and y, then y along b, then x along a.
///
/// The brick begins behind the widest gap between atoms, if there are wide ones, so that its faces
/// separate no atoms that are close and coordinates stay small. Only columns with atoms are then
/// kept.
///
/// Atoms with long cutoffs and atoms with short cutoffs form groups, each with columns of its own.

namespace tessera::openmp::cluster {

/// Positions as the caller holds them: component d of atom i at data[i * atom_stride + d *
/// component_stride].
template <class Storage>
struct PositionView {
  const Storage* data = nullptr;
  std::int64_t atom_stride = 3;
  std::int64_t component_stride = 1;

  [[nodiscard]] double operator()(std::int64_t atom, int d) const {
    return static_cast<double>(data[atom * atom_stride + d * component_stride]);
  }
  /// Prefetches the position of an atom.
  void prefetch(std::int64_t atom) const {
    const Storage* const x = data + atom * atom_stride;
    __builtin_prefetch(x);
    __builtin_prefetch(x + 2 * component_stride);
  }
};

/// Positions in blocks x[lanes] y[lanes] z[lanes], one per cluster; atoms are numbered by slot.
template <class Storage>
struct BlockView {
  const Storage* data = nullptr;
  int lanes = 1;  ///< a power of two

  [[nodiscard]] double operator()(std::int64_t slot, int d) const {
    const std::int64_t lane = slot & (lanes - 1);
    return static_cast<double>(data[3 * (slot - lane) + d * lanes + lane]);
  }
  void prefetch(std::int64_t) const {}  // slots are read nearly in their order
};

/// Groups of atoms, each of which gets columns of its own. The atoms of group g are atoms[begin[g]]
/// to atoms[begin[g + 1] - 1].
struct AtomGroups {
  int count = 1;
  const std::int32_t* atoms = nullptr;  ///< null: one group of all atoms
  std::int64_t begin[max_groups + 1] = {};
  double radius[max_groups] = {};  ///< largest list radius of pairs with an atom of the group

  /// Maps between the numbers of atoms in `atoms` and those of the caller, where positions are not
  /// in the caller's order. ClusterOrder uses it to make the same clusters as from the caller's
  /// order.
  struct Reordered {
    const std::int32_t* names = nullptr;    ///< the caller's number of each atom
    const std::int32_t* places = nullptr;   ///< the number here of each of the caller's atoms
    const std::int32_t* grouped = nullptr;  ///< `atoms` with the caller's numbers, in their order
  };
  const Reordered* reordered = nullptr;  ///< null: positions are in the caller's order

  [[nodiscard]] std::int64_t size(int group) const { return begin[group + 1] - begin[group]; }
  [[nodiscard]] std::int32_t atom(std::int64_t k) const {
    return atoms != nullptr ? atoms[k] : static_cast<std::int32_t>(k);
  }
  /// The atom that is number k of all groups in the caller's order.
  [[nodiscard]] std::int32_t given(std::int64_t k) const {
    if (reordered == nullptr) return atom(k);
    return reordered->places[reordered->grouped != nullptr ? reordered->grouped[k] : k];
  }
};

/// Parameters of the shape of clusters.
struct Clustering {
  int lanes;            ///< atoms per cluster
  double column_width;  ///< width of columns over the edge of a cube that holds one cluster
  int atoms_ahead;      ///< prefetch distance in the caller's memory, in atoms
};

/// Share of thread number `thread` of `threads` in all clusters.
[[nodiscard]] inline ClusterRange share_of(int thread, int threads, std::int64_t clusters) {
  return {static_cast<std::uint32_t>(clusters * thread / threads),
          static_cast<std::uint32_t>(clusters * (thread + 1) / threads)};
}

class ClusterOrder {
 public:
  /// Groups the atoms into clusters.
  /// \tparam Positions PositionView or BlockView.
  /// \param groups no cluster extends further along an axis than largest_extent times the radius of
  /// its
  ///   group.
  /// \param box box with reduced tilts (md::reduced()).
  /// \param threads number of OpenMP threads to request.
  template <class Positions>
  void build(const Positions& positions, const AtomGroups& groups, const md::Box& box,
             const Clustering& clustering, int threads);
  /// Replaces the atom number i in each slot by names[i].
  void rename(const std::int32_t* names, int threads);

  static constexpr double largest_extent = 4.0;

  /// Largest coordinate in a direction that is not periodic, and largest distance from the box in
  /// periods in a periodic one. Bounding boxes are floats, and numbers of images are integers.
  static constexpr double furthest_place = 1e30;
  static constexpr double most_periods = 1e9;

  /// Whether a coordinate exceeds these limits or is NaN.
  [[nodiscard]] bool is_far(double x, int d) const;
  /// Whether is_far() may be true for some atom; bounding boxes then extend beyond the region.
  [[nodiscard]] bool may_have_far_atoms() const;

  [[nodiscard]] std::int64_t clusters() const { return clusters_; }
  [[nodiscard]] int lanes() const { return lanes_; }

  /// Number of the atom in each slot (cluster * lanes + lane); padding repeats the first atom of
  /// the cluster.
  [[nodiscard]] const std::int32_t* atom() const { return atom_.data(); }
  /// Numbers of lattice vectors a, b, c that are subtracted from the position of the atom in a
  /// slot: image()[3 * slot + d].
  [[nodiscard]] const std::int32_t* image() const { return image_.data(); }
  /// For each cluster whether image() is not 0 for one of its atoms.
  [[nodiscard]] const std::uint8_t* shifted() const { return shifted_.data(); }
  /// Range of image() over all atoms.
  [[nodiscard]] const md::ImageRange& images() const { return images_; }
  /// Number of atoms of each cluster, without padding.
  [[nodiscard]] const std::uint8_t* count() const { return count_.data(); }

  /// Ends of the bounding boxes of clusters, relative to origin(), rounded to float.
  [[nodiscard]] const float* lower(int d) const { return lower_[d].data(); }
  [[nodiscard]] const float* upper(int d) const { return upper_[d].data(); }

  /// Low corner, and extent, of the region that the columns cover: the brick in periodic
  /// directions, else the range of the atoms.
  [[nodiscard]] double origin(int d) const { return origin_[d]; }
  [[nodiscard]] double extent(int d) const { return extent_[d]; }
  /// Largest upper end of a bounding box, relative to origin().
  [[nodiscard]] float furthest(int d) const { return furthest_[d]; }
  [[nodiscard]] int groups() const { return static_cast<int>(columns_.size()); }
  [[nodiscard]] const Columns& columns(int group) const {
    return columns_[static_cast<std::size_t>(group)];
  }
  [[nodiscard]] int all_columns() const { return columns_.back().first + columns_.back().count(); }
  /// The group that a column belongs to.
  [[nodiscard]] int group_of(int column) const {
    int group = groups() - 1;
    while (column < columns(group).first)
      --group;
    return group;
  }
  /// First cluster of each column, then the number of clusters.
  [[nodiscard]] const std::uint32_t* column_begin() const { return column_begin_.data(); }

  [[nodiscard]] ClusterRange of_column(int column) const {
    const auto c = static_cast<std::size_t>(column);
    return {column_begin_[c], column_begin_[c + 1]};
  }
  /// The column that a cluster belongs to.
  [[nodiscard]] int column_of(std::int64_t cluster) const {
    return static_cast<int>(std::upper_bound(column_begin_.begin(), column_begin_.end(), cluster) -
                            column_begin_.begin() - 1);
  }
  /// Range of clusters of a column that contains all whose bounding box overlaps [low, high] along
  /// z.
  [[nodiscard]] ClusterRange column_range(int column, float low, float high) const {
    const Bins own = bins_of(column);
    const auto bin = [&own](float z) {
      const float b = (z - own.low) * own.scale;
      return b > 0
                 ? (b < static_cast<float>(own.count) ? static_cast<std::size_t>(b) : own.count - 1)
                 : 0;
    };
    const std::uint32_t* first = bin_begin_.data() + own.first;
    const std::uint32_t end = first[own.count];
    return {first[bin(low)], std::min(end, first[bin(high) + 1] + 1)};
  }

 private:
  struct Record {
    float z;
    std::int32_t atom;
  };

  template <class Positions>
  void measure(const Positions& positions, const AtomGroups& groups, const md::Box& box,
               int threads);
  /// Calls visit() with the atoms of a group, or with a random sample of them that is the same in
  /// every call. \returns mean number of atoms that each visited atom represents.
  template <class Positions, class Visit>
  std::int64_t sample(const Positions& positions, const AtomGroups& groups, int group,
                      const Visit& visit) const;
  template <class Positions>
  [[nodiscard]] double local_density(const Positions& positions, const AtomGroups& groups,
                                     int group, bool& gaps) const;
  template <class Positions>
  [[nodiscard]] double density_close_by(const Positions& positions, const AtomGroups& groups,
                                        int group) const;
  template <class Positions>
  void move_origin(const Positions& positions, const AtomGroups& groups);
  template <class Positions>
  void choose_columns(const Positions& positions, const AtomGroups& groups, int group,
                      double density, int threads);
  void index_columns(int threads);

  /// Equal parts of a column along z. bin_begin_ has for each part the first cluster whose upper
  /// end is not below the lower end of the part.
  struct Bins {
    std::size_t first;  ///< index in bin_begin_, of `count` parts and the end of the column
    std::size_t count;
    float low;
    float scale;
  };
  [[nodiscard]] Bins bins_of(std::int64_t column) const {
    const auto c = static_cast<std::size_t>(column);
    return gaps_ ? column_bins_[c] : Bins{c * (bins_.count + 1), bins_.count, 0, bins_.scale};
  }
  void sort_column(std::int64_t begin, std::int64_t end, std::vector<Record>& scratch,
                   std::vector<std::uint32_t>& bins, const std::int32_t* names);

  /// Position of an atom in the brick, relative to its low corner, and the numbers of lattice
  /// vectors that were subtracted.
  struct Wrapped {
    double u[3];
    std::int32_t image[3];
  };
  void wrap(Wrapped& w) const;
  template <class Positions>
  [[nodiscard]] Wrapped wrapped(const Positions& positions, std::int64_t atom) const;
  int lanes_ = 0;
  double column_width_ = 1;
  std::int64_t clusters_ = 0;
  double origin_[3] = {};
  double extent_[3] = {};
  double period_[3] = {};  ///< 0 where not periodic
  double tilt_[3] = {};
  md::ImageRange images_;
  float furthest_[3] = {};
  bool gaps_ = false;             ///< whether most of the region is empty
  std::vector<Columns> columns_;  ///< one for each group
  ScratchArray<std::int32_t> atom_, image_;
  ScratchArray<std::uint8_t> count_, shifted_;
  ScratchArray<float> lower_[3], upper_[3];
  std::vector<std::uint32_t> column_begin_;
  Bins bins_{0, 1, 0, 0};          ///< bins of every column; unused where gaps_
  std::vector<Bins> column_bins_;  ///< where gaps_: bins of each column
  ScratchArray<std::uint32_t> bin_begin_;
  ScratchArray<std::int32_t> atom_column_;
  ScratchArray<std::uint64_t> atom_key_;
  ScratchArray<float> atom_z_;
  ScratchArray<Record> records_;
  std::vector<std::uint32_t> histogram_;
  std::vector<std::int64_t> column_atoms_;
};

}  // namespace tessera::openmp::cluster

#endif  // TESSERA_BACKENDS_OPENMP_PAIR_FORCE_CLUSTER_CLUSTER_ORDER_HPP
