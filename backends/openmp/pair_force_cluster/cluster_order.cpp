#include <omp.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tessera/backends/openmp/pair_force_cluster/cluster_order.hpp>

namespace tessera::openmp::cluster {
namespace {

/// Share `part` of `parts` of the range [0, n).
struct Share {
  std::int64_t begin, end;
  Share(std::int64_t n, int part, int parts)
      : begin(n * part / parts), end(n * (part + 1) / parts) {}
};

}  // namespace

std::int32_t ClusterOrder::crossings(double u, int d) const {
  if (!(period_[d] > 0) || (u >= 0 && u < period_[d])) return 0;
  const double crossings = std::floor(u / period_[d]);
  // A position that is no number must not become an undefined conversion.
  return std::abs(crossings) < 2e9 ? static_cast<std::int32_t>(crossings) : 0;
}

template <class Storage>
ClusterOrder::Wrapped ClusterOrder::wrapped(const PositionView<Storage>& positions,
                                            std::int64_t atom) const {
  Wrapped w;
  for (int d = 0; d < 3; ++d)
    w.u[d] = positions(atom, d) - origin_[d];
  w.image[2] = crossings(w.u[2], 2);
  if (w.image[2] != 0) {
    w.u[2] -= w.image[2] * period_[2];
    w.u[1] -= w.image[2] * tilt_[2];
    w.u[0] -= w.image[2] * tilt_[1];
  }
  w.image[1] = crossings(w.u[1], 1);
  if (w.image[1] != 0) {
    w.u[1] -= w.image[1] * period_[1];
    w.u[0] -= w.image[1] * tilt_[0];
  }
  w.image[0] = crossings(w.u[0], 0);
  if (w.image[0] != 0) w.u[0] -= w.image[0] * period_[0];
  return w;
}

int ClusterOrder::column_of(double x, double y) const {
  // Written so that a position that is no number falls into column 0.
  const auto cell = [](double u, double width, int cells) {
    const double c = u / width;
    return c > 0 ? (c < cells ? static_cast<int>(c) : cells - 1) : 0;
  };
  return column(cell(x, width_[0], columns_[0]), cell(y, width_[1], columns_[1]));
}

template <class Storage>
void ClusterOrder::measure(const PositionView<Storage>& positions, std::int64_t atoms,
                           const md::Box& box, int threads) {
  for (int d = 0; d < 3; ++d) {
    period_[d] = box.periodic[d] ? box.length[d] : 0;
    tilt_[d] = box.tilt[d];
    origin_[d] = box.lower[d];
    extent_[d] = box.length[d];
    if (box.periodic[d]) continue;
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
#pragma omp parallel for num_threads(threads) reduction(min : low) reduction(max : high)
    for (std::int64_t i = 0; i < atoms; ++i) {
      low = std::min(low, positions(i, d));
      high = std::max(high, positions(i, d));
    }
    if (!(high >= low)) low = high = 0;
    origin_[d] = low;
    extent_[d] = high - low;
  }
}

/// Atoms per volume as a typical atom sees it around itself, so that the clusters of a droplet in a
/// large empty box are as small as those of the liquid. Counted on a sample in 16^3 cells.
template <class Storage>
double ClusterOrder::felt_density(const PositionView<Storage>& positions, std::int64_t atoms,
                                  double list_radius) const {
  constexpr int kCells = 16;
  constexpr std::int64_t kSample = 8192;
  const std::int64_t stride = std::max<std::int64_t>(1, atoms / kSample);
  std::vector<std::int32_t> cells(kCells * kCells * kCells, 0);
  double cell_volume = 1;
  double scale[3];
  for (int d = 0; d < 3; ++d) {
    // A sheet or a line of atoms counts as having some thickness.
    const double edge = std::max(extent_[d], list_radius) / kCells;
    scale[d] = 1 / edge;
    cell_volume *= edge;
  }
  std::int64_t sample = 0;
  for (std::int64_t i = 0; i < atoms; i += stride, ++sample) {
    int index = 0;
    const Wrapped w = wrapped(positions, i);
    for (int d = 0; d < 3; ++d) {
      const double c = w.u[d] * scale[d];
      index = index * kCells + (c > 0 ? (c < kCells ? static_cast<int>(c) : kCells - 1) : 0);
    }
    ++cells[static_cast<std::size_t>(index)];
  }
  double pairs = 0;
  for (const double n : cells)
    pairs += n * (n - 1);
  return sample > 0
             ? pairs / static_cast<double>(sample) * static_cast<double>(stride) / cell_volume
             : 0;
}

void ClusterOrder::choose_columns(std::int64_t atoms, double density, double list_radius) {
  // Cubes that hold one cluster; never wider than the list radius, never so narrow or so many that
  // columns outnumber clusters by far.
  double edge = density > 0 ? std::cbrt(lanes_ / density) : list_radius;
  edge = std::clamp(edge, list_radius / 64, list_radius);
  const double most = 4.0 * static_cast<double>(atoms) / lanes_ + 1;
  const double area = extent_[0] * extent_[1];
  if (area / (edge * edge) > most) edge = std::sqrt(area / most);
  for (int d = 0; d < 2; ++d) {
    const double cells = std::floor(extent_[d] / edge + 0.5);
    columns_[d] = static_cast<int>(std::clamp(cells, 1.0, most));
    width_[d] = std::max(extent_[d] / columns_[d], std::numeric_limits<double>::min());
  }
}

/// Sorts the records of a column along z, ties in the order of atoms: into bins of about one atom,
/// then by insertion; columns that are too uneven for that are sorted by comparison.
void ClusterOrder::sort_column(std::int64_t begin, std::int64_t end, std::vector<Record>& scratch,
                               std::vector<std::uint32_t>& bins) {
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
    return;  // all at one height (the order is that of the atoms already), or no numbers
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
    std::stable_sort(records, records + n,
                     [](const Record& a, const Record& b) { return a.z < b.z; });
    return;
  }
  for (std::int64_t i = 1; i < n; ++i) {
    const Record r = records[i];
    std::int64_t k = i;
    for (; k > 0 && records[k - 1].z > r.z; --k)
      records[k] = records[k - 1];
    records[k] = r;
  }
}

template <class Storage>
void ClusterOrder::build(const PositionView<Storage>& positions, std::int64_t atoms,
                         const md::Box& box, int lanes, double list_radius, int threads) {
  lanes_ = lanes;
  measure(positions, atoms, box, threads);
  choose_columns(atoms, felt_density(positions, atoms, list_radius), list_radius);
  const int columns = columns_[0] * columns_[1];
  const auto n = static_cast<std::size_t>(atoms);
  atom_column_.require(n);
  atom_z_.require(n);
  records_.require(n);
  column_atoms_.assign(static_cast<std::size_t>(columns) + 1, 0);
  column_begin_.assign(static_cast<std::size_t>(columns) + 1, 0);

  // A stable counting sort by column. Each share of the atoms counts on its own; more shares than
  // this would spend more on the counters than on the atoms.
  const int shares =
      static_cast<int>(std::clamp<std::int64_t>(atoms / (columns + 1), 1, std::max(1, threads)));
  histogram_.assign(static_cast<std::size_t>(shares) * static_cast<std::size_t>(columns), 0);
#pragma omp parallel for num_threads(threads) schedule(static, 1)
  for (int s = 0; s < shares; ++s) {
    const Share share(atoms, s, shares);
    std::uint32_t* counts = histogram_.data() + static_cast<std::size_t>(s) * columns;
    for (std::int64_t i = share.begin; i < share.end; ++i) {
      const Wrapped w = wrapped(positions, i);
      const int column = column_of(w.u[0], w.u[1]);
      atom_column_[static_cast<std::size_t>(i)] = column;
      atom_z_[static_cast<std::size_t>(i)] = static_cast<float>(w.u[2]);
      ++counts[column];
    }
  }
  std::uint32_t sum = 0;
  for (int c = 0; c < columns; ++c) {
    column_atoms_[static_cast<std::size_t>(c)] = sum;
    for (int s = 0; s < shares; ++s) {
      std::uint32_t& counter = histogram_[static_cast<std::size_t>(s) * columns + c];
      const std::uint32_t here = counter;
      counter = sum;
      sum += here;
    }
  }
  column_atoms_[static_cast<std::size_t>(columns)] = sum;
#pragma omp parallel for num_threads(threads) schedule(static, 1)
  for (int s = 0; s < shares; ++s) {
    const Share share(atoms, s, shares);
    std::uint32_t* next = histogram_.data() + static_cast<std::size_t>(s) * columns;
    for (std::int64_t i = share.begin; i < share.end; ++i) {
      const auto k = static_cast<std::size_t>(i);
      records_[next[atom_column_[k]]++] = {atom_z_[k], static_cast<std::int32_t>(i)};
    }
  }

  // How many clusters each column makes: a new one starts when the last is full or would grow too
  // long. `cut` calls back with each cluster's range of records.
  const float longest = static_cast<float>(kLargestExtent * list_radius);
  const bool wide = width_[0] > longest || width_[1] > longest;
  const auto cut = [&](int column, auto&& emit) {
    const std::int64_t end = column_atoms_[static_cast<std::size_t>(column) + 1];
    std::int64_t first = column_atoms_[static_cast<std::size_t>(column)];
    while (first < end) {
      std::int64_t last = first + 1;
      double low[2] = {}, high[2] = {};
      if (wide) {
        const Wrapped w = wrapped(positions, records_[first].atom);
        for (int d = 0; d < 2; ++d)
          low[d] = high[d] = w.u[d];
      }
      for (; last < end && last < first + lanes_; ++last) {
        if (records_[last].z - records_[first].z > longest) break;
        if (!wide) continue;
        bool fits = true;
        const Wrapped w = wrapped(positions, records_[last].atom);
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
#pragma omp parallel num_threads(threads)
  {
    std::vector<Record> scratch;
    std::vector<std::uint32_t> bins;
#pragma omp for schedule(dynamic, 8)
    for (int c = 0; c < columns; ++c) {
      sort_column(column_atoms_[static_cast<std::size_t>(c)],
                  column_atoms_[static_cast<std::size_t>(c) + 1], scratch, bins);
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
    lower_[d].require(clusters + kMaxLanes);
    upper_[d].require(clusters + kMaxLanes);
    // What lies past the end is read, but does not count.
    std::fill_n(lower_[d].data() + clusters, kMaxLanes, 0.0f);
    std::fill_n(upper_[d].data() + clusters, kMaxLanes, 0.0f);
  }
  std::int32_t least[3] = {0, 0, 0}, most[3] = {0, 0, 0};
#pragma omp parallel for num_threads(threads) schedule(dynamic, 8) reduction(min          \
                                                                             : least[:3]) \
    reduction(max                                                                         \
              : most[:3])
  for (int c = 0; c < columns; ++c) {
    std::size_t k = column_begin_[static_cast<std::size_t>(c)];
    cut(c, [&](std::int64_t first, std::int64_t last) {
      constexpr std::int64_t kAhead = 64;  // atoms lie in the caller's order: ask ahead
      for (std::int64_t r = first + kAhead; r < std::min(last + kAhead, atoms); ++r) {
        const Storage* x = positions.data + records_[r].atom * positions.atom_stride;
        __builtin_prefetch(x);
        __builtin_prefetch(x + 2 * positions.component_stride);
      }
      float low[3] = {}, high[3] = {};
      count_[k] = static_cast<std::uint8_t>(last - first);
      shifted_[k] = 0;
      for (int lane = 0; lane < lanes_; ++lane) {
        const std::size_t slot =
            k * static_cast<std::size_t>(lanes_) + static_cast<std::size_t>(lane);
        const bool padding = first + lane >= last;
        const std::int32_t atom = records_[padding ? first : first + lane].atom;
        atom_[slot] = atom;
        const Wrapped w = wrapped(positions, atom);
        for (int d = 0; d < 3; ++d) {
          const auto u = static_cast<float>(w.u[d]);
          image_[3 * slot + d] = w.image[d];
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
      }
      ++k;
    });
  }
  for (int d = 0; d < 3; ++d) {
    images_.low[d] = least[d];
    images_.high[d] = most[d];
  }
  index_columns(threads);
}

/// Cuts columns into bins along z, about as many as clusters, so that a range of z is found at
/// once.
void ClusterOrder::index_columns(int threads) {
  const std::int64_t columns = std::int64_t{columns_[0]} * columns_[1];
  bins_ = static_cast<int>(std::clamp<std::int64_t>(clusters_ / columns, 1, 1 << 20));
  inverse_height_ = extent_[2] > 0 ? static_cast<float>(bins_ / extent_[2]) : 0;
  bin_begin_.require(static_cast<std::size_t>(columns * (bins_ + 1)));
  const float height = static_cast<float>(extent_[2] / bins_);
#pragma omp parallel for num_threads(threads) schedule(static)
  for (std::int64_t c = 0; c < columns; ++c) {
    std::uint32_t k = column_begin_[static_cast<std::size_t>(c)];
    const std::uint32_t end = column_begin_[static_cast<std::size_t>(c) + 1];
    std::uint32_t* first = bin_begin_.data() + c * (bins_ + 1);
    for (int b = 0; b < bins_; ++b) {
      while (k < end && upper_[2][k] < static_cast<float>(b) * height)
        ++k;
      first[b] = k;
    }
    first[bins_] = end;
  }
}

template void ClusterOrder::build<float>(const PositionView<float>&, std::int64_t, const md::Box&,
                                         int, double, int);
template void ClusterOrder::build<double>(const PositionView<double>&, std::int64_t, const md::Box&,
                                          int, double, int);

}  // namespace tessera::openmp::cluster
