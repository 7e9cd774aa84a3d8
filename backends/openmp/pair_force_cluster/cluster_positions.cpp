#include "backends/openmp/pair_force_cluster/cluster_positions.hpp"

#include "backends/openmp/pair_force_cluster/lane_count.hpp"
#include "core/base/error.hpp"
#include "core/base/shortest_number.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <type_traits>

namespace tessera::openmp::cluster {
namespace {

/// Range of a fixed-point coordinate in list radii: at least range_limit, or least_range where the
/// quantum would be too coarse. Clusters extend over at most 4 radii, so that atoms of two clusters
/// within reach are less than 9.5 radii apart and their difference does not wrap in either range.
/// Padding lies half of the range away.
constexpr double range_limit = 32;
constexpr double least_range = 21;
/// Extent of the region in list radii above which range_limit is required: bounding boxes of
/// clusters are rounded by a millionth of the extent, so that more distant clusters may count as
/// near.
constexpr double kWide = 4e5;

/// Ratio of the quantum to the shortest length of the coefficients above which forces lose digits.
constexpr double kFine = 1e-6;

}  // namespace

template <class T>
void ClusterPositions<T>::choose_scale(const ClusterOrder& order, double list_radius,
                                       double shortest, bool given_in_double) {
  double range = range_limit;
  if constexpr (std::is_same_v<T, float>) {
    // A power of two, so that coordinates with few binary digits stay exact.
    scale_.quantum = std::exp2(std::ceil(std::log2(list_radius * range_limit)) - 32);
    // Positions in float are coarser anyway, and a power of two keeps them exact.
    const bool wide =
        std::max({order.extent(0), order.extent(1), order.extent(2)}) > kWide * list_radius;
    if (given_in_double && !wide && shortest > 0 && scale_.quantum > kFine * shortest) {
      scale_.quantum = std::ldexp(list_radius * least_range, -32);
      range = least_range;
    }
    scale_.inverse = 1 / scale_.quantum;
    for (int d = 0; d < 3; ++d) {
      scale_.origin[d] = order.origin(d);
      constexpr double most_quanta = 0x1p50;
      if (order.extent(d) > most_quanta * scale_.quantum)
        throw ArgumentError("md/pair_force", "positions",
                            "the atoms spread over " + rounded_number(order.extent(d)) + " along " +
                                "xyz"[d] + ", expected at most " +
                                rounded_number(most_quanta * scale_.quantum) +
                                ": too far for coordinates of 32 bits; use openmp.portable, or "
                                "double");
    }
  }
  away_ = scale_.distance(list_radius * range / 2);
}

template <class T>
void ClusterPositions<T>::set_moves(const Shifts& shifts) {
  for (int code = 0; code < shift_count; ++code)
    for (int d = 0; d < 3; ++d)
      moves_[code][d] = scale_.distance(shifts.vector(code)[d]);
}

template <class T>
void ClusterPositions<T>::require(std::int64_t clusters_and_images, int lanes, int components) {
  const auto slots = static_cast<std::size_t>(clusters_and_images * lanes);
  coordinates_.require(3 * slots);
  values_.require(static_cast<std::size_t>(components) * slots);
}

template <class T>
template <class Storage>
double ClusterPositions<T>::load(const ClusterInput<Storage>& input, const ClusterOrder& order,
                                 const ClusterImages& images, ClusterRange range, int ahead) {
  return with_lanes(order.lanes(), [&](auto lanes) {
    return input.box.tilted() ? load_lanes<lanes(), true>(input, order, images, range, ahead)
                              : load_lanes<lanes(), false>(input, order, images, range, ahead);
  });
}

template <class T>
template <int Lanes, bool Tilted, class Storage>
double ClusterPositions<T>::load_lanes(const ClusterInput<Storage>& input,
                                       const ClusterOrder& order, const ClusterImages& images,
                                       ClusterRange range, int ahead) {
  const std::int32_t* atoms = order.atom();
  const Folded<Storage> folded(input, order);
  const std::int64_t first = range.begin;
  const std::int64_t last = range.end;
  double bad[Lanes] = {};  // one per lane, because a single sum would serialize the lanes
  for (std::int64_t c = first; c < last; ++c) {
    // The caller's arrays are not in this order, so their lines are prefetched.
    const std::int64_t later = c + ahead / Lanes;
    for (int lane = 0; lane < Lanes && later < last; ++lane) {
      const std::int64_t atom = atoms[later * Lanes + lane];
      input.positions.prefetch(atom);
      for (int k = 0; k < input.values.count; ++k)
        __builtin_prefetch(input.values.column[k].data + atom * input.values.column[k].stride);
    }
    double x[3][Lanes];
    const bool shifted = order.shifted()[c] != 0;
    for (int lane = 0; lane < Lanes; ++lane)
      for (int d = 0; d < 3; ++d)
        x[d][lane] = folded.template at<Tilted>(c * Lanes + lane, d, shifted);
    place<Lanes>(order, images, c, x, bad);
    if (input.values.count > 0) set_values<Lanes>(input, order, images, c);
  }
  return std::accumulate(bad, bad + Lanes, 0.0);
}

template <class T>
template <class Storage>
void ClusterPositions<T>::load_values(const ClusterInput<Storage>& input, const ClusterOrder& order,
                                      const ClusterImages& images, ClusterRange range) {
  if (input.values.count == 0) return;
  with_lanes(order.lanes(), [&](auto lanes) {
    for (std::int64_t c = range.begin; c < range.end; ++c)
      set_values<lanes()>(input, order, images, c);
  });
}

template <class T>
template <int Lanes, class Storage>
void ClusterPositions<T>::set_values(const ClusterInput<Storage>& input, const ClusterOrder& order,
                                     const ClusterImages& images, std::int64_t cluster) {
  const std::int64_t block = std::int64_t{input.values.count} * Lanes;
  T* const values = values_.data() + cluster * block;
  const std::int32_t* const atoms = order.atom() + cluster * Lanes;
  for (int k = 0; k < input.values.count; ++k)
    for (int lane = 0; lane < Lanes; ++lane)
      values[k * Lanes + lane] = static_cast<T>(input.values.column[k](atoms[lane]));
  images.of_cluster(cluster, [&](std::int64_t image) {
    std::copy_n(values, block, values_.data() + image * block);
  });
}

template class ClusterPositions<float>;
template class ClusterPositions<double>;
template double ClusterPositions<float>::load(const ClusterInput<float>&, const ClusterOrder&,
                                              const ClusterImages&, ClusterRange, int);
template double ClusterPositions<float>::load(const ClusterInput<double>&, const ClusterOrder&,
                                              const ClusterImages&, ClusterRange, int);
template double ClusterPositions<double>::load(const ClusterInput<double>&, const ClusterOrder&,
                                               const ClusterImages&, ClusterRange, int);

template void ClusterPositions<float>::load_values(const ClusterInput<float>&, const ClusterOrder&,
                                                   const ClusterImages&, ClusterRange);
template void ClusterPositions<float>::load_values(const ClusterInput<double>&, const ClusterOrder&,
                                                   const ClusterImages&, ClusterRange);
template void ClusterPositions<double>::load_values(const ClusterInput<double>&,
                                                    const ClusterOrder&, const ClusterImages&,
                                                    ClusterRange);

}  // namespace tessera::openmp::cluster
