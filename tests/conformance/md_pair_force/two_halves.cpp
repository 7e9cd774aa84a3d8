#include "tests/conformance/md_pair_force/forces.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

/// \file
/// A system that is cut in two: each half, with the atoms of the other one within reach as ghosts,
/// gives the forces on its atoms, and energy and virial of the halves add up to those of the whole.

namespace tessera::md {
namespace {

/// Systems with each kind of box, list and potential, and with exclusions across the cut.
std::vector<PairForceCase> whole_systems() {
  std::vector<PairForceCase> all;
  for (const char* name : {"1000 random",
                           "slab",
                           "droplet",
                           "clustered",
                           "unwrapped",
                           "long box",
                           "three types",
                           "cutoff of half the box",
                           "tilted by 0.8",
                           "tilted, unwrapped",
                           "tilted slab",
                           "tilted, two cells",
                           "sparse",
                           "sparse, open",
                           "sparse, tilted",
                           "plane",
                           "three cutoffs",
                           "three cutoffs, open",
                           "three cutoffs, tilted",
                           "chains",
                           "melt 2048",
                           "tilted melt 6912"})
    all.push_back(make_pair_force_case(name));
  for (const char* potential : {"lj/cut+coul/rf", "lj/cut+coul/long"}) {
    all.push_back(make_water_case(potential));
    all.push_back(make_partly_charged_water(potential));
  }
  for (const std::string& potential : pair_potentials().names())
    if (!pair_potentials().find(potential).central()) all.push_back(make_potential_case(potential));
  return all;
}

/// The halves of an outcome in the rows of the whole system.
struct Joined {
  std::vector<double> forces, torques;
  double energies[2] = {};
  std::vector<double> virials[2];
};

template <class P>
Joined join(const Implementation<PairForce, P>& implementation, const PairForceCase& whole,
            Determinism determinism) {
  Joined joined;
  joined.forces.assign(whole.positions.size(), std::nan(""));
  for (int part = 0; part < 2; ++part) {
    const HalfCase half = cut_in_half(whole, part, part == 0);
    CHECK(half.system.targets() > 0);
    CHECK(half.system.ghosts > 0);
    const Outcome out = compute(implementation, half.system, part == 1, determinism);
    if (!out.torques.empty()) joined.torques.resize(whole.positions.size(), std::nan(""));
    for (std::size_t t = 0; t < static_cast<std::size_t>(half.system.targets()); ++t)
      for (std::size_t d = 0; d < 3; ++d) {
        const std::size_t at = 3 * static_cast<std::size_t>(half.rows[t]) + d;
        joined.forces[at] = out.forces[3 * t + d];
        if (!out.torques.empty()) joined.torques[at] = out.torques[3 * t + d];
      }
    joined.energies[part] = out.energy;
    joined.virials[part] = out.virial;
  }
  return joined;
}

[[nodiscard]] bool equal_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof a[0]) == 0);
}

TEST_CASE("two halves with ghosts give the forces, energy and virial of the whole") {
  test::with_target<PairForce>([]<class P>(const Implementation<PairForce, P>& implementation) {
    for (const PairForceCase& whole : whole_systems()) {
      CAPTURE(whole.name);
      if (implementation.can_run(pair_force_problem_of(whole), test::context())) continue;
      const Outcome expected = compute(implementation, whole);
      const Joined joined = join(implementation, whole, Determinism::none);
      // Both parts compute the same pairs; only roundings of coordinates and sums differ.
      const double tolerance = 0.1 * same_forces<P>;
      CHECK(relative_difference(joined.forces, expected.forces) < tolerance);
      if (!expected.torques.empty())
        CHECK(relative_difference(joined.torques, expected.torques) < tolerance);
      // Energies of opposite signs may cancel, pressures do: the sums are as uncertain as forces
      // times the distance of neighbors.
      double scale = std::abs(expected.energy);
      for (const double force : expected.forces)
        scale += std::abs(force);
      CHECK(std::abs(joined.energies[0] + joined.energies[1] - expected.energy) <
            tolerance * scale);
      for (std::size_t c = 0; c < 6; ++c)
        CHECK(std::abs(joined.virials[0][c] + joined.virials[1][c] - expected.virial[c]) <
              tolerance * scale);
    }
  });
}

TEST_CASE("two halves in any order: the forces have the bits of the whole") {
  test::with_target<PairForce>([]<class P>(const Implementation<PairForce, P>& implementation) {
    if (most_determinism(implementation.info()) < Determinism::any_order) return;
    std::vector<PairForceCase> systems = whole_systems();
    for (PairForceCase& whole : systems) {
      CAPTURE(whole.name);
      // The default skin depends on the number of atoms, and the unit of coordinates on the skin.
      whole.skin = 0.1 * whole.coefficients.largest_cutoff();
      PairForceProblem problem = pair_force_problem_of(whole);
      problem.determinism = Determinism::any_order;
      if (implementation.can_run(problem, test::context())) continue;
      const Outcome expected = compute(implementation, whole, false, Determinism::any_order);
      const Joined joined = join(implementation, whole, Determinism::any_order);
      CHECK(equal_bits(joined.forces, expected.forces));
      CHECK(equal_bits(joined.torques, expected.torques));
      // The integers of both halves add up to that of the whole. Each of the three numbers is
      // rounded once.
      constexpr double epsilon = std::numeric_limits<double>::epsilon();
      const auto check = [](double a, double b, double sum) {
        CHECK(std::abs(a + b - sum) <= 2 * epsilon * (std::abs(a) + std::abs(b) + std::abs(sum)));
      };
      check(joined.energies[0], joined.energies[1], expected.energy);
      for (std::size_t c = 0; c < 6; ++c)
        check(joined.virials[0][c], joined.virials[1][c], expected.virial[c]);
    }
  });
}

TEST_CASE("a ghost at the position of a target is an error, two ghosts at one position are none") {
  test::with_target<PairForce>([]<class P>(const Implementation<PairForce, P>& implementation) {
    PairForceCase system = pair_at(1.2);
    system.positions.insert(system.positions.end(), {6, 6.5, 5, 6, 6.5, 5});
    system.types = {0, 0, 0, 0};
    system.ghosts = 2;
    const Outcome out = compute(implementation, system);
    CHECK(std::isfinite(out.energy));
    PairForceCase apart = system;
    apart.positions[9] = 16;
    PairForceCase alone = apart;
    alone.positions[6] = 16;
    // The energy of both ghosts is twice that of one of them.
    const double pair = compute(implementation, alone).energy;
    const double one = compute(implementation, apart).energy - pair;
    CHECK(out.energy - pair == doctest::Approx(2 * one).epsilon(1e-5));
    system.positions[3] = 6;
    system.positions[4] = 6.5;
    CHECK_THROWS_AS((void)compute(implementation, system), ParticleError);
  });
}

}  // namespace
}  // namespace tessera::md
