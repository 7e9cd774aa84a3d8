#include "core/memory/array.hpp"
#include "physics/pic/bunch_statistics/bunch_statistics.hpp"
#include "physics/pic/generate/bunch.hpp"
#include "physics/pic/poisson_solve/poisson_solve.hpp"
#include "tests/analytic/pic/backends.hpp"
#include "tests/analytic/pic/fodo_channel.hpp"
#include "tests/analytic/pic/kv_envelope.hpp"
#include "tests/support/relative.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

/// \file
/// A beam of Kapchinskij and Vladimirskij in a channel of quadrupoles follows the envelope
/// equations.

namespace tessera::pic::analytic {
namespace {

constexpr double degree = std::numbers::pi / 180;
/// A matched beam with a phase advance of 60 degrees per cell without space charge, and of 51
/// degrees with it.
struct KvBeam {
  static constexpr double emittance = 4e-5;  ///< four times the rms emittance [m]
  static constexpr double period = 0.5;      ///< length of the bunch in the laboratory frame [m]
  static constexpr std::int64_t planes = 8;
  static constexpr std::int64_t particles = 200000;
  static constexpr int slices = 4;  ///< slices of each of five elements: 20 kicks in a cell
  static constexpr int nodes_across = 64;
  /// Transverse half width of the domain, over the largest radius of the beam.
  static constexpr double room = 1.25;

  ReferenceParticle reference{0.8};
  FodoCell cell{reference, 60 * degree};
  EnvelopeProblem problem;
  Envelope start;

  KvBeam() {
    problem.focusing = [this](double place) { return cell.focusing(place); };
    problem.cell = cell.line.length();
    problem.steps = 2000;  // quadrupoles end between steps
    problem.emittance = emittance;
    Envelope guess;
    guess.a = std::sqrt(emittance * cell.line.periodic_optics(Plane::x).beta);
    guess.b = std::sqrt(emittance * cell.line.periodic_optics(Plane::y).beta);
    start = matched_with_phase(problem, guess, 51 * degree);
  }
  KvBeam(const KvBeam&) = delete;
  KvBeam& operator=(const KvBeam&) = delete;

  /// Charge of a macro-particle, from K = 2 k_e q lambda / (m c^2 beta^2 gamma^3).
  [[nodiscard]] double charge() const {
    const double line_density = problem.perveance * proton_energy * reference.beta_gamma *
                                reference.beta_gamma * reference.gamma() / (2 * coulomb_constant);
    return line_density * period / static_cast<double>(particles);
  }

  [[nodiscard]] SpaceChargeOptions options(double macro_charge) const {
    SpaceChargeOptions options;
    options.charge = macro_charge;
    options.rest_energy = proton_energy;
    options.reference = reference;
    options.domain.kind = DomainKind::fixed;
    options.domain.periodic_z = true;
    options.domain.period = reference.gamma() * period;
    options.domain.nodes[0] = options.domain.nodes[1] = nodes_across;
    options.domain.nodes[2] = planes;
    // start.a is the largest radius in both planes: y has it half a cell later.
    options.domain.size[0] = options.domain.size[1] = 2 * room * start.a;
    options.domain.size[2] = options.domain.period;
    return options;
  }

  [[nodiscard]] std::vector<double> bunch() const {
    BunchDescription description;
    description.kind = BunchKind::kv;
    description.particles = particles;
    description.match_moments = true;
    const double radii[] = {start.a, start.b};
    for (int plane = 0; plane < 2; ++plane) {
      const double slope = emittance / radii[plane];
      description.covariance[2 * plane][2 * plane] = radii[plane] * radii[plane] / 4;
      description.covariance[2 * plane + 1][2 * plane + 1] = slope * slope / 4;
    }
    const double length = period / reference.beta();  // length in c times time
    description.covariance[4][4] = length * length / 12;
    return generate_bunch(description);
  }
};

/// Largest relative difference, over all cells, between a radius of the tracked beam at the end of
/// a cell and that of the envelope equations.
double worst_radius(const Context& context, const KvBeam& beam, double macro_charge, int cells) {
  constexpr std::int64_t particles = KvBeam::particles;
  Bunch<Double> bunch(context, beam.bunch());
  Channel channel(context, beam.cell.line, KvBeam::slices, particles, beam.options(macro_charge));
  REQUIRE(channel.kicks_of_cell() >= 20);
  Array<double> numbers(context, bunch_number::count);
  Envelope expected = beam.start;
  double worst = 0;
  for (int cell = 0; cell < cells; ++cell) {
    channel.advance_cell(bunch);
    expected = advanced(beam.problem, expected, 0, beam.problem.steps);
    BunchStatisticsArgs<double> args;
    args.coordinates = bunch.coordinates.rows(6);
    args.result = numbers.view();
    bunch_statistics(context, args);
    const BunchMoments moments(numbers.to_host());
    REQUIRE(moments.particles == particles);
    const double radii[] = {expected.a, expected.b};
    for (int plane = 0; plane < 2; ++plane) {
      const double radius = 2 * std::sqrt(moments.second[2 * plane][2 * plane]);
      worst = std::fmax(worst, std::abs(radius / radii[plane] - 1));
    }
  }
  // Only a small fraction of particles may leave the domain.
  CHECK(channel.outside() < 1e-4 * static_cast<double>(particles) * cells);
  return worst;
}

TEST_CASE("a KV beam follows the envelope equations over 100 cells, and not without its charge") {
  const KvBeam beam;
  // Checks that the solution of the envelope equations has converged, and is periodic.
  EnvelopeProblem fine = beam.problem;
  fine.steps *= 2;
  const Envelope end = advanced(beam.problem, beam.start, 0, beam.problem.steps);
  const Envelope finer = advanced(fine, beam.start, 0, fine.steps);
  CHECK(end.phase_x == test::relative(51 * degree).epsilon(1e-9));
  CHECK(end.phase_y == test::relative(51 * degree).epsilon(1e-9));
  CHECK(std::abs(end.a - finer.a) < 1e-9 * end.a);
  CHECK(std::abs(end.b - finer.b) < 1e-9 * end.b);
  CHECK(std::abs(end.a - beam.start.a) < 1e-6 * end.a);
  one_backend([&](const Context& context) {
    const double with_charge = worst_radius(context, beam, beam.charge(), 100);
    const double without = worst_radius(context, beam, 0, 10);
    MESSAGE("perveance " << beam.problem.perveance << ", radii " << beam.start.a << " and "
                         << beam.start.b << " m: largest difference " << with_charge
                         << ", without charge " << without);
    CHECK(with_charge < 0.01);
    CHECK(without > 0.01);
  });
}

}  // namespace
}  // namespace tessera::pic::analytic
