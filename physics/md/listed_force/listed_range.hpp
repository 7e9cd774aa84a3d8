#ifndef TESSERA_PHYSICS_MD_LISTED_FORCE_LISTED_RANGE_HPP
#define TESSERA_PHYSICS_MD_LISTED_FORCE_LISTED_RANGE_HPP

#include "core/memory/view.hpp"
#include "physics/md/box.hpp"
#include "physics/md/listed_force/listed_potential.hpp"
#include "physics/md/pair_force/fixed_point_pairs.hpp"

#include <array>

/// \file
/// Range of the sums of listed terms in fixed point (fixed_point_pairs.hpp).

namespace tessera::md {

/// Range from the coefficients and the box alone, so that it does not depend on the positions:
/// 2^pair_range_exponent times the largest magnitude of the energy and of the slope at some values
/// of each coordinate, near the lengths of a bond and at all angles. A slope in an angle becomes a
/// force by the shortest length of a bond, or without bonds by 1/256 of the box.
[[nodiscard]] PairRange listed_range(
    const std::array<ListedPotential, listed_classes>& potentials,
    const std::array<View<const double, 2>, listed_classes>& coefficients, const Box& box);

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_LISTED_FORCE_LISTED_RANGE_HPP
