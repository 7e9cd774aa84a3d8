#include "backends/openmp/pair_force_cluster/cluster_order.hpp"

#include "core/base/device_code.hpp"

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace tessera::openmp::cluster {
namespace {

/// Share `part` of `parts` of the range [0, n).
struct Share {
  std::int64_t begin, end;
  Share(std::int64_t n, int part, int parts)
      : begin(n * part / parts), end(n * (part + 1) / parts) {}
};

/// Number of periods from [0, period) to a coordinate; 0 where `period` is 0.
inline std::int32_t crossings(double u, double period) {
  if (!(period > 0) || (u >= 0 && u < period)) return 0;
  const double periods = std::floor(u / period);
  // NaN fails this condition, whose conversion to an integer would be undefined.
  return std::abs(periods) < 2 * ClusterOrder::most_periods ? static_cast<std::int32_t>(periods)
                                                            : 0;
}

}  // namespace

bool ClusterOrder::is_far(double x, int d) const {
  return period_[d] > 0 ? !(std::abs(x - origin_[d]) < most_periods * period_[d])
                        : !(std::abs(x) < furthest_place);
}

bool ClusterOrder::may_have_far_atoms() const {
  bool may = false;
  for (int d = 0; d < 3; ++d)
    may = may || !(static_cast<double>(furthest_[d]) <= 2 * extent_[d]);
  return may;
}

void ClusterOrder::wrap(Wrapped& w) const {
  w.image[2] = crossings(w.u[2], period_[2]);
  if (w.image[2] != 0) {
    w.u[2] -= w.image[2] * period_[2];
    w.u[1] -= w.image[2] * tilt_[2];
    w.u[0] -= w.image[2] * tilt_[1];
  }
  w.image[1] = crossings(w.u[1], period_[1]);
  if (w.image[1] != 0) {
    w.u[1] -= w.image[1] * period_[1];
    w.u[0] -= w.image[1] * tilt_[0];
  }
  w.image[0] = crossings(w.u[0], period_[0]);
  if (w.image[0] != 0) w.u[0] -= w.image[0] * period_[0];
}

/// Inlined without wrap(), which is called only for the few atoms outside the box.
template <class Positions>
TESSERA_INLINE ClusterOrder::Wrapped ClusterOrder::wrapped(const Positions& positions,
                                                           std::int64_t atom) const {
  Wrapped w;
  bool inside = true;
  for (int d = 0; d < 3; ++d) {
    w.u[d] = positions(atom, d) - origin_[d];
    w.image[d] = 0;
    inside = inside && (!(period_[d] > 0) || (w.u[d] >= 0 && w.u[d] < period_[d]));
  }
  if (!inside) wrap(w);
  return w;
}

template <class Positions>
void ClusterOrder::measure(const Positions& positions, const AtomGroups& groups, const md::Box& box,
                           int threads) {
  const std::int64_t atoms = groups.begin[groups.count];
  for (int d = 0; d < 3; ++d) {
    period_[d] = box.periodic[d] ? box.length[d] : 0;
    tilt_[d] = box.tilt[d];
    origin_[d] = box.lower[d];
    extent_[d] = box.length[d];
    if (box.periodic[d]) continue;
    // Atoms further out fall into the outermost columns; find_far() refuses them later.
    double low = furthest_place;
    double high = -furthest_place;
#pragma omp parallel for num_threads(threads) reduction(min : low) reduction(max : high)
    for (std::int64_t k = 0; k < atoms; ++k) {
      const double x = positions(groups.atom(k), d);
      if (!(std::abs(x) < furthest_place)) continue;
      low = std::min(low, x);
      high = std::max(high, x);
    }
    if (!(high >= low)) low = high = 0;
    origin_[d] = low;
    extent_[d] = high - low;
  }
}

template <class Positions, class Visit>
std::int64_t ClusterOrder::sample(const Positions& positions, const AtomGroups& groups, int group,
                                  const Visit& visit) const {
  constexpr std::int64_t kSample = 8192;
  const std::int64_t stride = std::max<std::int64_t>(1, groups.size(group) / kSample);
  // Random steps with a mean of `stride`: with equal steps, the sampled atoms of a crystal in its
  // usual order would lie in a few of its planes.
  std::mt19937_64 random;
  std::uniform_int_distribution<std::int64_t> apart(1, 2 * stride - 1);
  for (std::int64_t k = groups.begin[group]; k < groups.begin[group + 1];
       k += stride == 1 ? 1 : apart(random))
    visit(wrapped(positions, groups.given(k)));
  return stride;
}

/// Number density around a typical atom, so that clusters of a droplet in a large empty box are as
/// small as those of the liquid. It is estimated from the counts of a sample in 16^3 cells. \param
/// gaps set where most cells of a large region are empty.
template <class Positions>
double ClusterOrder::local_density(const Positions& positions, const AtomGroups& groups, int group,
                                   bool& gaps) const {
  constexpr int cell_count = 16;
  std::vector<std::int32_t> cells(cell_count * cell_count * cell_count, 0);
  double cell_volume = 1;
  double scale[3];
  gaps = false;
  for (int d = 0; d < 3; ++d) {
    gaps = gaps || extent_[d] > 2 * cell_count * groups.radius[group];
    // A sheet or line of atoms gets a thickness of one radius.
    const double edge = std::max(extent_[d], groups.radius[group]) / cell_count;
    scale[d] = 1 / edge;
    cell_volume *= edge;
  }
  std::int64_t count = 0;
  const std::int64_t stride = sample(positions, groups, group, [&](const Wrapped& w) {
    int index = 0;
    for (int d = 0; d < 3; ++d) {
      const double c = w.u[d] * scale[d];
      const int cell = c > 0 ? (c < cell_count ? static_cast<int>(c) : cell_count - 1) : 0;
      index = index * cell_count + cell;
    }
    ++cells[static_cast<std::size_t>(index)];
    ++count;
  });
  double pairs = 0;
  for (const double n : cells)
    pairs += n * (n - 1);
  gaps = gaps &&
         std::count(cells.begin(), cells.end(), 0) > cell_count * cell_count * cell_count * 3 / 4;
  return count > 0 ? pairs / static_cast<double>(count) * static_cast<double>(stride) / cell_volume
                   : 0;
}

/// The same with cubes of two radii as cells, any number of which may be empty.
template <class Positions>
double ClusterOrder::density_close_by(const Positions& positions, const AtomGroups& groups,
                                      int group) const {
  const double edge = 2 * groups.radius[group];
  std::vector<std::uint64_t> cubes;
  const std::int64_t stride = sample(positions, groups, group, [&](const Wrapped& w) {
    std::uint64_t cube = 0;
    for (const double u : w.u) {
      const double c = u / edge;  // distant cubes with the same number hardly change the result
      cube = cube << 21 | (c > 0 && c < 1e15 ? static_cast<std::uint64_t>(c) & 0x1fffff : 0);
    }
    cubes.push_back(cube);
  });
  std::sort(cubes.begin(), cubes.end());
  double pairs = 0;
  for (std::size_t first = 0, last = 0; first < cubes.size(); first = last) {
    while (last < cubes.size() && cubes[last] == cubes[first])
      ++last;
    const auto n = static_cast<double>(last - first);
    pairs += n * (n - 1);
  }
  return cubes.empty() ? 0
                       : pairs / static_cast<double>(cubes.size()) * static_cast<double>(stride) /
                             (edge * edge * edge);
}

/// Moves the origin, in periodic directions, behind the widest gap between atoms. The order is z,
/// y, x, because wrapping along z changes x and y.
template <class Positions>
void ClusterOrder::move_origin(const Positions& positions, const AtomGroups& groups) {
  constexpr int slice_count = 1024;
  for (int d = 2; d >= 0; --d) {
    if (!(period_[d] > 0)) continue;
    std::vector<bool> filled(slice_count, false);
    for (int group = 0; group < groups.count; ++group)
      sample(positions, groups, group, [&](const Wrapped& w) {
        const double slice = w.u[d] / period_[d] * slice_count;
        const int at =
            slice > 0 ? (slice < slice_count ? static_cast<int>(slice) : slice_count - 1) : 0;
        filled[static_cast<std::size_t>(at)] = true;
      });
    int widest = 0;
    int behind = 0;
    for (int slice = 0, empty = 0; slice < 2 * slice_count; ++slice) {
      empty = filled[static_cast<std::size_t>(slice % slice_count)] ? 0 : empty + 1;
      if (empty <= widest || empty > slice_count) continue;
      widest = empty;
      behind = slice + 1;
    }
    if (widest < 2) continue;
    // A margin in front of the first atom of the sample, for atoms outside the sample.
    const double by =
        std::fmod((behind - std::min(0.5 * widest, 2.0)) / slice_count, 1.0) * period_[d];
    // The origin is this one or the one a period below, whichever wraps fewer atoms, because
    // wrapping rounds positions.
    std::int64_t moved = 0;
    std::int64_t moved_below = 0;
    for (int group = 0; group < groups.count; ++group)
      sample(positions, groups, group, [&](const Wrapped& w) {
        const std::int32_t image = w.u[d] < by ? w.image[d] - 1 : w.image[d];
        moved += image != 0 ? 1 : 0;
        moved_below += image != -1 ? 1 : 0;
      });
    origin_[d] += moved_below < moved ? by - period_[d] : by;
  }
}

/// Chooses the width of columns: column_width_ times the edge of a cube that holds one cluster, but
/// at most the radius. Where there would be far more columns than clusters, only columns with atoms
/// are kept, or, where the atoms do not leave most of the region empty, all columns are made wider.
template <class Positions>
void ClusterOrder::choose_columns(const Positions& positions, const AtomGroups& groups, int group,
                                  double density, int threads) {
  Columns& columns = columns_[static_cast<std::size_t>(group)];
  const auto atoms = static_cast<double>(groups.size(group));
  const double radius = groups.radius[group];
  double edge = density > 0 ? column_width_ * std::cbrt(lanes_ / density) : radius;
  edge = std::clamp(edge, radius / 64, radius);
  const double most = 4.0 * atoms / lanes_ + 1;
  const double area = extent_[0] * extent_[1];
  const double volume =
      std::max(extent_[0], radius) * std::max(extent_[1], radius) * std::max(extent_[2], radius);
  const bool outnumber = area / (edge * edge) > most;
  const bool sparse = outnumber && gaps_ && density > 8 * atoms / volume;
  if (outnumber && !sparse) edge = std::sqrt(area / most);
  columns.fill({extent_[0], extent_[1]}, edge, sparse ? 0x1p30 : most);
  if (!sparse) return;
  const std::int64_t first = groups.begin[group];
  const std::int64_t last = groups.begin[group + 1];
#pragma omp parallel for num_threads(threads) schedule(static)
  for (std::int64_t k = first; k < last; ++k) {
    const Wrapped w = wrapped(positions, groups.atom(k));
    atom_key_[static_cast<std::size_t>(k)] =
        Columns::key(columns.cell(w.u[0], 0), columns.cell(w.u[1], 1));
  }
  columns.keep(atom_key_.data() + first, static_cast<std::size_t>(last - first));
}

/// Sorts the records of a column along z, and equal z by the caller's number of the atom. Records
/// are sorted into bins of about one atom, then by insertion. A column with an overfull bin is
/// sorted by comparisons.
void ClusterOrder::sort_column(std::int64_t begin, std::int64_t end, std::vector<Record>& scratch,
                               std::vector<std::uint32_t>& bins, const std::int32_t* names) {
  const auto before = [names](const Record& a, const Record& b) {
    if (a.z != b.z || names == nullptr) return a.z < b.z;
    return names[a.atom] < names[b.atom];
  };
  const std::int64_t n = end - begin;
  Record* records = records_.data() + begin;
  if (n < 2) return;
  float low = records[0].z;
  float high = low;
  for (std::int64_t i = 1; i < n; ++i) {
    low = std::min(low, records[i].z);
    high = std::max(high, records[i].z);
  }
  const float scale = static_cast<float>(n) / (high - low);
  if (!(scale > 0) || !std::isfinite(scale)) {
    // All z are equal, or some are not finite.
    if (names != nullptr) std::stable_sort(records, records + n, before);
    return;
  }
  bins.assign(static_cast<std::size_t>(n) + 2, 0);
  const auto bin = [&](float z) {
    const float b = (z - low) * scale;
    return static_cast<std::size_t>(b > 0 ? (b < static_cast<float>(n) ? b : static_cast<float>(n))
                                          : 0);
  };
  for (std::int64_t i = 0; i < n; ++i)
    ++bins[bin(records[i].z)];
  std::uint32_t sum = 0;
  std::uint32_t fullest = 0;
  for (auto& b : bins) {
    const std::uint32_t here = b;
    fullest = std::max(fullest, here);
    b = sum;
    sum += here;
  }
  scratch.assign(records, records + n);
  for (const Record& r : scratch)
    records[bins[bin(r.z)]++] = r;
  if (fullest > 32) {
    std::stable_sort(records, records + n, before);
    return;
  }
  for (std::int64_t i = 1; i < n; ++i) {
    const Record r = records[i];
    std::int64_t k = i;
    for (; k > 0 && before(r, records[k - 1]); --k)
      records[k] = records[k - 1];
    records[k] = r;
  }
}

template <class Positions>
void ClusterOrder::build(const Positions& positions, const AtomGroups& groups, const md::Box& box,
                         const Clustering& clustering, int threads) {
  lanes_ = clustering.lanes;
  column_width_ = clustering.column_width;
  const std::int64_t atoms = groups.begin[groups.count];
  const auto n = static_cast<std::size_t>(atoms);
  measure(positions, groups, box, threads);
  columns_.resize(static_cast<std::size_t>(groups.count));
  gaps_ = false;
  double density[max_groups];
  for (int group = 0; group < groups.count; ++group) {
    bool gaps;
    density[group] = local_density(positions, groups, group, gaps);
    gaps_ = gaps_ || (gaps && groups.count == 1) || (gaps && groups.size(group) > 64);
  }
  if (gaps_) {
    atom_key_.require(n);
    move_origin(positions, groups);
  }
  int columns = 0;
  for (int group = 0; group < groups.count; ++group) {
    if (gaps_)
      density[group] = std::max(density[group], density_close_by(positions, groups, group));
    columns_[static_cast<std::size_t>(group)].first = columns;
    choose_columns(positions, groups, group, density[group], threads);
    columns += columns_[static_cast<std::size_t>(group)].count();
  }
  atom_column_.require(n);
  atom_z_.require(n);
  records_.require(n);
  column_atoms_.assign(static_cast<std::size_t>(columns) + 1, 0);
  column_begin_.assign(static_cast<std::size_t>(columns) + 1, 0);

  // A stable counting sort by column. Each share of the atoms has its own counters; with more
  // shares than this, the counters would take more time than the atoms.
  const int shares =
      static_cast<int>(std::clamp<std::int64_t>(atoms / (columns + 1), 1, std::max(1, threads)));
  histogram_.assign(static_cast<std::size_t>(shares) * static_cast<std::size_t>(columns), 0);
#pragma omp parallel for num_threads(threads) schedule(static, 1)
  for (int s = 0; s < shares; ++s) {
    const Share share(atoms, s, shares);
    std::uint32_t* counts = histogram_.data() + std::int64_t{s} * columns;
    for (int group = 0; group < groups.count; ++group) {
      const Columns& own = columns_[static_cast<std::size_t>(group)];
      const std::int64_t last = std::min(share.end, groups.begin[group + 1]);
      for (std::int64_t k = std::max(share.begin, groups.begin[group]); k < last; ++k) {
        const Wrapped w = wrapped(positions, groups.atom(k));
        const int column = own.number(own.cell(w.u[0], 0), own.cell(w.u[1], 1));
        atom_column_[static_cast<std::size_t>(k)] = column;
        atom_z_[static_cast<std::size_t>(k)] = static_cast<float>(w.u[2]);
        ++counts[column];
      }
    }
  }
  std::uint32_t sum = 0;
  for (int c = 0; c < columns; ++c) {
    column_atoms_[static_cast<std::size_t>(c)] = sum;
    for (int s = 0; s < shares; ++s) {
      std::uint32_t& counter = histogram_.data()[std::int64_t{s} * columns + c];
      const std::uint32_t here = counter;
      counter = sum;
      sum += here;
    }
  }
  column_atoms_[static_cast<std::size_t>(columns)] = sum;
#pragma omp parallel for num_threads(threads) schedule(static, 1)
  for (int s = 0; s < shares; ++s) {
    const Share share(atoms, s, shares);
    std::uint32_t* next = histogram_.data() + std::int64_t{s} * columns;
    for (std::int64_t i = share.begin; i < share.end; ++i) {
      const auto k = static_cast<std::size_t>(i);
      records_[next[atom_column_[k]]++] = {atom_z_[k], groups.atom(i)};
    }
  }

  // Cuts a column into clusters, and calls emit() with the range of records of each. A new cluster
  // begins where the last one is full or would extend too far.
  const Record* const records = records_.data();
  const auto cut = [&](int column, auto&& emit) {
    const int group = group_of(column);
    const float longest = static_cast<float>(largest_extent * groups.radius[group]);
    const Columns& own = columns_[static_cast<std::size_t>(group)];
    const bool wide = own.width(0) > longest || own.width(1) > longest;
    const std::int64_t end = column_atoms_[static_cast<std::size_t>(column) + 1];
    std::int64_t first = column_atoms_[static_cast<std::size_t>(column)];
    while (first < end) {
      std::int64_t last = first + 1;
      double low[2] = {}, high[2] = {};
      if (wide) {
        const Wrapped w = wrapped(positions, records[first].atom);
        for (int d = 0; d < 2; ++d)
          low[d] = high[d] = w.u[d];
      }
      for (; last < end && last < first + lanes_; ++last) {
        if (records[last].z - records[first].z > longest) break;
        if (!wide) continue;
        bool fits = true;
        const Wrapped w = wrapped(positions, records[last].atom);
        for (int d = 0; d < 2; ++d) {
          low[d] = std::min(low[d], w.u[d]);
          high[d] = std::max(high[d], w.u[d]);
          fits = fits && high[d] - low[d] <= longest;
        }
        if (!fits) break;
      }
      emit(first, last);
      first = last;
    }
  };
  const std::int32_t* const names = groups.reordered != nullptr ? groups.reordered->names : nullptr;
#pragma omp parallel num_threads(threads)
  {
    std::vector<Record> scratch;
    std::vector<std::uint32_t> bins;
#pragma omp for schedule(monotonic : dynamic, 8)
    for (int c = 0; c < columns; ++c) {
      sort_column(column_atoms_[static_cast<std::size_t>(c)],
                  column_atoms_[static_cast<std::size_t>(c) + 1], scratch, bins, names);
      std::uint32_t made = 0;
      cut(c, [&](std::int64_t, std::int64_t) { ++made; });
      column_begin_[static_cast<std::size_t>(c) + 1] = made;
    }
  }
  for (int c = 0; c < columns; ++c) {
    column_begin_[static_cast<std::size_t>(c) + 1] += column_begin_[static_cast<std::size_t>(c)];
  }
  clusters_ = column_begin_[static_cast<std::size_t>(columns)];

  const auto clusters = static_cast<std::size_t>(clusters_);
  const std::size_t slots = clusters * static_cast<std::size_t>(lanes_);
  atom_.require(slots);
  image_.require(3 * slots);
  count_.require(clusters);
  shifted_.require(clusters);
  for (int d = 0; d < 3; ++d) {
    lower_[d].require(clusters + max_lanes);
    upper_[d].require(clusters + max_lanes);
    // Vectors read elements past the end, but ignore them.
    std::fill_n(lower_[d].data() + clusters, max_lanes, 0.0f);
    std::fill_n(upper_[d].data() + clusters, max_lanes, 0.0f);
  }
  const std::int64_t ahead = clustering.atoms_ahead;
  std::int32_t least[3] = {0, 0, 0}, most[3] = {0, 0, 0};
  float furthest[3] = {0, 0, 0};
#pragma omp parallel for num_threads(threads) schedule(monotonic                            \
                                                       : dynamic, 8) reduction(min          \
                                                                               : least[:3]) \
    reduction(max                                                                           \
              : most[:3], furthest                                                          \
              [:3])
  for (int c = 0; c < columns; ++c) {
    std::size_t k = column_begin_[static_cast<std::size_t>(c)];
    cut(c, [&](std::int64_t first, std::int64_t last) {
      // The positions are not in this order, so they are prefetched.
      for (std::int64_t r = first + ahead; r < std::min(last + ahead, atoms); ++r)
        positions.prefetch(records[r].atom);
      float low[3] = {}, high[3] = {};
      count_[k] = static_cast<std::uint8_t>(last - first);
      shifted_[k] = 0;
      for (int lane = 0; lane < lanes_; ++lane) {
        const std::size_t slot =
            k * static_cast<std::size_t>(lanes_) + static_cast<std::size_t>(lane);
        const bool padding = first + lane >= last;
        const std::int32_t atom = records[padding ? first : first + lane].atom;
        atom_[slot] = atom;
        const Wrapped w = wrapped(positions, atom);
        for (int d = 0; d < 3; ++d) {
          const auto u = static_cast<float>(w.u[d]);
          image_[3 * slot + static_cast<std::size_t>(d)] = w.image[d];
          if (w.image[d] != 0) {
            shifted_[k] = 1;
            least[d] = std::min(least[d], w.image[d]);
            most[d] = std::max(most[d], w.image[d]);
          }
          low[d] = lane == 0 ? u : std::min(low[d], u);
          high[d] = lane == 0 ? u : std::max(high[d], u);
        }
      }
      for (int d = 0; d < 3; ++d) {
        lower_[d][k] = low[d];
        upper_[d][k] = high[d];
        furthest[d] = std::max(furthest[d], high[d]);
      }
      ++k;
    });
  }
  for (int d = 0; d < 3; ++d) {
    images_.low[d] = least[d];
    images_.high[d] = most[d];
    furthest_[d] = furthest[d];
  }
  index_columns(threads);
}

/// Cuts columns into bins along z, about as many as clusters, so that column_range() needs no
/// search. Where most of the region is empty, each column has bins of its own, from its first
/// cluster to its last. A column without extent along z has one bin, because further bins would
/// begin behind its clusters.
void ClusterOrder::index_columns(int threads) {
  const std::int64_t columns = all_columns();
  const auto bins = [](std::size_t first, std::size_t count, float low, double height) {
    const auto scale = static_cast<float>(static_cast<double>(count) / height);
    const bool flat = !(height > 0) || !std::isfinite(scale);
    return flat ? Bins{first, 1, low, 0} : Bins{first, count, low, scale};
  };
  const auto usual = static_cast<std::size_t>(
      std::clamp<std::int64_t>(clusters_ / std::max<std::int64_t>(columns, 1), 1, 1 << 20));
  bins_ = bins(0, usual, 0, extent_[2]);
  column_bins_.clear();
  std::size_t size = static_cast<std::size_t>(columns) * (bins_.count + 1);
  if (gaps_) {
    size = 0;
    for (std::int64_t c = 0; c < columns; ++c) {
      const std::uint32_t begin = column_begin_[static_cast<std::size_t>(c)];
      const std::uint32_t end = column_begin_[static_cast<std::size_t>(c) + 1];
      const float low = begin < end ? lower_[2][begin] : 0;
      const float high = begin < end ? upper_[2][end - 1] : 0;
      column_bins_.push_back(bins(size, std::max<std::uint32_t>(end - begin, 1), low, high - low));
      size += column_bins_.back().count + 1;
    }
  }
  bin_begin_.require(size);
#pragma omp parallel for num_threads(threads) schedule(static)
  for (std::int64_t c = 0; c < columns; ++c) {
    std::uint32_t k = column_begin_[static_cast<std::size_t>(c)];
    const std::uint32_t end = column_begin_[static_cast<std::size_t>(c) + 1];
    const Bins own = bins_of(c);
    const float height = own.scale > 0 ? 1 / own.scale : 0;
    std::uint32_t* first = bin_begin_.data() + own.first;
    for (std::size_t b = 0; b < own.count; ++b) {
      while (k < end && upper_[2][k] < own.low + static_cast<float>(b) * height)
        ++k;
      first[b] = k;
    }
    first[own.count] = end;
  }
}

void ClusterOrder::rename(const std::int32_t* names, int threads) {
  const std::int64_t slots = clusters_ * lanes_;
#pragma omp parallel for num_threads(threads) schedule(static)
  for (std::int64_t slot = 0; slot < slots; ++slot) {
    std::int32_t& atom = atom_[static_cast<std::size_t>(slot)];
    atom = names[atom];
  }
}

template void ClusterOrder::build(const PositionView<float>&, const AtomGroups&, const md::Box&,
                                  const Clustering&, int);
template void ClusterOrder::build(const PositionView<double>&, const AtomGroups&, const md::Box&,
                                  const Clustering&, int);
template void ClusterOrder::build(const BlockView<float>&, const AtomGroups&, const md::Box&,
                                  const Clustering&, int);
template void ClusterOrder::build(const BlockView<double>&, const AtomGroups&, const md::Box&,
                                  const Clustering&, int);

}  // namespace tessera::openmp::cluster
