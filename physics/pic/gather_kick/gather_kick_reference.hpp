#ifndef TESSERA_PHYSICS_PIC_GATHER_KICK_GATHER_KICK_REFERENCE_HPP
#define TESSERA_PHYSICS_PIC_GATHER_KICK_GATHER_KICK_REFERENCE_HPP

#include "physics/pic/gather_kick/gather_kick.hpp"

namespace tessera::pic {

/// What a field adds to the momenta of a particle, and the sizes of what was added up for it.
struct GatheredKick {
  double kick[3] = {0, 0, 0};
  double size[3] = {0, 0, 0};
};
/// \returns whether the particle lies on the grid.
template <class Storage>
[[nodiscard]] bool gathered_kick(const Grid& grid, const View<const Storage, 3> (&field)[3],
                                 const double (&place)[3], int shape_order, double factor,
                                 GatheredKick& found);

/// The oracle of pic/gather_kick, in double whatever the arrays hold.
/// \param magnitudes where it is given, particles x 3: sizes of what was added up.
template <class Storage>
void gather_kick_oracle(const GatherKickArgs<Storage>& args, int shape_order, double* magnitudes);

template <class Storage>
void gather_kick_reference(const GatherKickProblem& problem, const GatherKickArgs<Storage>& args);

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_GATHER_KICK_GATHER_KICK_REFERENCE_HPP
