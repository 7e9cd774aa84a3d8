#ifndef TESSERA_PHYSICS_PIC_SIMULATION_LOSS_HPP
#define TESSERA_PHYSICS_PIC_SIMULATION_LOSS_HPP

#include "physics/pic/simulation/statistics_row.hpp"

#include <array>
#include <cstdint>
#include <string_view>

/// \file
/// Record of a lost particle.

namespace tessera::pic {

enum class LossCause {
  element,  ///< an element of pic/transport stopped it, or its momentum was not forward
  /// its momentum was not forward in the beam frame, or not forward after the kick
  kick
};

[[nodiscard]] constexpr std::string_view name(LossCause cause) {
  return cause == LossCause::element ? "element" : "kick";
}

struct Loss {
  TrackingPosition place;  ///< the step in which it was lost
  LossCause cause = LossCause::element;
  std::int64_t id = 0;
  /// Coordinates at the entrance of the element. If a kick made the momentum not forward, columns 4
  /// and 5 are in the beam frame.
  std::array<double, 6> coordinates{};
};

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_SIMULATION_LOSS_HPP
