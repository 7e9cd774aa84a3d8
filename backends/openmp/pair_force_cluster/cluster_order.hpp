#pragma once

#include <algorithm>
#include <cstdint>
#include <tessera/backends/openmp/pair_force_cluster/cluster_kernels.hpp>
#include <tessera/backends/openmp/pair_force_cluster/scratch_array.hpp>
#include <tessera/md/box.hpp>
#include <tessera/md/neighbor/image_range.hpp>
#include <vector>

/// \file
/// Groups atoms that lie close together into clusters of `lanes` atoms.
///
/// The x-y plane is cut into columns about as wide as a cluster is long; the atoms of a column are
/// sorted along z and every `lanes` of them make a cluster. Along a column both ends of the
/// clusters' boxes never decrease. Everything is a function of the positions alone, whatever the
/// threads.
///
/// The lattice vectors of a tilted box are triangular, so the brick of its lengths holds one image
/// of every atom too: z is wrapped along c, which moves x and y, then y along b, then x along a.

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
};

class ClusterOrder {
 public:
  /// \param box with tilts within half a length: see md::reduced().
  /// \param lanes atoms per cluster.
  /// \param list_radius longest distance of the pairs wanted; no cluster extends further than
  ///   kLargestExtent of it along an axis.
  /// \param threads how many OpenMP threads to ask for.
  template <class Storage>
  void build(const PositionView<Storage>& positions, std::int64_t atoms, const md::Box& box,
             int lanes, double list_radius, int threads);

  static constexpr double kLargestExtent = 4.0;

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
  [[nodiscard]] int columns_x() const { return columns_[0]; }
  [[nodiscard]] int columns_y() const { return columns_[1]; }
  [[nodiscard]] double column_width(int d) const { return width_[d]; }
  [[nodiscard]] int column(int x, int y) const { return x * columns_[1] + y; }
  /// First cluster of each column; one more entry closes the last.
  [[nodiscard]] const std::uint32_t* column_begin() const { return column_begin_.data(); }

  /// Clusters of a column that may reach into [low, high] along z: all that do and a few more.
  [[nodiscard]] ClusterRange column_range(int column, float low, float high) const {
    const auto bin = [this](float z) {
      const float b = z * inverse_height_;
      return b > 0 ? (b < static_cast<float>(bins_) ? static_cast<int>(b) : bins_ - 1) : 0;
    };
    const std::uint32_t* first =
        bin_begin_.data() + static_cast<std::size_t>(column) * static_cast<std::size_t>(bins_ + 1);
    const std::uint32_t end = first[bins_];
    return {first[bin(low)], std::min(end, first[bin(high) + 1] + 1)};
  }

 private:
  struct Record {
    float z;
    std::int32_t atom;
  };

  template <class Storage>
  void measure(const PositionView<Storage>& positions, std::int64_t atoms, const md::Box& box,
               int threads);
  template <class Storage>
  [[nodiscard]] double felt_density(const PositionView<Storage>& positions, std::int64_t atoms,
                                    double list_radius) const;
  void choose_columns(std::int64_t atoms, double density, double list_radius);
  void index_columns(int threads);
  void sort_column(std::int64_t begin, std::int64_t end, std::vector<Record>& scratch,
                   std::vector<std::uint32_t>& bins);

  /// An atom in the brick, relative to its corner, and the lattice vectors that were taken off.
  struct Wrapped {
    double u[3];
    std::int32_t image[3];
  };
  template <class Storage>
  [[nodiscard]] Wrapped wrapped(const PositionView<Storage>& positions, std::int64_t atom) const;
  [[nodiscard]] std::int32_t crossings(double u, int d) const;
  [[nodiscard]] int column_of(double x, double y) const;

  int lanes_ = 0;
  std::int64_t clusters_ = 0;
  double origin_[3] = {};
  double extent_[3] = {};
  double period_[3] = {};  ///< 0 where not periodic
  double tilt_[3] = {};
  md::ImageRange images_;
  int columns_[2] = {1, 1};
  double width_[2] = {};
  ScratchArray<std::int32_t> atom_, image_;
  ScratchArray<std::uint8_t> count_, shifted_;
  ScratchArray<float> lower_[3], upper_[3];
  std::vector<std::uint32_t> column_begin_;
  int bins_ = 1;  ///< along z
  float inverse_height_ = 0;
  /// First cluster of a column that ends above the floor of a bin; bins_ + 1 for each column.
  ScratchArray<std::uint32_t> bin_begin_;
  ScratchArray<std::int32_t> atom_column_;
  ScratchArray<float> atom_z_;
  ScratchArray<Record> records_;
  std::vector<std::uint32_t> histogram_;
  std::vector<std::int64_t> column_atoms_;
};

}  // namespace tessera::openmp::cluster
