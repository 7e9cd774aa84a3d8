#ifndef TESSERA_PHYSICS_PIC_FRAME_CHANGE_FRAME_CHANGE_REFERENCE_HPP
#define TESSERA_PHYSICS_PIC_FRAME_CHANGE_FRAME_CHANGE_REFERENCE_HPP

#include "physics/pic/frame_change/frame_change.hpp"

namespace tessera::pic {

/// Oracle of pic/frame_change: by rapidities, to which a boost along z adds a constant, in the
/// widest floating-point type of the host.
template <class Storage>
void frame_change_reference(const FrameChangeProblem& problem,
                            const FrameChangeArgs<Storage>& args);

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_FRAME_CHANGE_FRAME_CHANGE_REFERENCE_HPP
