#ifndef TESSERA_PHYSICS_PIC_GATHER_KICK_GATHER_KICK_REFERENCE_HPP
#define TESSERA_PHYSICS_PIC_GATHER_KICK_GATHER_KICK_REFERENCE_HPP

#include "physics/pic/gather_kick/gather_kick.hpp"

namespace tessera::pic {

/// Change of the momentum of a particle by a field, and for each component the sum of the
/// magnitudes of its terms.
struct GatheredKick {
  double kick[3] = {0, 0, 0};
  double size[3] = {0, 0, 0};
};
/// Adds the kick of a particle at `place` to `found`.
/// \returns whether the particle is on the grid.
template <class Storage>
[[nodiscard]] bool gathered_kick(const Grid& grid, const View<const Storage, 3> (&field)[3],
                                 const double (&place)[3], int shape_order, double factor,
                                 GatheredKick& found);

/// Oracle of pic/gather_kick, in double for every storage type.
/// \param magnitudes particles x 3, or null: for each component the sum of the magnitudes of its
/// terms.
template <class Storage>
void gather_kick_oracle(const GatherKickArgs<Storage>& args, int shape_order, double* magnitudes);

template <class Storage>
void gather_kick_reference(const GatherKickProblem& problem, const GatherKickArgs<Storage>& args);

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_GATHER_KICK_GATHER_KICK_REFERENCE_HPP
