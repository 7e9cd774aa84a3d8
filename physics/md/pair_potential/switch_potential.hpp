#ifndef TESSERA_PHYSICS_MD_PAIR_POTENTIAL_SWITCH_POTENTIAL_HPP
#define TESSERA_PHYSICS_MD_PAIR_POTENTIAL_SWITCH_POTENTIAL_HPP

#include "core/base/device_code.hpp"
#include "physics/md/pair_potential/pair_potential.hpp"
#include "physics/md/pair_potential/potential_functions.hpp"
#include "physics/md/pair_potential/sum_potential.hpp"

/// \file
/// Every pair potential of a list, and every sum of them, in one pair kernel that selects at run
/// time.

namespace tessera::md::potentials {

/// The pair potential number `index` of the list.
template <class... Potentials>
struct OneOf {
  static constexpr int width = 0;
  static constexpr unsigned reads = 0;  ///< by any of them that is central
  template <class Real, class Distance, class Coefficients, class Atom>
  TESSERA_INLINE void at(int, const Distance&, const Coefficients&, const Atom&, const Atom&,
                         Real& force_over_r, Real& energy) const {
    force_over_r = energy = Real(0);
  }
};

template <class First, class... Rest>
struct OneOf<First, Rest...> {
  static constexpr int width =
      First::traits.width > OneOf<Rest...>::width ? First::traits.width : OneOf<Rest...>::width;
  static constexpr unsigned reads =
      (First::traits.central ? First::traits.reads : 0u) | OneOf<Rest...>::reads;

  template <class Real, class Distance, class Coefficients, class Atom>
  TESSERA_INLINE void at(int index, const Distance& r, const Coefficients& c, const Atom& i,
                         const Atom& j, Real& force_over_r, Real& energy) const {
    if (index == 0) {
      if constexpr (First::traits.central) First{}.at(r, c, i, j, force_over_r, energy);
    } else
      OneOf<Rest...>{}.at(index - 1, r, c, i, j, force_over_r, energy);
  }
};

/// Built-in pair potentials that are central, numbered by PairPotentialPart::index.
template <class... Potentials>
struct Switch {
  // Values of atoms are loaded only if the selected potential reads them.
  static constexpr Traits traits{
      .width = PairPotential::most_parts * (1 + OneOf<Potentials...>::width),
      .reads = OneOf<Potentials...>::reads,
      .samples = (Potentials::traits.samples || ...),
      .in_table = true};

  int count = 0;                              ///< parts
  int index[PairPotential::most_parts] = {};  ///< of each part, in the list
  int first[PairPotential::most_parts] = {};  ///< its first packed coefficient

  Switch() = default;
  explicit Switch(const PairPotential& potential) {
    int next = potential.parts().size() > 1 ? 1 : 0;
    for (const PairPotentialPart& part : potential.parts()) {
      index[count] = part.index;
      first[count++] = next;
      next += 1 + part.width;
    }
  }

  template <class Real, class Distance, class Coefficients, class Atom>
  TESSERA_INLINE void at(const Distance& r, const Coefficients& c, const Atom& i, const Atom& j,
                         Real& force_over_r, Real& energy) const {
    using From = CoefficientsFrom<Coefficients>;
    const OneOf<Potentials...> potentials;
    if (count == 1) {
      potentials.at(index[0], r, From{c, 0}, i, j, force_over_r, energy);
      return;
    }
    force_over_r = energy = Real(0);
    for (int p = 0; p < count; ++p) {
      Real force, part;
      potentials.at(index[p], r, From{c, first[p]}, i, j, force, part);
      const auto inside = r.squared() < c[first[p] - 1];
      force_over_r = force_over_r + where(inside, force);
      energy = energy + where(inside, part);
    }
  }
};

}  // namespace tessera::md::potentials

#endif  // TESSERA_PHYSICS_MD_PAIR_POTENTIAL_SWITCH_POTENTIAL_HPP
