#ifndef TESSERA_PHYSICS_PIC_SIMULATION_TRACKING_PLAN_HPP
#define TESSERA_PHYSICS_PIC_SIMULATION_TRACKING_PLAN_HPP

#include "physics/pic/beam_line/beam_line.hpp"

#include <cstdint>
#include <string>
#include <vector>

/// \file
/// Splits a beam line into the steps of split-operator tracking. An element of length L with k
/// kicks becomes k steps of
///
///     half of a part of the element, the space-charge kick over L / k, the other half
///
/// (G. Strang, SIAM J. Numer. Anal. 5, 506 (1968)), which is of second order in L / k. A matrix,
/// which cannot be divided, is preceded and followed by kicks over half of its length. An element
/// without length or without kicks is a single step.

namespace tessera::pic {

/// Either an element of pic/transport or a space-charge kick.
struct TrackingAction {
  Element element;
  /// Path length of the space-charge kick [m]; 0: the action is `element`.
  double kick_length = 0;
};

struct TrackingStep {
  std::vector<TrackingAction> actions;
  std::int64_t element = 1;  ///< number in the line, counted from 1
  /// path length from the start of the line to the end of the step [m]
  double end = 0;
};

/// The steps of one turn, which is one pass of the whole line.
struct TrackingPlan {
  ReferenceParticle reference;
  std::vector<TrackingStep> steps;
  std::vector<std::string> elements;  ///< names, in order
  double length = 0;                  ///< [m]

  [[nodiscard]] std::int64_t steps_of_turn() const {
    return static_cast<std::int64_t>(steps.size());
  }
};

/// \param kicks number of kicks for each element of the line, 0 or more; ignored for elements
/// without length.
/// \throws ArgumentError if the sizes differ, a number is negative, a matrix has more than one
/// kick, or the line is empty; as transport_element() for an invalid element.
[[nodiscard]] TrackingPlan tracking_plan(const BeamLine& line, const std::vector<int>& kicks);

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_SIMULATION_TRACKING_PLAN_HPP
