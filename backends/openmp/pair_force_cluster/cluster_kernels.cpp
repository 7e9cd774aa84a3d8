#include <tessera/backends/openmp/pair_force_cluster/cluster_kernels.hpp>

// The vector code is compiled once for each instruction set by including this file again and again;
// hence no include guard around it. Sets of unknown vector length are left out: clusters have a
// size.
#define HWY_DISABLED_TARGETS \
  (HWY_AVX3_DL | HWY_SSSE3 | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tessera/backends/openmp/pair_force_cluster/cluster_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace tessera::openmp::cluster {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class T, std::size_t kCap>
using Tag = hn::CappedTag<T, kCap>;

template <class D>
using CoordinateTag = hn::Rebind<Coordinate<hn::TFromD<D>>, D>;

template <class D>
using TypeTag = hn::Rebind<TypeIndex<hn::TFromD<D>>, D>;

/// Difference of two coordinates: exact in fixed point, then one rounding.
template <class D, class V>
HWY_INLINE hn::Vec<D> difference(D d, V a, V b) {
  if constexpr (std::is_same_v<hn::TFromD<D>, float>) {
    return hn::ConvertTo(d, hn::Sub(a, b));
  } else {
    return hn::Sub(a, b);
  }
}

/// Sums of the lanes of `rows` (N vectors, one after the other) as one vector: lane i is the sum of
/// rows[i]. A tree of pairwise additions, always in the same order.
template <class D>
HWY_INLINE hn::Vec<D> row_sums(D d, const hn::TFromD<D>* rows) {
#if HWY_TARGET == HWY_SCALAR
  return hn::Load(d, rows);
#else
  constexpr std::size_t kLanes = hn::MaxLanes(D());
  hn::Vec<D> v[kLanes];
  for (std::size_t i = 0; i < kLanes; ++i)
    v[i] = hn::Load(d, rows + i * kLanes);
  for (std::size_t left = kLanes; left > 1; left /= 2) {
    for (std::size_t i = 0; i < left / 2; ++i) {
      v[i] = hn::Add(hn::ConcatEven(d, v[2 * i + 1], v[2 * i]),
                     hn::ConcatOdd(d, v[2 * i + 1], v[2 * i]));
    }
  }
  return v[0];
#endif
}

/// Coefficients of one pair of types, in registers throughout.
template <class D>
struct OneType {
  using T = hn::TFromD<D>;
  using V = hn::Vec<D>;
  V cutoff_squared_, sigma_squared_, repulsion_, attraction_, depth_, offset_;

  HWY_INLINE explicit OneType(const PairTable<T>& table)
      : cutoff_squared_(hn::Set(D(), table.cutoff_squared[0])),
        sigma_squared_(hn::Set(D(), table.sigma_squared[0])),
        repulsion_(hn::Set(D(), table.repulsion[0])),
        attraction_(hn::Set(D(), table.attraction[0])),
        depth_(hn::Set(D(), table.depth[0])),
        offset_(hn::Set(D(), table.offset[0])) {}

  HWY_INLINE void select_row(TypeIndex<T>) {}
  HWY_INLINE void select_lanes(const TypeIndex<T>*) {}
  HWY_INLINE V cutoff_squared() const { return cutoff_squared_; }
  HWY_INLINE V sigma_squared() const { return sigma_squared_; }
  HWY_INLINE V repulsion() const { return repulsion_; }
  HWY_INLINE V attraction() const { return attraction_; }
  HWY_INLINE V depth() const { return depth_; }
  HWY_INLINE V offset() const { return offset_; }
};

/// A row of each table, for the type of the atom at hand, in one register; lanes pick by
/// permutation.
template <class D>
struct FewTypes {
  using T = hn::TFromD<D>;
  using V = hn::Vec<D>;
  const PairTable<T>& table;
  std::size_t row = 0;
  V cutoff_squared_, sigma_squared_, repulsion_, attraction_;
  decltype(hn::SetTableIndices(D(), static_cast<const TypeIndex<T>*>(nullptr))) lanes;

  HWY_INLINE explicit FewTypes(const PairTable<T>& pair_table)
      : table(pair_table),
        cutoff_squared_(hn::Zero(D())),
        sigma_squared_(hn::Zero(D())),
        repulsion_(hn::Zero(D())),
        attraction_(hn::Zero(D())),
        lanes(hn::IndicesFromVec(D(), hn::Zero(TypeTag<D>()))) {}

  HWY_INLINE void select_row(TypeIndex<T> type) {
    row = static_cast<std::size_t>(type) * static_cast<std::size_t>(table.stride);
    cutoff_squared_ = hn::Load(D(), table.cutoff_squared + row);
    sigma_squared_ = hn::Load(D(), table.sigma_squared + row);
    repulsion_ = hn::Load(D(), table.repulsion + row);
    attraction_ = hn::Load(D(), table.attraction + row);
  }
  HWY_INLINE void select_lanes(const TypeIndex<T>* types) {
    lanes = hn::IndicesFromVec(D(), hn::Load(TypeTag<D>(), types));
  }
  HWY_INLINE V cutoff_squared() const { return hn::TableLookupLanes(cutoff_squared_, lanes); }
  HWY_INLINE V sigma_squared() const { return hn::TableLookupLanes(sigma_squared_, lanes); }
  HWY_INLINE V repulsion() const { return hn::TableLookupLanes(repulsion_, lanes); }
  HWY_INLINE V attraction() const { return hn::TableLookupLanes(attraction_, lanes); }
  HWY_INLINE V depth() const {
    return hn::TableLookupLanes(hn::Load(D(), table.depth + row), lanes);
  }
  HWY_INLINE V offset() const {
    return hn::TableLookupLanes(hn::Load(D(), table.offset + row), lanes);
  }
};

/// Rows of a few vectors: lanes pick from each and keep what is theirs. Depth and offset, which
/// only energies need, are gathered.
template <class D>
struct SeveralTypes {
  using T = hn::TFromD<D>;
  using V = hn::Vec<D>;
  const PairTable<T>& table;
  std::size_t row = 0;
  hn::Vec<TypeTag<D>> types;
  V cutoff_squared_, sigma_squared_, repulsion_, attraction_;

  HWY_INLINE explicit SeveralTypes(const PairTable<T>& pair_table)
      : table(pair_table),
        types(hn::Zero(TypeTag<D>())),
        cutoff_squared_(hn::Zero(D())),
        sigma_squared_(hn::Zero(D())),
        repulsion_(hn::Zero(D())),
        attraction_(hn::Zero(D())) {}

  HWY_INLINE void select_row(TypeIndex<T> type) {
    row = static_cast<std::size_t>(type) * static_cast<std::size_t>(table.stride);
  }
  HWY_INLINE void select_lanes(const TypeIndex<T>* cluster_types) {
    constexpr auto kLanes = static_cast<TypeIndex<T>>(hn::MaxLanes(D()));
    const D d;
    const TypeTag<D> dt;
    types = hn::Load(dt, cluster_types);
    const auto part = hn::And(types, hn::Set(dt, -kLanes));
    const auto lanes = hn::IndicesFromVec(d, hn::And(types, hn::Set(dt, kLanes - 1)));
    for (TypeIndex<T> first = 0; first < table.stride; first += kLanes) {
      const auto mine = hn::RebindMask(d, hn::Eq(part, hn::Set(dt, first)));
      const std::size_t at = row + static_cast<std::size_t>(first);
      const auto pick = [&](V& value, const T* values) HWY_ATTR {
        value = hn::IfThenElse(mine, hn::TableLookupLanes(hn::Load(d, values + at), lanes), value);
      };
      pick(cutoff_squared_, table.cutoff_squared);
      pick(sigma_squared_, table.sigma_squared);
      pick(repulsion_, table.repulsion);
      pick(attraction_, table.attraction);
    }
  }
  HWY_INLINE V cutoff_squared() const { return cutoff_squared_; }
  HWY_INLINE V sigma_squared() const { return sigma_squared_; }
  HWY_INLINE V repulsion() const { return repulsion_; }
  HWY_INLINE V attraction() const { return attraction_; }
  HWY_INLINE V depth() const { return hn::GatherIndex(D(), table.depth + row, types); }
  HWY_INLINE V offset() const { return hn::GatherIndex(D(), table.offset + row, types); }
};

/// Long tables: lanes gather from the row.
template <class D>
struct ManyTypes {
  using T = hn::TFromD<D>;
  using V = hn::Vec<D>;
  const PairTable<T>& table;
  std::size_t row = 0;
  hn::Vec<TypeTag<D>> lanes;

  HWY_INLINE explicit ManyTypes(const PairTable<T>& pair_table)
      : table(pair_table), lanes(hn::Zero(TypeTag<D>())) {}

  HWY_INLINE void select_row(TypeIndex<T> type) {
    row = static_cast<std::size_t>(type) * static_cast<std::size_t>(table.stride);
  }
  HWY_INLINE void select_lanes(const TypeIndex<T>* types) { lanes = hn::Load(TypeTag<D>(), types); }
  HWY_INLINE V pick(const T* values) const { return hn::GatherIndex(D(), values + row, lanes); }
  HWY_INLINE V cutoff_squared() const { return pick(table.cutoff_squared); }
  HWY_INLINE V sigma_squared() const { return pick(table.sigma_squared); }
  HWY_INLINE V repulsion() const { return pick(table.repulsion); }
  HWY_INLINE V attraction() const { return pick(table.attraction); }
  HWY_INLINE V depth() const { return pick(table.depth); }
  HWY_INLINE V offset() const { return pick(table.offset); }
};

/// Sums of energy and virial over the lanes. (No member initialisers: a constructor that the
/// compiler writes is not compiled for the instruction set at hand.)
template <class D>
struct Tally {
  hn::Vec<D> energy, xx, yy, zz, xy, xz, yz;

  HWY_INLINE void clear() { energy = xx = yy = zz = xy = xz = yz = hn::Zero(D()); }
};

/// One atom and the forces on it, each lane with its own share.
template <class D>
struct RowAtom {
  hn::Vec<CoordinateTag<D>> x, y, z;
  hn::Vec<D> fx, fy, fz;
};

/// The first half of the work on an atom and a cluster: separations and what the division takes.
template <class D, class Coefficients>
struct Separation {
  using T = hn::TFromD<D>;
  static constexpr std::size_t kLanes = hn::MaxLanes(D());
  hn::Vec<D> dx, dy, dz, s2;
  hn::Mask<D> inside;
  Coefficients pair;

  HWY_INLINE Separation(D d, const Coefficients& coefficients, const RowAtom<D>& atom,
                        const Coordinate<T>* HWY_RESTRICT coordinates)
      : pair(coefficients) {
    const CoordinateTag<D> dc;
    dx = difference(d, atom.x, hn::Load(dc, coordinates));
    dy = difference(d, atom.y, hn::Load(dc, coordinates + kLanes));
    dz = difference(d, atom.z, hn::Load(dc, coordinates + 2 * kLanes));
    const auto r2 = hn::MulAdd(dx, dx, hn::MulAdd(dy, dy, hn::Mul(dz, dz)));
    inside = hn::Lt(r2, pair.cutoff_squared());
    s2 = hn::Div(pair.sigma_squared(), r2);
  }

  /// The second half. With s2 = (sigma / r)^2 the force is 24 epsilon / sigma^2 s2^4 (2 s2^3 - 1)
  /// times the separation.
  template <bool kTally>
  HWY_INLINE void apply(D d, RowAtom<D>& atom, T* HWY_RESTRICT forces, Tally<D>& tally) const {
    const auto s4 = hn::Mul(s2, s2);
    const auto s8 = hn::Mul(s4, s4);
    const auto t = hn::MulAdd(s4, hn::Mul(s2, pair.repulsion()), pair.attraction());
    const auto f = hn::IfThenElseZero(inside, hn::Mul(s8, t));
    atom.fx = hn::MulAdd(f, dx, atom.fx);
    atom.fy = hn::MulAdd(f, dy, atom.fy);
    atom.fz = hn::MulAdd(f, dz, atom.fz);
    hn::Store(hn::NegMulAdd(f, dx, hn::Load(d, forces)), d, forces);
    hn::Store(hn::NegMulAdd(f, dy, hn::Load(d, forces + kLanes)), d, forces + kLanes);
    hn::Store(hn::NegMulAdd(f, dz, hn::Load(d, forces + 2 * kLanes)), d, forces + 2 * kLanes);
    if constexpr (kTally) {
      const auto s6 = hn::Mul(s4, s2);
      const auto energy =
          hn::MulAdd(hn::Mul(pair.depth(), s6), hn::Sub(s6, hn::Set(d, T(1))), pair.offset());
      tally.energy = hn::Add(tally.energy, hn::IfThenElseZero(inside, energy));
      const auto fx = hn::Mul(f, dx);
      const auto fy = hn::Mul(f, dy);
      tally.xx = hn::MulAdd(fx, dx, tally.xx);
      tally.yy = hn::MulAdd(fy, dy, tally.yy);
      tally.zz = hn::MulAdd(hn::Mul(f, dz), dz, tally.zz);
      tally.xy = hn::MulAdd(fx, dy, tally.xy);
      tally.xz = hn::MulAdd(fx, dz, tally.xz);
      tally.yz = hn::MulAdd(fy, dz, tally.yz);
    }
  }
};

/// Sum over the lanes in double.
template <class D, class V>
HWY_INLINE double total(D d, V v) {
  constexpr std::size_t kLanes = hn::MaxLanes(D());
  HWY_ALIGN hn::TFromD<D> lanes[kLanes];
  hn::Store(v, d, lanes);
  double sum = 0;
  for (std::size_t i = 0; i < kLanes; ++i)
    sum += static_cast<double>(lanes[i]);
  return sum;
}

template <class T, std::size_t kCap, template <class> class Coefficients, bool kTally>
void force(const ForceArguments<T>& arguments, const ListChunk& chunk) {
  using D = Tag<T, kCap>;
  constexpr std::size_t kLanes = hn::MaxLanes(D());
  constexpr std::size_t kBlock = 3 * kLanes;
  const D d;
  const CoordinateTag<D> dc;
  Coefficients<D> pair(arguments.table);
  constexpr bool kTyped = !std::is_same_v<Coefficients<D>, OneType<D>>;
  const Coordinate<T>* HWY_RESTRICT coordinates = arguments.coordinates;
  T* HWY_RESTRICT forces = arguments.forces;
  HWY_ALIGN T sums[3][kLanes][kLanes];

  const std::uint32_t* HWY_RESTRICT entry = chunk.entries;
  for (std::size_t h = 0; h < chunk.header_count; ++h) {
    const std::size_t cluster = chunk.headers[h].cluster;
    const int code = chunk.headers[h].shift;
    const std::size_t atoms = arguments.counts[cluster];
    const Coordinate<T>* own = coordinates + cluster * kBlock;
    const Coordinate<T>* shift = arguments.shifts[code];
    T* own_forces = forces + cluster * kBlock;
    Tally<D> tally;
    tally.clear();
    for (std::size_t row = 0; row < kLanes; ++row) {
      const std::uint32_t* end = chunk.entries + chunk.row_end[h * kLanes + row];
      RowAtom<D> atom;
      atom.x = hn::Add(hn::Set(dc, own[row]), hn::Set(dc, shift[0]));
      atom.y = hn::Add(hn::Set(dc, own[kLanes + row]), hn::Set(dc, shift[1]));
      atom.z = hn::Add(hn::Set(dc, own[2 * kLanes + row]), hn::Set(dc, shift[2]));
      atom.fx = hn::Zero(d);
      atom.fy = hn::Zero(d);
      atom.fz = hn::Zero(d);
      if constexpr (kTyped) pair.select_row(arguments.types[cluster * kLanes + row]);
      using Pair = Separation<D, Coefficients<D>>;
      if (code == kNoShift && row + 1 < atoms) {
        // Pairs inside the cluster: each atom with those after it.
        if constexpr (kTyped) pair.select_lanes(arguments.types + cluster * kLanes);
        Pair a(d, pair, atom, own);
        a.inside = hn::And(a.inside, hn::Not(hn::FirstN(d, row + 1)));
        a.template apply<kTally>(d, atom, own_forces, tally);
      }
      for (; entry != end; ++entry) {
        const std::size_t other = *entry;
        if constexpr (kTyped) pair.select_lanes(arguments.types + other * kLanes);
        const Pair a(d, pair, atom, coordinates + other * kBlock);
        a.template apply<kTally>(d, atom, forces + other * kBlock, tally);
      }
      hn::Store(atom.fx, d, sums[0][row]);
      hn::Store(atom.fy, d, sums[1][row]);
      hn::Store(atom.fz, d, sums[2][row]);
    }
    for (std::size_t c = 0; c < 3; ++c) {
      T* f = own_forces + c * kLanes;
      hn::Store(hn::Add(hn::Load(d, f), row_sums(d, &sums[c][0][0])), d, f);
    }
    if constexpr (kTally) {
      double* out = arguments.tally;
      const double q = arguments.quantum;
      out[0] += total(d, tally.energy);
      out[1] += q * total(d, tally.xx);
      out[2] += q * total(d, tally.yy);
      out[3] += q * total(d, tally.zz);
      out[4] += q * total(d, tally.xy);
      out[5] += q * total(d, tally.xz);
      out[6] += q * total(d, tally.yz);
    }
  }
}

/// Clusters of the ranges whose boxes come within the radius of the box [low, high].
template <class D>
std::size_t meet_boxes(D d, const SearchArguments& search, std::uint32_t* HWY_RESTRICT met) {
  const hn::RebindToUnsigned<D> du;
  const std::size_t lanes = hn::Lanes(d);
  const auto radius_squared = hn::Set(d, search.radius * search.radius);
  std::size_t count = 0;
  for (std::size_t r = 0; r < search.range_count; ++r) {
    const std::uint32_t end = search.ranges[r].end;
    for (std::uint32_t b = search.ranges[r].begin; b < end;
         b += static_cast<std::uint32_t>(lanes)) {
      auto gap_squared = hn::Zero(d);
      for (std::size_t c = 0; c < 3; ++c) {
        const auto above = hn::Sub(hn::LoadU(d, search.lower[c] + b), hn::Set(d, search.high[c]));
        const auto below = hn::Sub(hn::Set(d, search.low[c]), hn::LoadU(d, search.upper[c] + b));
        const auto gap = hn::Max(hn::Max(above, below), hn::Zero(d));
        gap_squared = hn::MulAdd(gap, gap, gap_squared);
      }
      const auto near = hn::And(hn::Lt(gap_squared, radius_squared),
                                hn::FirstN(d, static_cast<std::size_t>(end - b)));
      // Compressing in a register: to memory it is microcode on some processors.
      const auto mask = hn::MaskFromVec(hn::BitCast(du, hn::VecFromMask(d, near)));
      hn::StoreU(hn::Compress(hn::Iota(du, b), mask), du, met + count);
      count += hn::CountTrue(d, near);
    }
  }
  return count;
}

template <class T, std::size_t kCap>
std::size_t filter(const FilterArguments<T>& arguments, const SearchArguments& search,
                   SearchResult<T>& result) {
  using D = Tag<T, kCap>;
  constexpr std::size_t kLanes = hn::MaxLanes(D());
  constexpr std::size_t kBlock = 3 * kLanes;
  const D d;
  const CoordinateTag<D> dc;
  const Coordinate<T>* own = arguments.coordinates + search.cluster * kBlock;
  const Coordinate<T>* shift = arguments.shifts[search.shift];
  const std::size_t atoms = arguments.counts[search.cluster];
  const auto radius_squared = hn::Set(d, arguments.radius_squared);
  auto closest = hn::Set(d, result.closest_squared);
  const std::uint32_t* HWY_RESTRICT met = result.met;
  const std::size_t count = meet_boxes(hn::CappedTag<float, 8>(), search, result.met);
  result.met_count = count;

  if (search.shift == kNoShift) {
    for (std::size_t row = 0; row + 1 < atoms; ++row) {
      const auto dx = difference(d, hn::Set(dc, own[row]), hn::Load(dc, own));
      const auto dy = difference(d, hn::Set(dc, own[kLanes + row]), hn::Load(dc, own + kLanes));
      const auto dz =
          difference(d, hn::Set(dc, own[2 * kLanes + row]), hn::Load(dc, own + 2 * kLanes));
      const auto r2 = hn::MulAdd(dx, dx, hn::MulAdd(dy, dy, hn::Mul(dz, dz)));
      closest = hn::IfThenElse(hn::FirstN(d, row + 1), closest, hn::Min(closest, r2));
    }
  }
  // For each cluster met: the rows, one a lane, that have one of its atoms inside the radius.
  const auto own_x = hn::Add(hn::Load(dc, own), hn::Set(dc, shift[0]));
  const auto own_y = hn::Add(hn::Load(dc, own + kLanes), hn::Set(dc, shift[1]));
  const auto own_z = hn::Add(hn::Load(dc, own + 2 * kLanes), hn::Set(dc, shift[2]));
  const auto real = hn::FirstN(d, atoms);
  std::uint32_t* HWY_RESTRICT active = result.active;
  for (std::size_t k = 0; k < count; ++k) {
    const Coordinate<T>* other = arguments.coordinates + met[k] * kBlock;
    auto least = hn::Set(d, hwy::HighestValue<T>());
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const auto dx = difference(d, own_x, hn::Set(dc, other[lane]));
      const auto dy = difference(d, own_y, hn::Set(dc, other[kLanes + lane]));
      const auto dz = difference(d, own_z, hn::Set(dc, other[2 * kLanes + lane]));
      least = hn::Min(least, hn::MulAdd(dx, dx, hn::MulAdd(dy, dy, hn::Mul(dz, dz))));
    }
    least = hn::IfThenElse(real, least, hn::Set(d, hwy::HighestValue<T>()));
    closest = hn::Min(closest, least);
    std::uint8_t bits[8] = {};
    hn::StoreMaskBits(d, hn::Lt(least, radius_squared), bits);
    active[k] = bits[0] | static_cast<std::uint32_t>(bits[1]) << 8;
  }
  HWY_ALIGN T lanes[kLanes];
  hn::Store(closest, d, lanes);
  for (const T r2 : lanes)
    result.closest_squared = r2 < result.closest_squared ? r2 : result.closest_squared;

  const hn::CappedTag<std::uint32_t, 8> du;
  std::size_t written = 0;
  for (std::size_t row = 0; row < kLanes; ++row) {
    const auto bit = hn::Set(du, std::uint32_t{1} << row);
    for (std::size_t k = 0; k < count; k += hn::Lanes(du)) {
      const auto mask =
          hn::And(hn::TestBit(hn::LoadU(du, active + k), bit), hn::FirstN(du, count - k));
      hn::StoreU(hn::Compress(hn::LoadU(du, met + k), mask), du, result.entries + written);
      written += hn::CountTrue(du, mask);
    }
    result.row_end[row] = result.base + static_cast<std::uint32_t>(written);
  }
  return written;
}

template <class T, std::size_t kCap>
const Kernels<T>* table() {
  using D = Tag<T, kCap>;
  static const Kernels<T> kernels{
      hwy::TargetName(HWY_TARGET),
      static_cast<int>(hn::MaxLanes(D())),
      {{&force<T, kCap, OneType, false>, &force<T, kCap, OneType, true>},
       {&force<T, kCap, FewTypes, false>, &force<T, kCap, FewTypes, true>},
       {&force<T, kCap, SeveralTypes, false>, &force<T, kCap, SeveralTypes, true>},
       {&force<T, kCap, ManyTypes, false>, &force<T, kCap, ManyTypes, true>}},
      &filter<T, kCap>};
  return &kernels;
}

const Kernels<float>* float_table(int lanes) {
  return lanes >= 16 ? table<float, 16>() : lanes >= 8 ? table<float, 8>() : table<float, 4>();
}

const Kernels<double>* double_table(int lanes) {
  return lanes >= 16 ? table<double, 8>() : lanes >= 8 ? table<double, 4>() : table<double, 2>();
}

}  // namespace HWY_NAMESPACE
}  // namespace tessera::openmp::cluster
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
