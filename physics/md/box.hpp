#pragma once

#include <tessera/core/base/device_code.hpp>

/// \file
/// The simulation box: orthogonal, each direction periodic or not.

namespace tessera::md {

/// Orthogonal box; trivially copyable, so that kernels can capture it. Lengths in the unit of the
/// positions that it goes with.
struct Box {
  double lower[3] = {0, 0, 0};   ///< coordinates of the low corner
  double length[3] = {1, 1, 1};  ///< edge lengths, each greater than zero
  bool periodic[3] = {true, true, true};

  [[nodiscard]] TESSERA_FUNCTION double volume() const { return length[0] * length[1] * length[2]; }

  friend bool operator==(const Box&, const Box&) = default;
};

}  // namespace tessera::md
