#ifndef TESSERA_PHYSICS_PIC_SIMULATION_LOSS_HPP
#define TESSERA_PHYSICS_PIC_SIMULATION_LOSS_HPP

#include "physics/pic/simulation/statistics_row.hpp"

#include <array>
#include <cstdint>
#include <string_view>

/// \file
/// A particle that was lost on its way.

namespace tessera::pic {

enum class LossCause {
  element,  ///< it did not pass, or could not go on: pic/transport
  kick      ///< it has no momentum forward in the frame of the beam, or has none behind the kick
};

[[nodiscard]] constexpr std::string_view name(LossCause cause) {
  return cause == LossCause::element ? "element" : "kick";
}

struct Loss {
  TrackingPlace place;  ///< the step in which it was lost
  LossCause cause = LossCause::element;
  std::int64_t id = 0;
  /// With which it came to the element. Of one that a kick left without momentum forward columns 4
  /// and 5 are those of the frame of the beam.
  std::array<double, 6> coordinates{};
};

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_SIMULATION_LOSS_HPP
