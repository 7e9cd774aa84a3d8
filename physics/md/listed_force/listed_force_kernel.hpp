#ifndef TESSERA_PHYSICS_MD_LISTED_FORCE_LISTED_FORCE_KERNEL_HPP
#define TESSERA_PHYSICS_MD_LISTED_FORCE_LISTED_FORCE_KERNEL_HPP

#include "core/base/device_code.hpp"
#include "generated/listed_potentials.hpp"
#include "physics/md/listed_force/listed_force.hpp"
#include "physics/md/listed_force/listed_geometry.hpp"
#include "physics/md/listed_force/listed_sums.hpp"
#include "physics/md/minimum_image.hpp"

#include <cstdint>

/// \file
/// Evaluation of listed terms, and the loop of the portable body over the terms of an atom.

namespace tessera::md {

/// Positions of atoms, and separations between nearest images.
template <class Storage>
struct ListedPositions {
  View<const Storage, 2> positions;
  View<const std::int32_t, 1> rows;  ///< as ListedForceArgs::rows
  MinimumImage image;

  explicit ListedPositions(const ListedForceArgs<Storage>& args)
      : positions(args.positions), rows(args.rows), image(args.box) {}

  [[nodiscard]] TESSERA_INLINE std::int64_t row_of(std::int64_t atom) const {
    return rows.given() ? rows(atom) : atom;
  }
  [[nodiscard]] TESSERA_INLINE Vec3<double> at(std::int64_t row) const {
    return {static_cast<double>(positions(row, 0)), static_cast<double>(positions(row, 1)),
            static_cast<double>(positions(row, 2))};
  }
  /// From b to a.
  [[nodiscard]] TESSERA_INLINE Vec3<double> between(const Vec3<double>& a,
                                                    const Vec3<double>& b) const {
    return image({a.x - b.x, a.y - b.y, a.z - b.z});
  }
};

/// Kinds by class, and the number of coefficients of a kind.
struct ListedKinds {
  std::int32_t first[listed_classes + 1] = {};  ///< ListedForceProblem::first_kind

  ListedKinds() = default;
  explicit ListedKinds(const ListedForceProblem& problem) {
    for (int c = 0; c <= listed_classes; ++c)
      first[c] = problem.first_kind(c);
  }
  [[nodiscard]] TESSERA_INLINE int class_of(std::int32_t kind) const {
    return kind < first[1] ? 0 : kind < first[2] ? 1 : kind < first[3] ? 2 : 3;
  }
  [[nodiscard]] static TESSERA_INLINE int atoms_of(int of_class) {
    return of_class == bond_class ? 2 : of_class == angle_class ? 3 : 4;
  }
};

/// The first coefficient of a kind is the index of its potential (ListedPotentialPart::index), its
/// packed coefficients follow.
inline constexpr int listed_stride = 1 + potentials::widest_listed;

/// Adds r_a F_b, which is symmetric in the sum over the atoms of a term.
template <class Real>
TESSERA_INLINE void add_virial(const potentials::Vector<Real>& r, const potentials::Vector<Real>& f,
                               Real (&virial)[6]) {
  virial[0] += r.x * f.x;
  virial[1] += r.y * f.y;
  virial[2] += r.z * f.z;
  virial[3] += r.x * f.y;
  virial[4] += r.x * f.z;
  virial[5] += r.y * f.z;
}

/// The share of the atom at `place` in a term.
/// \tparam Tallied whether energy and virial are computed too.
/// \param at positions of the atoms of the term, in its order.
template <bool Tallied, class Real, class Storage>
TESSERA_INLINE ListedShare<Real> listed_share(const ListedPositions<Storage>& positions,
                                              int of_class, const Real* c, int place,
                                              const Vec3<double> (&at)[4]) {
  using potentials::Vector;
  const auto between = [&](int a, int b) {
    const Vec3<double> s = positions.between(at[a], at[b]);
    return Vector<Real>{static_cast<Real>(s.x), static_cast<Real>(s.y), static_cast<Real>(s.z)};
  };
  const int index = static_cast<int>(c[0]);
  ListedShare<Real> share{};
  Real slope = 0;
  Real energy = 0;
  Vector<Real> own{};
  if (of_class == bond_class) {
    const Vector<Real> r = between(0, 1);
    const potentials::Bond<Real> bond(r);
    potentials::AllBonds{}.at(index, bond, c + 1, slope, energy);
    // `slope` is the force over the distance here, which may be infinite where that is zero.
    const Vector<Real> force =
        bond.distance > Real(0) ? slope * r : Vector<Real>{Real(0), Real(0), Real(0)};
    own = place == 0 ? force : Real(-1) * force;
    if constexpr (Tallied) add_virial(r, force, share.virial);
  } else if (of_class == angle_class) {
    const Vector<Real> first = between(0, 1);
    const Vector<Real> last = between(2, 1);
    const potentials::Angle<Real> angle(first, last);
    potentials::AllAngles{}.at(index, angle, c + 1, slope, energy);
    Vector<Real> on_first, on_last;
    angle.forces(slope, on_first, on_last);
    own = place == 0 ? on_first : place == 2 ? on_last : Real(-1) * (on_first + on_last);
    if constexpr (Tallied) {
      add_virial(first, on_first, share.virial);
      add_virial(last, on_last, share.virial);
    }
  } else {
    const Vector<Real> first = between(0, 1);
    const Vector<Real> axis = between(1, 2);
    const Vector<Real> last = between(3, 2);
    const potentials::Dihedral<Real> dihedral(first, axis, last);
    if (of_class == dihedral_class)
      potentials::AllDihedrals{}.at(index, dihedral, c + 1, slope, energy);
    else
      potentials::AllImpropers{}.at(index, dihedral, c + 1, slope, energy);
    Vector<Real> on_first, on_third, on_last;
    dihedral.forces(slope, on_first, on_third, on_last);
    own = place == 0   ? on_first
          : place == 2 ? on_third
          : place == 3 ? on_last
                       : Real(-1) * (on_first + on_third + on_last);
    if constexpr (Tallied) {
      add_virial(first, on_first, share.virial);
      add_virial(axis, Real(-1) * on_third, share.virial);
      add_virial(last - axis, on_last, share.virial);
    }
  }
  share.force = own;
  if constexpr (Tallied) {
    const Real part = Real(1) / static_cast<Real>(ListedKinds::atoms_of(of_class));
    share.energy = part * energy;
    for (Real& w : share.virial)
      w = part * w;
  }
  return share;
}

/// One work item for each atom.
/// \tparam Sums ListedSums or FixedListedSums.
template <class P, template <class> class Sums = ListedSums>
struct ListedKernel {
  using Storage = typename P::Storage;
  using Real = typename P::Compute;
  using Tally = TalliesByClass<typename Sums<Real>::Tally>;

  ListedPositions<Storage> positions;
  View<const std::int32_t, 1> order;  ///< as ListedForceArgs::order
  View<const std::int32_t, 1> offsets;
  View<const std::int32_t, 1> kinds;
  View<const std::int32_t, 1> places;
  View<const std::int32_t, 1> partners;
  View<Storage, 2> forces;
  bool add;
  ListedKinds all;
  const Real* coefficients;
  PairRange range;  ///< read only by sums in fixed point

  ListedKernel(const ListedForceArgs<Storage>& args, const ListedKinds& k, const Real* numbers,
               const PairRange& r)
      : positions(args),
        order(args.order),
        offsets(args.offsets),
        kinds(args.kinds),
        places(args.places),
        partners(args.partners),
        forces(args.forces),
        add(args.write == Write::add),
        all(k),
        coefficients(numbers),
        range(r) {}

  TESSERA_FUNCTION void operator()(std::int64_t i) const {
    Tally none;
    row<false>(i, none);
  }
  TESSERA_FUNCTION void operator()(std::int64_t i, Tally& tally) const { row<true>(i, tally); }
  [[nodiscard]] TESSERA_FUNCTION std::int64_t place(std::int64_t i) const { return i; }

 private:
  /// \param item number of the atom, or of its row where there is an `order`.
  template <bool Tallied>
  TESSERA_INLINE void row(std::int64_t item, Tally& tally) const {
    const std::int64_t i = order.given() ? std::int64_t{order(item)} : item;
    const std::int64_t own = order.given() ? item : positions.row_of(i);
    const std::int32_t begin = offsets(i);
    const std::int32_t end = offsets(i + 1);
    if (begin == end && add) return;
    Sums<Real> sums(range);
    const Vec3<double> here = positions.at(own);
    for (std::int32_t entry = begin; entry < end; ++entry) {
      const std::int32_t kind = kinds(entry);
      const int of_class = all.class_of(kind);
      const int atoms = ListedKinds::atoms_of(of_class);
      const int place = places(entry);
      Vec3<double> at[4] = {here, here, here, here};
      int next = most_partners * entry;
      for (int a = 0; a < 4; ++a)
        if (a < atoms && a != place) at[a] = positions.at(positions.row_of(partners(next++)));
      const ListedShare<Real> share = listed_share<Tallied>(
          positions, of_class, coefficients + std::int64_t{kind} * listed_stride, place, at);
      sums.add(share);
      if constexpr (Tallied) sums.add(share, tally.of_class[of_class]);
    }
    for (int a = 0; a < 3; ++a)
      forces(own, a) = static_cast<Storage>(sums.force(a)) + (add ? forces(own, a) : Storage(0));
  }
};

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_LISTED_FORCE_LISTED_FORCE_KERNEL_HPP
