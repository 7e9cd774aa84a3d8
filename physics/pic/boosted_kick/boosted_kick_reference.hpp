#ifndef TESSERA_PHYSICS_PIC_BOOSTED_KICK_BOOSTED_KICK_REFERENCE_HPP
#define TESSERA_PHYSICS_PIC_BOOSTED_KICK_BOOSTED_KICK_REFERENCE_HPP

#include "physics/pic/boosted_kick/boosted_kick.hpp"

namespace tessera::pic {

/// Oracle of pic/boosted_kick, in double for every storage type. It calls the oracles of
/// pic/frame_change and pic/gather_kick for one particle after the other.
/// \param magnitudes particles x 3, or null: for each momentum in the beam frame the sum of the
/// magnitudes of its summands.
template <class Storage>
void boosted_kick_oracle(const BoostedKickArgs<Storage>& args, int shape_order, double* magnitudes);

template <class Storage>
void boosted_kick_reference(const BoostedKickProblem& problem,
                            const BoostedKickArgs<Storage>& args);

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_BOOSTED_KICK_BOOSTED_KICK_REFERENCE_HPP
