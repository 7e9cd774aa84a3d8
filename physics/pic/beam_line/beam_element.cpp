#include "physics/pic/beam_line/beam_element.hpp"

#include "core/base/error.hpp"
#include "core/base/shortest_number.hpp"
#include "core/operations/argument_check.hpp"
#include "physics/pic/reference_check.hpp"

#include <cmath>
#include <string>

namespace tessera::pic {
namespace {

/// Checks the numbers of an element.
class BeamElementCheck {
 public:
  void operator()(const Drift& drift) const { require_finite("drift", "length", drift.length); }
  void operator()(const Quadrupole& quadrupole) const {
    require_length("quadrupole", quadrupole.length);
    require_finite("quadrupole", "k1", quadrupole.k1);
  }
  void operator()(const SectorDipole& dipole) const {
    require(std::isfinite(dipole.length) && dipole.length > 0, "sector dipole", "length",
            dipole.length, "a positive number");
    require_finite("sector dipole", "angle", dipole.angle);
    require_finite("sector dipole", "k1", dipole.k1);
  }
  void operator()(const DipoleEdge& edge) const {
    require_finite("dipole edge", "curvature", edge.curvature);
    require(std::cos(edge.angle) > 0, "dipole edge", "angle", edge.angle,
            "a number between -pi/2 and pi/2");
  }
  void operator()(const Solenoid& solenoid) const {
    require_length("solenoid", solenoid.length);
    require_finite("solenoid", "ks", solenoid.ks);
  }
  void operator()(const ThinQuadrupole& quadrupole) const {
    require_finite("thin quadrupole", "k1l", quadrupole.k1l);
  }
  void operator()(const Cavity& cavity) const {
    require_finite("cavity", "energy_gain", cavity.energy_gain);
    require_finite("cavity", "phase", cavity.phase);
    require(std::isfinite(cavity.frequency) && cavity.frequency >= 0, "cavity", "frequency",
            cavity.frequency, "a finite number, 0 or above");
  }
  void operator()(const Aperture& aperture) const {
    require(aperture.half_x > 0, "aperture", "half_x", aperture.half_x, "a positive number");
    require(aperture.half_y > 0, "aperture", "half_y", aperture.half_y, "a positive number");
    require_finite("aperture", "center_x", aperture.center_x);
    require_finite("aperture", "center_y", aperture.center_y);
  }
  void operator()(const MatrixElement& element) const {
    require_length("matrix", element.length);
    for (int i = 0; i < 6; ++i) {
      require_finite("matrix", "constant", element.map.constant[i]);
      for (int j = 0; j < 6; ++j)
        require_finite("matrix", "matrix", element.map.matrix[i][j]);
    }
  }

 private:
  static void require(bool holds, const char* element, const char* number, double value,
                      const char* expected) {
    if (holds) return;
    throw ArgumentError(element, number, shortest_number(value) + ", expected " + expected);
  }

  static void require_finite(const char* element, const char* number, double value) {
    require(std::isfinite(value), element, number, value, "a finite number");
  }

  static void require_length(const char* element, double value) {
    require(std::isfinite(value) && value >= 0, element, "length", value,
            "a finite number, 0 or above");
  }
};

}  // namespace

void check_beam_element(const BeamElement& element) {
  std::visit(BeamElementCheck{}, element);
}

double length(const BeamElement& element) {
  return std::visit(
      [](const auto& e) -> double {
        if constexpr (requires { e.length; })
          return e.length;
        else
          return 0;
      },
      element);
}

Element transport_element(const BeamElement& element, const ReferenceParticle& reference) {
  check_beam_element(element);
  check_reference(ArgumentCheck("transport_element"), reference);
  Element numbers;
  if (const auto* const drift = std::get_if<Drift>(&element)) {
    numbers.kind = ElementKind::drift;
    numbers.length = drift->length;
  } else if (const auto* const cavity = std::get_if<Cavity>(&element)) {
    numbers.kind = ElementKind::cavity;
    numbers.energy_gain = cavity->energy_gain;
    numbers.wave_number = wave_number(*cavity);
    numbers.phase = cavity->phase;
  } else if (const auto* const aperture = std::get_if<Aperture>(&element)) {
    numbers.kind = aperture->shape == ApertureShape::ellipse ? ElementKind::ellipse_aperture
                                                             : ElementKind::rectangle_aperture;
    numbers.half_x = aperture->half_x;
    numbers.half_y = aperture->half_y;
    numbers.center_x = aperture->center_x;
    numbers.center_y = aperture->center_y;
  } else {
    numbers.kind = ElementKind::linear_map;
    numbers.map = linear_map(element, reference);
  }
  return numbers;
}

BeamElement part(const BeamElement& element, int count) {
  check_beam_element(element);
  if (count < 1)
    throw ArgumentError("part", "count", std::to_string(count) + ", expected 1 or more");
  if (count == 1) return element;
  if (length(element) == 0 || std::holds_alternative<MatrixElement>(element))
    throw ArgumentError("part", "element",
                        length(element) == 0 ? "it has no length to be cut"
                                             : "a matrix cannot be cut along the beam");
  BeamElement cut = element;
  std::visit(
      [count](auto& e) {
        if constexpr (requires { e.length; }) e.length /= count;
        if constexpr (std::is_same_v<decltype(e), SectorDipole&>) e.angle /= count;
      },
      cut);
  return cut;
}

}  // namespace tessera::pic
