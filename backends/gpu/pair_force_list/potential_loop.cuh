#ifndef TESSERA_BACKENDS_GPU_PAIR_FORCE_LIST_POTENTIAL_LOOP_CUH
#define TESSERA_BACKENDS_GPU_PAIR_FORCE_LIST_POTENTIAL_LOOP_CUH

#include "backends/gpu/execution/intrinsics.cuh"
#include "backends/gpu/pair_common/pair_numbers.cuh"
#include "backends/gpu/pair_common/row.cuh"
#include "backends/gpu/pair_force_list/pair_loop.cuh"

#include <cstdint>
#include <type_traits>

/// \file
/// The loop of a thread over the neighbors of an atom, for one form. Include it after the header
/// of the form.

namespace tessera::gpu::pair_force_list {

using namespace pair_common;

/// The loop of one form, the first argument of its kernels. For one or two types its coefficients
/// are in the arguments of the kernel. The launcher, which does not know the form, writes the
/// members one after the other (LoopArgument in launch_loop.cuh).
template <class Potential, class CoordinatesType, class Storage>
struct PotentialLoop {
  using Coordinates = CoordinatesType;
  using Real = typename Coordinates::Real;
  using Atom = typename Coordinates::Atom;
  using Values = ValuesOf<Potential, Real>;
  static constexpr bool reads_values = Potential::traits.reads != 0;
  static constexpr int width = 1 + Potential::traits.width;
  static constexpr bool samples = Potential::traits.samples;
  static constexpr bool central = Potential::traits.central;
  static constexpr bool torques = Potential::traits.torques();
  using Sums = Row<Real, torques>;

  static constexpr int stride = static_cast<int>(table_stride<Real>(width));

  [[nodiscard]] static __device__ std::int32_t type(const Atom& atom) {
    return Coordinates::type(atom);
  }

  PairLoop<Coordinates, Storage> all;
  Real of_first[width];   ///< coefficients of two atoms of the first type
  Real of_both[width];    ///< coefficients of an atom of the first and one of the second type
  Real of_second[width];  ///< coefficients of two atoms of the second type
  /// Destination of torques; empty for potentials that write none.
  std::conditional_t<torques, TorqueOutput<Storage>, NoTorques<Storage>> turned;

  /// Sums over every `step`-th neighbor of the k-th atom, from slot `first` on.
  /// \tparam Types number of types: 1, 2 with one cutoff, 3 for two types, or 0 for any.
  /// \tparam Unroll number of neighbors whose atoms are loaded at a time.
  /// \tparam Sums Row or FixedRow.
  template <int Types, int Shift, bool Tallied, int Unroll, class Sums>
  __device__ Sums accumulate(std::int64_t k, int first, int step) const {
    return accumulate<Types, Shift, Tallied, Unroll, Sums>(k, all.own[k], all.counts[k], first,
                                                           step);
  }
  template <int Types, int Shift, bool Tallied, int Unroll, class Sums>
  __device__ __forceinline__ Sums accumulate(std::int64_t k, const Atom me, int neighbors,
                                             int first, int step) const {
    Sums row;
    const Values mine = load_values<Potential>(all.own_values, k);
    Real alike[width];
    keep_alike<Types>(Coordinates::type(me), alike);
    const std::int32_t* list = all.neighbors + all.layout.template at<Shift>(k, 0);
    const int spacing = all.layout.template spacing<Shift>();
    const auto at = [&](int slot) { return list + std::int64_t{slot} * spacing; };
    if constexpr (Unroll == 1) {
      // The index of the next neighbor is loaded before the atom of this one, one neighbor per
      // iteration (README.md has the alternatives that were measured). Computing an address from
      // the slot takes one instruction less than advancing an address.
      gpu::keep_in_register(list);
      std::int32_t next = first < neighbors ? gpu::load_once_of_rows(at(first)) : 0;
#pragma unroll 1
      for (int slot = first; slot < neighbors;) {
        const std::int32_t j = next;
        slot += step;
        gpu::keep_in_register(slot);
        if (slot < neighbors) next = gpu::load_once_of_rows(at(slot));
        add<Types, Tallied>(row, me, mine, alike, all.atoms[j], j);
      }
    } else {
      const int round_stride = spacing * step;
      const std::int32_t* slot_at = at(first);
      std::int32_t next[Unroll];
      const auto read = [&](int slot) {
#pragma unroll
        for (int t = 0; t < Unroll; ++t)
          next[t] =
              slot + t * step < neighbors ? gpu::load_once_of_rows(slot_at + t * round_stride) : 0;
      };
      read(first);
#pragma unroll 1
      for (int slot = first; slot < neighbors; slot += Unroll * step) {
        std::int32_t j[Unroll];
        Atom other[Unroll];
#pragma unroll
        for (int t = 0; t < Unroll; ++t) {
          j[t] = next[t];
          other[t] = all.atoms[j[t]];
        }
        slot_at += Unroll * round_stride;
        read(slot + Unroll * step);
#pragma unroll
        for (int t = 0; t < Unroll; ++t)
          if (slot + t * step < neighbors)
            add<Types, Tallied>(row, me, mine, alike, other[t], j[t]);
      }
    }
    return row;
  }

  /// With two types, keeps the coefficients of two atoms of the given type in registers.
  template <int Types>
  __device__ __forceinline__ void keep_alike(std::int32_t type, Real (&alike)[width]) const {
    if constexpr (Types > 1) {
#pragma unroll
      for (int w = Types == 2 ? 1 : 0; w < width; ++w) {
        alike[w] = type == 0 ? of_first[w] : of_second[w];
        gpu::keep_in_register(alike[w]);
      }
    }
  }

  template <int Types, bool Tallied, class Sums>
  __device__ __forceinline__ void add(Sums& row, const Atom& me, const Values& mine,
                                      const Real (&alike)[width], const Atom& other,
                                      std::int32_t j) const {
    const Values others = load_values<Potential>(all.values, j);
    Real dx;
    Real dy;
    Real dz;
    all.coordinates.separation(me, other, dx, dy, dz);
    add_pair<Types, Tallied>(row, Coordinates::type(me), mine, alike, Coordinates::type(other),
                             others, dx, dy, dz);
  }

  template <int Types, bool Tallied, class Sums>
  __device__ __forceinline__ void add_pair(Sums& row, std::int32_t my_type, const Values& mine,
                                           const Real (&alike)[width], std::int32_t other_type,
                                           const Values& others, Real dx, Real dy, Real dz) const {
    const Real r_sq = dx * dx + dy * dy + dz * dz;
    const Real* c = of_first;
    Real numbers[stride];
    if constexpr (Types > 1) {
      const bool same = my_type == other_type;
      numbers[0] = of_first[0];
#pragma unroll
      for (int w = Types == 2 ? 1 : 0; w < width; ++w)
        numbers[w] = same ? alike[w] : of_both[w];
      c = numbers;
    } else if constexpr (Types == 0) {
      load_numbers(all.table + (my_type * all.types + other_type) * stride, numbers);
      c = numbers;
    }
    if (!(r_sq < c[0])) return;
    const auto coefficients = md::potentials::pair_numbers<samples>(c + 1, all.samples);
    const PairDistance<Real> distance{r_sq, reciprocal(r_sq)};
    if constexpr (central) {
      Real force;
      Real energy;
      Potential{}.at(distance, coefficients, mine, others, force, energy);
      row.template add<Tallied>(force, energy, dx, dy, dz, all.fixed);
    } else {
      md::potentials::PairResult<Real> result;
      Potential{}.at(PairSeparation<Real>{distance, {dx, dy, dz}}, coefficients, mine, others,
                     result);
      row.template add<Tallied>(result, dx, dy, dz, all.fixed);
    }
  }

  template <class Sums>
  __device__ void store(std::int64_t k, const Sums& row) const {
    for (int d = 0; d < 3; ++d)
      put(all.forces, k, d, row.component(d, all.force_unit, all.fixed));
    if constexpr (torques)
      for (int d = 0; d < 3; ++d)
        put(turned.torques, k, d, row.torque(d, turned.unit, all.fixed));
  }
  /// Stores component d of a force, or component d - 3 of a torque, that is given in the units of
  /// the loop.
  __device__ void store(std::int64_t k, int d, double sum) const {
    if constexpr (torques) {
      if (d >= 3) {
        put(turned.torques, k, d - 3, in_unit<Real>(static_cast<Storage>(sum), turned.unit));
        return;
      }
    }
    put(all.forces, k, d, in_unit<Real>(static_cast<Storage>(sum), all.force_unit));
  }
  __device__ void put(const View<Storage, 2>& sums, std::int64_t k, int d, Storage value) const {
    Storage& sum = sums(all.order[k], d);
    sum = all.add ? sum + value : value;
  }
};

}  // namespace tessera::gpu::pair_force_list

#endif  // TESSERA_BACKENDS_GPU_PAIR_FORCE_LIST_POTENTIAL_LOOP_CUH
