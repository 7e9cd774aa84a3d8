#ifndef TESSERA_PHYSICS_MD_INTEGRATE_KICK_AND_DRIFT_HPP
#define TESSERA_PHYSICS_MD_INTEGRATE_KICK_AND_DRIFT_HPP

#include "core/base/device_code.hpp"

/// \file
/// Step of one coordinate from the middle of a time step to the middle of the next.

namespace tessera::md {

/// Both half kicks, as two additions, and the drift, as in phase close_and_open of md/integrate,
/// for kernels that move atoms themselves and must produce the same bits.
/// \param half_kick change of the velocity for a unit of force.
template <class Storage>
TESSERA_INLINE void kick_and_drift(Storage half_kick, Storage force, Storage time_step,
                                   Storage& velocity, Storage& position) {
  const Storage change = half_kick * force;
  Storage v = velocity + change;
  v += change;
  velocity = v;
  position += time_step * v;
}

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_INTEGRATE_KICK_AND_DRIFT_HPP
