#pragma once

#include <tessera/pic/frame_change/frame_change.hpp>

namespace tessera::pic {

/// The oracle of pic/frame_change: by rapidities, which a boost along z adds to, in the longest
/// numbers that the host has.
template <class Storage>
void frame_change_reference(const FrameChangeProblem& problem,
                            const FrameChangeArgs<Storage>& args);

}  // namespace tessera::pic
