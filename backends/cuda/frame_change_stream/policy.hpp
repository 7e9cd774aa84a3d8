#pragma once

#include <tessera/core/tuning/knobs.hpp>
#include <tuple>

/// \file
/// The parameter of cuda.stream of pic/frame_change.

namespace tessera::cuda::frame_change_stream {

/// Particles of a thread that are on their way while it converts one.
using Ahead = InSpace<Compiled<2, 4>, Compiled<1, 2, 3, 4>>;

struct Policy {
  int ahead = 2;

  static constexpr auto knobs() { return std::tuple{Knob{"ahead", &Policy::ahead, Ahead{}}}; }
};

}  // namespace tessera::cuda::frame_change_stream
