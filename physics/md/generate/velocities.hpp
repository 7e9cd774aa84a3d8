#ifndef TESSERA_PHYSICS_MD_GENERATE_VELOCITIES_HPP
#define TESSERA_PHYSICS_MD_GENERATE_VELOCITIES_HPP

#include "physics/md/system.hpp"
#include "physics/md/units.hpp"

#include <cstdint>

/// \file
/// Maxwell-Boltzmann velocities.

namespace tessera::md {

/// Sets the velocity of every atom: components are Gaussian with variance kB T / m, then the motion
/// of the center of mass is removed, then all velocities are scaled so that
///
///     T = sum m v^2 / ((3N - 3) kB)
///
/// holds up to rounding; in two dimensions with 2N - 2 and no velocity along z. Before the last two
/// steps the velocity of an atom depends only on the seed and its id. These steps sum in the order
/// of the ids, and all arithmetic uses operations that IEEE 754 rounds correctly. The result
/// therefore has the same bits on every machine and for every order of the atoms. Frozen atoms have
/// zero velocity and are not counted; with frozen atoms T is sum m v^2 / (3N kB) of the moving
/// atoms, as in a simulation.
///
/// \param temperature in the unit of temperature, >= 0; 0 gives zero velocities.
/// \throws ArgumentError if the temperature is negative or not finite, or positive for fewer than
/// two moving atoms, which have no energy without the motion of the center of mass.
void make_velocities(System& system, double temperature, std::uint64_t seed, const Units& units);

/// The temperature as defined for make_velocities(); 0 for fewer than two atoms.
[[nodiscard]] double temperature(const System& system, const Units& units);

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_GENERATE_VELOCITIES_HPP
