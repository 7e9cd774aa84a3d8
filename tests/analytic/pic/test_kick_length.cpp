#include "physics/pic/generate/bunch.hpp"
#include "tests/analytic/pic/backends.hpp"
#include "tests/analytic/pic/fodo_channel.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <vector>

/// \file
/// Tracking errors of steps of half a slice, a kick and half a slice are of second order in the
/// length of a slice.

namespace tessera::pic::analytic {
namespace {

constexpr std::int64_t tracked = 4000;

/// Coordinates of the particles of a bunch after two cells.
std::vector<double> behind(const Context& context, int slices) {
  const ReferenceParticle reference{0.8};
  const FodoCell cell(reference, std::numbers::pi / 3);
  BunchDescription description;
  description.particles = tracked;
  description.cutoff = 3;
  description.match_moments = true;
  constexpr double emittance = 1e-5;
  for (int plane = 0; plane < 2; ++plane) {
    const double beta = cell.line.periodic_optics(plane == 0 ? Plane::x : Plane::y).beta;
    description.covariance[2 * plane][2 * plane] = beta * emittance;
    description.covariance[2 * plane + 1][2 * plane + 1] = emittance / beta;
  }
  description.covariance[4][4] = 1e-4;
  SpaceChargeOptions options;
  options.charge = 5e10 * elementary_charge / static_cast<double>(tracked);
  options.rest_energy = proton_energy;
  options.reference = reference;
  options.shape_order = 3;  // forces with continuous derivatives
  options.domain.kind = DomainKind::fixed;
  const double size[3] = {0.06, 0.06, 0.1};
  for (int a = 0; a < 3; ++a) {
    options.domain.nodes[a] = 16;
    options.domain.size[a] = size[a];
  }
  Bunch<Double> bunch(context, generate_bunch(description));
  Channel channel(context, cell.line, slices, tracked, options);
  for (int k = 0; k < 2; ++k)
    channel.advance_cell(bunch);
  CHECK(channel.outside() == 0);
  return bunch.by_id();
}

TEST_CASE("halving the length of kicks makes errors a quarter") {
  each_backend([](const Context& context) {
    std::vector<std::vector<double>> ends;
    for (const int slices : {4, 8, 16, 32})
      ends.push_back(behind(context, slices));
    for (std::size_t c = 0; c < 6; ++c) {
      CAPTURE(c);
      // Rms differences between the results with one length of slices and with half of it.
      std::vector<double> differences;
      for (std::size_t k = 0; k + 1 < ends.size(); ++k) {
        double sum = 0;
        for (std::size_t i = c; i < ends[k].size(); i += 6)
          sum += std::pow(ends[k][i] - ends[k + 1][i], 2);
        differences.push_back(std::sqrt(sum / static_cast<double>(tracked)));
      }
      for (std::size_t k = 0; k + 1 < differences.size(); ++k) {
        const double order = std::log2(differences[k] / differences[k + 1]);
        MESSAGE("coordinate " << c << ": " << differences[k] << ", order " << order);
        CHECK(order >= 1.9);
      }
    }
  });
}

}  // namespace
}  // namespace tessera::pic::analytic
