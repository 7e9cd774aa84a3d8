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
/// The pair list: for every atom the clusters, not before its own, and images of clusters that have
/// an atom inside the list radius. Each pair of clusters and periodic image appears once.

namespace tessera::openmp::cluster {

template <class T>
class ClusterList {
 public:
  /// \param chunk_clusters most clusters of a chunk, the unit in which work is shared out and force
  ///   buffers are summed: a power of two. They are fewer where threads would get few chunks.
  explicit ClusterList(int chunk_clusters) : most_clusters_(chunk_clusters) {}

  /// Clusters, or images, [first_cluster(c), end_cluster(c)) are those of a chunk.
  [[nodiscard]] std::int64_t first_cluster(std::int64_t chunk) const {
    return chunk << chunk_shift_;
  }
  [[nodiscard]] std::int64_t end_cluster(std::int64_t chunk) const {
    return std::min(first_cluster(chunk + 1), chunk < chunks_ ? clusters_ : images_.end());
  }

  /// How far clusters of a group are listed from those of another, or their images; 0: not at all.
  using Radii = double[max_groups][max_groups];

  /// Cuts the clusters into chunks for `threads` threads, and finds the images that are met. Call
  /// it before the filter has coordinates of them.
  void begin(const ClusterOrder& order, const Shifts& shifts, const Radii& radii, int threads);

  /// \param filter with coordinates of clusters and images.
  void build(const ClusterOrder& order, const Kernels<T>& kernels, const Shifts& shifts,
             const Radii& radii, const FilterArguments<T>& filter, int threads);

  /// Takes excluded pairs out: entries of which a lane is excluded move to the masked ones.
  /// Returns -1, or an atom whose exclusions name itself or an atom that is not there.
  std::int64_t exclude(const ClusterOrder& order, const md::Exclusions& exclusions,
                       std::int64_t atoms, int threads);

  /// Chunks of clusters; those of images follow.
  [[nodiscard]] std::int64_t chunks() const { return chunks_; }
  [[nodiscard]] const ClusterImages& images() const { return images_; }
  /// The cluster that an entry is, or is an image of.
  [[nodiscard]] std::uint32_t owner(std::uint32_t entry) const {
    return entry < images_.first() ? entry : images_.owner(entry);
  }
  [[nodiscard]] ListChunk chunk(std::int64_t index) const;

  /// Chunks [first, last) of thread t of `threads`, such that all have about the same work.
  [[nodiscard]] std::int64_t first_chunk(int thread) const {
    return first_chunk_[static_cast<std::size_t>(thread)];
  }
  /// Chunks whose forces the thread adds to, ascending, those of images and of their clusters too.
  [[nodiscard]] const std::vector<std::uint32_t>& touched(int thread) const {
    return touched_[static_cast<std::size_t>(thread)];
  }
  /// Whether the thread adds to the forces of the chunk.
  [[nodiscard]] bool touches(int thread, std::int64_t chunk) const {
    return touches_[static_cast<std::size_t>(thread) * static_cast<std::size_t>(all_chunks_) +
                    static_cast<std::size_t>(chunk)] != 0;
  }

  [[nodiscard]] std::int64_t entries() const;
  /// Least squared distance between two atoms that the search met, in the unit of the coordinates.
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
    std::vector<std::uint32_t> touched;  ///< chunks that hold the entries' clusters and images
  };
  struct Search;

  void build_chunk(Search& search, std::int64_t index);
  void exclude_from_chunk(std::int64_t index, const ClusterOrder& order,
                          const md::Exclusions& exclusions);
  void share_out(int threads);

  int most_clusters_;
  int chunk_shift_ = 0;
  bool excludes_ = false;
  std::vector<std::int32_t> slot_of_atom_;
  std::int64_t clusters_ = 0;
  std::int64_t chunks_ = 0, all_chunks_ = 0;
  ClusterImages images_;
  T closest_squared_ = 0;
  std::vector<Chunk> storage_;
  std::vector<std::int64_t> first_chunk_;
  std::vector<std::vector<std::uint32_t>> touched_;
  std::vector<std::uint8_t> touches_;
};

}  // namespace tessera::openmp::cluster

#endif  // TESSERA_BACKENDS_OPENMP_PAIR_FORCE_CLUSTER_CLUSTER_LIST_HPP
