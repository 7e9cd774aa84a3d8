#ifndef TESSERA_PHYSICS_MD_LISTED_FORCE_ONE_OF_POTENTIALS_HPP
#define TESSERA_PHYSICS_MD_LISTED_FORCE_ONE_OF_POTENTIALS_HPP

#include "core/base/device_code.hpp"
#include "physics/md/listed_force/listed_geometry.hpp"
#include "physics/md/pair_potential/potential_functions.hpp"

#include <algorithm>

/// \file
/// Selection of a potential of a listed term at run time.

namespace tessera::md::potentials {

/// Whether a potential is written as a central pair potential without charges, as those of bonds
/// are.
template <class Potential, class Real, class Geometry, class Coefficients>
concept IsCentral = requires(const Geometry& geometry, const Coefficients& c,
                             AtomValues<Real, 0> none, Real& value) {
  Potential{}.at(geometry, c, none, none, value, value);
};

/// The value of one potential: the force over the distance, -dE/dr / r, of a central one, and dE/dq
/// of the angle q of another one.
template <class Potential, class Real, class Geometry, class Coefficients>
TESSERA_INLINE void evaluate_potential(const Geometry& geometry, const Coefficients& c, Real& slope,
                                       Real& energy) {
  if constexpr (IsCentral<Potential, Real, Geometry, Coefficients>) {
    const AtomValues<Real, 0> none{};
    Potential{}.at(geometry, c, none, none, slope, energy);
  } else {
    Potential{}.at(geometry, c, slope, energy);
  }
}

/// The potential number `index` of the list (ListedPotentialPart::index).
template <class... Potentials>
struct OneOfPotentials {
  static constexpr int width = 0;
  template <class Real, class Geometry, class Coefficients>
  TESSERA_INLINE void at(int, const Geometry&, const Coefficients&, Real& slope,
                         Real& energy) const {
    slope = energy = Real(0);
  }
};

template <class First, class... Rest>
struct OneOfPotentials<First, Rest...> {
  static constexpr int width = std::max(First::traits.width, OneOfPotentials<Rest...>::width);

  template <class Real, class Geometry, class Coefficients>
  TESSERA_INLINE void at(int index, const Geometry& geometry, const Coefficients& c, Real& slope,
                         Real& energy) const {
    if (index == 0)
      evaluate_potential<First>(geometry, c, slope, energy);
    else
      OneOfPotentials<Rest...>{}.at(index - 1, geometry, c, slope, energy);
  }
};

}  // namespace tessera::md::potentials

#endif  // TESSERA_PHYSICS_MD_LISTED_FORCE_ONE_OF_POTENTIALS_HPP
