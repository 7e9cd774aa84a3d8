#include "core/operations/argument_check.hpp"
#include "physics/pic/beam_line/beam_element.hpp"
#include "physics/pic/beam_line/focusing.hpp"
#include "physics/pic/physical_constants.hpp"
#include "physics/pic/reference_check.hpp"

#include <cmath>
#include <numbers>

/// \file
/// The linear maps of beam_element.hpp.

namespace tessera::pic {
namespace {

class MapOfElement {
 public:
  explicit MapOfElement(const ReferenceParticle& reference) : reference_(reference) {}

  [[nodiscard]] LinearMap operator()(const Drift& drift) const {
    return straight(drift.length, 0, 0);
  }
  [[nodiscard]] LinearMap operator()(const Quadrupole& quadrupole) const {
    return straight(quadrupole.length, quadrupole.k1, -quadrupole.k1);
  }
  [[nodiscard]] LinearMap operator()(const SectorDipole& dipole) const {
    const double h = dipole.angle / dipole.length;
    const double strength = h * h + dipole.k1;
    LinearMap map = straight(dipole.length, strength, -dipole.k1);
    const Focusing f = focusing(strength, dipole.length);
    const double beta = reference_.beta();
    map.matrix[x][dpop] = h * f.cosine_missing;
    map.matrix[xp][dpop] = h * f.sine;
    map.matrix[cdt][x] = h * f.sine / beta;
    map.matrix[cdt][xp] = h * f.cosine_missing / beta;
    map.matrix[cdt][dpop] += h * h * f.sine_missing / beta;
    return map;
  }
  [[nodiscard]] LinearMap operator()(const DipoleEdge& edge) const {
    LinearMap map;
    map.matrix[xp][x] = edge.curvature * std::tan(edge.angle);
    map.matrix[yp][y] = -map.matrix[xp][x];
    return map;
  }
  [[nodiscard]] LinearMap operator()(const Solenoid& solenoid) const {
    const double k = solenoid.ks / 2;
    LinearMap map = straight(solenoid.length, 0, 0);
    fill(map, x, y, k, solenoid.length);
    fill(map, y, x, -k, solenoid.length);
    return map;
  }
  [[nodiscard]] LinearMap operator()(const ThinQuadrupole& quadrupole) const {
    LinearMap map;
    map.matrix[xp][x] = -quadrupole.k1l;
    map.matrix[yp][y] = quadrupole.k1l;
    return map;
  }
  [[nodiscard]] LinearMap operator()(const Cavity& cavity) const {
    LinearMap map;
    const double gain = cavity.energy_gain / reference_.beta();
    map.constant[dpop] = gain * std::sin(cavity.phase);
    map.matrix[dpop][cdt] = gain * wave_number(cavity) * std::cos(cavity.phase);
    return map;
  }
  [[nodiscard]] LinearMap operator()(const Aperture&) const { return {}; }
  [[nodiscard]] LinearMap operator()(const MatrixElement& element) const { return element.map; }

 private:
  enum Row { x = 0, xp = 1, y = 2, yp = 3, cdt = 4, dpop = 5 };

  [[nodiscard]] LinearMap straight(double length, double strength_x, double strength_y) const {
    LinearMap map;
    plane(map, x, strength_x, length);
    plane(map, y, strength_y, length);
    // beta gamma^2 = beta_gamma gamma
    map.matrix[cdt][dpop] = -length / (reference_.beta_gamma * reference_.gamma());
    return map;
  }

  static void plane(LinearMap& map, int u, double strength, double length) {
    const Focusing f = focusing(strength, length);
    map.matrix[u][u] = f.cosine;
    map.matrix[u][u + 1] = f.sine;
    map.matrix[u + 1][u] = -strength * f.sine;
    map.matrix[u + 1][u + 1] = f.cosine;
  }

  /// Fills the rows of u and u' of a solenoid; v is the other plane.
  static void fill(LinearMap& map, int u, int v, double k, double length) {
    const Focusing f = focusing(k * k, length);
    const double c = f.cosine;
    const double s = f.sine;  // sin(K L) / K
    map.matrix[u][u] = map.matrix[u + 1][u + 1] = c * c;
    map.matrix[u][u + 1] = s * c;
    map.matrix[u + 1][u] = -k * k * s * c;
    map.matrix[u][v] = map.matrix[u + 1][v + 1] = k * s * c;
    map.matrix[u][v + 1] = k * s * s;
    map.matrix[u + 1][v] = -k * k * k * s * s;
  }

  ReferenceParticle reference_;
};

}  // namespace

double wave_number(const Cavity& cavity) {
  return 2 * std::numbers::pi * cavity.frequency / speed_of_light;
}

LinearMap linear_map(const BeamElement& element, const ReferenceParticle& reference) {
  check_beam_element(element);
  check_reference(ArgumentCheck("linear_map"), reference);
  return std::visit(MapOfElement(reference), element);
}

}  // namespace tessera::pic
