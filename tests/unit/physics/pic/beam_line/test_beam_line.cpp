#include "core/base/error.hpp"
#include "physics/pic/beam_line/beam_line.hpp"
#include "physics/pic/beam_line/map_algebra.hpp"
#include "tests/support/relative.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <string>

namespace tessera::pic {
namespace {

constexpr double pi = std::numbers::pi;

/// A FODO cell of thin lenses: half a focusing lens, drift, defocusing lens, drift, the other half.
BeamLine thin_cell(double focal_length, double drift) {
  BeamLine line({2});
  line.add("half qf", ThinQuadrupole{0.5 / focal_length});
  line.add("drift", Drift{drift});
  line.add("qd", ThinQuadrupole{-1 / focal_length});
  line.add("drift", Drift{drift});
  line.add("half qf", ThinQuadrupole{0.5 / focal_length});
  return line;
}

/// A ring of `cells` FODO cells with bends.
BeamLine ring(int cells) {
  BeamLine line({2});
  const double angle = 2 * pi / (2 * cells);
  for (int k = 0; k < cells; ++k) {
    line.add("qf", Quadrupole{0.3, 1.2});
    line.add("d", Drift{0.2});
    line.add("bend", SectorDipole{1, angle});
    line.add("d", Drift{0.2});
    line.add("qd", Quadrupole{0.3, -1.2});
    line.add("d", Drift{0.2});
    line.add("bend", SectorDipole{1, angle});
    line.add("d", Drift{0.2});
  }
  return line;
}

TEST_CASE("the phase advance of a cell of thin lenses") {
  for (const double focal_length : {0.6, 1.0, 3.0, 100.0}) {
    const double drift = 1;
    const BeamLine cell = thin_cell(focal_length, drift);
    CHECK(cell.length() == 2 * drift);
    // The length of the cell is twice the drift: sin(mu / 2) = length / (4 f).
    const double mu = 2 * std::asin(cell.length() / (4 * focal_length));
    const PlaneOptics x = cell.periodic_optics(Plane::x);
    const PlaneOptics y = cell.periodic_optics(Plane::y);
    CHECK(x.phase == test::relative(mu).epsilon(1e-12));
    CHECK(y.phase == test::relative(mu).epsilon(1e-12));
    CHECK(x.tune() == test::relative(mu / (2 * pi)).epsilon(1e-12));
    // Wiedemann: beta has its maximum and minimum in the lenses.
    const double up = 1 + std::sin(mu / 2);
    const double down = 1 - std::sin(mu / 2);
    CHECK(x.beta == test::relative(cell.length() * up / std::sin(mu)).epsilon(1e-12));
    CHECK(y.beta == test::relative(cell.length() * down / std::sin(mu)).epsilon(1e-11));
    CHECK(std::abs(x.alpha) < 1e-10);
    CHECK(std::abs(y.alpha) < 1e-10);
    CHECK(x.gamma() == test::relative(1 / x.beta));
  }
}

TEST_CASE("an unstable cell names the plane and the trace") {
  const BeamLine cell = thin_cell(0.4, 1);
  for (const Plane plane : {Plane::x, Plane::y}) {
    try {
      (void)cell.periodic_optics(plane);
      FAIL("no error");
    } catch (const UnstableOpticsError& error) {
      CHECK(error.plane() == plane);
      // 2 - (drift / f)^2
      CHECK(error.trace() == test::relative(2 - 6.25));
      CHECK(std::string(error.what())
                .find(plane == Plane::x ? "plane x: the trace is -4.2"
                                        : "plane y: the trace is -4.2") != std::string::npos);
    }
  }
  // Optics that are stable in one plane only, and at the limit of stability.
  BeamLine lens({2});
  lens.add("q", Quadrupole{1, 1});
  CHECK(lens.periodic_optics(Plane::x).beta == test::relative(1));
  CHECK_THROWS_AS((void)lens.periodic_optics(Plane::y), UnstableOpticsError);
  CHECK_THROWS_AS((void)BeamLine({2}).periodic_optics(Plane::x), UnstableOpticsError);
  LinearMap not_a_number;
  not_a_number.matrix[0][0] = NAN;
  CHECK_THROWS_AS((void)periodic_optics(not_a_number, Plane::x), Error);
}

TEST_CASE("optics come back after a turn, with whole turns of phase") {
  const BeamLine line = ring(16);
  CHECK(line.length() == test::relative(16 * 3.4));
  const LinearMap turn = line.map();
  CHECK(symplectic_error(turn, line.reference()) < 1e-11);
  for (const Plane plane : {Plane::x, Plane::y}) {
    const auto along = line.optics_along(plane);
    REQUIRE(along.size() == line.places().size() + 1);
    CHECK(along.back().beta == test::relative(along.front().beta).epsilon(1e-11));
    CHECK(along.back().alpha == test::relative(along.front().alpha).epsilon(1e-11));
    CHECK(along.back().dispersion == doctest::Approx(along.front().dispersion).epsilon(1e-11));
    CHECK(std::abs(along.back().dispersion_slope - along.front().dispersion_slope) < 1e-11);
    CHECK(along.front().phase == 0);
    const double tune = line.periodic_optics(plane).tune();
    CHECK(tune > 1);
    // A matrix determines only the fractional tune.
    const double rest = periodic_optics(turn, plane).tune();
    CHECK(tune - std::floor(tune) == test::relative(rest).epsilon(1e-11));
    const int u = plane == Plane::x ? 0 : 2;
    CHECK(std::cos(2 * pi * tune) ==
          test::relative((turn.matrix[u][u] + turn.matrix[u + 1][u + 1]) / 2).epsilon(1e-11));
    // One of sixteen equal cells.
    CHECK(ring(16).periodic_optics(plane).tune() ==
          test::relative(16 * along[8].phase / (2 * pi)).epsilon(1e-11));
  }
  CHECK(line.periodic_optics(Plane::x).dispersion > 0.1);
  CHECK(line.periodic_optics(Plane::y).dispersion == 0);
}

TEST_CASE("the dispersion is the orbit of a particle of other momentum") {
  const BeamLine line = ring(12);
  const LinearMap turn = line.map();
  const PlaneOptics x = line.periodic_optics(Plane::x);
  const double orbit[6] = {x.dispersion, x.dispersion_slope, 0, 0, 0, 1};
  for (int i = 0; i < 4; ++i) {
    double sum = 0;
    for (int j = 0; j < 6; ++j)
      sum += turn.matrix[i][j] * orbit[j];
    CHECK(std::abs(sum - orbit[i]) < 1e-11);
  }
}

TEST_CASE("second moments that are matched come back") {
  const BeamLine line = ring(8);
  const LinearMap turn = line.map();
  const PlaneOptics x = line.periodic_optics(Plane::x);
  const double emittance = 2e-6;
  const double spread = 1e-3;
  const MatchedSize matched = matched_size(x, emittance, spread);
  CHECK(matched_size(x, emittance).size == test::relative(std::sqrt(x.beta * emittance)));
  double moments[6][6] = {};
  moments[0][0] = matched.size * matched.size;
  moments[1][1] = matched.divergence * matched.divergence;
  moments[0][1] = moments[1][0] = matched.mixed;
  moments[5][5] = spread * spread;
  moments[0][5] = moments[5][0] = x.dispersion * spread * spread;
  moments[1][5] = moments[5][1] = x.dispersion_slope * spread * spread;
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) {
      double sum = 0;
      for (int k = 0; k < 6; ++k)
        for (int l = 0; l < 6; ++l)
          sum += turn.matrix[i][k] * moments[k][l] * turn.matrix[j][l];
      CHECK(std::abs(sum - moments[i][j]) < 1e-10 * (moments[0][0] + moments[1][1]));
    }
  CHECK_THROWS_AS((void)matched_size(x, -1), ArgumentError);
  CHECK_THROWS_AS((void)matched_size(x, 1, NAN), ArgumentError);
}

TEST_CASE("a line in slices has the same map") {
  BeamLine line({2});
  line.add("aperture", Aperture{ApertureShape::ellipse, 0.1, 0.1});
  line.add("q", Quadrupole{0.4, 1.5});
  line.add("edge", DipoleEdge{0.2, 0.1});
  line.add("bend", SectorDipole{1.5, 0.3});
  line.add("cavity", Cavity{1e-3, 1e8, 0});
  line.add("matrix", MatrixElement{{}, 2});
  const BeamLine cut = line.sliced(4);
  REQUIRE(cut.places().size() == 12);
  CHECK(cut.places()[1].name == "q 1/4");
  CHECK(cut.places()[4].name == "q 4/4");
  CHECK(cut.places()[10].name == "cavity");
  CHECK(cut.length() == test::relative(line.length()));
  CHECK(line.length() == test::relative(3.9));
  const LinearMap a = line.map();
  const LinearMap b = cut.map();
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j)
      CHECK(std::abs(a.matrix[i][j] - b.matrix[i][j]) < 1e-14);
  CHECK(line.sliced(1).places().size() == 6);
  CHECK_THROWS_AS((void)line.sliced(0), ArgumentError);
  CHECK(cut.transport_elements().size() == 12);
  CHECK(cut.transport_elements()[0].kind == ElementKind::ellipse_aperture);
}

TEST_CASE("constant parts go through what comes behind them") {
  MatrixElement kick;
  kick.map.constant[1] = 1e-3;
  BeamLine line({2});
  line.add("kick", kick);
  line.add("drift", Drift{2});
  CHECK(line.map().constant[0] == test::relative(2e-3));
  CHECK(line.map().constant[1] == 1e-3);
  CHECK(line.map().matrix[0][1] == 2);
}

TEST_CASE("what a line refuses") {
  CHECK_THROWS_AS(BeamLine({-1}), ArgumentError);
  BeamLine line({2});
  try {
    line.add("q7", Quadrupole{1, NAN});
    FAIL("no error");
  } catch (const ArgumentError& error) {
    CHECK(error.argument() == "q7");
    CHECK(std::string(error.what()).find("k1") != std::string::npos);
  }
  CHECK(line.places().empty());
  CHECK(line.length() == 0);
  // A solenoid couples the planes.
  line.add("solenoid", Solenoid{1, 0.5});
  CHECK_THROWS_AS((void)line.periodic_optics(Plane::x), ArgumentError);
  CHECK_THROWS_AS((void)optics_behind(PlaneOptics{0, 0}, LinearMap{}, Plane::x), ArgumentError);
}

}  // namespace
}  // namespace tessera::pic
