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
  V cutoff_squared_, sigma_squared_, strength_, depth_, offset_;

  HWY_INLINE explicit OneType(const PairTable<T>& table)
      : cutoff_squared_(hn::Set(D(), table.cutoff_squared[0])),
        sigma_squared_(hn::Set(D(), table.sigma_squared[0])),
        strength_(hn::Set(D(), table.strength[0])),
        depth_(hn::Set(D(), table.depth[0])),
        offset_(hn::Set(D(), table.offset[0])) {}

  HWY_INLINE void select_row(TypeIndex<T>) {}
  HWY_INLINE void select_lanes(const TypeIndex<T>*) {}
  HWY_INLINE V cutoff_squared() const { return cutoff_squared_; }
  HWY_INLINE V sigma_squared() const { return sigma_squared_; }
  HWY_INLINE V strength() const { return strength_; }
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
  V cutoff_squared_, sigma_squared_, strength_;
  decltype(hn::SetTableIndices(D(), static_cast<const TypeIndex<T>*>(nullptr))) lanes;

  HWY_INLINE explicit FewTypes(const PairTable<T>& pair_table)
      : table(pair_table),
        cutoff_squared_(hn::Zero(D())),
        sigma_squared_(hn::Zero(D())),
        strength_(hn::Zero(D())),
        lanes(hn::IndicesFromVec(D(), hn::Zero(TypeTag<D>()))) {}

  HWY_INLINE void select_row(TypeIndex<T> type) {
    row = static_cast<std::size_t>(type) * static_cast<std::size_t>(table.stride);
    cutoff_squared_ = hn::Load(D(), table.cutoff_squared + row);
    sigma_squared_ = hn::Load(D(), table.sigma_squared + row);
    strength_ = hn::Load(D(), table.strength + row);
  }
  HWY_INLINE void select_lanes(const TypeIndex<T>* types) {
    lanes = hn::IndicesFromVec(D(), hn::Load(TypeTag<D>(), types));
  }
  HWY_INLINE V cutoff_squared() const { return hn::TableLookupLanes(cutoff_squared_, lanes); }
  HWY_INLINE V sigma_squared() const { return hn::TableLookupLanes(sigma_squared_, lanes); }
  HWY_INLINE V strength() const { return hn::TableLookupLanes(strength_, lanes); }
  HWY_INLINE V depth() const {
    return hn::TableLookupLanes(hn::Load(D(), table.depth + row), lanes);
  }
  HWY_INLINE V offset() const {
    return hn::TableLookupLanes(hn::Load(D(), table.offset + row), lanes);
  }
};

/// Tables longer than a vector: lanes gather from the row.
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
  HWY_INLINE V strength() const { return pick(table.strength); }
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

/// All pairs of one atom with the lanes of a cluster. `kMasked`: only lanes of `lanes`.
template <bool kTally, bool kMasked, class D, class Coefficients, class M>
HWY_INLINE void interact(D d, const Coefficients& pair, RowAtom<D>& atom,
                         const Coordinate<hn::TFromD<D>>* HWY_RESTRICT coordinates,
                         hn::TFromD<D>* HWY_RESTRICT forces, [[maybe_unused]] M lanes,
                         [[maybe_unused]] Tally<D>& tally) {
  using T = hn::TFromD<D>;
  constexpr std::size_t kLanes = hn::MaxLanes(D());
  const CoordinateTag<D> dc;
  const auto dx = difference(d, atom.x, hn::Load(dc, coordinates));
  const auto dy = difference(d, atom.y, hn::Load(dc, coordinates + kLanes));
  const auto dz = difference(d, atom.z, hn::Load(dc, coordinates + 2 * kLanes));
  const auto r2 = hn::MulAdd(dx, dx, hn::MulAdd(dy, dy, hn::Mul(dz, dz)));
  auto inside = hn::Lt(r2, pair.cutoff_squared());
  if constexpr (kMasked) inside = hn::And(inside, lanes);

  // With s = (sigma / r)^2 the force is 24 epsilon / sigma^2 s^4 (2 s^3 - 1) times the vector.
  const auto s2 = hn::Div(pair.sigma_squared(), r2);
  const auto s6 = hn::Mul(hn::Mul(s2, s2), s2);
  const auto factor = hn::Mul(hn::Mul(s2, pair.strength()), s6);
  const auto f = hn::IfThenElseZero(
      inside, hn::Mul(factor, hn::MulAdd(s6, hn::Set(d, T(2)), hn::Set(d, T(-1)))));
  atom.fx = hn::MulAdd(f, dx, atom.fx);
  atom.fy = hn::MulAdd(f, dy, atom.fy);
  atom.fz = hn::MulAdd(f, dz, atom.fz);
  hn::Store(hn::NegMulAdd(f, dx, hn::Load(d, forces)), d, forces);
  hn::Store(hn::NegMulAdd(f, dy, hn::Load(d, forces + kLanes)), d, forces + kLanes);
  hn::Store(hn::NegMulAdd(f, dz, hn::Load(d, forces + 2 * kLanes)), d, forces + 2 * kLanes);
  if constexpr (kTally) {
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
      if (code == kNoShift && row + 1 < atoms) {
        // Pairs inside the cluster: each atom with those after it.
        if constexpr (kTyped) pair.select_lanes(arguments.types + cluster * kLanes);
        interact<kTally, true>(d, pair, atom, own, own_forces, hn::Not(hn::FirstN(d, row + 1)),
                               tally);
      }
      for (; entry != end; ++entry) {
        const std::size_t other = *entry;
        if constexpr (kTyped) pair.select_lanes(arguments.types + other * kLanes);
        interact<kTally, false>(d, pair, atom, coordinates + other * kBlock,
                                forces + other * kBlock, 0, tally);
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

template <class T, std::size_t kCap>
std::size_t filter(const FilterArguments<T>& arguments, std::uint32_t cluster, std::uint32_t atoms,
                   bool inside, const Coordinate<T>* shift, const std::uint32_t* candidates,
                   std::size_t count, std::uint32_t* HWY_RESTRICT rows,
                   std::uint32_t* HWY_RESTRICT entries, std::uint32_t* HWY_RESTRICT row_end,
                   std::uint32_t base, T& closest_squared) {
  using D = Tag<T, kCap>;
  constexpr std::size_t kLanes = hn::MaxLanes(D());
  constexpr std::size_t kBlock = 3 * kLanes;
  const D d;
  const CoordinateTag<D> dc;
  const Coordinate<T>* own = arguments.coordinates + cluster * kBlock;
  const auto radius_squared = hn::Set(d, arguments.radius_squared);
  HWY_ALIGN Coordinate<T> moved[kBlock];
  for (std::size_t c = 0; c < 3; ++c) {
    hn::Store(hn::Add(hn::Load(dc, own + c * kLanes), hn::Set(dc, shift[c])), dc,
              moved + c * kLanes);
  }
  std::size_t length[kLanes] = {};
  auto closest = hn::Set(d, closest_squared);
  if (inside) {
    for (std::size_t row = 0; row + 1 < atoms; ++row) {
      const auto dx = difference(d, hn::Set(dc, own[row]), hn::Load(dc, own));
      const auto dy = difference(d, hn::Set(dc, own[kLanes + row]), hn::Load(dc, own + kLanes));
      const auto dz =
          difference(d, hn::Set(dc, own[2 * kLanes + row]), hn::Load(dc, own + 2 * kLanes));
      const auto r2 = hn::MulAdd(dx, dx, hn::MulAdd(dy, dy, hn::Mul(dz, dz)));
      closest = hn::IfThenElse(hn::FirstN(d, row + 1), closest, hn::Min(closest, r2));
    }
  }
  for (std::size_t k = 0; k < count; ++k) {
    const Coordinate<T>* other = arguments.coordinates + candidates[k] * kBlock;
    const auto x = hn::Load(dc, other);
    const auto y = hn::Load(dc, other + kLanes);
    const auto z = hn::Load(dc, other + 2 * kLanes);
    for (std::size_t row = 0; row < kLanes; ++row) {
      const auto dx = difference(d, hn::Set(dc, moved[row]), x);
      const auto dy = difference(d, hn::Set(dc, moved[kLanes + row]), y);
      const auto dz = difference(d, hn::Set(dc, moved[2 * kLanes + row]), z);
      const auto r2 = hn::MulAdd(dx, dx, hn::MulAdd(dy, dy, hn::Mul(dz, dz)));
      closest = hn::Min(closest, r2);
      rows[row * count + length[row]] = candidates[k];
      length[row] += hn::AllFalse(d, hn::Lt(r2, radius_squared)) ? 0 : 1;
    }
  }
  HWY_ALIGN T lanes[kLanes];
  hn::Store(closest, d, lanes);
  for (const T r2 : lanes)
    closest_squared = r2 < closest_squared ? r2 : closest_squared;
  std::size_t written = 0;
  for (std::size_t row = 0; row < kLanes; ++row) {
    if (row < atoms) {
      for (std::size_t k = 0; k < length[row]; ++k)
        entries[written + k] = rows[row * count + k];
      written += length[row];
    }
    row_end[row] = base + static_cast<std::uint32_t>(written);
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
