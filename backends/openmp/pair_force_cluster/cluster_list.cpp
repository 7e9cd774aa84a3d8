#include "backends/openmp/pair_force_cluster/cluster_list.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace tessera::openmp::cluster {

namespace {

/// Margins of distances, because bounding boxes and shifts are rounded to float: a few units in the
/// last place of the largest coordinate.
struct Margins {
  double unshifted = 0;
  double shifted = 0;

  explicit Margins(const ClusterOrder& order) {
    for (int d = 0; d < 3; ++d) {
      unshifted = std::max(unshifted, 1e-6 * static_cast<double>(order.furthest(d)));
      shifted = std::max({unshifted, shifted, 1e-6 * order.extent(d)});
    }
  }
  /// Distance of bounding boxes up to which atoms may be within a radius.
  [[nodiscard]] double look(double radius, bool images) const {
    return radius > 0 ? radius * (1 + 1e-6) + (images ? shifted : unshifted) : 0;
  }
  /// A larger distance, so that ClusterImages has every image that look() may require.
  [[nodiscard]] double look_for_images(double radius) const {
    return radius > 0 ? radius * (1 + 2e-6) + 2 * shifted : 0;
  }
};

}  // namespace

/// Search of one thread: its input, and scratch memory that is reused for all chunks.
template <class T>
struct ClusterList<T>::Search {
  const ClusterOrder& order;
  const Kernels<T>& kernels;
  const FilterArguments<T>& filter;
  const Shifts& shifts;
  const ClusterImages& images;
  const Radii& radii;
  Margins margins;

  /// A column, or its images at one shift, with clusters that may be within reach of clusters of
  /// the present column.
  struct Neighbor {
    float low[2], high[2];  ///< the column's rectangle
    float radius;
    int column;
    bool same;                   ///< whether it is the present column itself, without a shift
    ClusterImages::Range there;  ///< its clusters that have images at this shift
  };
  /// The neighbors at one shift.
  struct Group {
    int code;  ///< code of the shift
    float shift[3];
    float radius;            ///< largest radius of its neighbors
    std::size_t begin, end;  ///< range in `neighbors`
  };
  std::vector<Neighbor> neighbors;
  std::vector<Group> groups;
  std::vector<SearchRange> ranges;
  std::vector<T> reaches;
  std::vector<std::uint32_t> candidates, active;
  std::vector<std::uint32_t> stamp;  ///< per chunk: 1 plus the last chunk with an entry in it
  T closest_squared = std::numeric_limits<T>::max();

  void enter_column(int column);
  void enter_group(int group, const int (&at)[2], const Columns& own, const double* shift,
                   double looked, int column, int code);
  std::size_t enter_cluster(std::uint32_t cluster);
};

/// Collects the neighbors of a column: columns from `column` on, and at each shift columns with
/// images.
template <class T>
void ClusterList<T>::Search::enter_column(int column) {
  neighbors.clear();
  groups.clear();
  const int group = order.group_of(column);
  const Columns& own = order.columns(group);
  int at[2];
  own.place(column, at);
  for (int code = 0; code < shift_count; ++code) {
    if (!shifts.possible(code)) continue;
    const double* const shift = shifts.vector(code);
    const std::size_t begin = neighbors.size();
    double furthest = 0;
    for (int other = group; other < order.groups(); ++other) {
      if (code != no_shift && !interacts_with_images(group, other, code)) continue;
      const double looked = margins.look(radii[group][other], code != no_shift);
      if (looked == 0) continue;
      furthest = std::max(furthest, looked);
      enter_group(other, at, own, shift, looked, column, code);
    }
    if (neighbors.size() == begin) continue;
    groups.push_back(
        {code,
         {static_cast<float>(shift[0]), static_cast<float>(shift[1]), static_cast<float>(shift[2])},
         static_cast<float>(furthest),
         begin,
         neighbors.size()});
  }
}

/// Adds the columns of one group of atoms within the distance `looked` of the column at cell
/// (at[0], at[1]) of `own`.
template <class T>
void ClusterList<T>::Search::enter_group(int group, const int (&at)[2], const Columns& own,
                                         const double* shift, double looked, int column, int code) {
  const Columns& others = order.columns(group);
  int first[2], last[2];
  for (int d = 0; d < 2; ++d) {
    const double low = at[d] * own.width(d) - shift[d] - looked;
    const double high = (at[d] + 1) * own.width(d) - shift[d] + looked;
    if (high < 0 || low > static_cast<double>(order.furthest(d))) return;
    const Columns::Cells near = others.cells_between(low, high, d);
    first[d] = near.first;
    last[d] = near.last;
  }
  const bool shifted = code != no_shift;
  if (!shifted && &others == &own) first[0] = std::max(first[0], at[0]);
  others.visit(first, last, [&](int other, int x, int y) {
    if (!shifted && other < column) return;
    const ClusterImages::Range moved =
        shifted ? images.of_column(other, code) : ClusterImages::Range{order.of_column(other), 0};
    if (moved.clusters.begin == moved.clusters.end) return;
    const double wx = others.width(0);
    const double wy = others.width(1);
    neighbors.push_back({{static_cast<float>(x * wx), static_cast<float>(y * wy)},
                         {static_cast<float>((x + 1) * wx), static_cast<float>((y + 1) * wy)},
                         static_cast<float>(looked),
                         other,
                         other == column && !shifted,
                         moved});
  });
}

/// Collects the ranges of clusters and images that may be within reach of a cluster of the present
/// column. \returns number of clusters and images in the ranges.
template <class T>
std::size_t ClusterList<T>::Search::enter_cluster(std::uint32_t cluster) {
  ranges.clear();
  std::size_t most = 0;
  const float top = order.furthest(2);
  for (const Group& group : groups) {
    SearchRange found{};
    for (int d = 0; d < 3; ++d) {
      found.low[d] = order.lower(d)[cluster] - group.shift[d];
      found.high[d] = order.upper(d)[cluster] - group.shift[d];
    }
    const float* low = found.low;
    const float* high = found.high;
    const bool shifted = group.code != no_shift;
    if (shifted && (low[2] > top + group.radius || high[2] < -group.radius)) continue;
    for (std::size_t k = group.begin; k < group.end; ++k) {
      const Neighbor& neighbor = neighbors[k];
      const float radius = neighbor.radius;
      const float gx = std::max({0.0f, neighbor.low[0] - high[0], low[0] - neighbor.high[0]});
      const float gy = std::max({0.0f, neighbor.low[1] - high[1], low[1] - neighbor.high[1]});
      if (radius * radius - gx * gx - gy * gy <= 0) continue;
      ClusterRange range = order.column_range(neighbor.column, low[2] - radius, high[2] + radius);
      // A pair of clusters is an entry in the rows of the earlier cluster only.
      const ClusterRange there = neighbor.there.clusters;
      range.begin = std::max(range.begin, neighbor.same ? cluster + 1 : there.begin);
      range.end = std::min(range.end, there.end);
      if (range.begin >= range.end) continue;
      found.clusters = range;
      found.offset = neighbor.there.offset;
      found.radius_squared = radius * radius;
      ranges.push_back(found);
      most += range.end - range.begin;
    }
  }
  return most;
}

template <class T>
void ClusterList<T>::build_chunk(Search& search, std::int64_t index) {
  const ClusterOrder& order = search.order;
  const auto lanes = static_cast<std::size_t>(order.lanes());
  Chunk& chunk = storage_[static_cast<std::size_t>(index)];
  chunk.touched.clear();
  chunk.entry_count = 0;

  const auto first = static_cast<std::uint32_t>(first_cluster(index));
  const auto last = static_cast<std::uint32_t>(end_cluster(index));
  int column = order.column_of(first);
  search.enter_column(column);
  SearchArguments arguments{};
  for (int d = 0; d < 3; ++d) {
    arguments.lower[d] = order.lower(d);
    arguments.upper[d] = order.upper(d);
  }
  chunk.clusters = last - first;
  chunk.row_end.resize(chunk.clusters * lanes);

  for (std::uint32_t a = first; a < last; ++a) {
    if (a >= order.column_begin()[column + 1]) {
      while (a >= order.column_begin()[column + 1])
        ++column;
      search.enter_column(column);
    }
    const std::size_t most = search.enter_cluster(a);
    arguments.cluster = a;
    arguments.ranges = search.ranges.data();
    arguments.range_count = search.ranges.size();
    if (search.candidates.size() < most + max_lanes) search.candidates.resize(most + max_lanes);
    if (search.active.size() < most + max_lanes) search.active.resize(most + max_lanes);
    const std::size_t capacity = chunk.entry_count + most * lanes + max_lanes;
    if (chunk.entries.size() < capacity) chunk.entries.resize(capacity * 5 / 4);
    SearchResult<T> result{search.candidates.data(),
                           0,
                           search.active.data(),
                           chunk.entries.data() + chunk.entry_count,
                           chunk.row_end.data() + (a - first) * lanes,
                           static_cast<std::uint32_t>(chunk.entry_count),
                           search.closest_squared,
                           search.reaches.data()};
    chunk.entry_count += search.kernels.filter(search.filter, arguments, result);
    search.closest_squared = result.closest_squared;
    for (std::size_t k = 0; k < result.candidate_count; ++k) {
      const std::size_t block = search.candidates[k] >> chunk_shift_;
      if (search.stamp[block] == static_cast<std::uint32_t>(index) + 1) continue;
      search.stamp[block] = static_cast<std::uint32_t>(index) + 1;
      chunk.touched.push_back(static_cast<std::uint32_t>(block));
    }
  }
}

template <class T>
void ClusterList<T>::begin(const ClusterOrder& order, const Shifts& shifts, const Radii& radii,
                           int threads) {
  // Too few chunks cannot be distributed evenly; small chunks share more cache lines between
  // threads.
  constexpr std::int64_t chunks_per_thread = 8;
  constexpr std::int64_t fewest_clusters = 8;
  clusters_ = order.clusters();
  const auto even = static_cast<std::uint64_t>(
      std::max(clusters_ / (chunks_per_thread * threads), fewest_clusters));
  chunk_shift_ =
      std::countr_zero(std::min(static_cast<std::uint64_t>(most_clusters_), std::bit_floor(even)));
  chunks_ = (clusters_ + first_cluster(1) - 1) >> chunk_shift_;
  const Margins margins(order);
  double reach[max_groups][max_groups] = {};
  for (int from = 0; from < order.groups(); ++from)
    for (int to = from; to < order.groups(); ++to)
      reach[from][to] = margins.look_for_images(radii[from][to]);
  images_.build(order, shifts, reach, first_cluster(chunks_));
  all_chunks_ = (images_.end() + first_cluster(1) - 1) >> chunk_shift_;
}

template <class T>
void ClusterList<T>::build(const ClusterOrder& order, const Kernels<T>& kernels,
                           const Shifts& shifts, const Radii& radii,
                           const FilterArguments<T>& filter, int threads) {
  excludes_ = false;
  to_ghosts_.clear();
  if (static_cast<std::int64_t>(storage_.size()) < chunks_) {
    storage_.resize(static_cast<std::size_t>(chunks_));
  }
  T closest = std::numeric_limits<T>::max();
#pragma omp parallel num_threads(threads) reduction(min : closest)
  {
    Search search{order, kernels, filter, shifts, images_, radii, Margins(order),
                  {},    {},      {},     {},     {},      {},    {}};
    search.reaches.resize(static_cast<std::size_t>(filter.types) * max_lanes);
    search.stamp.assign(static_cast<std::size_t>(all_chunks_), 0);
#pragma omp for schedule(monotonic : dynamic, 1)
    for (std::int64_t c = 0; c < chunks_; ++c)
      build_chunk(search, c);
    closest = search.closest_squared;
  }
  closest_squared_ = closest;
  share_out(threads);
}

template <class T>
void ClusterList<T>::exclude_from_chunk(std::int64_t index, const ClusterOrder& order,
                                        const md::Exclusions& exclusions) {
  Chunk& chunk = storage_[static_cast<std::size_t>(index)];
  const auto lanes = static_cast<std::size_t>(order.lanes());
  chunk.masked.clear();
  chunk.masked_end.resize(chunk.row_end.size());
  chunk.own_bits.assign(chunk.row_end.size(), ~std::uint32_t{0});
  std::vector<MaskedEntry> excluded;  // clusters with an excluded lane for the present row
  const auto find_excluded = [&](std::uint32_t cluster) {
    return std::find_if(excluded.begin(), excluded.end(),
                        [&](const MaskedEntry& m) { return m.cluster == cluster; });
  };
  std::size_t begin = 0;
  std::size_t kept = 0;
  for (std::size_t at = 0; at < chunk.row_end.size(); ++at) {
    const std::size_t cluster = static_cast<std::size_t>(first_cluster(index)) + at / lanes;
    const std::size_t row = at % lanes;
    const std::size_t end = chunk.row_end[at];
    excluded.clear();
    if (row < order.count()[cluster]) {
      const std::int32_t atom = order.atom()[cluster * lanes + row];
      for (auto e = exclusions.offsets(atom); e < exclusions.offsets(atom + 1); ++e) {
        const auto slot = static_cast<std::size_t>(
            slot_of_atom_[static_cast<std::size_t>(exclusions.partners(e))]);
        const auto other = static_cast<std::uint32_t>(slot / lanes);
        const std::uint32_t bit = std::uint32_t{1} << (slot % lanes);
        if (other == cluster) chunk.own_bits[at] &= ~bit;
        const auto known = find_excluded(other);
        if (known == excluded.end())
          excluded.push_back({other, ~bit});
        else
          known->bits &= ~bit;
      }
    }
    for (std::size_t k = begin; k < end; ++k) {
      const std::uint32_t entry = chunk.entries[k];
      const auto found = excluded.empty() ? excluded.end() : find_excluded(owner(entry));
      if (found == excluded.end())
        chunk.entries[kept++] = entry;
      else
        chunk.masked.push_back({entry, found->bits});
    }
    chunk.row_end[at] = static_cast<std::uint32_t>(kept);
    chunk.masked_end[at] = static_cast<std::uint32_t>(chunk.masked.size());
    begin = end;
  }
  chunk.entry_count = kept;
}

template <class T>
std::int64_t ClusterList<T>::exclude(const ClusterOrder& order, const md::Exclusions& exclusions,
                                     std::int64_t atoms, int threads) {
  for (std::int64_t i = 0; i < atoms; ++i)
    for (auto e = exclusions.offsets(i); e < exclusions.offsets(i + 1); ++e)
      if (const std::int32_t j = exclusions.partners(e); j < 0 || j >= atoms || j == i) return i;
  slot_of_atom_.resize(static_cast<std::size_t>(atoms));
  for (std::int64_t c = 0; c < order.clusters(); ++c)
    for (int lane = 0; lane < order.count()[c]; ++lane) {
      const std::int64_t slot = c * order.lanes() + lane;
      slot_of_atom_[static_cast<std::size_t>(order.atom()[slot])] = static_cast<std::int32_t>(slot);
    }
  excludes_ = true;
#pragma omp parallel for num_threads(threads) schedule(monotonic : dynamic, 1)
  for (std::int64_t c = 0; c < chunks_; ++c)
    exclude_from_chunk(c, order, exclusions);
  return -1;
}

template <class T>
void ClusterList<T>::separate(std::uint32_t first_ghost, int threads) {
  to_ghosts_.resize(static_cast<std::size_t>(chunks_));
#pragma omp parallel for num_threads(threads) schedule(monotonic : dynamic, 1)
  for (std::int64_t c = 0; c < chunks_; ++c) {
    Chunk& chunk = storage_[static_cast<std::size_t>(c)];
    Chunk& beyond = to_ghosts_[static_cast<std::size_t>(c)];
    beyond.clusters = chunk.clusters;
    // Moves the items of ghosts in the runs that end at `ends`.
    const auto move = [&](auto& items, auto& ends, auto& moved, auto& moved_ends,
                          const auto& entry_of) {
      std::size_t begin = 0;
      std::size_t kept = 0;
      for (const std::uint32_t end : std::vector<std::uint32_t>(ends)) {
        for (std::size_t k = begin; k < end; ++k)
          if (owner(entry_of(items[k])) < first_ghost)
            items[kept++] = items[k];
          else
            moved.push_back(items[k]);
        begin = end;
        ends[moved_ends.size()] = static_cast<std::uint32_t>(kept);
        moved_ends.push_back(static_cast<std::uint32_t>(moved.size()));
      }
      return kept;
    };
    chunk.entry_count = move(chunk.entries, chunk.row_end, beyond.entries, beyond.row_end,
                             [](std::uint32_t entry) { return entry; });
    beyond.entry_count = beyond.entries.size();
    if (!excludes_) continue;
    move(chunk.masked, chunk.masked_end, beyond.masked, beyond.masked_end,
         [](const MaskedEntry& entry) { return entry.cluster; });
    beyond.own_bits.assign(chunk.own_bits.size(), 0);
  }
}

template <class T>
void ClusterList<T>::share_out(int threads) {
  std::vector<double> work(static_cast<std::size_t>(chunks_) + 1, 0.0);
  for (std::size_t c = 0; c < static_cast<std::size_t>(chunks_); ++c) {
    // Loading a cluster, and summing and storing its forces, costs as much time as this many
    // entries.
    constexpr double entries_per_cluster = 16;
    const Chunk& chunk = storage_[c];
    work[c + 1] = work[c] + static_cast<double>(chunk.entry_count) +
                  entries_per_cluster * static_cast<double>(chunk.clusters);
  }
  const auto parts = static_cast<std::size_t>(threads);
  first_chunk_.assign(parts + 1, chunks_);
  first_chunk_[0] = 0;
  for (std::size_t t = 1; t < parts; ++t) {
    const double target = work.back() * static_cast<double>(t) / threads;
    first_chunk_[t] = std::lower_bound(work.begin(), work.end() - 1, target) - work.begin();
  }
  touched_.resize(parts);
  touches_.assign(parts * static_cast<std::size_t>(all_chunks_), 0);
  for (std::size_t t = 0; t < parts; ++t) {
    std::uint8_t* touches = touches_.data() + t * static_cast<std::size_t>(all_chunks_);
    for (std::int64_t c = first_chunk_[t]; c < first_chunk_[t + 1]; ++c) {
      touches[c] = 1;
      for (const std::uint32_t other : storage_[static_cast<std::size_t>(c)].touched) {
        touches[other] = 1;
      }
    }
    for (std::int64_t c = chunks_; c < all_chunks_; ++c)
      for (std::int64_t k = first_cluster(c); touches[c] != 0 && k < end_cluster(c); ++k)
        touches[images_.owner(k) >> chunk_shift_] = 1;
    touched_[t].clear();
    for (std::int64_t c = 0; c < all_chunks_; ++c) {
      if (touches[c] != 0) touched_[t].push_back(static_cast<std::uint32_t>(c));
    }
  }
}

template <class T>
ListChunk ClusterList<T>::view(const Chunk& chunk, std::int64_t index) const {
  ListChunk list{static_cast<std::size_t>(first_cluster(index)), chunk.clusters,
                 chunk.row_end.data(), chunk.entries.data()};
  if (excludes_) {
    list.masked_end = chunk.masked_end.data();
    list.masked = chunk.masked.data();
    list.own_bits = chunk.own_bits.data();
  }
  return list;
}

template <class T>
std::int64_t ClusterList<T>::entries() const {
  std::int64_t sum = 0;
  for (std::int64_t c = 0; c < chunks_; ++c) {
    sum += static_cast<std::int64_t>(storage_[static_cast<std::size_t>(c)].entry_count);
  }
  for (const Chunk& chunk : to_ghosts_)
    sum += static_cast<std::int64_t>(chunk.entry_count);
  return sum;
}

template class ClusterList<float>;
template class ClusterList<double>;

}  // namespace tessera::openmp::cluster
