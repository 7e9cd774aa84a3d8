#include "physics/md/langevin/langevin.hpp"
#include "tests/conformance/moving_atoms.hpp"
#include "tests/support/relative.hpp"
#include "tests/support/target.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

/// \file
/// Properties of md/langevin that need no oracle.

namespace tessera::md {
namespace {

template <class P>
struct Atoms : test::MovingAtoms<P> {
  std::vector<std::int64_t> ids;
  std::vector<double> heat;

  explicit Atoms(std::int64_t count)
      : test::MovingAtoms<P>(count), heat(static_cast<std::size_t>(count)) {
    for (std::int64_t i = 0; i < count; ++i)
      ids.push_back(7 * i + 3);
  }
};

struct Bath {
  double keep = 0.9;
  std::vector<double> noise = {0.5, 0.25};
  std::uint64_t seed = 5;
  std::int64_t step = 11;
  double total_half_mass = 0;
};

template <class P>
void run(const Implementation<Langevin, P>& implementation, Atoms<P>& atoms,
         const std::vector<IntegratePhase>& phases, const Bath& bath = {}) {
  const Context context = test::context();
  const auto count = static_cast<std::int64_t>(atoms.types.size());
  test::MovingAtomArrays<P> arrays(context, atoms);
  Array<std::int64_t> ids(context, atoms.ids);
  Array<double> noise(context, bath.noise);
  Array<double> half_mass(context, std::vector<double>{0.5, 1.0});
  Array<double> heat(context, atoms.heat);
  const auto plan = implementation.make_plan({count, 2}, context, {});
  for (const IntegratePhase phase : phases)
    plan->execute({arrays.positions.rows(3), arrays.velocities.rows(3), arrays.forces.rows(3),
                   arrays.types.view(), ids.view(), arrays.force_to_accel.view(), noise.view(),
                   half_mass.view(), heat.view(), 0.0037, bath.keep, bath.seed, bath.step, phase,
                   bath.total_half_mass});
  arrays.fetch(atoms);
  atoms.heat = heat.to_host();
}

TEST_CASE("the fused phase has the bits of the two it stands for") {
  test::with_target<Langevin>([]<class P>(const Implementation<Langevin, P>& implementation) {
    // Skips the oracle, which computes in double and rounds once per call, so that two calls
    // differ.
    if (test::target().info().name == "reference") return;
    Atoms<P> fused(1000);
    Atoms<P> apart = fused;
    run(implementation, fused, {IntegratePhase::close_and_open});
    run(implementation, apart, {IntegratePhase::close, IntegratePhase::open});
    CHECK(fused.positions == apart.positions);
    CHECK(fused.velocities == apart.velocities);
    CHECK(fused.heat == apart.heat);
  });
}

TEST_CASE("atoms in reverse order get the same noise") {
  test::with_target<Langevin>([]<class P>(const Implementation<Langevin, P>& implementation) {
    for (const double total_half_mass : {0.0, 51 * 0.5 + 50 * 1.0}) {
      // Skips the oracle, whose sum of momenta depends on the order of the atoms.
      if (total_half_mass > 0 && test::target().info().name == "reference") return;
      Bath bath;
      bath.total_half_mass = total_half_mass;
      Atoms<P> forward(101);
      Atoms<P> backward = forward;
      const auto turn = [](Atoms<P>& atoms) {
        const Atoms<P> old = atoms;
        const std::size_t n = old.types.size();
        for (std::size_t i = 0; i < n; ++i) {
          atoms.types[i] = old.types[n - 1 - i];
          atoms.ids[i] = old.ids[n - 1 - i];
          atoms.heat[i] = old.heat[n - 1 - i];
          for (std::size_t d = 0; d < 3; ++d) {
            atoms.positions[3 * i + d] = old.positions[3 * (n - 1 - i) + d];
            atoms.velocities[3 * i + d] = old.velocities[3 * (n - 1 - i) + d];
            atoms.forces[3 * i + d] = old.forces[3 * (n - 1 - i) + d];
          }
        }
      };
      turn(backward);
      run(implementation, forward, {IntegratePhase::open}, bath);
      run(implementation, backward, {IntegratePhase::open}, bath);
      turn(backward);
      CHECK(forward.positions == backward.positions);
      CHECK(forward.velocities == backward.velocities);
      CHECK(forward.heat == backward.heat);
    }
  });
}

TEST_CASE("noise has the width asked for, and changes with id, step and seed") {
  test::with_target<Langevin>([]<class P>(const Implementation<Langevin, P>& implementation) {
    const auto velocities_after = [&](const Bath& bath, std::int64_t shift) {
      Atoms<P> atoms(40000);
      for (auto& id : atoms.ids)
        id += shift;
      std::fill(atoms.velocities.begin(), atoms.velocities.end(), typename P::Storage(0));
      std::fill(atoms.forces.begin(), atoms.forces.end(), typename P::Storage(0));
      run(implementation, atoms, {IntegratePhase::open}, bath);
      return atoms.velocities;
    };
    Bath bath;
    bath.noise = {2, 2};
    const auto v = velocities_after(bath, 0);
    double mean = 0;
    double square = 0;
    double fourth = 0;
    for (const auto x : v) {
      mean += x;
      square += static_cast<double>(x) * x;
      fourth += std::pow(static_cast<double>(x), 4);
    }
    const auto n = static_cast<double>(v.size());
    // Three standard errors of Gaussian moments.
    CHECK(std::abs(mean / n) < 3 * 2 / std::sqrt(n));
    CHECK(std::abs(square / n - 4) < 3 * 4 * std::sqrt(2 / n));
    CHECK(std::abs(fourth / n - 48) < 3 * 16 * std::sqrt(96 / n));
    const auto correlation = [&](const std::vector<typename P::Storage>& other) {
      double sum = 0;
      for (std::size_t i = 0; i < v.size(); ++i)
        sum += static_cast<double>(v[i]) * other[i];
      return std::abs(sum / n / 4) * std::sqrt(n);
    };
    CHECK(correlation(v) > 300);
    Bath later = bath;
    ++later.step;
    CHECK(correlation(velocities_after(later, 0)) < 4);
    Bath other = bath;
    ++other.seed;
    CHECK(correlation(velocities_after(other, 0)) < 4);
    CHECK(correlation(velocities_after(bath, 1)) < 4);
  });
}

TEST_CASE("heat is what the bath changed of the kinetic energy") {
  test::with_target<Langevin>([]<class P>(const Implementation<Langevin, P>& implementation) {
    Atoms<P> atoms(333);
    std::fill(atoms.forces.begin(), atoms.forces.end(), typename P::Storage(0));
    const auto kinetic = [&] {
      double sum = 0;
      for (std::size_t i = 0; i < atoms.velocities.size(); ++i) {
        const auto v = static_cast<double>(atoms.velocities[i]);
        sum += (atoms.types[i / 3] == 0 ? 0.5 : 1.0) * v * v;
      }
      return sum;
    };
    const double before = kinetic();
    run(implementation, atoms, {IntegratePhase::open, IntegratePhase::close});
    const double given = std::accumulate(atoms.heat.begin(), atoms.heat.end(), 0.0);
    const double tolerance = sizeof(typename P::Storage) == 8 ? 1e-12 : 1e-5;
    CHECK(kinetic() - before == test::relative(given).epsilon(tolerance));
    CHECK(std::abs(given) > 1);
  });
}

TEST_CASE("noise that carries no momentum gives none to the whole, and the right width to each") {
  test::with_target<Langevin>([]<class P>(const Implementation<Langevin, P>& implementation) {
    // Masses 1 and 2; each heavy atom has a considerable part of the total mass.
    constexpr std::int64_t count = 5;
    constexpr double whole = 3 * 1 + 2 * 2;
    double square[2] = {0, 0};
    constexpr int samples = 2000;
    for (int sample = 0; sample < samples; ++sample) {
      Atoms<P> atoms(count);
      std::fill(atoms.velocities.begin(), atoms.velocities.end(), typename P::Storage(0));
      std::fill(atoms.forces.begin(), atoms.forces.end(), typename P::Storage(0));
      Bath bath;
      bath.noise = {1, std::sqrt(0.5)};
      bath.step = sample;
      bath.total_half_mass = 0.5 * whole;
      run(implementation, atoms, {IntegratePhase::open}, bath);
      double momentum[3] = {0, 0, 0};
      for (std::size_t c = 0; c < atoms.velocities.size(); ++c) {
        const auto v = static_cast<double>(atoms.velocities[c]);
        const double mass = atoms.types[c / 3] == 0 ? 1 : 2;
        momentum[c % 3] += mass * v;
        square[atoms.types[c / 3]] += mass * v * v;
      }
      const double tolerance = sizeof(typename P::Storage) == 8 ? 1e-14 : 1e-5;
      for (const double p : momentum)
        REQUIRE(std::abs(p) < tolerance);
    }
    // m v^2 is kT (1 - m / M) for each component, within three standard errors of a Gaussian.
    CHECK(square[0] / (9.0 * samples) ==
          test::relative(1 - 1 / whole).epsilon(3 * std::sqrt(2 / (9.0 * samples))));
    CHECK(square[1] / (6.0 * samples) ==
          test::relative(1 - 2 / whole).epsilon(3 * std::sqrt(2 / (6.0 * samples))));
  });
}

TEST_CASE("without friction atoms fly straight, and closing moves none") {
  test::with_target<Langevin>([]<class P>(const Implementation<Langevin, P>& implementation) {
    Atoms<P> atoms(31);
    std::fill(atoms.forces.begin(), atoms.forces.end(), typename P::Storage(0));
    const Atoms<P> start = atoms;
    Bath none;
    none.keep = 1;
    none.noise = {0, 0};
    run(implementation, atoms, {IntegratePhase::open, IntegratePhase::close}, none);
    CHECK(atoms.velocities == start.velocities);
    for (std::size_t i = 0; i < atoms.positions.size(); ++i)
      CHECK(static_cast<double>(atoms.positions[i]) ==
            test::relative(start.positions[i] + 0.0037 * start.velocities[i]).epsilon(1e-6));
    const auto moved = atoms.positions;
    run(implementation, atoms, {IntegratePhase::close});
    CHECK(atoms.positions == moved);
  });
}

}  // namespace
}  // namespace tessera::md
