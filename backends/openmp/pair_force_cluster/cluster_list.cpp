#include <algorithm>
#include <cmath>
#include <limits>
#include <tessera/backends/openmp/pair_force_cluster/cluster_list.hpp>

namespace tessera::openmp::cluster {

/// What one thread needs to search: the geometry, and scratch that lives as long as its chunks.
template <class T>
struct ClusterList<T>::Search {
  const ClusterOrder& order;
  const Kernels<T>& kernels;
  const FilterArguments<T>& filter;
  const Shifts& shifts;
  const double (&radius)[kMaxGroups][kMaxGroups];
  double margin, shifted_margin;  ///< for the rounding of the boxes, and of shifts

  /// How far to look for the clusters of one group from those of another.
  [[nodiscard]] double look(int from, int to, bool shifted) const {
    const double r = radius[from][to];
    return r > 0 ? r * (1 + 1e-6) + (shifted ? shifted_margin : margin) : 0;
  }

  /// A column that the clusters of the column at hand may meet, at one shift.
  struct Neighbor {
    float low[2], high[2];  ///< the column's rectangle
    float radius;
    int column;
    bool same;  ///< the column at hand itself
  };
  struct Group {
    int code;  ///< of the shift
    float shift[3];
    float radius;            ///< the largest of its neighbors
    std::size_t begin, end;  ///< of its neighbors
  };
  std::vector<Neighbor> neighbors;
  std::vector<Group> groups;
  std::vector<SearchRange> ranges;
  std::vector<T> reaches;
  std::vector<std::uint32_t> met, active;
  std::vector<std::uint32_t> stamp;  ///< per chunk: the last chunk that met it, plus one
  T closest_squared = std::numeric_limits<T>::max();

  void enter_column(int column);
  void enter_group(int group, const int (&at)[2], const Columns& own, const double* shift,
                   double looked, int column);
};

/// Collects the columns, not before `column`, that its clusters may meet at each shift.
template <class T>
void ClusterList<T>::Search::enter_column(int column) {
  neighbors.clear();
  groups.clear();
  const int group = order.group_of(column);
  const Columns& own = order.columns(group);
  int at[2];
  own.place(column, at);
  const auto reach = [&](int d, int s) { return shifts.periodic(d) ? s : 0; };
  for (int sx = reach(0, -1); sx <= reach(0, 1); ++sx) {
    for (int sy = reach(1, -1); sy <= reach(1, 1); ++sy) {
      for (int sz = reach(2, -1); sz <= reach(2, 1); ++sz) {
        const int code = shift_code(sx, sy, sz);
        const double* const shift = shifts.vector(code);
        const std::size_t begin = neighbors.size();
        double furthest = 0;
        for (int other = group; other < order.groups(); ++other) {
          const double looked = look(group, other, code != kNoShift);
          if (looked == 0) continue;
          furthest = std::max(furthest, looked);
          enter_group(other, at, own, shift, looked, column);
        }
        // The unshifted group is always there: it carries the pairs inside a cluster.
        if (neighbors.size() == begin && code != kNoShift) continue;
        groups.push_back({code,
                          {static_cast<float>(shift[0]), static_cast<float>(shift[1]),
                           static_cast<float>(shift[2])},
                          static_cast<float>(furthest),
                          begin,
                          neighbors.size()});
      }
    }
  }
}

/// Those of one group of atoms within `looked` of a column at (at[0], at[1]) of its own group.
template <class T>
void ClusterList<T>::Search::enter_group(int group, const int (&at)[2], const Columns& own,
                                         const double* shift, double looked, int column) {
  const Columns& others = order.columns(group);
  int first[2], last[2];
  for (int d = 0; d < 2; ++d) {
    const double low = at[d] * own.width(d) + shift[d] - looked;
    const double high = (at[d] + 1) * own.width(d) + shift[d] + looked;
    if (high < 0 || low > static_cast<double>(order.furthest(d))) return;
    const double cells = others.cells(d);
    first[d] = static_cast<int>(std::clamp(std::floor(low / others.width(d)), 0.0, cells));
    last[d] = static_cast<int>(std::clamp(std::floor(high / others.width(d)), -1.0, cells - 1));
  }
  if (&others == &own) first[0] = std::max(first[0], at[0]);
  others.visit(first, last, [&](int other, int x, int y) {
    const std::uint32_t* range = order.column_begin() + other;
    if (other < column || range[0] == range[1]) return;
    const double wx = others.width(0);
    const double wy = others.width(1);
    neighbors.push_back({{static_cast<float>(x * wx), static_cast<float>(y * wy)},
                         {static_cast<float>((x + 1) * wx), static_cast<float>((y + 1) * wy)},
                         static_cast<float>(looked),
                         other,
                         other == column});
  });
}

template <class T>
void ClusterList<T>::build_chunk(Search& search, std::int64_t index) {
  const ClusterOrder& order = search.order;
  const auto lanes = static_cast<std::size_t>(order.lanes());
  Chunk& chunk = storage_[static_cast<std::size_t>(index)];
  chunk.headers.clear();
  chunk.row_end.clear();
  chunk.touched.clear();
  chunk.entry_count = 0;

  const auto first = static_cast<std::uint32_t>(first_cluster(index));
  const auto last =
      static_cast<std::uint32_t>(std::min(order.clusters(), first_cluster(index + 1)));
  const std::uint32_t* columns_end = order.column_begin() + order.all_columns() + 1;
  int column = static_cast<int>(std::upper_bound(order.column_begin(), columns_end, first) -
                                order.column_begin()) -
               1;
  search.enter_column(column);
  SearchArguments arguments{};
  for (int d = 0; d < 3; ++d) {
    arguments.lower[d] = order.lower(d);
    arguments.upper[d] = order.upper(d);
  }
  const float top = order.furthest(2);

  for (std::uint32_t a = first; a < last; ++a) {
    if (a >= order.column_begin()[column + 1]) {
      while (a >= order.column_begin()[column + 1])
        ++column;
      search.enter_column(column);
    }
    arguments.cluster = a;
    for (const auto& group : search.groups) {
      for (int d = 0; d < 3; ++d) {
        arguments.low[d] = arguments.lower[d][a] + group.shift[d];
        arguments.high[d] = arguments.upper[d][a] + group.shift[d];
      }
      const float* low = arguments.low;
      const float* high = arguments.high;
      const bool unshifted = group.code == kNoShift;
      if (!unshifted && (low[2] > top + group.radius || high[2] < -group.radius)) continue;
      arguments.shift = group.code;
      if (search.ranges.size() < group.end - group.begin) {
        search.ranges.resize(group.end - group.begin);
      }
      std::size_t count = 0;
      std::size_t most = 0;
      for (std::size_t k = group.begin; k < group.end; ++k) {
        const auto& neighbor = search.neighbors[k];
        const float radius = neighbor.radius;
        const float gx = std::max({0.0f, neighbor.low[0] - high[0], low[0] - neighbor.high[0]});
        const float gy = std::max({0.0f, neighbor.low[1] - high[1], low[1] - neighbor.high[1]});
        const float left = radius * radius - gx * gx - gy * gy;
        if (left <= 0) continue;
        ClusterRange range = order.column_range(neighbor.column, low[2] - radius, high[2] + radius);
        if (neighbor.same) {
          // Of two clusters the later is met; of a cluster and its image, one of the two.
          range.begin = std::max(range.begin, group.code > kNoShift ? a : a + 1);
        }
        if (range.begin >= range.end) continue;
        search.ranges[count++] = {range, radius * radius};
        most += range.end - range.begin;
      }
      if (count == 0 && !unshifted) continue;
      arguments.ranges = search.ranges.data();
      arguments.range_count = count;
      if (search.met.size() < most + kMaxLanes) search.met.resize(most + kMaxLanes);
      if (search.active.size() < most + kMaxLanes) search.active.resize(most + kMaxLanes);
      const std::size_t room = chunk.entry_count + most * lanes + kMaxLanes;
      if (chunk.entries.size() < room) chunk.entries.resize(room * 5 / 4);
      const std::size_t row = chunk.row_end.size();
      chunk.row_end.resize(row + lanes);
      SearchResult<T> result{
          search.met.data(),          0,
          search.active.data(),       chunk.entries.data() + chunk.entry_count,
          chunk.row_end.data() + row, static_cast<std::uint32_t>(chunk.entry_count),
          search.closest_squared,     search.reaches.data()};
      const std::size_t found = search.kernels.filter(search.filter, arguments, result);
      search.closest_squared = result.closest_squared;
      if (found == 0 && !unshifted) {
        chunk.row_end.resize(row);
        continue;
      }
      chunk.headers.push_back({a, group.code});
      chunk.entry_count += found;
      for (std::size_t k = 0; k < result.met_count; ++k) {
        const std::size_t block = search.met[k] >> chunk_shift_;
        if (search.stamp[block] == static_cast<std::uint32_t>(index) + 1) continue;
        search.stamp[block] = static_cast<std::uint32_t>(index) + 1;
        chunk.touched.push_back(static_cast<std::uint32_t>(block));
      }
    }
  }
}

template <class T>
void ClusterList<T>::build(const ClusterOrder& order, const Kernels<T>& kernels,
                           const Shifts& shifts, const double (&radius)[kMaxGroups][kMaxGroups],
                           const FilterArguments<T>& filter, int threads) {
  excludes_ = false;
  chunks_ = (order.clusters() + first_cluster(1) - 1) >> chunk_shift_;
  if (static_cast<std::int64_t>(storage_.size()) < chunks_) {
    storage_.resize(static_cast<std::size_t>(chunks_));
  }
  // Boxes and shifts are rounded to float: a few units in the last place of the largest coordinate.
  double margin = 0;
  double shifted_margin = 0;
  for (int d = 0; d < 3; ++d) {
    margin = std::max(margin, 1e-6 * static_cast<double>(order.furthest(d)));
    shifted_margin = std::max({margin, shifted_margin, 1e-6 * order.extent(d)});
  }
  T closest = std::numeric_limits<T>::max();
#pragma omp parallel num_threads(threads) reduction(min : closest)
  {
    Search search{order, kernels, filter, shifts, radius, margin, shifted_margin,
                  {},    {},      {},     {},     {},     {},     {}};
    search.reaches.resize(static_cast<std::size_t>(filter.types) * kMaxLanes);
    search.stamp.assign(static_cast<std::size_t>(chunks_), 0);
#pragma omp for schedule(monotonic : dynamic, 1)
    for (std::int64_t c = 0; c < chunks_; ++c)
      build_chunk(search, c);
    closest = search.closest_squared;
  }
  closest_squared_ = closest;
  share_out(threads);
}

template <class T>
void ClusterList<T>::exclude_from_chunk(Chunk& chunk, const ClusterOrder& order,
                                        const md::Exclusions& exclusions) {
  const auto lanes = static_cast<std::size_t>(order.lanes());
  chunk.masked.clear();
  chunk.masked_end.resize(chunk.row_end.size());
  chunk.own_bits.assign(chunk.row_end.size(), ~std::uint32_t{0});
  const auto find_masked = [&](std::size_t first, std::uint32_t cluster) {
    return std::find_if(chunk.masked.begin() + static_cast<std::ptrdiff_t>(first),
                        chunk.masked.end(),
                        [&](const MaskedEntry& m) { return m.cluster == cluster; });
  };
  std::size_t begin = 0;
  std::size_t kept = 0;
  for (std::size_t h = 0; h < chunk.headers.size(); ++h) {
    const std::size_t cluster = chunk.headers[h].cluster;
    for (std::size_t row = 0; row < lanes; ++row) {
      const std::size_t at = h * lanes + row;
      const std::size_t end = chunk.row_end[at];
      const std::size_t first_masked = chunk.masked.size();
      if (row < order.count()[cluster]) {
        const std::int32_t atom = order.atom()[cluster * lanes + row];
        for (auto e = exclusions.offsets(atom); e < exclusions.offsets(atom + 1); ++e) {
          const auto slot = static_cast<std::size_t>(
              slot_of_atom_[static_cast<std::size_t>(exclusions.partners(e))]);
          const auto other = static_cast<std::uint32_t>(slot / lanes);
          const std::uint32_t bit = std::uint32_t{1} << (slot % lanes);
          if (other == cluster) chunk.own_bits[at] &= ~bit;
          const auto known = find_masked(first_masked, other);
          if (known == chunk.masked.end())
            chunk.masked.push_back({other, ~bit});
          else
            known->bits &= ~bit;
        }
      }
      // Of the clusters with an excluded lane only those that the row has are met.
      std::size_t met = first_masked;
      for (std::size_t k = begin; k < end; ++k) {
        const std::uint32_t entry = chunk.entries[k];
        const auto found = find_masked(met, entry);
        if (found == chunk.masked.end())
          chunk.entries[kept++] = entry;
        else
          std::swap(*found, chunk.masked[met++]);
      }
      chunk.masked.resize(met);
      chunk.row_end[at] = static_cast<std::uint32_t>(kept);
      chunk.masked_end[at] = static_cast<std::uint32_t>(met);
      begin = end;
    }
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
    exclude_from_chunk(storage_[static_cast<std::size_t>(c)], order, exclusions);
  return -1;
}

template <class T>
void ClusterList<T>::share_out(int threads) {
  std::vector<double> work(static_cast<std::size_t>(chunks_) + 1, 0.0);
  for (std::size_t c = 0; c < static_cast<std::size_t>(chunks_); ++c) {
    // Reading, summing and writing a cluster costs about as much as this many entries.
    constexpr double kEntriesPerHeader = 16;
    const Chunk& chunk = storage_[c];
    work[c + 1] = work[c] + static_cast<double>(chunk.entry_count) +
                  kEntriesPerHeader * static_cast<double>(chunk.headers.size());
  }
  const auto parts = static_cast<std::size_t>(threads);
  first_chunk_.assign(parts + 1, chunks_);
  first_chunk_[0] = 0;
  for (std::size_t t = 1; t < parts; ++t) {
    const double target = work.back() * static_cast<double>(t) / threads;
    first_chunk_[t] = std::lower_bound(work.begin(), work.end() - 1, target) - work.begin();
  }
  touched_.resize(parts);
  touches_.assign(parts * static_cast<std::size_t>(chunks_), 0);
  for (std::size_t t = 0; t < parts; ++t) {
    std::uint8_t* touches = touches_.data() + t * static_cast<std::size_t>(chunks_);
    for (std::int64_t c = first_chunk_[t]; c < first_chunk_[t + 1]; ++c) {
      touches[c] = 1;
      for (const std::uint32_t other : storage_[static_cast<std::size_t>(c)].touched) {
        touches[other] = 1;
      }
    }
    touched_[t].clear();
    for (std::int64_t c = 0; c < chunks_; ++c) {
      if (touches[c] != 0) touched_[t].push_back(static_cast<std::uint32_t>(c));
    }
  }
}

template <class T>
ListChunk ClusterList<T>::chunk(std::int64_t index) const {
  const Chunk& chunk = storage_[static_cast<std::size_t>(index)];
  ListChunk list{chunk.headers.data(), chunk.row_end.data(), chunk.entries.data(),
                 chunk.headers.size()};
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
  return sum;
}

template class ClusterList<float>;
template class ClusterList<double>;

}  // namespace tessera::openmp::cluster
