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
/// The x-y plane is cut into columns about as wide as a cluster is long, or a share of that; the
/// atoms of a column are sorted along z and every `lanes` of them make a cluster. Along a column
/// both ends of the clusters' boxes never decrease. Everything is a function of the positions
/// alone, whatever the threads.
///
/// The lattice vectors of a tilted box are triangular, so the brick of its lengths holds one image
/// of every atom too: z is wrapped along c, which moves x and y, then y along b, then x along a.
///
/// Where atoms leave wide gaps the brick begins behind the widest, so that no face cuts through
/// what lies together and coordinates stay small; there only columns that hold atoms are kept.
///
/// Atoms of long cutoffs and atoms of short cutoffs form groups, each with columns of its own.

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
  /// Asks for the memory of an atom.
  void prefetch(std::int64_t atom) const {
    const Storage* const x = data + atom * atom_stride;
    __builtin_prefetch(x);
    __builtin_prefetch(x + 2 * component_stride);
  }
};

/// Positions in blocks x[lanes] y[lanes] z[lanes], as those of clusters; an atom is a slot of them.
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

/// Which atoms get columns of their own: those of group g are atoms[begin[g]] to
/// atoms[begin[g + 1] - 1].
struct AtomGroups {
  int count = 1;
  const std::int32_t* atoms = nullptr;  ///< null: one group of all
  std::int64_t begin[max_groups + 1] = {};
  double radius[max_groups] = {};  ///< longest distance of the pairs wanted of its atoms

  /// Where atoms lie in another order than the caller's, so that the same clusters are made of
  /// them: numbers above are those of that order.
  struct Reordered {
    const std::int32_t* names = nullptr;    ///< the caller's number of each
    const std::int32_t* places = nullptr;   ///< the number of each of the caller's
    const std::int32_t* grouped = nullptr;  ///< `atoms` in the caller's order
  };
  const Reordered* reordered = nullptr;

  [[nodiscard]] std::int64_t size(int group) const { return begin[group + 1] - begin[group]; }
  [[nodiscard]] std::int32_t atom(std::int64_t k) const {
    return atoms != nullptr ? atoms[k] : static_cast<std::int32_t>(k);
  }
  /// Atom number k of the caller's order.
  [[nodiscard]] std::int32_t given(std::int64_t k) const {
    if (reordered == nullptr) return atom(k);
    return reordered->places[reordered->grouped != nullptr ? reordered->grouped[k] : k];
  }
};

/// The shape of clusters; whatever it is, they extend no further than largest_extent.
struct Clustering {
  int lanes;            ///< atoms per cluster
  double column_width;  ///< in lengths of a cube that holds one cluster
  int atoms_ahead;      ///< prefetch distance in the caller's memory, in atoms
};

/// Clusters of thread number `thread` of `threads`.
[[nodiscard]] inline ClusterRange share_of(int thread, int threads, std::int64_t clusters) {
  return {static_cast<std::uint32_t>(clusters * thread / threads),
          static_cast<std::uint32_t>(clusters * (thread + 1) / threads)};
}

class ClusterOrder {
 public:
  /// \param box with tilts within half a length: see md::reduced().
  /// \tparam Positions PositionView or BlockView.
  /// \param groups no cluster of a group extends further than largest_extent of its radius along
  ///   an axis.
  /// \param threads how many OpenMP threads to ask for.
  template <class Positions>
  void build(const Positions& positions, const AtomGroups& groups, const md::Box& box,
             const Clustering& clustering, int threads);
  /// Slots hold names[i] instead of i from now on.
  void rename(const std::int32_t* names, int threads);

  static constexpr double largest_extent = 4.0;

  /// Bounds of places: heights and boxes are floats, counts of images are integers.
  static constexpr double furthest_place = 1e30;  ///< where a direction is open
  static constexpr double most_periods = 1e9;     ///< from the box, where it is periodic

  /// Whether a coordinate is beyond them, or no number.
  [[nodiscard]] bool is_far(double x, int d) const;
  /// Whether some may be: then boxes reach beyond the region.
  [[nodiscard]] bool may_have_far_atoms() const;

  [[nodiscard]] std::int64_t clusters() const { return clusters_; }
  [[nodiscard]] int lanes() const { return lanes_; }

  /// Index of the atom in each slot (cluster * lanes + lane); padding repeats the cluster's first.
  [[nodiscard]] const std::int32_t* atom() const { return atom_.data(); }
  /// Lattice vectors a, b, c to subtract: image()[slot * 3 + d] of each.
  [[nodiscard]] const std::int32_t* image() const { return image_.data(); }
  /// Whether any atom of a cluster lies outside the box, so that image() matters.
  [[nodiscard]] const std::uint8_t* shifted() const { return shifted_.data(); }
  /// The least and most of image() over all atoms.
  [[nodiscard]] const md::ImageRange& images() const { return images_; }
  /// Atoms of a cluster that are not padding.
  [[nodiscard]] const std::uint8_t* count() const { return count_.data(); }

  /// Bounding boxes, relative to origin(), rounded as the positions are.
  [[nodiscard]] const float* lower(int d) const { return lower_[d].data(); }
  [[nodiscard]] const float* upper(int d) const { return upper_[d].data(); }

  /// Low corner of the region that the columns tile; the box where periodic, else of the atoms.
  [[nodiscard]] double origin(int d) const { return origin_[d]; }
  [[nodiscard]] double extent(int d) const { return extent_[d]; }
  /// How far from the origin any box reaches.
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
  /// First cluster of each column; one more entry closes the last.
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
  /// Clusters of a column that may reach into [low, high] along z: all that do and a few more.
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
  /// A group's atoms, or some of them at random distances, the same each time. Returns how many one
  /// stands for.
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

  /// Equal parts of a column along z, for each the first cluster that ends above its floor.
  struct Bins {
    std::size_t first;  ///< in bin_begin_; one more than `count` belong to the column
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

  /// An atom in the brick, relative to its corner, and the lattice vectors that were taken off.
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
  std::vector<Columns> columns_;  ///< of each group
  ScratchArray<std::int32_t> atom_, image_;
  ScratchArray<std::uint8_t> count_, shifted_;
  ScratchArray<float> lower_[3], upper_[3];
  std::vector<std::uint32_t> column_begin_;
  Bins bins_{0, 1, 0, 0};          ///< of every column, where most are filled
  std::vector<Bins> column_bins_;  ///< of each column elsewhere
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
