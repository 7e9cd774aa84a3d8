#ifndef TESSERA_PHYSICS_MD_BOND_FORCE_BOND_RANGE_HPP
#define TESSERA_PHYSICS_MD_BOND_FORCE_BOND_RANGE_HPP

#include "physics/md/bond_force/bond_force.hpp"
#include "physics/md/bond_force/bond_potential.hpp"
#include "physics/md/pair_force/fixed_point_pairs.hpp"

/// \file
/// Ranges of fixed point for listed pairs, in the units of the caller.

namespace tessera::md {

/// Coefficients of the pair potential of "special/NAME", as a row of a table of pairs of types: one
/// type with as many others as there are kinds.
[[nodiscard]] inline View<const double, 3> special_table(const PairPotential& potential,
                                                         View<const double, 2> coefficients) {
  return {coefficients.data,
          {1, coefficients.extent(0), static_cast<std::int64_t>(potential.fields().size())},
          {0, coefficients.strides[0], coefficients.strides[1]}};
}

/// Range from the coefficients and the box, so that it does not depend on the positions: 2^25 times
/// the largest finite force and energy of a kind between a half of and twice its longest length,
/// or, for a kind without lengths, up to a share of the box. At shorter distances a hard core would
/// determine the range, and the remainder of the potential would lose digits.
[[nodiscard]] PairRange bond_range(const BondPotential& potential,
                                   View<const double, 2> coefficients, const Box& box);
/// The same for "special/NAME": that of pair_range().
[[nodiscard]] PairRange special_range(const PairPotential& potential,
                                      View<const double, 2> coefficients, double largest_charge,
                                      const Box& box);

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_BOND_FORCE_BOND_RANGE_HPP
