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
/// The pair loop, compiled for each form by a row source (generated from cluster_kernel.cpp.in).

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
  constexpr std::size_t lane_count = hn::MaxLanes(D());
  hn::Vec<D> v[lane_count];
  for (std::size_t i = 0; i < lane_count; ++i)
    v[i] = hn::Load(d, rows + i * lane_count);
  for (std::size_t left = lane_count; left > 1; left /= 2) {
    for (std::size_t i = 0; i < left / 2; ++i) {
      v[i] = hn::Add(hn::ConcatEven(d, v[2 * i + 1], v[2 * i]),
                     hn::ConcatOdd(d, v[2 * i + 1], v[2 * i]));
    }
  }
  return v[0];
#endif
}

/// Whether the form itself gives a force and energy of 0 beyond the cutoff.
template <class Potential>
constexpr bool masks_own_cluster = Potential::traits.masks_itself;
/// Whether the form is a sum of one that reads nothing of the atoms and one that reads charges,
/// each of which may not act on some atoms.
template <class Potential>
constexpr bool is_sum = false;
template <class Potential>
requires requires {
  typename Potential::First;
  typename Potential::Second;
}
constexpr bool is_sum<Potential> =
    Potential::First::traits.reads == 0 && Potential::Second::traits.reads == md::AtomData::charge;
/// Number of components of the values that the potential reads of an atom.
template <class Potential>
constexpr auto component_count = static_cast<std::size_t>(Potential::traits.components());
/// Number of sums of an atom.
template <class Potential>
constexpr int sum_count = Potential::traits.torques() ? 6 : 3;

/// The coefficients of a pair (its numbers without the cutoff), in the interface that forms use.
template <class D, class Coefficients>
struct PotentialNumbers {
  const Coefficients& pair;
  const hn::TFromD<D>* samples;
  HWY_INLINE Number<D> operator[](int k) const { return Number<D>(pair.pick(k + 1)); }
  /// Sample number k, which each lane gathers for itself.
  HWY_INLINE Number<D> sample(const Number<D>& k) const {
    const D d;
    return Number<D>(hn::GatherIndex(d, samples, hn::ConvertTo(hn::RebindToSigned<D>(), k.v)));
  }
};

/// The distance of a pair in the form's unit of length, in the interface that forms use.
template <class D>
struct Distance {
  hn::Vec<D> r2;
  hn::Vec<D> inverse2;
  hn::Vec<D> root;  ///< of r2; computed in parallel with the division for inverse2, not after it

  HWY_INLINE Number<D> squared() const { return Number<D>(r2); }
  HWY_INLINE Number<D> inverse_squared() const { return Number<D>(inverse2); }
  HWY_INLINE Number<D> length() const { return Number<D>(root); }
  HWY_INLINE Number<D> inverse() const { return length() * inverse_squared(); }
};

/// The separation of a pair in the form's unit of length.
/// \tparam Vector potentials::Vector as compiled for the instruction set of the target.
template <class D, class Vector>
struct SeparationVector : Distance<D> {
  Vector separation;

  HWY_INLINE SeparationVector(const Distance<D>& r, const Vector& d)
      : Distance<D>(r), separation(d) {}
  HWY_INLINE const Vector& vector() const { return separation; }
};

/// Running sums of energy and virial, one per lane. It has no member initialisers, because a
/// constructor that the compiler generates would not be compiled for the instruction set of the
/// target.
template <class D>
struct Tally {
  hn::Vec<D> energy, xx, yy, zz, xy, xz, yz;

  HWY_INLINE void clear() { energy = xx = yy = zz = xy = xz = yz = hn::Zero(D()); }
};

/// Values that a potential reads of the atoms in all lanes, one vector for each component.
template <class D, std::size_t components>
struct LaneValues {
  hn::Vec<D> component[components];

  /// \param at block of the values of a cluster.
  HWY_INLINE void load(const hn::TFromD<D>* at) {
    for (std::size_t c = 0; c < components; ++c)
      component[c] = hn::Load(D(), at + c * hn::MaxLanes(D()));
  }
  /// Sets all lanes to the values of one atom of the cluster.
  HWY_INLINE void broadcast(const hn::TFromD<D>* at, std::size_t atom) {
    for (std::size_t c = 0; c < components; ++c)
      component[c] = hn::Set(D(), at[c * hn::MaxLanes(D()) + atom]);
  }
  HWY_INLINE hn::Vec<D> operator[](int c) const { return component[c]; }
};
template <class D>
struct LaneValues<D, 0> {
  HWY_INLINE void load(const hn::TFromD<D>*) {}
  HWY_INLINE void broadcast(const hn::TFromD<D>*, std::size_t) {}
  HWY_INLINE hn::Vec<D> operator[](int) const { return hn::Zero(D()); }
};

template <class D, class Potential, std::size_t components>
HWY_INLINE auto values_in(const Potential& potential, const LaneValues<D, components>& values) {
  // Found by argument-dependent lookup, because the function is compiled for each instruction set.
  return atom_values<Number<D>>(potential,
                                [&](int c) TESSERA_INLINE_LANES { return Number<D>(values[c]); });
}

/// One atom in all lanes, and the sums of the force and the torque on it, of which each lane has a
/// part.
template <class D, class Potential>
struct RowAtom {
  hn::Vec<CoordinateTag<D>> x, y, z;
  LaneValues<D, component_count<Potential>> values;
  hn::Vec<D> sums[sum_count<Potential>];
};

/// Adds a vector to the vector at an address.
template <class D>
HWY_INLINE void add_to(D d, hn::TFromD<D>* HWY_RESTRICT at, hn::Vec<D> v) {
  hn::Store(hn::Add(hn::Load(d, at), v), d, at);
}
template <class D>
HWY_INLINE void subtract_from(D d, hn::TFromD<D>* HWY_RESTRICT at, hn::Vec<D> v) {
  hn::Store(hn::Sub(hn::Load(d, at), v), d, at);
}

/// Units in which pair loops pass a separation to a potential that is not central, and take its
/// force.
template <class D>
struct LoopUnits {
  hn::Vec<D> unit, inverse_unit;  ///< ForceArguments
};

/// Interaction of an atom with a cluster. The constructor does the first half of the work:
/// separations, the division and the root. apply() does the second half.
template <class D, class Potential, class Coefficients>
struct Separation {
  using T = hn::TFromD<D>;
  static constexpr std::size_t lane_count = hn::MaxLanes(D());
  hn::Vec<D> dx, dy, dz;
  Distance<D> distance;
  hn::Mask<D> inside;

  template <class Row>
  HWY_INLINE Separation(D d, const Coefficients& pair, const Row& atom,
                        const Coordinate<T>* HWY_RESTRICT coordinates, hn::Vec<D> unit_squared,
                        hn::Vec<D> scale) {
    const CoordinateTag<D> dc;
    dx = difference(d, atom.x, hn::Load(dc, coordinates));
    dy = difference(d, atom.y, hn::Load(dc, coordinates + lane_count));
    dz = difference(d, atom.z, hn::Load(dc, coordinates + 2 * lane_count));
    const auto r2 = hn::MulAdd(dx, dx, hn::MulAdd(dy, dy, hn::Mul(dz, dz)));
    if constexpr (masks_own_cluster<Potential>)
      inside = hn::FirstN(d, lane_count);
    else
      inside = hn::Lt(r2, pair.pick(0));
    distance.r2 = hn::Mul(r2, scale);
    distance.inverse2 = hn::Div(unit_squared, r2);
    distance.root = hn::Sqrt(distance.r2);
  }

  /// Adds forces, torques, energy and virial.
  /// \tparam all_lanes whether `inside` excludes only lanes beyond the cutoff.
  template <Tallied tallied, bool all_lanes, class Row, std::size_t components>
  HWY_INLINE void apply(D d, const Coefficients& pair, const T* samples, const LoopUnits<D>& units,
                        Row& atom, const LaneValues<D, components>& others, T* HWY_RESTRICT forces,
                        Tally<D>& tally) const {
    if constexpr (Potential::traits.central)
      apply_central<tallied, all_lanes>(d, pair, samples, atom, others, forces, tally);
    else
      apply_any<tallied>(d, pair, samples, units, atom, others, forces, tally);
  }

 private:
  template <Tallied tallied, bool all_lanes, class Row, std::size_t components>
  HWY_INLINE void apply_central(D d, const Coefficients& pair, const T* samples, Row& atom,
                                const LaneValues<D, components>& others, T* HWY_RESTRICT forces,
                                Tally<D>& tally) const {
    const Potential potential;
    Number<D> force;
    Number<D> energy;
    potential.at(distance, PotentialNumbers<D, Coefficients>{pair, samples},
                 values_in<D>(potential, atom.values), values_in<D>(potential, others), force,
                 energy);
    constexpr bool needs_mask = !all_lanes || !masks_own_cluster<Potential>;
    const auto f = needs_mask ? hn::IfThenElseZero(inside, force.v) : force.v;
    atom.sums[0] = hn::MulAdd(f, dx, atom.sums[0]);
    atom.sums[1] = hn::MulAdd(f, dy, atom.sums[1]);
    atom.sums[2] = hn::MulAdd(f, dz, atom.sums[2]);
    hn::Store(hn::NegMulAdd(f, dx, hn::Load(d, forces)), d, forces);
    hn::Store(hn::NegMulAdd(f, dy, hn::Load(d, forces + lane_count)), d, forces + lane_count);
    hn::Store(hn::NegMulAdd(f, dz, hn::Load(d, forces + 2 * lane_count)), d,
              forces + 2 * lane_count);
    if constexpr (tallied != Tallied::none) {
      const auto sum = hn::Add(tally.energy, energy.v);
      tally.energy = needs_mask ? hn::IfThenElse(inside, sum, tally.energy) : sum;
    }
    if constexpr (tallied == Tallied::all) {
      const auto fx = hn::Mul(f, dx);
      const auto fy = hn::Mul(f, dy);
      tally.xx = hn::MulAdd(fx, dx, tally.xx);
      tally.yy = hn::MulAdd(fy, dy, tally.yy);
      tally.zz = hn::MulAdd(hn::Mul(f, dz), dz, tally.zz);
      // The force is parallel to the separation, so x F_y is F_x y.
      tally.xy = hn::MulAdd(fx, dy, tally.xy);
      tally.xz = hn::MulAdd(fx, dz, tally.xz);
      tally.yz = hn::MulAdd(fy, dz, tally.yz);
    }
  }

  template <Tallied tallied, class Row, std::size_t components>
  HWY_INLINE void apply_any(D d, const Coefficients& pair, const T* samples,
                            const LoopUnits<D>& units, Row& atom,
                            const LaneValues<D, components>& others, T* HWY_RESTRICT forces,
                            Tally<D>& tally) const {
    const Potential potential;
    // Found by argument-dependent lookup, as atom_values() is.
    auto pair_result = zero_result(potential, Number<D>(0.0));
    using Vector = decltype(pair_result.force);
    const SeparationVector<D, Vector> r(distance,
                                        Vector{Number<D>(hn::Mul(dx, units.inverse_unit)),
                                               Number<D>(hn::Mul(dy, units.inverse_unit)),
                                               Number<D>(hn::Mul(dz, units.inverse_unit))});
    potential.at(r, PotentialNumbers<D, Coefficients>{pair, samples},
                 values_in<D>(potential, atom.values), values_in<D>(potential, others),
                 pair_result);
    // Sums of forces have the unit of a force over its distance times the unit of coordinates.
    const hn::Vec<D> force[3] = {
        hn::IfThenElseZero(inside, hn::Mul(pair_result.force.x.v, units.unit)),
        hn::IfThenElseZero(inside, hn::Mul(pair_result.force.y.v, units.unit)),
        hn::IfThenElseZero(inside, hn::Mul(pair_result.force.z.v, units.unit))};
    for (std::size_t c = 0; c < 3; ++c) {
      atom.sums[c] = hn::Add(atom.sums[c], force[c]);
      subtract_from(d, forces + c * lane_count, force[c]);
    }
    if constexpr (Potential::traits.torques()) {
      const hn::Vec<D> of_row[3] = {pair_result.torque_i.x.v, pair_result.torque_i.y.v,
                                    pair_result.torque_i.z.v};
      const hn::Vec<D> of_lanes[3] = {pair_result.torque_j.x.v, pair_result.torque_j.y.v,
                                      pair_result.torque_j.z.v};
      for (std::size_t c = 0; c < 3; ++c) {
        atom.sums[3 + c] = hn::Add(atom.sums[3 + c], hn::IfThenElseZero(inside, of_row[c]));
        add_to(d, forces + (3 + c) * lane_count, hn::IfThenElseZero(inside, of_lanes[c]));
      }
    }
    if constexpr (tallied != Tallied::none)
      tally.energy = hn::Add(tally.energy, hn::IfThenElseZero(inside, pair_result.energy.v));
    if constexpr (tallied == Tallied::all) {
      tally.xx = hn::MulAdd(dx, force[0], tally.xx);
      tally.yy = hn::MulAdd(dy, force[1], tally.yy);
      tally.zz = hn::MulAdd(dz, force[2], tally.zz);
      tally.xy = hn::MulAdd(dx, force[1], tally.xy);
      tally.xz = hn::MulAdd(dx, force[2], tally.xz);
      tally.yz = hn::MulAdd(dy, force[2], tally.yz);
    }
  }
};

/// Sum over the lanes in double.
template <class D, class V>
HWY_INLINE double total(D d, V v) {
  constexpr std::size_t lane_count = hn::MaxLanes(D());
  HWY_ALIGN hn::TFromD<D> lanes[lane_count];
  hn::Store(v, d, lanes);
  double sum = 0;
  for (std::size_t i = 0; i < lane_count; ++i)
    sum += static_cast<double>(lanes[i]);
  return sum;
}

/// Mask of the lanes whose bits are set.
template <class D>
HWY_INLINE hn::Mask<D> lanes_of(D d, std::uint32_t bits) {
  const std::uint8_t bytes[8] = {static_cast<std::uint8_t>(bits),
                                 static_cast<std::uint8_t>(bits >> 8)};
  return hn::LoadMaskBits(d, bytes);
}

/// Bits of the forms of a sum that act on the atom in a slot.
/// \param typed whether there are several types.
template <class T>
HWY_INLINE unsigned acting_on(const ForceArguments<T>& arguments, std::size_t slot, bool typed) {
  const TypeIndex<T> type = typed ? arguments.types[slot] : 0;
  const unsigned acting = arguments.acting[type];
  return arguments.values[slot] == T(0) ? acting & first_form : acting;
}

template <class T, std::size_t capacity, class Potential,
          template <class, class> class Coefficients, Tallied tallied>
void force(const ForceArguments<T>& arguments, const ListChunk& chunk) {
  using D = Tag<T, capacity>;
  constexpr std::size_t lane_count = hn::MaxLanes(D());
  constexpr std::size_t block_stride = 3 * lane_count;
  constexpr std::size_t sums = sum_count<Potential>;
  constexpr std::size_t sums_stride = sums * lane_count;
  using Pairs = Coefficients<D, Potential>;
  const D d;
  const CoordinateTag<D> dc;
  Pairs pair(arguments.table);
  const T* const samples = arguments.table.samples;
  constexpr bool has_types = !std::is_same_v<Pairs, OneType<D, Potential>>;
  const auto unit_squared = hn::Set(d, arguments.unit_squared);
  const auto scale = hn::Set(d, arguments.inverse_unit_squared);
  const LoopUnits<D> units{hn::Set(d, arguments.unit), hn::Set(d, arguments.inverse_unit)};
  const Coordinate<T>* HWY_RESTRICT coordinates = arguments.coordinates;
  const TypeIndex<T>* HWY_RESTRICT types = arguments.types;
  const T* HWY_RESTRICT values = arguments.values;
  constexpr std::size_t components = component_count<Potential>;
  constexpr std::size_t values_stride = components * lane_count;
  T* HWY_RESTRICT forces = arguments.forces;
  HWY_ALIGN T parts[sums][lane_count][lane_count];

  const std::uint32_t* HWY_RESTRICT entry = chunk.entries;
  const MaskedEntry* masked = chunk.masked;
  for (std::size_t h = 0; h < chunk.clusters; ++h) {
    const std::size_t cluster = chunk.first_cluster + h;
    const std::size_t atoms = arguments.counts[cluster];
    const Coordinate<T>* own = coordinates + cluster * block_stride;
    T* own_forces = forces + cluster * sums_stride;
    Tally<D> tally;
    tally.clear();
    for (std::size_t row = 0; row < lane_count; ++row) {
      const std::uint32_t* end = chunk.entries + chunk.row_end[h * lane_count + row];
      RowAtom<D, Potential> atom;
      atom.x = hn::Set(dc, own[row]);
      atom.y = hn::Set(dc, own[lane_count + row]);
      atom.z = hn::Set(dc, own[2 * lane_count + row]);
      for (auto& sum : atom.sums)
        sum = hn::Zero(d);
      atom.values.broadcast(values + cluster * values_stride, row);
      if constexpr (has_types) pair.select_row(types[cluster * lane_count + row]);
      using Pair = Separation<D, Potential, Pairs>;
      const auto values_of = [&](std::size_t other) TESSERA_INLINE_LANES {
        LaneValues<D, components> of_lanes;
        of_lanes.load(values + other * values_stride);
        return of_lanes;
      };
      if (row + 1 < atoms) {
        // Pairs inside the cluster: each atom with those after it.
        if constexpr (has_types) pair.select_lanes(types + cluster * lane_count);
        Pair a(d, pair, atom, own, unit_squared, scale);
        a.inside = hn::And(a.inside, hn::Not(hn::FirstN(d, row + 1)));
        if (chunk.own_bits != nullptr)
          a.inside = hn::And(a.inside, lanes_of(d, chunk.own_bits[h * lane_count + row]));
        a.template apply<tallied, false>(d, pair, samples, units, atom, values_of(cluster),
                                         own_forces, tally);
      }
      const auto process_entries = [&](auto acting) TESSERA_INLINE_LANES {
        using Acting = Separation<D, decltype(acting), Pairs>;
        const auto begin = [&](std::size_t other) TESSERA_INLINE_LANES {
          if constexpr (has_types) pair.select_lanes(types + other * lane_count);
          return Acting(d, pair, atom, coordinates + other * block_stride, unit_squared, scale);
        };
        const auto finish = [&](const Acting& a, std::size_t other) TESSERA_INLINE_LANES {
          if constexpr (has_types) pair.select_lanes(types + other * lane_count);
          a.template apply<tallied, true>(d, pair, samples, units, atom, values_of(other),
                                          forces + other * sums_stride, tally);
        };
        if constexpr (tallied == Tallied::all)
          one_by_one(entry, end, begin, finish);
        else
          in_fast_order(entry, end, begin, finish);
      };
      if constexpr (is_sum<Potential> && tallied == Tallied::none) {
        const unsigned acting = acting_on(arguments, cluster * lane_count + row, has_types);
        if (acting == both_forms)
          process_entries(Potential{});
        else if (acting == second_form)
          process_entries(typename Potential::Second{});
        else if (acting == first_form)
          process_entries(typename Potential::First{});
      } else {
        process_entries(Potential{});
      }
      entry = end;
      if (chunk.masked_end != nullptr) {
        const MaskedEntry* masked_end = chunk.masked + chunk.masked_end[h * lane_count + row];
        for (; masked != masked_end; ++masked) {
          const std::size_t other = masked->cluster;
          if constexpr (has_types) pair.select_lanes(types + other * lane_count);
          Pair a(d, pair, atom, coordinates + other * block_stride, unit_squared, scale);
          a.inside = hn::And(a.inside, lanes_of(d, masked->bits));
          a.template apply<tallied, false>(d, pair, samples, units, atom, values_of(other),
                                           forces + other * sums_stride, tally);
        }
      }
      for (std::size_t c = 0; c < sums; ++c)
        hn::Store(atom.sums[c], d, parts[c][row]);
    }
    for (std::size_t c = 0; c < sums; ++c) {
      T* f = own_forces + c * lane_count;
      hn::Store(hn::Add(hn::Load(d, f), row_sums(d, &parts[c][0][0])), d, f);
    }
    double* const out = arguments.tally;
    if constexpr (tallied != Tallied::none) out[0] += total(d, tally.energy);
    if constexpr (tallied == Tallied::all) {
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

template <class T, std::size_t capacity, class Potential,
          template <class, class> class Coefficients>
constexpr std::array<typename ForceKernels<T>::Force, 3> loops() {
  return {&force<T, capacity, Potential, Coefficients, Tallied::none>,
          &force<T, capacity, Potential, Coefficients, Tallied::energy>,
          &force<T, capacity, Potential, Coefficients, Tallied::all>};
}

template <class Potential, class T, std::size_t capacity>
const ForceKernels<T>* force_table() {
  using D = Tag<T, capacity>;
  static_assert(number_count<Potential> <= max_numbers);
  static const ForceKernels<T> kernels{
      static_cast<int>(hn::MaxLanes(D())),
      sum_count<Potential>,
      number_count<Potential>,
      typed_number_count<Potential>,
      {loops<T, capacity, Potential, OneType>(), loops<T, capacity, Potential, FewTypes>(),
       loops<T, capacity, Potential, SeveralTypes>(), loops<T, capacity, Potential, ManyTypes>()}};
  return &kernels;
}

}  // namespace tessera::openmp::cluster::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
