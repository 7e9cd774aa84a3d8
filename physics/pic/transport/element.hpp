#ifndef TESSERA_PHYSICS_PIC_TRANSPORT_ELEMENT_HPP
#define TESSERA_PHYSICS_PIC_TRANSPORT_ELEMENT_HPP

#include "physics/pic/linear_map.hpp"

#include <string_view>

/// \file
/// Description of an element for pic/transport by numbers. physics/pic/beam_line converts magnets
/// and cavities to such elements.

namespace tessera::pic {

enum class ElementKind {
  linear_map,          ///< `map`
  drift,               ///< `length`; exact
  cavity,              ///< `energy_gain`, `wave_number`, `phase`; thin, exact
  rectangle_aperture,  ///< `half_x`, `half_y`, `center_x`, `center_y`
  ellipse_aperture     ///< the same
};

[[nodiscard]] constexpr std::string_view name(ElementKind kind) {
  switch (kind) {
    case ElementKind::linear_map:
      return "linear map";
    case ElementKind::drift:
      return "drift";
    case ElementKind::cavity:
      return "cavity";
    case ElementKind::rectangle_aperture:
      return "rectangle aperture";
    case ElementKind::ellipse_aperture:
      return "ellipse aperture";
  }
  return "unknown";
}

/// An element. Only the members that the list of ElementKind names for its kind are used.
struct Element {
  ElementKind kind = ElementKind::drift;
  LinearMap map;           ///< finite
  double length = 0;       ///< [m]; negative: backwards
  double energy_gain = 0;  ///< q V / (p_ref c), the gain at the crest; any sign
  double wave_number = 0;  ///< 2 pi f / c [1/m], not negative
  double phase = 0;        ///< phase of the voltage when the reference particle passes [rad]
  double half_x = 0;       ///< half axes [m], positive; infinity: no limit
  double half_y = 0;
  double center_x = 0;  ///< center of the opening [m]
  double center_y = 0;
};

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_TRANSPORT_ELEMENT_HPP
