#ifndef TESSERA_PHYSICS_PIC_SIMULATION_TRACKING_PLAN_HPP
#define TESSERA_PHYSICS_PIC_SIMULATION_TRACKING_PLAN_HPP

#include "physics/pic/beam_line/beam_line.hpp"

#include <cstdint>
#include <string>
#include <vector>

/// \file
/// A beam line as steps of split-operator tracking. An element of length L with k kicks becomes k
/// steps of
///
///     half of a part of the element, the kick of space charge over L / k, the other half
///
/// (G. Strang, SIAM J. Numer. Anal. 5, 506 (1968)), which is of second order in L / k. A matrix,
/// which has no parts, stands between two kicks over half of its length. What has no length, and an
/// element without kicks, is one step of its own.

namespace tessera::pic {

/// Either an element of pic/transport or a kick.
struct TrackingAction {
  Element element;
  double kick_length = 0;  ///< path whose space charge kicks here [m]; 0: the element
};

struct TrackingStep {
  std::vector<TrackingAction> actions;
  std::int64_t element = 1;  ///< number in the line, from 1
  double end = 0;            ///< path from the start of the line to behind the step [m]
};

/// What one turn, a pass of the whole line, consists of.
struct TrackingPlan {
  ReferenceParticle reference;
  std::vector<TrackingStep> steps;
  std::vector<std::string> elements;  ///< names, in order
  double length = 0;                  ///< [m]

  [[nodiscard]] std::int64_t steps_of_turn() const {
    return static_cast<std::int64_t>(steps.size());
  }
};

/// \param kicks of each place of the line, 0 or more. What has no length gets none.
/// \throws ArgumentError where these are not as many as places, one is negative, a matrix has more
///     than one, or the line is empty; about an element as transport_element.
[[nodiscard]] TrackingPlan tracking_plan(const BeamLine& line, const std::vector<int>& kicks);

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_SIMULATION_TRACKING_PLAN_HPP
