#include "physics/pic/beam_line/optics.hpp"

#include "core/base/shortest_number.hpp"

#include <cmath>
#include <numbers>

namespace tessera::pic {
namespace {

constexpr double two_pi = 2 * std::numbers::pi;

/// The rows and columns of one plane in a map, and the column of dpop.
struct Block {
  double m11, m12, m21, m22, d1, d2;
};

Block block_of(const char* call, const LinearMap& map, Plane plane) {
  const int u = plane == Plane::x ? 0 : 2;
  const int v = 2 - u;
  // Larger than the rounding error of two rotations back and forth.
  constexpr double rounding = 1e-9;
  const auto& m = map.matrix;
  const double own = std::abs(m[u][u]) + std::abs(m[u + 1][u + 1]);
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j)
      for (const double other : {m[u + i][v + j], m[v + i][u + j]}) {
        // Upper limit of the element of the own plane with the same unit.
        const double scale = own + std::abs(m[u + i][u + j]) + std::abs(m[v + i][v + j]);
        if (!(std::abs(other) <= rounding * scale))
          throw ArgumentError(call, "map",
                              "couples x and y (an element of " + shortest_number(other) +
                                  "); the optics of one plane are not defined then");
      }
  return {m[u][u], m[u][u + 1], m[u + 1][u], m[u + 1][u + 1], m[u][5], m[u + 1][5]};
}

void require_not_negative(const char* argument, double value) {
  if (std::isfinite(value) && value >= 0) return;
  throw ArgumentError("matched_size", argument,
                      shortest_number(value) + ", expected a finite number, 0 or above");
}

}  // namespace

double PlaneOptics::tune() const {
  return phase / two_pi;
}

UnstableOpticsError::UnstableOpticsError(Plane plane, double trace)
    : Error("no periodic optics: plane " + std::string(name(plane)) + ": the trace is " +
            shortest_number(trace) + ", expected between -2 and 2"),
      plane_(plane),
      trace_(trace) {}

PlaneOptics periodic_optics(const LinearMap& map, Plane plane) {
  const Block m = block_of("periodic_optics", map, plane);
  const double trace = m.m11 + m.m22;
  // -M12 M21 - ((M11 - M22) / 2)^2 = 1 - (trace / 2)^2 keeps its digits near trace 2.
  const double half_difference = (m.m11 - m.m22) / 2;
  const double sine_squared = -m.m12 * m.m21 - half_difference * half_difference;
  if (!(std::abs(trace) < 2) || !(sine_squared > 0)) throw UnstableOpticsError(plane, trace);
  const double sine = std::copysign(std::sqrt(sine_squared), m.m12);
  PlaneOptics optics;
  optics.beta = m.m12 / sine;
  optics.alpha = half_difference / sine;
  optics.phase = std::atan2(sine, trace / 2);
  if (optics.phase < 0) optics.phase += two_pi;
  const double determinant = 2 - trace;  // determinant of 1 - M
  optics.dispersion = ((1 - m.m22) * m.d1 + m.m12 * m.d2) / determinant;
  optics.dispersion_slope = (m.m21 * m.d1 + (1 - m.m11) * m.d2) / determinant;
  return optics;
}

PlaneOptics optics_behind(const PlaneOptics& before, const LinearMap& map, Plane plane) {
  if (!(before.beta > 0))
    throw ArgumentError("optics_behind", "before",
                        "beta is " + shortest_number(before.beta) + ", expected a positive number");
  const Block m = block_of("optics_behind", map, plane);
  // Images of (sqrt(beta), -alpha / sqrt(beta)) and (0, 1 / sqrt(beta)), times sqrt(beta).
  const double u = m.m11 * before.beta - m.m12 * before.alpha;
  const double slope = m.m21 * before.beta - m.m22 * before.alpha;
  PlaneOptics after;
  after.beta = (u * u + m.m12 * m.m12) / before.beta;
  after.alpha = -(u * slope + m.m12 * m.m22) / before.beta;
  after.phase = before.phase + std::atan2(m.m12, u);
  after.dispersion = m.m11 * before.dispersion + m.m12 * before.dispersion_slope + m.d1;
  after.dispersion_slope = m.m21 * before.dispersion + m.m22 * before.dispersion_slope + m.d2;
  return after;
}

MatchedSize matched_size(const PlaneOptics& optics, double emittance, double spread) {
  require_not_negative("emittance", emittance);
  require_not_negative("spread", spread);
  const double by_momentum = optics.dispersion * spread;
  const double slope_by_momentum = optics.dispersion_slope * spread;
  return {std::sqrt(optics.beta * emittance + by_momentum * by_momentum),
          std::sqrt(optics.gamma() * emittance + slope_by_momentum * slope_by_momentum),
          -optics.alpha * emittance + by_momentum * slope_by_momentum};
}

}  // namespace tessera::pic
