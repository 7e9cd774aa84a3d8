#ifndef TESSERA_PHYSICS_MD_GENERATE_VELOCITIES_HPP
#define TESSERA_PHYSICS_MD_GENERATE_VELOCITIES_HPP

#include "physics/md/system.hpp"
#include "physics/md/units.hpp"

#include <cstdint>

/// \file
/// Maxwell-Boltzmann velocities.

namespace tessera::md {

/// Gives every atom a velocity whose components are Gaussian with variance kB T / m, takes out the
/// motion of the centre of mass, and scales so that
///   T = sum m v^2 / ((3N - 3) kB)
/// is met up to rounding, in two dimensions with 2N - 2 and no velocity along z. The velocity of an
/// atom depends on the seed and its id alone before the last two steps, which sum in the order of
/// the ids; all arithmetic is made of operations that IEEE 754 rounds correctly. So the result has
/// the same bits on every machine and for every order of the atoms. Frozen atoms have none and
/// count for nothing; T then is sum m v^2 / (3N kB) of the others, as in a simulation.
///
/// \param temperature in the unit of temperature, >= 0; 0 gives zero velocities.
/// \throws ArgumentError when the temperature is negative or not finite, or positive for fewer than
///         two atoms that move (without the motion of the centre nothing is left).
void make_velocities(System& system, double temperature, std::uint64_t seed, const Units& units);

/// The temperature above for a system with velocities; 0 for fewer than two atoms.
[[nodiscard]] double temperature(const System& system, const Units& units);

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_GENERATE_VELOCITIES_HPP
