#include "backends/openmp/pair_force_cluster/cluster_kernels.hpp"

#include "backends/openmp/pair_force_cluster/cluster_targets.hpp"

// Highway compiles the vector code once for each instruction set by including this file repeatedly,
// hence without an include guard.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/openmp/pair_force_cluster/cluster_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// These headers are compiled for each instruction set.
#include "backends/openmp/pair_force_cluster/cluster_lanes.hpp"
#include "backends/openmp/pair_force_cluster/lane_count.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera::openmp::cluster::HWY_NAMESPACE {

/// Finds the clusters of the ranges whose boxes are within the radius of the searcher's box.
template <class D>
std::size_t filter_boxes(D d, const SearchArguments& search,
                         std::uint32_t* HWY_RESTRICT candidates) {
  const hn::RebindToUnsigned<D> du;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t count = 0;
  for (std::size_t r = 0; r < search.range_count; ++r) {
    const SearchRange& range = search.ranges[r];
    const auto radius_squared = hn::Set(d, range.radius_squared);
    const std::uint32_t end = range.clusters.end;
    for (std::uint32_t b = range.clusters.begin; b < end; b += static_cast<std::uint32_t>(lanes)) {
      auto gap_squared = hn::Zero(d);
      for (std::size_t c = 0; c < 3; ++c) {
        const auto above = hn::Sub(hn::LoadU(d, search.lower[c] + b), hn::Set(d, range.high[c]));
        const auto below = hn::Sub(hn::Set(d, range.low[c]), hn::LoadU(d, search.upper[c] + b));
        const auto gap = hn::Max(hn::Max(above, below), hn::Zero(d));
        gap_squared = hn::MulAdd(gap, gap, gap_squared);
      }
      const auto near = hn::And(hn::Lt(gap_squared, radius_squared),
                                hn::FirstN(d, static_cast<std::size_t>(end - b)));
      // Compress in a register: a compressing store is slow microcode on some processors.
      const auto mask = hn::MaskFromVec(hn::BitCast(du, hn::VecFromMask(d, near)));
      hn::StoreU(hn::Compress(hn::Iota(du, b + range.offset), mask), du, candidates + count);
      count += hn::CountTrue(d, near);
    }
  }
  return count;
}

/// Writes, for each type, the squared radii of pairs of this type with the atoms of a cluster, one
/// per lane.
template <class T>
void spread_radii(const FilterArguments<T>& arguments, const TypeIndex<T>* own, std::size_t lanes,
                  T* HWY_RESTRICT radii) {
  const auto types = static_cast<std::size_t>(arguments.types);
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    const T* row = arguments.radii_squared + static_cast<std::size_t>(own[lane]) * types;
    for (std::size_t type = 0; type < types; ++type)
      radii[type * lanes + lane] = row[type];
  }
}

/// Kernels::filter.
/// \tparam is_by_type whether each pair of types has a radius of its own.
template <class T, std::size_t capacity, bool is_by_type>
std::size_t filter(const FilterArguments<T>& arguments, const SearchArguments& search,
                   SearchResult<T>& result) {
  using D = Tag<T, capacity>;
  constexpr std::size_t lane_count = hn::MaxLanes(D());
  constexpr std::size_t block_stride = 3 * lane_count;
  const D d;
  const CoordinateTag<D> dc;
  const Coordinate<T>* own = arguments.coordinates + search.cluster * block_stride;
  const std::size_t atoms = arguments.counts[search.cluster];
  const auto radius_squared = hn::Set(d, arguments.radius_squared);
  auto closest = hn::Set(d, result.closest_squared);
  const std::uint32_t* HWY_RESTRICT candidates = result.candidates;
  const std::size_t count = filter_boxes(hn::CappedTag<float, 8>(), search, result.candidates);
  result.candidate_count = count;

  for (std::size_t row = 0; row + 1 < atoms; ++row) {
    const auto dx = difference(d, hn::Set(dc, own[row]), hn::Load(dc, own));
    const auto dy =
        difference(d, hn::Set(dc, own[lane_count + row]), hn::Load(dc, own + lane_count));
    const auto dz =
        difference(d, hn::Set(dc, own[2 * lane_count + row]), hn::Load(dc, own + 2 * lane_count));
    const auto r2 = hn::MulAdd(dx, dx, hn::MulAdd(dy, dy, hn::Mul(dz, dz)));
    closest = hn::IfThenElse(hn::FirstN(d, row + 1), closest, hn::Min(closest, r2));
  }
  // active[k]: bits of the rows that have an atom of candidate k within the radius. Rows are lanes.
  const auto own_x = hn::Load(dc, own);
  const auto own_y = hn::Load(dc, own + lane_count);
  const auto own_z = hn::Load(dc, own + 2 * lane_count);
  const auto real = hn::FirstN(d, atoms);
  std::uint32_t* HWY_RESTRICT active = result.active;
  if (is_by_type && count > 0)
    spread_radii(arguments, arguments.type + search.cluster * lane_count, lane_count,
                 result.radii_squared);
  for (std::size_t k = 0; k < count; ++k) {
    const Coordinate<T>* other = arguments.coordinates + candidates[k] * block_stride;
    auto least = hn::Set(d, hwy::HighestValue<T>());
    auto inside = hn::FirstN(d, 0);  // none
    for (std::size_t lane = 0; lane < lane_count; ++lane) {
      const auto dx = difference(d, own_x, hn::Set(dc, other[lane]));
      const auto dy = difference(d, own_y, hn::Set(dc, other[lane_count + lane]));
      const auto dz = difference(d, own_z, hn::Set(dc, other[2 * lane_count + lane]));
      const auto r2 = hn::MulAdd(dx, dx, hn::MulAdd(dy, dy, hn::Mul(dz, dz)));
      least = hn::Min(least, r2);
      if constexpr (is_by_type) {
        const auto type =
            static_cast<std::size_t>(arguments.type[candidates[k] * lane_count + lane]);
        const auto radii = hn::LoadU(d, result.radii_squared + type * lane_count);
        inside = hn::Or(inside, hn::Lt(r2, radii));
      }
    }
    least = hn::IfThenElse(real, least, hn::Set(d, hwy::HighestValue<T>()));
    closest = hn::Min(closest, least);
    if constexpr (is_by_type)
      inside = hn::And(inside, real);
    else
      inside = hn::Lt(least, radius_squared);
    std::uint8_t bits[8] = {};
    hn::StoreMaskBits(d, inside, bits);
    active[k] = bits[0] | static_cast<std::uint32_t>(bits[1]) << 8;
  }
  HWY_ALIGN T lanes[lane_count];
  hn::Store(closest, d, lanes);
  for (const T r2 : lanes)
    result.closest_squared = r2 < result.closest_squared ? r2 : result.closest_squared;

  const hn::CappedTag<std::uint32_t, 8> du;
  std::size_t written = 0;
  for (std::size_t row = 0; row < lane_count; ++row) {
    const auto bit = hn::Set(du, std::uint32_t{1} << row);
    for (std::size_t k = 0; k < count; k += hn::Lanes(du)) {
      const auto mask =
          hn::And(hn::TestBit(hn::LoadU(du, active + k), bit), hn::FirstN(du, count - k));
      hn::StoreU(hn::Compress(hn::LoadU(du, candidates + k), mask), du, result.entries + written);
      written += hn::CountTrue(du, mask);
    }
    result.row_end[row] = result.base + static_cast<std::uint32_t>(written);
  }
  return written;
}

template <class T, std::size_t capacity>
std::size_t any_filter(const FilterArguments<T>& arguments, const SearchArguments& search,
                       SearchResult<T>& result) {
  return arguments.radii_squared != nullptr ? filter<T, capacity, true>(arguments, search, result)
                                            : filter<T, capacity, false>(arguments, search, result);
}

template <class T, std::size_t capacity>
const Kernels<T>* table() {
  using D = Tag<T, capacity>;
  static const Kernels<T> kernels{hwy::TargetName(HWY_TARGET), static_cast<int>(hn::MaxLanes(D())),
                                  &any_filter<T, capacity>};
  return &kernels;
}

template <class T>
const Kernels<T>* table_for(int lanes) {
  const Kernels<T>* found = nullptr;
  FloatLanes::with(lanes,
                   [&]<int Lanes>() { found = table<T, Lanes * sizeof(float) / sizeof(T)>(); });
  return found;
}

const Kernels<float>* float_table(int lanes) {
  return table_for<float>(lanes);
}

const Kernels<double>* double_table(int lanes) {
  return table_for<double>(lanes);
}

}  // namespace tessera::openmp::cluster::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace tessera::openmp::cluster {

HWY_EXPORT(float_table);
HWY_EXPORT(double_table);

template <>
const Kernels<float>& kernels<float>(int lanes) {
  return *HWY_DYNAMIC_DISPATCH(float_table)(lanes);
}

template <>
const Kernels<double>& kernels<double>(int lanes) {
  return *HWY_DYNAMIC_DISPATCH(double_table)(lanes);
}

}  // namespace tessera::openmp::cluster

#endif  // HWY_ONCE
