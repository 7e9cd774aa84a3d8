// Included once for each instruction set, hence without an include guard: see cluster_lanes.hpp.
#if defined(TESSERA_CLUSTER_LOOP) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_CLUSTER_LOOP
#undef TESSERA_CLUSTER_LOOP
#else
#define TESSERA_CLUSTER_LOOP
#endif

#include "backends/openmp/pair_force_cluster/cluster_kernels.hpp"
#include "backends/openmp/pair_force_cluster/cluster_lanes.hpp"
#include "backends/openmp/pair_force_cluster/entry_order.hpp"
#include "backends/openmp/pair_force_cluster/pair_numbers.hpp"
#include "backends/openmp/pair_force_cluster/vector_number.hpp"

#include <hwy/highway.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

/// \file
/// The pair loop, compiled for each form by a row source (from cluster_row.cpp.in).

HWY_BEFORE_NAMESPACE();
namespace tessera::openmp::cluster::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

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

/// Whether nothing comes of a pair beyond the cutoff as it is.
template <class Form>
constexpr bool kMasksItself = requires {
  Form::masks_itself;
};
/// Whether it is the sum of two forms, each of which may do nothing to some atoms.
template <class Form>
constexpr bool kIsSum = requires {
  typename Form::First;
  typename Form::Second;
};

/// The numbers behind the cutoff, as a form asks for them.
template <class D, class Coefficients>
struct FormNumbers {
  const Coefficients& pair;
  const hn::TFromD<D>* samples;
  HWY_INLINE Number<D> operator[](int k) const { return Number<D>(pair.pick(k + 1)); }
  /// Lanes gather, each what it asks for.
  HWY_INLINE Number<D> sample(const Number<D>& k) const {
    const D d;
    return Number<D>(hn::GatherIndex(d, samples, hn::ConvertTo(hn::RebindToSigned<D>(), k.v)));
  }
};

/// A distance, as a form asks for it: in the form's unit of length.
template <class D>
struct Distance {
  hn::Vec<D> r2;
  hn::Vec<D> inverse2;
  hn::Vec<D> root;  ///< of r2, taken beside the division of inverse2, not after it

  HWY_INLINE Number<D> squared() const { return Number<D>(r2); }
  HWY_INLINE Number<D> inverse_squared() const { return Number<D>(inverse2); }
  HWY_INLINE Number<D> length() const { return Number<D>(root); }
  HWY_INLINE Number<D> inverse() const { return length() * inverse_squared(); }
};

template <class D>
struct FormAtom {
  Number<D> charge;
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
  hn::Vec<D> charge;
  hn::Vec<D> fx, fy, fz;
};

/// The first half of the work on an atom and a cluster: separations and what the division takes.
template <class D, class Form, class Coefficients>
struct Separation {
  using T = hn::TFromD<D>;
  static constexpr std::size_t kLanes = hn::MaxLanes(D());
  hn::Vec<D> dx, dy, dz;
  Distance<D> distance;
  hn::Mask<D> inside;

  HWY_INLINE Separation(D d, const Coefficients& pair, const RowAtom<D>& atom,
                        const Coordinate<T>* HWY_RESTRICT coordinates, hn::Vec<D> unit_squared,
                        hn::Vec<D> scale) {
    const CoordinateTag<D> dc;
    dx = difference(d, atom.x, hn::Load(dc, coordinates));
    dy = difference(d, atom.y, hn::Load(dc, coordinates + kLanes));
    dz = difference(d, atom.z, hn::Load(dc, coordinates + 2 * kLanes));
    const auto r2 = hn::MulAdd(dx, dx, hn::MulAdd(dy, dy, hn::Mul(dz, dz)));
    if constexpr (kMasksItself<Form>)
      inside = hn::FirstN(d, kLanes);
    else
      inside = hn::Lt(r2, pair.pick(0));
    distance.r2 = hn::Mul(r2, scale);
    distance.inverse2 = hn::Div(unit_squared, r2);
    distance.root = hn::Sqrt(distance.r2);
  }

  /// The second half. \tparam kAll all lanes count but those beyond the cutoff.
  template <Tallied kTallied, bool kAll>
  HWY_INLINE void apply(D d, const Coefficients& pair, const T* samples, RowAtom<D>& atom,
                        hn::Vec<D> charge, T* HWY_RESTRICT forces, Tally<D>& tally) const {
    Number<D> force;
    Number<D> energy;
    Form{}.at(distance, FormNumbers<D, Coefficients>{pair, samples},
              FormAtom<D>{Number<D>(atom.charge)}, FormAtom<D>{Number<D>(charge)}, force, energy);
    constexpr bool kMask = !kAll || !kMasksItself<Form>;
    const auto f = kMask ? hn::IfThenElseZero(inside, force.v) : force.v;
    atom.fx = hn::MulAdd(f, dx, atom.fx);
    atom.fy = hn::MulAdd(f, dy, atom.fy);
    atom.fz = hn::MulAdd(f, dz, atom.fz);
    hn::Store(hn::NegMulAdd(f, dx, hn::Load(d, forces)), d, forces);
    hn::Store(hn::NegMulAdd(f, dy, hn::Load(d, forces + kLanes)), d, forces + kLanes);
    hn::Store(hn::NegMulAdd(f, dz, hn::Load(d, forces + 2 * kLanes)), d, forces + 2 * kLanes);
    if constexpr (kTallied != Tallied::none) {
      const auto sum = hn::Add(tally.energy, energy.v);
      tally.energy = kMask ? hn::IfThenElse(inside, sum, tally.energy) : sum;
    }
    if constexpr (kTallied == Tallied::all) {
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

/// The lanes whose bits are set.
template <class D>
HWY_INLINE hn::Mask<D> lanes_of(D d, std::uint32_t bits) {
  const std::uint8_t bytes[8] = {static_cast<std::uint8_t>(bits),
                                 static_cast<std::uint8_t>(bits >> 8)};
  return hn::LoadMaskBits(d, bytes);
}

/// Which forms of a sum do anything to the atom in a slot.
template <class T>
HWY_INLINE unsigned acting_on(const ForceArguments<T>& arguments, std::size_t slot, bool typed) {
  const TypeIndex<T> type = typed ? arguments.types[slot] : 0;
  const unsigned acting = arguments.acting[type];
  return arguments.charges[slot] == T(0) ? acting & kFirst : acting;
}

template <class T, std::size_t kCap, class Form, template <class, class> class Coefficients,
          Tallied kTallied>
void force(const ForceArguments<T>& arguments, const ListChunk& chunk) {
  using D = Tag<T, kCap>;
  constexpr std::size_t kLanes = hn::MaxLanes(D());
  constexpr std::size_t kBlock = 3 * kLanes;
  using Pairs = Coefficients<D, Form>;
  const D d;
  const CoordinateTag<D> dc;
  Pairs pair(arguments.table);
  const T* const samples = arguments.table.samples;
  constexpr bool kTyped = !std::is_same_v<Pairs, OneType<D, Form>>;
  const auto unit_squared = hn::Set(d, arguments.unit_squared);
  const auto scale = hn::Set(d, arguments.inverse_unit_squared);
  const Coordinate<T>* HWY_RESTRICT coordinates = arguments.coordinates;
  const TypeIndex<T>* HWY_RESTRICT types = arguments.types;
  const T* HWY_RESTRICT charges = arguments.charges;
  T* HWY_RESTRICT forces = arguments.forces;
  HWY_ALIGN T sums[3][kLanes][kLanes];

  const std::uint32_t* HWY_RESTRICT entry = chunk.entries;
  const MaskedEntry* masked = chunk.masked;
  for (std::size_t h = 0; h < chunk.clusters; ++h) {
    const std::size_t cluster = chunk.first_cluster + h;
    const std::size_t atoms = arguments.counts[cluster];
    const Coordinate<T>* own = coordinates + cluster * kBlock;
    T* own_forces = forces + cluster * kBlock;
    Tally<D> tally;
    tally.clear();
    for (std::size_t row = 0; row < kLanes; ++row) {
      const std::uint32_t* end = chunk.entries + chunk.row_end[h * kLanes + row];
      RowAtom<D> atom;
      atom.x = hn::Set(dc, own[row]);
      atom.y = hn::Set(dc, own[kLanes + row]);
      atom.z = hn::Set(dc, own[2 * kLanes + row]);
      atom.fx = hn::Zero(d);
      atom.fy = hn::Zero(d);
      atom.fz = hn::Zero(d);
      atom.charge = hn::Zero(d);
      if constexpr (Form::reads_charge) atom.charge = hn::Set(d, charges[cluster * kLanes + row]);
      if constexpr (kTyped) pair.select_row(types[cluster * kLanes + row]);
      using Pair = Separation<D, Form, Pairs>;
      const auto charges_of = [&](std::size_t other) HWY_ATTR {
        if constexpr (Form::reads_charge)
          return hn::Load(d, charges + other * kLanes);
        else
          return hn::Zero(d);
      };
      if (row + 1 < atoms) {
        // Pairs inside the cluster: each atom with those after it.
        if constexpr (kTyped) pair.select_lanes(types + cluster * kLanes);
        Pair a(d, pair, atom, own, unit_squared, scale);
        a.inside = hn::And(a.inside, hn::Not(hn::FirstN(d, row + 1)));
        if (chunk.own_bits != nullptr)
          a.inside = hn::And(a.inside, lanes_of(d, chunk.own_bits[h * kLanes + row]));
        a.template apply<kTallied, false>(d, pair, samples, atom, charges_of(cluster), own_forces,
                                          tally);
      }
      const auto meet_entries = [&](auto acting) TESSERA_INLINE_LANES {
        using Acting = Separation<D, decltype(acting), Pairs>;
        const auto begin = [&](std::size_t other) TESSERA_INLINE_LANES {
          if constexpr (kTyped) pair.select_lanes(types + other * kLanes);
          return Acting(d, pair, atom, coordinates + other * kBlock, unit_squared, scale);
        };
        const auto finish = [&](const Acting& a, std::size_t other) TESSERA_INLINE_LANES {
          if constexpr (kTyped) pair.select_lanes(types + other * kLanes);
          a.template apply<kTallied, true>(d, pair, samples, atom, charges_of(other),
                                           forces + other * kBlock, tally);
        };
        if constexpr (kTallied == Tallied::all)
          one_by_one(entry, end, begin, finish);
        else
          in_fast_order(entry, end, begin, finish);
      };
      if constexpr (kIsSum<Form> && kTallied == Tallied::none) {
        const unsigned acting = acting_on(arguments, cluster * kLanes + row, kTyped);
        if (acting == kBoth)
          meet_entries(Form{});
        else if (acting == kSecond)
          meet_entries(typename Form::Second{});
        else if (acting == kFirst)
          meet_entries(typename Form::First{});
      } else {
        meet_entries(Form{});
      }
      entry = end;
      if (chunk.masked_end != nullptr) {
        const MaskedEntry* masked_end = chunk.masked + chunk.masked_end[h * kLanes + row];
        for (; masked != masked_end; ++masked) {
          const std::size_t other = masked->cluster;
          if constexpr (kTyped) pair.select_lanes(types + other * kLanes);
          Pair a(d, pair, atom, coordinates + other * kBlock, unit_squared, scale);
          a.inside = hn::And(a.inside, lanes_of(d, masked->bits));
          a.template apply<kTallied, false>(d, pair, samples, atom, charges_of(other),
                                            forces + other * kBlock, tally);
        }
      }
      hn::Store(atom.fx, d, sums[0][row]);
      hn::Store(atom.fy, d, sums[1][row]);
      hn::Store(atom.fz, d, sums[2][row]);
    }
    for (std::size_t c = 0; c < 3; ++c) {
      T* f = own_forces + c * kLanes;
      hn::Store(hn::Add(hn::Load(d, f), row_sums(d, &sums[c][0][0])), d, f);
    }
    double* const out = arguments.tally;
    if constexpr (kTallied != Tallied::none) out[0] += total(d, tally.energy);
    if constexpr (kTallied == Tallied::all) {
      const double unit = arguments.virial_unit;
      out[1] += unit * total(d, tally.xx);
      out[2] += unit * total(d, tally.yy);
      out[3] += unit * total(d, tally.zz);
      out[4] += unit * total(d, tally.xy);
      out[5] += unit * total(d, tally.xz);
      out[6] += unit * total(d, tally.yz);
    }
  }
}

template <class T, std::size_t kCap, class Form, template <class, class> class Coefficients>
constexpr std::array<typename ForceKernels<T>::Force, 3> loops() {
  return {&force<T, kCap, Form, Coefficients, Tallied::none>,
          &force<T, kCap, Form, Coefficients, Tallied::energy>,
          &force<T, kCap, Form, Coefficients, Tallied::all>};
}

template <class Form, class T, std::size_t kCap>
const ForceKernels<T>* force_table() {
  using D = Tag<T, kCap>;
  static const ForceKernels<T> kernels{
      static_cast<int>(hn::MaxLanes(D())),
      kNumbers<Form>,
      kTypedNumbers<Form>,
      {loops<T, kCap, Form, OneType>(), loops<T, kCap, Form, FewTypes>(),
       loops<T, kCap, Form, SeveralTypes>(), loops<T, kCap, Form, ManyTypes>()}};
  return &kernels;
}

}  // namespace tessera::openmp::cluster::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
