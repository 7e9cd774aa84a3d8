#ifndef TESSERA_PHYSICS_MD_PAIR_POTENTIAL_SWITCH_POTENTIAL_HPP
#define TESSERA_PHYSICS_MD_PAIR_POTENTIAL_SWITCH_POTENTIAL_HPP

#include "core/base/device_code.hpp"
#include "physics/md/pair_potential/pair_potential.hpp"
#include "physics/md/pair_potential/potential_functions.hpp"
#include "physics/md/pair_potential/sum_potential.hpp"

/// \file
/// Every pair potential of a list, and every sum of two, in one pair kernel that selects at run
/// time.

namespace tessera::md::potentials {

/// The pair potential number `index` of the list.
template <class... Potentials>
struct OneOf {
  static constexpr int width = 0;
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
      .width = 2 + 2 * OneOf<Potentials...>::width,
      .reads = ((Potentials::traits.central ? Potentials::traits.reads : 0u) | ...),
      .samples = (Potentials::traits.samples || ...)};

  int first = 0;        ///< index of the first part in the list
  int second = -1;      ///< index of the second part; -1: none
  int first_width = 0;  ///< number of packed coefficients of the first part

  Switch() = default;
  explicit Switch(const PairPotential& potential)
      : first(potential.parts()[0].index), first_width(potential.parts()[0].width) {
    if (potential.parts().size() > 1) second = potential.parts()[1].index;
  }

  template <class Real, class Distance, class Coefficients, class Atom>
  TESSERA_INLINE void at(const Distance& r, const Coefficients& c, const Atom& i, const Atom& j,
                         Real& force_over_r, Real& energy) const {
    using From = CoefficientsFrom<Coefficients>;
    const OneOf<Potentials...> potentials;
    if (second < 0) {
      potentials.at(first, r, From{c, 0}, i, j, force_over_r, energy);
      return;
    }
    Real force_a, energy_a, force_b, energy_b;
    potentials.at(first, r, From{c, 1}, i, j, force_a, energy_a);
    potentials.at(second, r, From{c, 2 + first_width}, i, j, force_b, energy_b);
    const auto inside_a = r.squared() < c[0];
    const auto inside_b = r.squared() < c[1 + first_width];
    force_over_r = where(inside_a, force_a) + where(inside_b, force_b);
    energy = where(inside_a, energy_a) + where(inside_b, energy_b);
  }
};

}  // namespace tessera::md::potentials

#endif  // TESSERA_PHYSICS_MD_PAIR_POTENTIAL_SWITCH_POTENTIAL_HPP
