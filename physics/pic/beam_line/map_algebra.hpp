#ifndef TESSERA_PHYSICS_PIC_BEAM_LINE_MAP_ALGEBRA_HPP
#define TESSERA_PHYSICS_PIC_BEAM_LINE_MAP_ALGEBRA_HPP

#include "physics/pic/linear_map.hpp"
#include "physics/pic/reference_particle.hpp"

/// \file
/// Linear maps one after another, and whether they are symplectic.

namespace tessera::pic {

/// First `first`, then `second`.
[[nodiscard]] LinearMap composed(const LinearMap& second, const LinearMap& first);

/// How far a map is from M^T S M = S: the largest element of the difference. S pairs (x, x'),
/// (y, y') and (cdt, -beta dpop): the canonical partner of the time is the energy (MAD-X user's
/// guide, canonical variables: T = -c t, PT = dE / (p_ref c)), and to first order
/// dE = beta c dp. In the coordinates of the map S therefore has -beta where it would have 1
/// between cdt and dpop; what is returned is measured in canonical variables. Constant parts play
/// no role.
[[nodiscard]] double symplectic_error(const LinearMap& map, const ReferenceParticle& reference);

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_BEAM_LINE_MAP_ALGEBRA_HPP
