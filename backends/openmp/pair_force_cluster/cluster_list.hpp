#ifndef TESSERA_BACKENDS_OPENMP_PAIR_FORCE_CLUSTER_CLUSTER_LIST_HPP
#define TESSERA_BACKENDS_OPENMP_PAIR_FORCE_CLUSTER_CLUSTER_LIST_HPP

#include "backends/openmp/pair_force_cluster/cluster_images.hpp"
#include "backends/openmp/pair_force_cluster/cluster_kernels.hpp"
#include "backends/openmp/pair_force_cluster/cluster_order.hpp"
#include "backends/openmp/pair_force_cluster/shifts.hpp"
#include "physics/md/pair_force/pair_force.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

/// \file
/// The pair list. The row of an atom has the clusters behind its own, and the images of clusters,
/// that have an atom within the list radius of it. Each pair of atoms, or of an atom and an image,
/// is listed in one row.

namespace tessera::openmp::cluster {

template <class T>
class ClusterList {
 public:
  /// \param chunk_clusters largest number of clusters of a chunk, a power of two. A chunk is the
  /// unit in
  ///   which work is distributed and force buffers are summed. Chunks are smaller where each thread
  ///   would get only a few of them.
  explicit ClusterList(int chunk_clusters) : most_clusters_(chunk_clusters) {}

  /// The clusters, or images, of a chunk are [first_cluster(chunk), end_cluster(chunk)).
  [[nodiscard]] std::int64_t first_cluster(std::int64_t chunk) const {
    return chunk << chunk_shift_;
  }
  [[nodiscard]] std::int64_t end_cluster(std::int64_t chunk) const {
    return std::min(first_cluster(chunk + 1), chunk < chunks_ ? clusters_ : images_.end());
  }

  /// Distance up to which clusters of one group are listed with those of another, or their images;
  /// 0: they are not listed.
  using Radii = double[max_groups][max_groups];

  /// Cuts the clusters into chunks for `threads` threads, and finds the images that may be listed.
  /// The caller then provides coordinates of clusters and images, and calls build().
  void begin(const ClusterOrder& order, const Shifts& shifts, const Radii& radii, int threads);

  /// Makes the list.
  /// \param filter its coordinates are those of clusters and images.
  void build(const ClusterOrder& order, const Kernels<T>& kernels, const Shifts& shifts,
             const Radii& radii, const FilterArguments<T>& filter, int threads);

  /// Removes excluded pairs: moves entries of which a lane is excluded to the masked entries.
  /// \returns -1, or the first atom whose exclusions contain itself or an atom that does not exist.
  std::int64_t exclude(const ClusterOrder& order, const md::Exclusions& exclusions,
                       std::int64_t atoms, int threads);

  /// Separates entries of clusters from `first_ghost` on, and of their images: chunk() then lacks
  /// them, and chunk_to_ghosts() has them.
  void separate(std::uint32_t first_ghost, int threads);

  /// Number of chunks of clusters; the numbers of chunks of images follow.
  [[nodiscard]] std::int64_t chunks() const { return chunks_; }
  [[nodiscard]] const ClusterImages& images() const { return images_; }
  /// The cluster of an entry: the entry itself, or the cluster of which it is an image.
  [[nodiscard]] std::uint32_t owner(std::uint32_t entry) const {
    return entry < images_.first() ? entry : images_.owner(entry);
  }
  [[nodiscard]] ListChunk chunk(std::int64_t index) const {
    return view(storage_[static_cast<std::size_t>(index)], index);
  }
  /// The separated entries of the same clusters.
  [[nodiscard]] ListChunk chunk_to_ghosts(std::int64_t index) const {
    return view(to_ghosts_[static_cast<std::size_t>(index)], index);
  }

  /// The chunks of thread t are [first_chunk(t), first_chunk(t + 1)). All threads have about the
  /// same amount of work.
  [[nodiscard]] std::int64_t first_chunk(int thread) const {
    return first_chunk_[static_cast<std::size_t>(thread)];
  }
  /// Chunks to whose forces the thread adds, in ascending order, including chunks of images and the
  /// chunks of the clusters of these images.
  [[nodiscard]] const std::vector<std::uint32_t>& touched(int thread) const {
    return touched_[static_cast<std::size_t>(thread)];
  }
  /// Whether the thread adds to the forces of the chunk.
  [[nodiscard]] bool touches(int thread, std::int64_t chunk) const {
    return touches_[static_cast<std::size_t>(thread) * static_cast<std::size_t>(all_chunks_) +
                    static_cast<std::size_t>(chunk)] != 0;
  }

  /// Number of entries of all rows, without masked ones.
  [[nodiscard]] std::int64_t entries() const;
  /// Smallest squared distance of two atoms that the search computed, in the unit of coordinates.
  [[nodiscard]] T closest_squared() const { return closest_squared_; }

 private:
  struct Chunk {
    std::size_t clusters = 0;
    std::vector<std::uint32_t> row_end;
    std::vector<std::uint32_t> entries;
    std::size_t entry_count = 0;
    std::vector<std::uint32_t> masked_end;
    std::vector<MaskedEntry> masked;
    std::vector<std::uint32_t> own_bits;
    std::vector<std::uint32_t> touched;  ///< chunks of the clusters and images that are entries
  };
  struct Search;

  void build_chunk(Search& search, std::int64_t index);
  void exclude_from_chunk(std::int64_t index, const ClusterOrder& order,
                          const md::Exclusions& exclusions);
  void share_out(int threads);
  [[nodiscard]] ListChunk view(const Chunk& chunk, std::int64_t index) const;

  int most_clusters_;
  int chunk_shift_ = 0;
  bool excludes_ = false;
  std::vector<std::int32_t> slot_of_atom_;
  std::int64_t clusters_ = 0;
  std::int64_t chunks_ = 0, all_chunks_ = 0;
  ClusterImages images_;
  T closest_squared_ = 0;
  std::vector<Chunk> storage_;
  std::vector<Chunk> to_ghosts_;  ///< as many as chunks_, or none
  std::vector<std::int64_t> first_chunk_;
  std::vector<std::vector<std::uint32_t>> touched_;
  std::vector<std::uint8_t> touches_;
};

}  // namespace tessera::openmp::cluster

#endif  // TESSERA_BACKENDS_OPENMP_PAIR_FORCE_CLUSTER_CLUSTER_LIST_HPP
