#ifndef TESSERA_PHYSICS_PIC_BEAM_LINE_MAP_ALGEBRA_HPP
#define TESSERA_PHYSICS_PIC_BEAM_LINE_MAP_ALGEBRA_HPP

#include "physics/pic/linear_map.hpp"
#include "physics/pic/reference_particle.hpp"

/// \file
/// Products of linear maps, and a check that they are symplectic.

namespace tessera::pic {

/// Map that applies `first`, then `second`.
[[nodiscard]] LinearMap composed(const LinearMap& second, const LinearMap& first);

/// Deviation of a map from M^T S M = S: the largest element of the difference. S pairs (x, x'), (y,
/// y') and (cdt, -beta dpop): the canonical partner of the time is the energy (MAD-X user's guide,
/// canonical variables: T = -c t, PT = dE / (p_ref c)), and to first order dE = beta c dp. In the
/// coordinates of the map S therefore has -beta in place of 1 between cdt and dpop. The returned
/// value is measured in canonical variables. Constant terms play no role.
[[nodiscard]] double symplectic_error(const LinearMap& map, const ReferenceParticle& reference);

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_BEAM_LINE_MAP_ALGEBRA_HPP
