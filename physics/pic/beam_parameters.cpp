#include "physics/pic/beam_parameters.hpp"

#include "core/base/error.hpp"
#include "core/base/shortest_number.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace tessera::pic {
namespace {

[[noreturn]] void refuse_beam(const char* argument, const std::string& message) {
  throw ArgumentError("pic::beam_parameters", argument, message);
}

/// a b - c d without cancellation: the rounding error of c d is added back.
double difference_of_products(double a, double b, double c, double d) {
  const double product = c * d;
  const double lost = std::fma(-c, d, product);
  return std::fma(a, b, -product) + lost;
}

/// Symmetric matrix of second moments: the Schur complement that is left as plane after plane is
/// eliminated.
struct Rest {
  double c[6][6];

  [[nodiscard]] double determinant_of_plane(int plane) const {
    const int a = 2 * plane;
    return difference_of_products(c[a][a], c[a + 1][a + 1], c[a][a + 1], c[a][a + 1]);
  }

  /// Eliminates the plane from the planes behind it: D - C^T A^-1 C, with A^-1 = adj(A) / det(A).
  void eliminate(int plane, double determinant) {
    const int a = 2 * plane;
    const int b = a + 1;
    double left[6][6];
    for (int i = b + 1; i < 6; ++i)
      for (int j = b + 1; j < 6; ++j) {
        const double upper = difference_of_products(c[b][b], c[a][j], c[a][b], c[b][j]);
        const double lower = difference_of_products(c[a][a], c[b][j], c[a][b], c[a][j]);
        const double shared = difference_of_products(c[a][i], upper, -c[b][i], lower);
        left[i][j] = c[i][j] - shared / determinant;
      }
    for (int i = b + 1; i < 6; ++i)
      for (int j = b + 1; j < 6; ++j)
        c[i][j] = left[std::min(i, j)][std::max(i, j)];
  }
};

void require_beam(const BunchMoments& moments, const ReferenceParticle& reference) {
  if (moments.particles < 1) refuse_beam("moments", "of no particle");
  for (const auto& row : moments.second)
    for (const double c : row)
      if (!std::isfinite(c))
        refuse_beam("moments", "one is " + shortest_number(c) + ", expected finite numbers");
  for (int a = 0; a < 6; ++a)
    if (moments.second[a][a] < 0)
      refuse_beam("moments", "the square of deviation " + std::to_string(a) + " is " +
                                 shortest_number(moments.second[a][a]));
  if (!(reference.beta_gamma > 0) || !std::isfinite(reference.beta_gamma))
    refuse_beam("reference", "beta_gamma is " + shortest_number(reference.beta_gamma) +
                                 ", expected a positive number");
}

}  // namespace

BeamParameters no_beam_parameters() {
  BeamParameters none;
  std::fill(std::begin(none.deviation), std::end(none.deviation), NAN);
  for (auto& row : none.correlation)
    std::fill(std::begin(row), std::end(row), NAN);
  for (PlaneParameters& plane : none.plane)
    plane = {NAN, NAN, NAN, NAN, NAN};
  none.emittance_4d = none.emittance_6d = NAN;
  none.normalised_emittance_4d = none.normalised_emittance_6d = NAN;
  return none;
}

BeamParameters beam_parameters(const BunchMoments& moments, const ReferenceParticle& reference) {
  require_beam(moments, reference);
  BeamParameters beam;
  Rest rest{};
  for (int a = 0; a < 6; ++a) {
    beam.deviation[a] = std::sqrt(moments.second[a][a]);
    std::copy(moments.second[a], moments.second[a] + 6, rest.c[a]);
  }
  for (int a = 0; a < 6; ++a)
    for (int b = 0; b < 6; ++b) {
      const double product = beam.deviation[a] * beam.deviation[b];
      beam.correlation[a][b] =
          product > 0 ? std::clamp(moments.second[a][b] / product, -1.0, 1.0) : NAN;
    }
  const double momentum = reference.beta_gamma;
  for (int p = 0; p < 3; ++p) {
    const int a = 2 * p;
    PlaneParameters& plane = beam.plane[p];
    plane.emittance = std::sqrt(std::max(rest.determinant_of_plane(p), 0.0));
    plane.normalised_emittance = momentum * plane.emittance;
    const auto over_emittance = [&](double c) {
      return plane.emittance > 0 ? c / plane.emittance : NAN;
    };
    plane.beta = over_emittance(moments.second[a][a]);
    plane.gamma = over_emittance(moments.second[a + 1][a + 1]);
    plane.alpha = over_emittance(-moments.second[a][a + 1]);
  }
  double product = 1;
  for (int p = 0; p < 3; ++p) {
    const double determinant = std::max(rest.determinant_of_plane(p), 0.0);
    product *= std::sqrt(determinant);
    if (p == 1) beam.emittance_4d = product;
    if (determinant == 0) break;  // the products of more planes stay 0
    rest.eliminate(p, determinant);
  }
  beam.emittance_6d = product;
  beam.normalised_emittance_4d = momentum * momentum * beam.emittance_4d;
  beam.normalised_emittance_6d = momentum * momentum * momentum * beam.emittance_6d;
  return beam;
}

}  // namespace tessera::pic
