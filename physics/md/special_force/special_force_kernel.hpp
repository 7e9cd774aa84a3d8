#ifndef TESSERA_PHYSICS_MD_SPECIAL_FORCE_SPECIAL_FORCE_KERNEL_HPP
#define TESSERA_PHYSICS_MD_SPECIAL_FORCE_SPECIAL_FORCE_KERNEL_HPP

#include "core/base/device_code.hpp"
#include "core/execution/execution_space.hpp"
#include "physics/md/minimum_image.hpp"
#include "physics/md/pair_force/fixed_point_pairs.hpp"
#include "physics/md/pair_force/lane_sums.hpp"
#include "physics/md/special_force/special_force.hpp"
#include "physics/md/special_force/special_pair.hpp"
#include "physics/md/tally.hpp"

#include <cmath>
#include <cstdint>
#include <math.h>
#include <string>
#include <type_traits>

/// \file
/// The loop of the portable body of md/special_force over the special pairs of an atom.

namespace tessera::md {

template <class Real>
struct PairDistance {
  Real r_sq;
  [[nodiscard]] TESSERA_INLINE Real squared() const { return r_sq; }
  [[nodiscard]] TESSERA_INLINE Real inverse_squared() const { return Real(1) / r_sq; }
  [[nodiscard]] TESSERA_INLINE Real inverse() const { return Real(1) / length(); }
  [[nodiscard]] TESSERA_INLINE Real length() const { return sqrt(r_sq); }
};

/// Separation of the atoms of a listed pair, between nearest images.
template <class Storage>
struct ListedSeparation {
  View<const Storage, 2> positions;
  View<const std::int32_t, 1> rows;  ///< as SpecialForceArgs::rows
  MinimumImage image;

  explicit ListedSeparation(const SpecialForceArgs<Storage>& args)
      : positions(args.positions), rows(args.rows), image(args.box) {}

  [[nodiscard]] TESSERA_INLINE std::int64_t row_of(std::int64_t atom) const {
    return rows.given() ? rows(atom) : atom;
  }
  /// \param own row of the first atom. \param other the second atom.
  [[nodiscard]] TESSERA_INLINE Vec3<double> operator()(std::int64_t own, std::int64_t other) const {
    const std::int64_t row = row_of(other);
    const auto along = [&](int d) {
      return static_cast<double>(positions(own, d)) - static_cast<double>(positions(row, d));
    };
    return image({along(0), along(1), along(2)});
  }
};

/// Sums over the listed pairs of an atom.
template <class Real>
struct SpecialSums {
  using Tally = md::Tally;

  Real sum[3] = {};

  TESSERA_INLINE explicit SpecialSums(const PairRange&) {}

  template <bool Tallied>
  TESSERA_INLINE void add(Real force_over_r, Real energy, const Real (&d)[3], Tally* tally) {
    for (int a = 0; a < 3; ++a)
      sum[a] += force_over_r * d[a];
    if constexpr (Tallied) {
      tally->energy += static_cast<double>(energy);
      const int pairs[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
      for (int c = 0; c < 6; ++c)
        tally->virial[c] += static_cast<double>(force_over_r * d[pairs[c][0]] * d[pairs[c][1]]);
    }
  }
  [[nodiscard]] TESSERA_INLINE Real force(int d) const { return sum[d]; }
  template <bool Tallied>
  TESSERA_INLINE void finish(Tally*) const {}
};

/// The same sums in fixed point.
template <class Real>
struct FixedSpecialSums {
  using Tally = FixedTally;

  struct Arithmetic {
    using Compute = Real;
  };
  FixedLaneSums<Arithmetic, 1, true, false> sums;

  TESSERA_INLINE explicit FixedSpecialSums(const PairRange& range) : sums(range) {}

  template <bool>
  TESSERA_INLINE void add(Real force_over_r, Real energy, const Real (&d)[3], Tally*) {
    sums.add(0, force_over_r, energy, d[0], d[1], d[2]);
  }
  [[nodiscard]] TESSERA_INLINE double force(int d) const { return sums.force(d); }
  template <bool Tallied>
  TESSERA_INLINE void finish(Tally* tally) const {
    if constexpr (Tallied) sums.tally(*tally);
  }
};

/// \tparam Potential with a type Real for its arithmetic and stride(), the number of coefficients
/// of a kind.
/// \tparam Sums SpecialSums or FixedSpecialSums.
template <class P, class Potential, template <class> class Sums = SpecialSums>
struct SpecialKernel {
  using Storage = typename P::Storage;
  using Real = typename Potential::Real;
  using Tally = typename Sums<Real>::Tally;

  ListedSeparation<Storage> separation;
  View<const std::int32_t, 1> order;  ///< as SpecialForceArgs::order
  View<const Storage, 1> charges;
  View<const std::int32_t, 1> offsets;
  View<const std::int32_t, 1> partners;
  View<const std::int32_t, 1> kinds;
  View<Storage, 2> forces;
  bool add;
  const Real* coefficients;
  Potential potential;
  PairRange range;  ///< read only by sums in fixed point

  SpecialKernel(const SpecialForceArgs<Storage>& args, const Real* numbers, const Potential& f,
                const PairRange& r)
      : separation(args),
        order(args.order),
        charges(args.charges),
        offsets(args.offsets),
        partners(args.partners),
        kinds(args.kinds),
        forces(args.forces),
        add(args.write == Write::add),
        coefficients(numbers),
        potential(f),
        range(r) {}

  TESSERA_FUNCTION void operator()(std::int64_t i) const { row<false>(i, nullptr); }
  TESSERA_FUNCTION void operator()(std::int64_t i, Tally& tally) const { row<true>(i, &tally); }
  [[nodiscard]] TESSERA_FUNCTION std::int64_t place(std::int64_t i) const { return i; }

 private:
  /// \param item number of the atom, or of its row where there is an `order`.
  template <bool Tallied>
  TESSERA_INLINE void row(std::int64_t item, Tally* tally) const {
    const std::int64_t i = order.given() ? std::int64_t{order(item)} : item;
    const std::int64_t own = order.given() ? item : separation.row_of(item);
    const std::int32_t begin = offsets(i);
    const std::int32_t end = offsets(i + 1);
    if (begin == end && add) return;
    Sums<Real> sums(range);
    for (std::int32_t entry = begin; entry < end; ++entry) {
      const std::int64_t j = partners(entry);
      const Vec3<double> s = separation(own, j);
      const Real d[3] = {static_cast<Real>(s.x), static_cast<Real>(s.y), static_cast<Real>(s.z)};
      const PairDistance<Real> r{d[0] * d[0] + d[1] * d[1] + d[2] * d[2]};
      Real force_over_r = 0;
      Real energy = 0;
      const std::int64_t kind = kinds.given() ? kinds(entry) : 0;
      potential.at(r, coefficients + kind * potential.stride(), atom(i), atom(j), force_over_r,
                   energy);
      if (r.r_sq == Real(0)) force_over_r = 0;
      sums.template add<Tallied>(force_over_r, energy, d, tally);
    }
    for (int a = 0; a < 3; ++a)
      forces(own, a) = static_cast<Storage>(sums.force(a)) + (add ? forces(own, a) : Storage(0));
    sums.template finish<Tallied>(tally);
  }

  [[nodiscard]] TESSERA_INLINE auto atom(std::int64_t i) const {
    return potentials::atom_values<Real>(
        potential, [&](int) { return charges.given() ? static_cast<Real>(charges(i)) : Real(0); });
  }
};

/// Arguments of one call of the loop.
template <class P, ExecutionSpace Space>
struct SpecialLaunch {
  Space space;
  const SpecialForceArgs<typename P::Storage>& args;
  std::int64_t atoms;
  const PairPotential* potential;
  const double* numbers;
  Tally* tally;  ///< in the memory of the device
  Workspace workspace;
  FixedTally* fixed_tally;  ///< not null: sums are in fixed point; scratch
  PairRange range;          ///< of sums in fixed point

  [[nodiscard]] bool tallied() const { return args.energy.given() || args.virial.given(); }
};

/// Energies of single atoms are not in fixed point.
template <class P, ExecutionSpace Space, class Potential>
void run_fixed_special(SpecialLaunch<P, Space>& launch, const Potential& potential,
                       const typename Potential::Real* numbers) {
  const auto& args = launch.args;
  const SpecialKernel<P, Potential, FixedSpecialSums> row(args, numbers, potential, launch.range);
  if (!launch.tallied()) {
    launch.space.for_each("special force in fixed point", launch.atoms, row);
    return;
  }
  const double count = std::ldexp(1.0, reduction::fixed_point::unit_exponent);
  launch.space.reduce(
      "special force with energy in fixed point", launch.atoms, FixedTally{}, row,
      JoinFixedTallies{}, launch.fixed_tally, launch.workspace,
      StoreFixedTally{launch.tally, count * launch.range.energy, count * launch.range.virial()});
  launch.space.for_each("special energy store", 1,
                        StoreHalfTally{launch.tally, args.energy, args.virial});
}

template <class P, ExecutionSpace Space, class Potential>
void run_special(SpecialLaunch<P, Space>& launch, const Potential& potential,
                 const typename Potential::Real* numbers) {
  const auto& args = launch.args;
  if (launch.fixed_tally != nullptr && !args.energies.given() && !args.virials.given()) {
    run_fixed_special(launch, potential, numbers);
    return;
  }
  const SpecialKernel<P, Potential> row(args, numbers, potential, launch.range);
  const StoreAtomTallies atoms{args.energies, args.virials};
  if (!launch.tallied() && !atoms.given()) {
    launch.space.for_each("special force", launch.atoms, row);
    return;
  }
  if (atoms.given())
    launch.space.reduce("special force by atom", launch.atoms, Tally{},
                        RowByAtom<SpecialKernel<P, Potential>>{row, atoms}, JoinTallies{},
                        launch.tally, launch.workspace);
  else
    launch.space.reduce("special force with energy", launch.atoms, Tally{}, row, JoinTallies{},
                        launch.tally, launch.workspace);
  launch.space.for_each("special energy store", 1,
                        StoreHalfTally{launch.tally, args.energy, args.virial});
}

/// Name under which the kernels are registered, in the same registry as those of md/pair_force.
[[nodiscard]] inline std::string special_rows(const std::string& implementation) {
  return implementation + " special";
}

template <class P, ExecutionSpace Space>
using SpecialFunction = void(SpecialLaunch<P, Space>&);

template <class Potential, class P, ExecutionSpace Space>
void special_kernel(SpecialLaunch<P, Space>& launch) {
  using Pair = SpecialPair<Potential>;
  run_special(launch, Pair(*launch.potential), launch.numbers);
}

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_SPECIAL_FORCE_SPECIAL_FORCE_KERNEL_HPP
