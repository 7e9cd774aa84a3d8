#include "core/base/error.hpp"
#include "core/memory/array.hpp"
#include "core/operations/registry.hpp"
#include "physics/pic/beam_parameters.hpp"
#include "physics/pic/bunch_statistics/bunch_statistics.hpp"
#include "tests/support/relative.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace tessera::pic {
namespace {

struct Ellipse {
  double emittance, alpha, beta;
};

constexpr Ellipse ellipses[] = {{2e-6, -1.3, 5}, {7e-7, 0.4, 12}, {3e-4, 0, 80}};

/// Moments of a matched beam: emittance times (beta, -alpha; -alpha, gamma) in each plane.
BunchMoments matched() {
  BunchMoments moments;
  moments.particles = 1000;
  for (int p = 0; p < 3; ++p) {
    const auto [emittance, alpha, beta] = ellipses[p];
    moments.second[2 * p][2 * p] = emittance * beta;
    moments.second[2 * p + 1][2 * p + 1] = emittance * (1 + alpha * alpha) / beta;
    moments.second[2 * p][2 * p + 1] = moments.second[2 * p + 1][2 * p] = -emittance * alpha;
  }
  return moments;
}

/// Moments in coordinates rotated by an angle in the plane of columns a and b, and in that of their
/// momenta, columns a + 1 and b + 1.
BunchMoments turned(const BunchMoments& moments, int a, int b, double angle) {
  const long double c = std::cos(static_cast<long double>(angle));
  const long double s = std::sin(static_cast<long double>(angle));
  long double turn[6][6] = {};
  for (int k = 0; k < 6; ++k)
    turn[k][k] = 1;
  for (int k = 0; k < 2; ++k) {
    turn[a + k][a + k] = turn[b + k][b + k] = c;
    turn[a + k][b + k] = s;
    turn[b + k][a + k] = -s;
  }
  BunchMoments out = moments;
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) {
      long double sum = 0;
      for (int k = 0; k < 6; ++k)
        for (int l = 0; l < 6; ++l)
          sum += turn[i][k] * static_cast<long double>(moments.second[k][l]) * turn[j][l];
      out.second[i][j] = static_cast<double>(sum);
    }
  return out;
}

doctest::Approx about(double value, double digits = 1e-14) {
  return test::relative(value).epsilon(digits);
}

TEST_CASE("a matched beam has the optical functions that it was made of") {
  const ReferenceParticle reference{0.75};
  const BeamParameters beam = beam_parameters(matched(), reference);
  for (int p = 0; p < 3; ++p) {
    const auto [emittance, alpha, beta] = ellipses[p];
    CHECK(beam.plane[p].emittance == about(emittance));
    CHECK(beam.plane[p].normalised_emittance == about(0.75 * emittance));
    CHECK(beam.plane[p].beta == about(beta));
    CHECK(beam.plane[p].gamma == about((1 + alpha * alpha) / beta));
    if (alpha == 0)
      CHECK(beam.plane[p].alpha == 0);
    else
      CHECK(beam.plane[p].alpha == about(alpha));
    CHECK(beam.deviation[2 * p] == about(std::sqrt(emittance * beta)));
    CHECK(beam.correlation[2 * p][2 * p] == about(1));
    CHECK(beam.correlation[2 * p][2 * p + 1] ==
          doctest::Approx(-alpha / std::sqrt(1 + alpha * alpha)));
  }
  const double four = ellipses[0].emittance * ellipses[1].emittance;
  CHECK(beam.emittance_4d == about(four));
  CHECK(beam.emittance_6d == about(four * ellipses[2].emittance));
  CHECK(beam.normalised_emittance_4d == about(0.5625 * four));
  CHECK(beam.normalised_emittance_6d == about(0.421875 * four * ellipses[2].emittance));
}

TEST_CASE("coupling changes the emittance of planes, not that of four and six dimensions") {
  const ReferenceParticle reference{100};
  const BeamParameters upright = beam_parameters(matched(), reference);
  for (const double angle : {0.1, 0.7, 1.2}) {
    const BeamParameters in_xy = beam_parameters(turned(matched(), 0, 2, angle), reference);
    CHECK(in_xy.plane[1].emittance > 1.05 * upright.plane[1].emittance);
    CHECK(in_xy.emittance_4d == about(upright.emittance_4d, 1e-12));
    CHECK(in_xy.emittance_6d == about(upright.emittance_6d, 1e-12));
    const BeamParameters all =
        beam_parameters(turned(turned(matched(), 0, 2, angle), 2, 4, 0.5 * angle), reference);
    CHECK(std::abs(all.emittance_4d / upright.emittance_4d - 1) > 0.01);
    CHECK(all.emittance_6d == about(upright.emittance_6d, 1e-10));
  }
}

TEST_CASE("an emittance that is small beside its moments keeps its digits") {
  // (n + 1)^2 - n^2 = 2 n + 1, for numbers whose squares exceed the digits of a double.
  BunchMoments moments = matched();
  const double n = 1e12;
  moments.second[0][0] = moments.second[1][1] = n + 1;
  moments.second[0][1] = moments.second[1][0] = n;
  const BeamParameters beam = beam_parameters(moments, {1});
  CHECK(beam.plane[0].emittance == about(std::sqrt(2 * n + 1), 1e-15));
  CHECK(beam.emittance_4d == about(std::sqrt(2 * n + 1) * ellipses[1].emittance));
}

TEST_CASE("particles on a line have no emittance and no optical functions") {
  BunchMoments moments = matched();
  moments.second[0][0] = 4;
  moments.second[1][1] = 1;
  moments.second[0][1] = moments.second[1][0] = -2;
  moments.second[4][4] = moments.second[4][5] = moments.second[5][4] = 0;
  const BeamParameters beam = beam_parameters(moments, {1});
  CHECK(beam.plane[0].emittance == 0);
  CHECK(std::isnan(beam.plane[0].beta));
  CHECK(std::isnan(beam.plane[0].alpha));
  CHECK(std::isnan(beam.plane[2].gamma));
  CHECK(beam.correlation[0][1] == -1);
  CHECK(std::isnan(beam.correlation[4][4]));
  CHECK(beam.emittance_4d == 0);
  CHECK(beam.emittance_6d == 0);
  // A constant coordinate has no correlation with another, regardless of rounding errors.
  moments.second[4][5] = moments.second[5][4] = 1e-51;
  CHECK(std::isnan(beam_parameters(moments, {1}).correlation[4][5]));
  CHECK(beam_parameters(moments, {1}).plane[2].emittance == 0);
  // Rounding of the moments may make the determinant negative.
  moments.second[0][1] = moments.second[1][0] = -std::nextafter(2.0, 3.0);
  CHECK(beam_parameters(moments, {1}).plane[0].emittance == 0);
  CHECK(beam_parameters(moments, {1}).correlation[0][1] == -1);
}

/// Particles with all combinations of signs of deviations, so that all moments are known; their
/// mean is 1 m, and their width about 1e-9 m.
TEST_CASE("a beam from the statistics of its particles, narrow and far from zero") {
  const Context context = registry().open("serial");
  const double step = 0x1p-30;
  std::vector<double> coordinates;
  for (unsigned signs = 0; signs < 64; ++signs) {
    double unit[6];
    for (unsigned a = 0; a < 6; ++a)
      unit[a] = (signs >> a & 1u) != 0 ? step : -step;
    // x' is correlated with x, z with y.
    const double row[] = {1 + unit[0], 1 + unit[0] + unit[1], 1 + 2 * unit[2],
                          1 + unit[3], 1 + unit[2] + unit[4], 1 + 4 * unit[5]};
    coordinates.insert(coordinates.end(), row, row + 6);
  }
  Array<double> array(context, coordinates);
  Array<double> result(context, bunch_number::count);
  for (const Determinism determinism : {Determinism::none, Determinism::any_order}) {
    BunchStatisticsArgs<double> args;
    args.coordinates = array.rows(6);
    args.result = result.view();
    bunch_statistics(context, args, determinism);
    const BeamParameters beam = beam_parameters(BunchMoments(result.to_host()), {1});
    const double square = step * step;
    CHECK(beam.deviation[0] == about(step));
    CHECK(beam.plane[0].emittance == about(square));
    CHECK(beam.plane[0].alpha == about(-1));
    CHECK(beam.plane[0].beta == about(1));
    CHECK(beam.plane[0].gamma == about(2));
    CHECK(beam.plane[1].emittance == about(2 * square));
    CHECK(beam.plane[2].emittance == about(std::sqrt(32.0) * square));
    CHECK(beam.emittance_4d == about(2 * square * square));
    // The determinant of y and z together: 4 2 - 2^2 = 4.
    CHECK(beam.emittance_6d == about(8 * square * square * square));
  }
}

TEST_CASE("moments and reference particles that make no beam are refused by name") {
  const auto argument = [](const BunchMoments& moments, const ReferenceParticle& reference) {
    try {
      (void)beam_parameters(moments, reference);
    } catch (const ArgumentError& error) {
      return error.argument();
    }
    return std::string("none");
  };
  BunchMoments moments = matched();
  CHECK(argument(moments, {1}) == "none");
  for (const double wrong : {0.0, -1.0, static_cast<double>(NAN), static_cast<double>(INFINITY)})
    CHECK(argument(moments, {wrong}) == "reference");
  moments.particles = 0;
  CHECK(argument(moments, {1}) == "moments");
  moments = matched();
  moments.second[3][4] = NAN;
  CHECK(argument(moments, {1}) == "moments");
  moments = matched();
  moments.second[3][3] = -1e-9;
  CHECK(argument(moments, {1}) == "moments");
}

}  // namespace
}  // namespace tessera::pic
