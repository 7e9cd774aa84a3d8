#include "physics/pic/beam_line/beam_line.hpp"
#include "physics/pic/beam_line/map_algebra.hpp"
#include "tests/conformance/pic_transport/bunch.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>

/// \file
/// pic/transport compared with linear optics; symplecticity.

namespace tessera::pic {
namespace {

using namespace transport_test;

template <class Storage>
double root_mean_square(const std::vector<Storage>& values, std::size_t column) {
  double sum = 0;
  for (std::size_t k = column; k < values.size(); k += 6)
    sum += static_cast<double>(values[k]) * static_cast<double>(values[k]);
  return std::sqrt(sum / (static_cast<double>(values.size()) / 6));
}

/// Canonical coordinates with exact energies: (x, x', y, y', cdt, -dE / (p_ref c)).
std::array<double, 6> canonical(const double* v, const ReferenceParticle& reference) {
  const double mass_squared = 1 / (reference.beta_gamma * reference.beta_gamma);
  const double more = v[5] * (2 + v[5]);
  const double energy = 1 / reference.beta();
  return {v[0], v[1], v[2], v[3], v[4], -more / (std::sqrt(1 + more + mass_squared) + energy)};
}

double momentum_of(double minus_energy, const ReferenceParticle& reference) {
  const double more = -minus_energy * (2 / reference.beta() - minus_energy);
  return more / (1 + std::sqrt(1 + more));
}

/// Largest element of J^T S J - S, where S is the symplectic form, and J the Jacobian of an element
/// at a particle, by fourth-order differences.
template <class P>
double symplectic_error(const Implementation<Transport, P>& implementation, const Element& element,
                        const std::array<double, 6>& particle, const ReferenceParticle& reference,
                        double step) {
  using Storage = typename P::Storage;
  const std::array<double, 6> center = canonical(particle.data(), reference);
  std::vector<Storage> start;
  for (std::size_t c = 0; c < 6; ++c)
    for (const double multiple : {-2.0, -1.0, 1.0, 2.0}) {
      std::array<double, 6> w = center;
      w[c] += multiple * step;
      w[5] = momentum_of(w[5], reference);
      for (const double number : w)
        start.push_back(static_cast<Storage>(number));
    }
  Bunch<P> bunch(implementation, start, reference);
  CHECK(bunch.through(element) == 0);
  const std::vector<Storage> end = bunch.coordinates();
  double jacobian[6][6];
  for (std::size_t c = 0; c < 6; ++c) {
    std::array<double, 6> at[4];
    double place[4];
    for (std::size_t k = 0; k < 4; ++k) {
      double v[6], before[6];
      for (std::size_t i = 0; i < 6; ++i) {
        v[i] = static_cast<double>(end[24 * c + 6 * k + i]);
        before[i] = static_cast<double>(start[24 * c + 6 * k + i]);
      }
      at[k] = canonical(v, reference);
      place[k] = canonical(before, reference)[c];
    }
    // Takes the step from the stored coordinates, which are rounded.
    const double h = (8 * (place[2] - place[1]) - (place[3] - place[0])) / 12;
    for (std::size_t i = 0; i < 6; ++i)
      jacobian[i][c] = (8 * (at[2][i] - at[1][i]) - (at[3][i] - at[0][i])) / 12 / h;
  }
  double worst = 0;
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) {
      double bracket = i / 2 == j / 2 ? i - j : 0;
      for (int k = 0; k < 6; k += 2)
        bracket += jacobian[k][i] * jacobian[k + 1][j] - jacobian[k + 1][i] * jacobian[k][j];
      worst = std::fmax(worst, std::abs(bracket));
    }
  return worst;
}

TESSERA_PROPERTY(Transport, "100 cells one element after another are the product of their maps") {
  using Storage = typename P::Storage;
  const ReferenceParticle reference{2};
  BeamLine cell(reference);
  const auto linear = [&](const BeamElement& element) {
    return MatrixElement{linear_map(element, reference), length(element)};
  };
  cell.add("qf", Quadrupole{0.25, 1.1});
  cell.add("edge", DipoleEdge{0.05, 0.025});
  cell.add("bend", SectorDipole{1, 0.05});
  cell.add("edge", DipoleEdge{0.05, 0.025});
  cell.add("qd", Quadrupole{0.25, -1.2});
  cell.add("solenoid", Solenoid{0.3, 0.2});
  cell.add("drift", linear(Drift{0.7}));
  cell.add("rf", linear(Cavity{1e-3, 1e7, 0}));
  cell.add("thin", ThinQuadrupole{0.02});
  std::vector<Element> elements = cell.transport_elements();
  LinearMap product;
  for (int k = 0; k < 100; ++k)
    product = composed(cell.map(), product);
  const std::vector<Storage> start = random_bunch<Storage>(1000);
  Bunch<P> bunch(implementation, start, reference);
  for (int k = 0; k < 100; ++k)
    for (const Element& element : elements)
      CHECK(bunch.through(element) == 0);
  const std::vector<Storage> end = bunch.coordinates();
  std::vector<double> expected;
  for (std::size_t p = 0; p < start.size(); p += 6)
    for (std::size_t i = 0; i < 6; ++i) {
      double sum = product.constant[i];
      for (std::size_t j = 0; j < 6; ++j)
        sum += product.matrix[i][j] * static_cast<double>(start[p + j]);
      expected.push_back(sum);
    }
  for (std::size_t column = 0; column < 6; ++column) {
    double worst = 0;
    for (std::size_t k = column; k < end.size(); k += 6)
      worst = std::fmax(worst, std::abs(static_cast<double>(end[k]) - expected[k]));
    CAPTURE(column);
    CHECK(worst < (sizeof(Storage) == 8 ? 1e-12 : 2e-5) * root_mean_square(expected, column));
  }
}

TESSERA_PROPERTY(Transport, "drift and cavity are symplectic") {
  const bool twice = sizeof(typename P::Storage) == 8;
  const std::array<double, 6> particles[] = {
      {0, 0, 0, 0, 0, 0}, {1e-3, 0.05, -2e-3, -0.08, 0.1, 0.04}, {0, 0.2, 0, 0.1, -0.2, -0.1}};
  for (const double gamma : {1.2, 3.0, 100.0})
    for (const auto& particle : particles) {
      const auto reference = ReferenceParticle::with_gamma(gamma);
      const double step = twice ? 2e-4 : 1e-2;
      const double tolerance = twice ? 1e-9 : 2e-4;
      CAPTURE(gamma);
      CHECK(symplectic_error(implementation, drift(0.7), particle, reference, step) < tolerance);
      const Element cavity = transport_element(Cavity{0.03, 1e8, 0.6}, reference);
      CHECK(symplectic_error(implementation, cavity, particle, reference, step) < tolerance);
    }
}

TESSERA_PROPERTY(Transport, "the exact drift is the linear one for small angles") {
  using Storage = typename P::Storage;
  const ReferenceParticle reference{1.5};
  const BeamElement two_metres = Drift{2};
  Element linear;
  linear.kind = ElementKind::linear_map;
  linear.map = linear_map(two_metres, reference);
  // The difference is of second order: a tenth of the amplitude gives a hundredth of it.
  double difference[2];
  for (const int k : {0, 1}) {
    const auto start = random_bunch<Storage>(1000, k == 0 ? 1 : 0.1);
    Bunch<P> exact(implementation, start, reference);
    Bunch<P> approximate(implementation, start, reference);
    CHECK(exact.through(drift(2)) == 0);
    CHECK(approximate.through(linear) == 0);
    const auto a = exact.coordinates();
    const auto b = approximate.coordinates();
    difference[k] = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
      difference[k] = std::fmax(difference[k], std::abs(static_cast<double>(a[i] - b[i])));
  }
  CHECK(difference[0] > 1e-5);
  CHECK(difference[0] < 5e-4);
  const double ratio = difference[0] / difference[1];
  CHECK(ratio > (sizeof(Storage) == 8 ? 95 : 80));
  CHECK(ratio < (sizeof(Storage) == 8 ? 105 : 120));
}

TESSERA_PROPERTY(Transport, "the exact cavity is the linear one for small gains") {
  using Storage = typename P::Storage;
  const ReferenceParticle reference{1.5};
  const std::vector<Storage> start = random_bunch<Storage>(1000, 0.1);
  // At small amplitudes a tenth of the gain gives at most a tenth of the difference.
  double share[2];
  for (const int k : {0, 1}) {
    const double gain = k == 0 ? 1e-2 : 1e-3;
    const BeamElement cavity = Cavity{gain, 1e8, 0.7};
    Element linear;
    linear.kind = ElementKind::linear_map;
    linear.map = linear_map(cavity, reference);
    Bunch<P> exact(implementation, start, reference);
    Bunch<P> approximate(implementation, start, reference);
    CHECK(exact.through(transport_element(cavity, reference)) == 0);
    CHECK(approximate.through(linear) == 0);
    const auto a = exact.coordinates();
    const auto b = approximate.coordinates();
    double worst = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (i % 6 == 5)
        worst = std::fmax(worst, std::abs(static_cast<double>(a[i] - b[i])));
      else
        CHECK(a[i] == b[i]);
    }
    share[k] = worst / gain;
  }
  CHECK(share[0] > 1e-4);
  CHECK(share[0] < 3e-3);
  CHECK(share[1] < 1e-3);
}

}  // namespace
}  // namespace tessera::pic
