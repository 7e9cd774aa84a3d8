#pragma once

#include <tessera/pic/gather_kick/gather_kick.hpp>

namespace tessera::pic {

/// The oracle of pic/gather_kick, in double whatever the arrays hold.
/// \param magnitudes where it is given, particles x 3: sizes of what was added up.
template <class Storage>
void gather_kick_oracle(const GatherKickArgs<Storage>& args, int shape_order, double* magnitudes);

template <class Storage>
void gather_kick_reference(const GatherKickProblem& problem, const GatherKickArgs<Storage>& args);

}  // namespace tessera::pic
