#ifndef TESSERA_PHYSICS_MD_PAIR_FORCE_PAIR_FORCE_KERNEL_HPP
#define TESSERA_PHYSICS_MD_PAIR_FORCE_PAIR_FORCE_KERNEL_HPP

#include "core/base/device_code.hpp"
#include "physics/md/pair_force/lane_sums.hpp"
#include "physics/md/pair_force/pair_force_portable.hpp"
#include "physics/md/pair_potential/potential_functions.hpp"

#include <cmath>
#include <cstdint>
#include <math.h>
#include <string>
#include <type_traits>

/// \file
/// The pair kernel of the portable body, compiled once for each pair potential and backend; the
/// header of the potential is included before this one.

namespace tessera::md {

/// The distance of a pair, with the functions that potentials call.
template <class Real>
struct RowDistance {
  Real inverse_sq;
  Real r_sq;

  [[nodiscard]] TESSERA_INLINE Real squared() const { return r_sq; }
  [[nodiscard]] TESSERA_INLINE Real inverse_squared() const { return inverse_sq; }
  [[nodiscard]] TESSERA_INLINE Real inverse() const { return sqrt(inverse_sq); }
  [[nodiscard]] TESSERA_INLINE Real length() const { return squared() * inverse(); }
};

/// The separation of a pair, for potentials that are not central.
template <class Real>
struct RowSeparation : RowDistance<Real> {
  potentials::Vector<Real> separation;

  [[nodiscard]] TESSERA_INLINE const potentials::Vector<Real>& vector() const { return separation; }
};

/// Force on the k-th atom of a block in cell order. One thread loops over the neighbors of an atom,
/// `Lanes` at a time, in inner loops that compilers vectorize.
/// \tparam Sums LaneSums or FixedLaneSums.
template <class P, class Potential, bool Coalesced, int Lanes, bool OneType, bool Tilted,
          template <class, int, bool, bool> class Sums>
struct PairForceKernel {
  using Storage = typename P::Storage;
  using Real = typename P::Compute;
  static constexpr int width = 1 + Potential::traits.width;
  static constexpr bool samples = Potential::traits.samples;
  static constexpr int components = Potential::traits.components();
  static constexpr int stride = Potential::traits.stride();
  static constexpr bool torques = Potential::traits.torques();
  static constexpr bool in_table = Potential::traits.in_table;
  /// Packed coefficients of a pair: a copy, or their place in the table.
  struct Copy {
    Real numbers[width];
  };
  struct Place {
    const Real* numbers;
  };

  PairLoop<P, Coalesced> loop;
  Potential potential;
  Real only[width] = {};  ///< packed coefficients of the only pair of types

  PairForceKernel(const PairLoop<P, Coalesced>& l, const Potential& f, const Real* table)
      : loop(l), potential(f) {
    for (int w = 0; w < width && w < l.width; ++w)
      only[w] = table[w];
  }

  using RowTally = typename Sums<P, Lanes, true, torques>::Tally;

  TESSERA_FUNCTION void operator()(std::int64_t k) const { row<false>(k, nullptr); }
  TESSERA_FUNCTION void operator()(std::int64_t k, RowTally& tally) const { row<true>(k, &tally); }
  [[nodiscard]] TESSERA_FUNCTION std::int64_t place(std::int64_t k) const { return loop.order[k]; }

 private:
  template <bool Tallied>
  TESSERA_INLINE void row(std::int64_t k, RowTally* tally) const {
    const PackedAtom<Storage> me = loop.own[k];
    const std::int32_t count = loop.rows.counts[k];
    const bool given = components > 0 && loop.values != nullptr;
    const auto mine = potentials::atom_values<Real>(
        potential, [&](int c) { return given ? loop.own_values[k * stride + c] : Real(0); });
    // A variable, because with a constant GCC evaluates the potential at that constant separately.
    const Real outside = loop.outside;
    Sums<P, Lanes, Tallied, torques> sums(loop.range);
    for (std::int32_t slot = 0; slot < count; slot += Lanes) {
      Storage x[Lanes];
      Storage y[Lanes];
      Storage z[Lanes];
      Real value[components > 0 ? components : 1][Lanes];
      std::conditional_t<in_table, Place, Copy> pair[OneType ? 1 : Lanes];
      for (int lane = 0; lane < Lanes; ++lane) {
        const std::int32_t j = loop.rows.at(k, slot + lane);
        const PackedAtom<Storage>* const other = loop.atoms + j;
        x[lane] = other->x;
        y[lane] = other->y;
        z[lane] = other->z;
        for (int c = 0; c < components; ++c)
          value[c][lane] = given ? loop.values[std::int64_t{j} * stride + c] : Real(0);
        if constexpr (!OneType) {
          const Real* const numbers =
              loop.table + (me.type * loop.types + other->type) * loop.width;
          if constexpr (in_table)
            pair[lane].numbers = numbers;
          else
            for (int w = 0; w < width; ++w)
              pair[lane].numbers[w] = numbers[w];
        }
      }
      for (int lane = 0; lane < Lanes; ++lane) {
        const Vec3<double> d = loop.image.template reduce<Tilted>(
            {static_cast<double>(me.x) - static_cast<double>(x[lane]),
             static_cast<double>(me.y) - static_cast<double>(y[lane]),
             static_cast<double>(me.z) - static_cast<double>(z[lane])});
        const Real dx = static_cast<Real>(d.x);
        const Real dy = static_cast<Real>(d.y);
        const Real dz = static_cast<Real>(d.z);
        const Real r_sq = dx * dx + dy * dy + dz * dz;
        const Real* const c = OneType ? only : pair[lane].numbers;
        const bool inside = (r_sq < c[0]) & (r_sq > Real(0));
        // Multiplies by a factor instead of selecting after the potential, because a compiler would
        // turn the selection into a branch and not vectorize.
        const Real keep = inside ? Real(1) : Real(0);
        const Real safe = inside ? r_sq : outside;
        const RowDistance<Real> distance{Real(1) / safe, safe};
        const auto numbers = potentials::pair_numbers<samples>(c + 1, loop.samples);
        const auto other =
            potentials::atom_values<Real>(potential, [&](int v) { return value[v][lane]; });
        if constexpr (Potential::traits.central) {
          Real force;
          Real energy;
          potential.at(distance, numbers, mine, other, force, energy);
          force = keep * force;
          sums.add(lane, force, keep * energy, dx, dy, dz);
        } else {
          potentials::PairResult<Real> result;
          potential.at(RowSeparation<Real>{distance, {dx, dy, dz}}, numbers, mine, other, result);
          result.force = keep * result.force;
          result.torque_i = keep * result.torque_i;
          result.energy = keep * result.energy;
          sums.add(lane, result, dx, dy, dz);
        }
      }
    }
    const std::int64_t i = loop.order[k];
    store(i, 0, sums.force(0));
    store(i, 1, sums.force(1));
    store(i, 2, sums.force(2));
    if constexpr (torques)
      for (int d = 0; d < 3; ++d)
        store(loop.torques, loop.torque_unit, i, d, sums.torque(d));
    if constexpr (Tallied) sums.tally(*tally);
  }

  /// Stores a component of a force.
  template <class Number>
  TESSERA_INLINE void store(std::int64_t i, int d, Number force) const {
    store(loop.forces, loop.force_unit, i, d, force);
  }
  /// Stores a component of a sum. In double the units of the pair loop are the caller's.
  template <class Number>
  TESSERA_INLINE void store(const View<Storage, 2>& into, Storage unit, std::int64_t i, int d,
                            Number sum) const {
    auto value = static_cast<Storage>(sum);
    if constexpr (std::is_same_v<Real, float>) value *= unit;
    into(i, d) = loop.add ? into(i, d) + value : value;
  }
};

template <class Potential, class P, ExecutionSpace Space, bool OneType, bool Tilted,
          template <class, int, bool, bool> class Sums>
using PairKernelOn = PairForceKernel<P, Potential, Space::coalesced, Space::coalesced ? 1 : 8,
                                     OneType, Tilted, Sums>;

template <class Potential, class P, ExecutionSpace Space, bool OneType, bool Tilted>
void run_pair_loop(PairLaunch<P, Space>& launch, const Potential& potential) {
  using Row = PairKernelOn<Potential, P, Space, OneType, Tilted, LaneSums>;
  for (int b = 0; b < launch.matrix.block_count; ++b)
    launch.space.for_each("pair force", launch.matrix.blocks[b].atoms,
                          Row(launch.loop_over(b), potential, launch.host_table), launch.team_size);
}

template <class Potential, class P, ExecutionSpace Space>
void run_pair_loop_with_energy(PairLaunch<P, Space>& launch, const Potential& potential) {
  using Row = PairKernelOn<Potential, P, Space, true, false, LaneSums>;
  for (int b = 0; b < launch.matrix.block_count; ++b)
    launch.space.reduce("pair force with energy", launch.matrix.blocks[b].atoms, Tally{},
                        Row(launch.loop_over(b), potential, launch.host_table), JoinTallies{},
                        launch.tally + b, launch.workspace);
}

/// Every further loop costs compile time, so that one loop with energies serves any number of
/// types, any box, and energies of single atoms.
template <class Potential, class P, ExecutionSpace Space>
void run_any_pair_loop_with_energy(PairLaunch<P, Space>& launch, const Potential& potential) {
  using Row = PairKernelOn<Potential, P, Space, false, true, LaneSums>;
  for (int b = 0; b < launch.matrix.block_count; ++b)
    launch.space.reduce(
        "pair force with energy", launch.matrix.blocks[b].atoms, Tally{},
        RowByAtom<Row>{Row(launch.loop_over(b), potential, launch.host_table), launch.by_atom},
        JoinTallies{}, launch.tally + b, launch.workspace);
}

/// One loop for any number of types and any tilt.
template <class Potential, class P, ExecutionSpace Space>
void run_fixed_pair_loop(PairLaunch<P, Space>& launch, const Potential& potential) {
  const PairRange& range = launch.loop.range;
  const double count = std::ldexp(1.0, reduction::fixed_point::unit_exponent);
  for (int b = 0; b < launch.matrix.block_count; ++b) {
    const std::int64_t atoms = launch.matrix.blocks[b].atoms;
    const PairKernelOn<Potential, P, Space, false, true, FixedLaneSums> row(
        launch.loop_over(b), potential, launch.host_table);
    if (launch.tally == nullptr)
      launch.space.for_each("pair force in fixed point", atoms, row, launch.team_size);
    else
      launch.space.reduce(
          "pair force with energy in fixed point", atoms, FixedTally{}, row, JoinFixedTallies{},
          launch.fixed_tallies + b, launch.workspace,
          StoreFixedTally{launch.tally + b, count * range.energy, count * range.virial()});
  }
}

/// \tparam One whether to compile a loop for one type in a box without tilts.
template <bool One, class Potential, class P, ExecutionSpace Space>
void run_pair_row(PairLaunch<P, Space>& launch, const Potential& potential) {
  const bool tilted = launch.loop.image.tilted();
  if (launch.fixed_tallies != nullptr && !launch.by_atom.given())
    return run_fixed_pair_loop(launch, potential);
  if constexpr (One) {
    if (launch.loop.types == 1 && !tilted && !launch.by_atom.given()) {
      if (launch.tally != nullptr) return run_pair_loop_with_energy(launch, potential);
      return run_pair_loop<Potential, P, Space, true, false>(launch, potential);
    }
  }
  if (launch.tally != nullptr)
    run_any_pair_loop_with_energy(launch, potential);
  else if (tilted)
    run_pair_loop<Potential, P, Space, false, true>(launch, potential);
  else
    run_pair_loop<Potential, P, Space, false, false>(launch, potential);
}

/// Pair kernel of a potential that is known at compile time.
template <class Potential, class P, ExecutionSpace Space>
void pair_row(PairLaunch<P, Space>& launch) {
  run_pair_row<true>(launch, Potential{});
}

/// Pair kernel of a potential that is selected at run time.
template <class Potential, class P, ExecutionSpace Space>
void switch_row(PairLaunch<P, Space>& launch) {
  run_pair_row<false>(launch, Potential(*launch.potential));
}

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_PAIR_FORCE_PAIR_FORCE_KERNEL_HPP
