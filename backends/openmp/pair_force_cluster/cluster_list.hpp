#pragma once

#include <bit>
#include <cstdint>
#include <tessera/backends/openmp/pair_force_cluster/cluster_kernels.hpp>
#include <tessera/backends/openmp/pair_force_cluster/cluster_order.hpp>
#include <tessera/backends/openmp/pair_force_cluster/shifts.hpp>
#include <tessera/md/pair_force/pair_force.hpp>
#include <vector>

/// \file
/// The pair list: for every atom the clusters, not before its own, that have an atom inside the
/// list radius. Each pair of clusters and periodic image appears once.

namespace tessera::openmp::cluster {

template <class T>
class ClusterList {
 public:
  /// \param chunk_clusters clusters of a chunk, the unit in which work is shared out and force
  ///   buffers are summed: a power of two.
  explicit ClusterList(int chunk_clusters)
      : chunk_shift_(std::countr_zero(static_cast<unsigned>(chunk_clusters))) {}

  /// Clusters [first_cluster(c), first_cluster(c + 1)) are those of a chunk, where there are so
  /// many.
  [[nodiscard]] std::int64_t first_cluster(std::int64_t chunk) const {
    return chunk << chunk_shift_;
  }

  /// \param radius how far clusters of a group are listed from those of another; 0: not at all.
  void build(const ClusterOrder& order, const Kernels<T>& kernels, const Shifts& shifts,
             const double (&radius)[kMaxGroups][kMaxGroups], const FilterArguments<T>& filter,
             int threads);

  /// Takes excluded pairs out: entries of which a lane is excluded move to the masked ones.
  /// Returns -1, or an atom whose exclusions name itself or an atom that is not there.
  std::int64_t exclude(const ClusterOrder& order, const md::Exclusions& exclusions,
                       std::int64_t atoms, int threads);

  [[nodiscard]] std::int64_t chunks() const { return chunks_; }
  [[nodiscard]] ListChunk chunk(std::int64_t index) const;

  /// Chunks [first, last) of thread t of `threads`, such that all have about the same work.
  [[nodiscard]] std::int64_t first_chunk(int thread) const {
    return first_chunk_[static_cast<std::size_t>(thread)];
  }
  /// Chunks whose forces the thread adds to, ascending.
  [[nodiscard]] const std::vector<std::uint32_t>& touched(int thread) const {
    return touched_[static_cast<std::size_t>(thread)];
  }
  /// Whether the thread adds to the forces of the chunk.
  [[nodiscard]] bool touches(int thread, std::int64_t chunk) const {
    return touches_[static_cast<std::size_t>(thread) * static_cast<std::size_t>(chunks_) +
                    static_cast<std::size_t>(chunk)] != 0;
  }

  [[nodiscard]] std::int64_t entries() const;
  /// Least squared distance between two atoms that the search met, in the unit of the coordinates.
  [[nodiscard]] T closest_squared() const { return closest_squared_; }

 private:
  struct Chunk {
    std::vector<ListHeader> headers;
    std::vector<std::uint32_t> row_end;
    std::vector<std::uint32_t> entries;
    std::size_t entry_count = 0;
    std::vector<std::uint32_t> masked_end;
    std::vector<MaskedEntry> masked;
    std::vector<std::uint32_t> own_bits;
    std::vector<std::uint32_t> touched;  ///< chunks that hold the entries' clusters
  };
  struct Search;

  void build_chunk(Search& search, std::int64_t index);
  void exclude_from_chunk(Chunk& chunk, const ClusterOrder& order,
                          const md::Exclusions& exclusions);
  void share_out(int threads);

  int chunk_shift_;
  bool excludes_ = false;
  std::vector<std::int32_t> slot_of_atom_;
  std::int64_t chunks_ = 0;
  T closest_squared_ = 0;
  std::vector<Chunk> storage_;
  std::vector<std::int64_t> first_chunk_;
  std::vector<std::vector<std::uint32_t>> touched_;
  std::vector<std::uint8_t> touches_;
};

}  // namespace tessera::openmp::cluster
