#ifndef TESSERA_PHYSICS_MD_SPECIAL_FORCE_SPECIAL_RANGE_HPP
#define TESSERA_PHYSICS_MD_SPECIAL_FORCE_SPECIAL_RANGE_HPP

#include "physics/md/pair_force/fixed_point_pairs.hpp"
#include "physics/md/special_force/special_force.hpp"

/// \file
/// Ranges of fixed point for listed pairs, in the units of the caller.

namespace tessera::md {

/// Coefficients of the pair potential, as a row of a table of pairs of types: one
/// type with as many others as there are kinds.
[[nodiscard]] inline View<const double, 3> special_table(const PairPotential& potential,
                                                         View<const double, 2> coefficients) {
  return {coefficients.data,
          {1, coefficients.extent(0), static_cast<std::int64_t>(potential.fields().size())},
          {0, coefficients.strides[0], coefficients.strides[1]}};
}

/// Range of pair_range() for these coefficients, with lengths of nearest images in the box.
[[nodiscard]] PairRange special_range(const PairPotential& potential,
                                      View<const double, 2> coefficients, double largest_charge,
                                      const Box& box);

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_SPECIAL_FORCE_SPECIAL_RANGE_HPP
