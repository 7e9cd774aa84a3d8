#include "core/base/error.hpp"
#include "core/memory/copy_view.hpp"
#include "physics/pic/generate/bunch.hpp"
#include "physics/pic/poisson_solve/poisson_solve.hpp"
#include "physics/pic/space_charge/space_charge_kick.hpp"
#include "tests/analytic/pic/backends.hpp"
#include "tests/analytic/pic/bunch.hpp"
#include "tests/support/relative.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

/// \file
/// The complete space-charge kick compared with closed forms, on every available backend.

namespace tessera::pic::analytic {
namespace {

/// Coordinates of a bunch that is a Gaussian sphere in the frame of the beam, with standard
/// deviations of 1 mm and without deviations of momentum.
std::vector<double> sphere(std::int64_t particles, const ReferenceParticle& reference) {
  BunchDescription description;
  description.particles = particles;
  description.match_moments = true;
  description.cutoff = 5;
  for (int a = 0; a < 6; ++a)
    description.covariance[a][a] = 1e-6;
  std::vector<double> bunch = generate_bunch(description);
  for (std::size_t p = 0; p < bunch.size(); p += 6) {
    bunch[p + 1] = bunch[p + 3] = bunch[p + 5] = 0;
    bunch[p + 4] /= reference.beta_gamma;  // z* = -beta gamma c dt
  }
  return bunch;
}

SpaceChargeOptions options_for(std::int64_t nodes, std::int64_t particles) {
  SpaceChargeOptions options;
  for (std::int64_t& n : options.domain.nodes)
    n = nodes;
  options.domain.kind = DomainKind::all;
  options.charge = 1e9 * elementary_charge / static_cast<double>(particles);
  options.rest_energy = proton_energy;
  options.reference.beta_gamma = 0.5;
  return options;
}

TEST_CASE("a Gaussian sphere pushes itself as it should") {
  each_backend([](const Context& context) {
    const std::int64_t particles = 100000;
    SpaceChargeOptions options = options_for(48, particles);
    const std::vector<double> before = sphere(particles, options.reference);
    Bunch<Double> bunch(context, before);
    SpaceChargeKick<Double> kick(context, particles, options);
    const double length = 0.7;
    const KickReport report = kick(bunch.arrays(), length);
    CHECK(report.outside == 0);
    CHECK(report.impossible == 0);
    const std::vector<double> after = bunch.by_id();
    const double beta_gamma = options.reference.beta_gamma;
    const double factor = length / (beta_gamma * beta_gamma * proton_energy);
    const double charge = options.charge * static_cast<double>(particles);
    double wrong = 0;
    double right = 0;
    double sum[2] = {0, 0};
    double size = 0;
    for (std::size_t p = 0; p < before.size(); p += 6) {
      const double place[3] = {before[p], before[p + 2], -beta_gamma * before[p + 4]};
      const double r = std::hypot(place[0], place[1], place[2]);
      const double s = r / 1e-3;
      const double field = coulomb_constant * charge / (r * r) *
                           (std::erf(s / std::sqrt(2.0)) -
                            std::sqrt(2 / std::numbers::pi) * s * std::exp(-s * s / 2));
      for (int a = 0; a < 2; ++a) {
        const double expected = factor * field * place[a] / r;
        const double found = after[p + 2 * static_cast<std::size_t>(a) + 1];
        wrong += (found - expected) * (found - expected);
        right += expected * expected;
        sum[a] += found;
        size += std::abs(found);
      }
    }
    CHECK(std::sqrt(wrong / right) < 0.05);
    CHECK(std::abs(sum[0]) < 1e-12 * size);
    CHECK(std::abs(sum[1]) < 1e-12 * size);
    // The force is repulsive along the beam too: particles ahead (cdt < 0) gain energy.
    double along = 0;
    for (std::size_t p = 0; p < before.size(); p += 6)
      along -= before[p + 4] * after[p + 5];
    CHECK(along > 0);
    for (std::size_t p = 0; p < before.size(); p += 6) {
      REQUIRE(after[p] == before[p]);
      REQUIRE(after[p + 4] == test::relative(before[p + 4]).epsilon(1e-14));
    }
  });
}

/// The kick is dp / p = 2 N r_p D / (L beta^2 gamma^3 r); the numbers are those of Synergia's test.
TEST_CASE("a probe beside a rod gets the kick of a line of charge") {
  each_backend([](const Context& context) {
    constexpr double length = 0.1;
    constexpr double charges = 5e9;
    constexpr double probe = 80e-6;
    constexpr int planes = 4;
    struct Known {
      double gamma, kick;
    };
    for (const Known& known : {Known{61.0 / 60, 5.613989e-3}, Known{61.0 / 11, 1.1627296e-6}}) {
      CAPTURE(known.gamma);
      SpaceChargeOptions options;
      options.reference = ReferenceParticle::with_gamma(known.gamma);
      options.rest_energy = proton_energy;
      options.domain.kind = DomainKind::fixed;
      options.domain.periodic_z = true;
      options.domain.period = options.reference.gamma() * length;
      options.domain.nodes[0] = options.domain.nodes[1] = 256;
      options.domain.nodes[2] = planes;
      options.domain.size[0] = options.domain.size[1] = 200e-6;
      options.domain.size[2] = options.domain.period;
      // The rod has eight particles in each plane of nodes, 1 um off the axis. The probe comes
      // last.
      std::vector<double> rod;
      for (int plane = 0; plane < planes; ++plane)
        for (int corner = 0; corner < 8; ++corner) {
          const double angle = std::numbers::pi / 4 * corner;
          const double cdt = length / options.reference.beta() * plane / planes;
          rod.insert(rod.end(), {1e-6 * std::cos(angle), 0, 1e-6 * std::sin(angle), 0, cdt, 0});
        }
      std::vector<double> weights(rod.size() / 6, 1);
      options.charge = charges * elementary_charge / static_cast<double>(weights.size());
      rod.insert(rod.end(), {probe, 0, 0, 0, 0.03, 0});
      weights.push_back(0);
      Bunch<Double> bunch(context, rod);
      Array<double> weight(context, weights);
      BunchArrays<double> arrays = bunch.arrays();
      arrays.weights = weight.view();
      SpaceChargeKick<Double> kick(context, bunch.particles, options);
      CHECK(kick(arrays, length).outside == 0);
      const std::vector<double> after = bunch.by_id();
      const std::size_t last = after.size() - 6;
      CHECK(std::abs(after[last + 1] / known.kick - 1) < 1e-4);
      CHECK(std::abs(after[last + 3]) < 1e-10 * known.kick);
    }
  });
}

TEST_CASE("kicks go with length and charge, and not with the order of particles") {
  each_backend([](const Context& context) {
    const std::int64_t particles = 3000;
    SpaceChargeOptions options = options_for(16, particles);
    const std::vector<double> before = sphere(particles, options.reference);
    const auto momenta = [&](const SpaceChargeOptions& of, double length, int kicks = 1) {
      Bunch<Double> bunch(context, before);
      SpaceChargeKick<Double> kick(context, particles, of);
      for (int k = 0; k < kicks; ++k)
        kick(bunch.arrays(), length);
      return bunch.by_id();
    };
    const std::vector<double> once = momenta(options, 0.1);
    const std::vector<double> longer = momenta(options, 0.3);
    SpaceChargeOptions stronger = options;
    stronger.charge *= 3;
    const std::vector<double> three = momenta(stronger, 0.1);
    SpaceChargeOptions in_order = options;
    in_order.reorder_every = 1;
    const std::vector<double> reordered = momenta(in_order, 0.1, 3);
    double largest = 0;
    for (std::size_t p = 0; p < once.size(); p += 6)
      largest = std::fmax(largest, std::abs(once[p + 1]));
    CHECK(largest > 0);
    for (std::size_t p = 0; p < once.size(); p += 6)
      for (const std::size_t c : {p + 1, p + 3}) {
        REQUIRE(std::abs(longer[c] - 3 * once[c]) < 1e-11 * largest);
        REQUIRE(std::abs(three[c] - 3 * once[c]) < 1e-11 * largest);
        REQUIRE(std::abs(reordered[c] - 3 * once[c]) < 1e-9 * largest);
      }
  });
}

TEST_CASE("a run of kicks that stops and goes on has the same bits") {
  each_backend([](const Context& context) {
    const std::int64_t particles = 2000;
    SpaceChargeOptions options = options_for(12, particles);
    options.reorder_every = 3;
    Bunch<Double> whole(context, sphere(particles, options.reference));
    Bunch<Double> parts(context, sphere(particles, options.reference));
    SpaceChargeKick<Double> kick(context, particles, options);
    for (int k = 0; k < 5; ++k)
      kick(whole.arrays(), 1e-3);
    SpaceChargeState state;
    for (const int kicks : {2, 3}) {
      SpaceChargeKick<Double> part(context, particles, options, state);
      for (int k = 0; k < kicks; ++k)
        part(parts.arrays(), 1e-3);
      state = part.state();
    }
    CHECK(state.kicks == 5);
    // Two runs may differ if the backend does not fix the order of additions.
    Bunch<Double> again(context, sphere(particles, options.reference));
    SpaceChargeKick<Double> second(context, particles, options);
    for (int k = 0; k < 5; ++k)
      second(again.arrays(), 1e-3);
    if (again.coordinates.to_host() == whole.coordinates.to_host())
      CHECK(parts.coordinates.to_host() == whole.coordinates.to_host());
    CHECK(parts.ids.to_host() == whole.ids.to_host());
    CHECK(kick.hit_rate() > 0.5);
  });
}

TEST_CASE("one particle gives itself no kick, and none is a bunch too") {
  each_backend([](const Context& context) {
    SpaceChargeOptions options = options_for(8, 1);
    options.domain.kind = DomainKind::fixed;
    for (double& size : options.domain.size)
      size = 0.01;
    const std::vector<double> one{1e-3, 0, -4e-4, 0, 2e-3, 0};
    for (const bool periodic : {false, true}) {
      options.domain.periodic_z = periodic;
      options.domain.period = 0.01;
      // Compares the kick of the particle on itself with that on another particle.
      Bunch<Double> two(context, {1e-3, 0, -4e-4, 0, 2e-3, 0, 2e-3, 0, -4e-4, 0, 2e-3, 0});
      (void)SpaceChargeKick<Double>(context, 2, options)(two.arrays(), 1);
      const double other = two.by_id()[1];
      CHECK(other < 0);
      Bunch<Double> alone(context, one);
      CHECK(SpaceChargeKick<Double>(context, 1, options)(alone.arrays(), 1).outside == 0);
      const std::vector<double> after = alone.by_id();
      for (const std::size_t c : {1u, 3u, 5u})
        CHECK(std::abs(after[c]) < 1e-12 * std::abs(other));
      Bunch<Double> nobody(context, {});
      const KickReport report = SpaceChargeKick<Double>(context, 0, options)(nobody.arrays(), 1);
      CHECK(report.moments.particles == 0);
      CHECK(report.outside == 0);
    }
  });
}

TEST_CASE("fewer than two particles at different places get no kick, in any domain") {
  each_backend([](const Context& context) {
    const std::vector<double> row{1e-3, 1e-3, -4e-4, 2e-3, 2e-3, 3e-3};
    std::vector<double> many;
    for (int p = 0; p < 5; ++p)
      many.insert(many.end(), row.begin(), row.end());
    for (const DomainKind kind : {DomainKind::n_sigma, DomainKind::all, DomainKind::fixed})
      for (const bool periodic : {false, true})
        for (const std::vector<double>& rows : {std::vector<double>{}, row, many}) {
          const auto particles = static_cast<std::int64_t>(rows.size() / 6);
          SpaceChargeOptions options = options_for(8, 1);
          options.domain.kind = kind;
          options.domain.periodic_z = periodic;
          options.domain.period = 0.01;
          options.reorder_every = 1;
          for (double& size : options.domain.size)
            size = 0.01;
          Bunch<Double> bunch(context, rows);
          SpaceChargeKick<Double> kick(context, particles, options);
          const KickReport report = kick(bunch.arrays(), 1);
          CHECK(!report.made);
          CHECK(report.moments.particles == particles);
          CHECK(bunch.coordinates.to_host() == rows);
          CHECK(kick.state() == SpaceChargeState{});
        }
    // With walls a single particle gets a kick, because the images of its charge exert a force.
    SpaceChargeOptions options = options_for(8, 1);
    options.domain.kind = DomainKind::fixed;
    options.domain.periodic_z = options.walls = true;
    options.domain.period = 0.01;
    for (double& size : options.domain.size)
      size = 0.01;
    Bunch<Double> bunch(context, row);
    SpaceChargeKick<Double> kick(context, 1, options);
    CHECK(kick(bunch.arrays(), 1).made);
    CHECK(bunch.coordinates.to_host()[1] > 1e-3);
  });
}

TEST_CASE("fields of a kick that was not made are zero, on the grid of the one before") {
  each_backend([](const Context& context) {
    const std::int64_t particles = 500;
    SpaceChargeOptions options = options_for(8, particles);
    Bunch<Double> bunch(context, sphere(particles, options.reference));
    SpaceChargeKick<Double> kick(context, particles, options);
    const Grid grid = kick(bunch.arrays(), 1e-3).grid;
    std::vector<std::uint8_t> alive(static_cast<std::size_t>(particles), 0);
    alive[7] = 1;
    bunch.alive.copy_from(alive);
    const KickReport report = kick(bunch.arrays(), 1e-3);
    CHECK(!report.made);
    CHECK(report.grid.spacing[0] == grid.spacing[0]);
    CHECK(kick.state().kicks == 1);
    for (const View<const double, 3>& nodes : {kick.density(), kick.potential(), kick.field(2)}) {
      for (const double value : to_host(context, nodes))
        if (value != 0) FAIL("a field is left: ", value);
    }
  });
}

TEST_CASE("a probe without weight feels the charge of one particle, in any domain") {
  each_backend([](const Context& context) {
    // Weights of 0 give no kick.
    for (const DomainKind kind : {DomainKind::n_sigma, DomainKind::all, DomainKind::fixed})
      for (const double weight : {1.0, 0.0}) {
        SpaceChargeOptions options = options_for(16, 1);
        options.domain.kind = kind;
        for (double& size : options.domain.size)
          size = 0.01;
        Bunch<Double> bunch(context, {1e-3, 0, 5e-4, 0, 2e-3, 0, 2.2e-3, 0, 5e-4, 0, 2e-3, 0});
        Array<double> weights(context, std::vector<double>{weight, 0});
        BunchArrays<double> arrays = bunch.arrays();
        arrays.weights = weights.view();
        SpaceChargeKick<Double> kick(context, 2, options);
        CHECK(kick(arrays, 1).made);
        const std::vector<double> after = bunch.by_id();
        if (weight == 0)
          CHECK(after[7] == 0);
        else
          CHECK(after[7] > 0);
        CHECK(std::abs(after[1]) <= 0.2 * after[7]);
      }
  });
}

TEST_CASE("particles without a frame of the beam are an error, or lost by choice") {
  each_backend([](const Context& context) {
    SpaceChargeOptions options = options_for(8, 100);
    std::vector<double> before = sphere(100, options.reference);
    before[6 * 17 + 1] = 1.5;  // transverse momentum above the total momentum
    Bunch<Double> bunch(context, before);
    SpaceChargeKick<Double> strict(context, 100, options);
    CHECK_THROWS_AS((void)strict(bunch.arrays(), 1), ParticleError);
    options.lose_impossible = true;
    Bunch<Double> other(context, before);
    SpaceChargeKick<Double> kick(context, 100, options);
    const KickReport report = kick(other.arrays(), 1);
    CHECK(report.impossible == 1);
    CHECK(report.moments.particles == 99);
    const std::vector<std::uint8_t> alive = other.alive.to_host();
    CHECK(std::count(alive.begin(), alive.end(), 0) == 1);
    CHECK(alive[17] == 0);
    CHECK(other.by_id()[6 * 17 + 1] == 1.5);
  });
}

TEST_CASE("particles that a kick turns around are an error, or lost by choice") {
  each_backend([](const Context& context) {
    SpaceChargeOptions options = options_for(8, 100);
    options.charge *= 1e7;
    const std::vector<double> before = sphere(100, options.reference);
    Bunch<Double> bunch(context, before);
    SpaceChargeKick<Double> strict(context, 100, options);
    CHECK_THROWS_AS((void)strict(bunch.arrays(), 1), ParticleError);
    options.lose_impossible = true;
    Bunch<Double> other(context, before);
    SpaceChargeKick<Double> kick(context, 100, options);
    const KickReport report = kick(other.arrays(), 1);
    const std::vector<std::uint8_t> alive = other.alive.to_host();
    CHECK(report.impossible > 0);
    CHECK(std::count(alive.begin(), alive.end(), 0) == report.impossible);
  });
}

TEST_CASE("options that make no sense are named") {
  const Context context = registry().open("serial");
  const auto refused = [&](const auto& spoil) {
    SpaceChargeOptions options = options_for(8, 100);
    spoil(options);
    try {
      const SpaceChargeKick<Double> kick(context, 100, options);
    } catch (const ArgumentError& error) {
      return error.argument();
    }
    return std::string();
  };
  CHECK(refused([](SpaceChargeOptions& o) { o.charge = NAN; }) == "charge");
  CHECK(refused([](SpaceChargeOptions& o) { o.rest_energy = 0; }) == "rest_energy");
  CHECK(refused([](SpaceChargeOptions& o) { o.reference.beta_gamma = -1; }) ==
        "reference.beta_gamma");
  CHECK(refused([](SpaceChargeOptions& o) { o.reorder_every = -1; }) == "reorder_every");
  CHECK(refused([](SpaceChargeOptions& o) { o.walls = true; }) == "walls");
  SpaceChargeKick<Double> kick(context, 100, options_for(8, 100));
  Bunch<Double> bunch(context, sphere(100, {0.5}));
  CHECK_THROWS_AS((void)kick(bunch.arrays(), NAN), ArgumentError);
}

}  // namespace
}  // namespace tessera::pic::analytic
