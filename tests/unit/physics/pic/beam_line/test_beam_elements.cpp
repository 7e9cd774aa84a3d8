#include "core/base/error.hpp"
#include "physics/pic/beam_line/beam_element.hpp"
#include "physics/pic/beam_line/focusing.hpp"
#include "physics/pic/beam_line/map_algebra.hpp"
#include "tests/support/relative.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

namespace tessera::pic {
namespace {

double largest(const LinearMap& map) {
  double most = 0;
  for (const auto& row : map.matrix)
    for (const double number : row)
      most = std::fmax(most, std::abs(number));
  return most;
}

double difference(const LinearMap& a, const LinearMap& b) {
  double most = 0;
  for (int i = 0; i < 6; ++i) {
    most = std::fmax(most, std::abs(a.constant[i] - b.constant[i]));
    for (int j = 0; j < 6; ++j)
      most = std::fmax(most, std::abs(a.matrix[i][j] - b.matrix[i][j]));
  }
  return most;
}

const BeamElement examples[] = {Drift{2.5},
                                Drift{-1},
                                Quadrupole{0.4, 1.7},
                                Quadrupole{0.4, -1.7},
                                Quadrupole{0.4, 0},
                                Quadrupole{0.4, 1e-300},
                                Quadrupole{30, -0.1},
                                SectorDipole{1.5, 0.3},
                                SectorDipole{1.5, -0.3},
                                SectorDipole{1.5, 0},
                                SectorDipole{1.5, 0.3, 2},
                                SectorDipole{1.5, 0.3, -2},
                                SectorDipole{1.5, 0.3, -0.04},
                                SectorDipole{20, 6},
                                DipoleEdge{0.2, 0.15},
                                Solenoid{0.8, 1.9},
                                Solenoid{0.8, -1.9},
                                Solenoid{0.8, 0},
                                ThinQuadrupole{0.7},
                                Cavity{1e-3, 4e8, 0.5},
                                Cavity{1e-3, 0, 0.5},
                                Aperture{ApertureShape::ellipse, 1, 1}};

TEST_CASE("maps of all elements are symplectic with the energy as partner of the time") {
  for (const double gamma : {1.001, 2.0, 1e4}) {
    const auto reference = ReferenceParticle::with_gamma(gamma);
    for (const BeamElement& element : examples) {
      const LinearMap map = linear_map(element, reference);
      const double size = 1 + largest(map);
      CAPTURE(gamma);
      CAPTURE(element.index());
      CHECK(symplectic_error(map, reference) < 4e-16 * size * size);
    }
  }
}

TEST_CASE("what is not symplectic is told, and so is dpop as partner of the time") {
  const ReferenceParticle reference{0.75};  // beta 0.6
  LinearMap map;
  map.matrix[1][1] = 1.5;
  CHECK(symplectic_error(map, reference) == 0.5);
  // A dipole couples x to dpop: it is symplectic with the energy as partner of the time, and not
  // with dpop, which the check takes for a reference with beta near 1.
  map = linear_map(SectorDipole{1, 0.5}, reference);
  CHECK(symplectic_error(map, reference) < 1e-15);
  CHECK(symplectic_error(map, {1e8}) > 0.1);
  map.matrix[0][0] = NAN;
  CHECK(std::isnan(symplectic_error(map, reference)));
}

TEST_CASE("equal parts one after another are the whole element") {
  const ReferenceParticle reference{1.3};
  for (const BeamElement& element : examples) {
    if (length(element) == 0) continue;
    for (const int count : {1, 2, 7}) {
      const BeamElement one = part(element, count);
      CHECK(length(one) * count == test::relative(length(element)).epsilon(1e-15));
      const LinearMap map = linear_map(one, reference);
      LinearMap product;
      for (int k = 0; k < count; ++k)
        product = composed(map, product);
      const LinearMap whole = linear_map(element, reference);
      CAPTURE(element.index());
      CHECK(difference(product, whole) < 1e-14 * (1 + largest(whole)));
    }
  }
}

TEST_CASE("focusing is smooth through zero") {
  const double length = 1.7;
  for (const double k : {1e-3, 1e-6, 1e-12, 1e-200, 0.0, -1e-12, -1e-3}) {
    const Focusing f = focusing(k, length);
    const double u = k * length * length;
    CHECK(f.cosine == test::relative(1 - u / 2 + u * u / 24).epsilon(1e-9));
    CHECK(f.sine == test::relative(length * (1 - u / 6 + u * u / 120)).epsilon(1e-9));
    CHECK(f.cosine_missing ==
          test::relative(length * length * (0.5 - u / 24 + u * u / 720)).epsilon(1e-9));
    CHECK(f.sine_missing ==
          test::relative(std::pow(length, 3) * (1.0 / 6 - u / 120 + u * u / 5040)).epsilon(1e-9));
  }
  // Continuity at the limit of the series.
  for (const double sign : {1.0, -1.0}) {
    const Focusing below = focusing(sign * (1 - 1e-15), 1);
    const Focusing above = focusing(sign * (1 + 1e-15), 1);
    CHECK(below.sine_missing == test::relative(above.sine_missing).epsilon(1e-14));
  }
}

TEST_CASE("maps with numbers that are known") {
  const ReferenceParticle reference{0.75};  // gamma 1.25, beta 0.6
  const double quarter = std::numbers::pi / 2;
  const LinearMap quadrupole = linear_map(Quadrupole{quarter, 1}, reference);
  CHECK(quadrupole.matrix[0][1] == test::relative(1));
  CHECK(quadrupole.matrix[1][0] == test::relative(-1));
  CHECK(std::abs(quadrupole.matrix[0][0]) < 1e-15);
  CHECK(quadrupole.matrix[2][2] == test::relative(std::cosh(quarter)));
  CHECK(quadrupole.matrix[3][2] == test::relative(std::sinh(quarter)));
  // L / (beta gamma^2)
  CHECK(linear_map(Drift{3}, reference).matrix[4][5] == test::relative(-3 / (0.6 * 1.5625)));

  // Half a turn of radius 2: a particle of higher momentum is displaced by twice the difference of
  // radii, and its path is longer by the difference of half circles.
  const LinearMap half_turn =
      linear_map(SectorDipole{2 * std::numbers::pi, std::numbers::pi}, reference);
  CHECK(half_turn.matrix[0][0] == test::relative(-1));
  CHECK(half_turn.matrix[0][5] == test::relative(4));
  CHECK(std::abs(half_turn.matrix[1][5]) < 1e-15);
  CHECK(half_turn.matrix[2][3] == test::relative(2 * std::numbers::pi));
  CHECK(half_turn.matrix[4][1] == test::relative(4 / 0.6));
  CHECK(half_turn.matrix[4][5] == test::relative(2 * std::numbers::pi / 0.6 * (1 - 1 / 1.5625)));

  // With edges of half the angle the magnet acts as a drift horizontally.
  const double angle = 0.4;
  const double length = 2;
  const LinearMap edge = linear_map(DipoleEdge{angle / length, angle / 2}, reference);
  const LinearMap magnet =
      composed(edge, composed(linear_map(SectorDipole{length, angle}, reference), edge));
  CHECK(magnet.matrix[0][0] == test::relative(1));
  CHECK(std::abs(magnet.matrix[1][0]) < 1e-16);
  CHECK(magnet.matrix[0][1] == test::relative(length / angle * std::sin(angle)));
  CHECK(magnet.matrix[3][2] < -0.03);

  // A thin quadrupole is the limit of a thick one.
  const LinearMap thin = linear_map(ThinQuadrupole{0.3}, reference);
  CHECK(difference(linear_map(Quadrupole{1e-9, 0.3e9}, reference), thin) < 1e-8);
}

TEST_CASE("a solenoid turns the plane of motion and focuses") {
  const ReferenceParticle reference{1};
  const double length = 1.2;
  const double ks = 0.8;
  const LinearMap map = linear_map(Solenoid{length, ks}, reference);
  // In a frame rotated by K L it is a lens of strength K^2 in both planes.
  const double angle = ks / 2 * length;
  LinearMap turn;
  for (const int i : {0, 1}) {
    turn.matrix[i][i] = turn.matrix[i + 2][i + 2] = std::cos(angle);
    turn.matrix[i][i + 2] = std::sin(angle);
    turn.matrix[i + 2][i] = -std::sin(angle);
  }
  const Focusing f = focusing(ks * ks / 4, length);
  LinearMap lens;
  for (const int u : {0, 2}) {
    lens.matrix[u][u] = lens.matrix[u + 1][u + 1] = f.cosine;
    lens.matrix[u][u + 1] = f.sine;
    lens.matrix[u + 1][u] = -ks * ks / 4 * f.sine;
  }
  lens.matrix[4][5] = map.matrix[4][5];
  CHECK(difference(composed(turn, lens), map) < 1e-15);
  // A positive particle that moves up is bent towards positive x: x'' = ks y'.
  CHECK(linear_map(Solenoid{1e-3, 1}, reference).matrix[0][3] ==
        test::relative(5e-7).epsilon(1e-6));
}

TEST_CASE("a cavity around its phase") {
  const ReferenceParticle reference{0.75};
  const Cavity cavity{1e-6, 299792458 / (2 * std::numbers::pi), 0.3};
  CHECK(wave_number(cavity) == test::relative(1).epsilon(1e-15));
  const LinearMap map = linear_map(cavity, reference);
  CHECK(map.constant[5] == test::relative(1e-6 / 0.6 * std::sin(0.3)));
  CHECK(map.matrix[5][4] == test::relative(1e-6 / 0.6 * std::cos(0.3)));
  // 1 MV for a proton whose momentum is 0.75 of its mass.
  CHECK(relative_energy(1e6, 938.272046e6, reference) == test::relative(1e6 / 703.7040345e6));
  const Element element = transport_element(cavity, reference);
  CHECK(element.kind == ElementKind::cavity);
  CHECK(element.energy_gain == 1e-6);
  CHECK(element.wave_number == wave_number(cavity));
  CHECK(element.phase == 0.3);
}

TEST_CASE("what transport takes of each element") {
  const ReferenceParticle reference{1};
  CHECK(transport_element(Drift{2}, reference).kind == ElementKind::drift);
  CHECK(transport_element(Drift{2}, reference).length == 2);
  const Element quadrupole = transport_element(Quadrupole{1, 2}, reference);
  CHECK(quadrupole.kind == ElementKind::linear_map);
  CHECK(difference(quadrupole.map, linear_map(Quadrupole{1, 2}, reference)) == 0);
  const Element aperture =
      transport_element(Aperture{ApertureShape::ellipse, 1, 2, 3, 4}, reference);
  CHECK(aperture.kind == ElementKind::ellipse_aperture);
  CHECK(aperture.half_y == 2);
  CHECK(aperture.center_x == 3);
  CHECK(transport_element(Aperture{ApertureShape::rectangle, 1, 1}, reference).kind ==
        ElementKind::rectangle_aperture);
  MatrixElement matrix;
  matrix.map.matrix[2][5] = 7;
  matrix.map.constant[0] = 8;
  CHECK(transport_element(matrix, reference).map.matrix[2][5] == 7);
  CHECK(linear_map(matrix, reference).constant[0] == 8);
}

TEST_CASE("elements that make no sense are refused by name") {
  MatrixElement not_finite;
  not_finite.map.matrix[3][3] = NAN;
  const std::pair<BeamElement, const char*> wrong[] = {
      {Drift{NAN}, "length"},
      {Drift{INFINITY}, "length"},
      {Quadrupole{-1, 1}, "length"},
      {Quadrupole{1, NAN}, "k1"},
      {SectorDipole{0, 0.1}, "length"},
      {SectorDipole{1, INFINITY}, "angle"},
      {SectorDipole{1, 0.1, NAN}, "k1"},
      {DipoleEdge{NAN, 0}, "curvature"},
      {DipoleEdge{0.1, 1.6}, "angle"},
      {DipoleEdge{0.1, NAN}, "angle"},
      {Solenoid{-1, 1}, "length"},
      {Solenoid{1, NAN}, "ks"},
      {ThinQuadrupole{NAN}, "k1l"},
      {Cavity{NAN, 1, 0}, "energy_gain"},
      {Cavity{1, -1, 0}, "frequency"},
      {Cavity{1, NAN, 0}, "frequency"},
      {Cavity{1, 1, INFINITY}, "phase"},
      {Aperture{ApertureShape::ellipse, -1, 1}, "half_x"},
      {Aperture{ApertureShape::ellipse, 1, NAN}, "half_y"},
      {Aperture{ApertureShape::ellipse, 1, 0}, "half_y"},
      {Aperture{ApertureShape::ellipse, 1, 1, INFINITY}, "center_x"},
      {Aperture{ApertureShape::ellipse, 1, 1, 0, NAN}, "center_y"},
      {not_finite, "matrix"},
      {MatrixElement{{}, -1}, "length"}};
  for (const auto& [element, argument] : wrong) {
    std::string found;
    try {
      check_beam_element(element);
    } catch (const ArgumentError& error) {
      found = error.argument();
    }
    CHECK(found == argument);
    CHECK_THROWS_AS((void)linear_map(element, {1}), ArgumentError);
    CHECK_THROWS_AS((void)transport_element(element, {1}), ArgumentError);
    CHECK_THROWS_AS((void)part(element, 1), ArgumentError);
  }
  CHECK_THROWS_AS((void)linear_map(Drift{1}, {0}), ArgumentError);
  CHECK_THROWS_AS((void)transport_element(Drift{1}, {NAN}), ArgumentError);
  CHECK_THROWS_AS((void)part(Drift{1}, 0), ArgumentError);
  CHECK_THROWS_AS((void)part(ThinQuadrupole{1}, 2), ArgumentError);
  CHECK_THROWS_AS((void)part(MatrixElement{{}, 1}, 2), ArgumentError);
}

}  // namespace
}  // namespace tessera::pic
