#include "tests/conformance/md_pair_force/forces.hpp"
#include "tests/support/print_bits.hpp"
#include "tests/support/relative.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <random>
#include <string>
#include <vector>

/// \file
/// Problems with Determinism::any_order, which sum in fixed point: bits do not depend on the order
/// of the atoms or on other outputs of the call, and a pair beyond the range of the sums is an
/// error.

namespace tessera::md {
namespace {

template <class P>
[[nodiscard]] bool offers_any_order(const Implementation<PairForce, P>& implementation) {
  return most_determinism(implementation.info()) >= Determinism::any_order;
}

template <class P>
[[nodiscard]] Outcome in_any_order(const Implementation<PairForce, P>& implementation,
                                   const PairForceCase& system, bool tallied = true) {
  return compute(implementation, system, false, Determinism::any_order, tallied);
}

[[nodiscard]] bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof a[0]) == 0;
}

/// \param place atom p of the shuffled system is atom place[p] of `system`.
[[nodiscard]] PairForceCase shuffled(const PairForceCase& system,
                                     const std::vector<std::size_t>& place) {
  PairForceCase other = system;
  for (std::size_t p = 0; p < place.size(); ++p) {
    other.types[p] = system.types[place[p]];
    for (std::size_t d = 0; d < 3; ++d)
      other.positions[3 * p + d] = system.positions[3 * place[p] + d];
  }
  return other;
}

TEST_CASE("any order: the same bits for shuffled atoms, with energies and without") {
  test::with_target<PairForce>([]<class P>(const Implementation<PairForce, P>& implementation) {
    if (!offers_any_order(implementation)) return;
    for (const char* name : {"1000 random", "three types", "tilted by 0.8", "droplet"}) {
      CAPTURE(name);
      const PairForceCase system = make_pair_force_case(name);
      const Outcome given = in_any_order(implementation, system);
      CHECK(same_bits(in_any_order(implementation, system, false).forces, given.forces));
      std::vector<double> numbers = given.forces;
      numbers.insert(numbers.end(), given.virial.begin(), given.virial.end());
      numbers.push_back(given.energy);
      test::print_bits(name, numbers);
      std::vector<std::size_t> place(system.types.size());
      std::iota(place.begin(), place.end(), std::size_t{0});
      for (const unsigned seed : {1U, 2U, 3U}) {
        std::shuffle(place.begin(), place.end(), std::mt19937(seed));
        const Outcome other = in_any_order(implementation, shuffled(system, place));
        std::vector<double> back(other.forces.size());
        for (std::size_t p = 0; p < place.size(); ++p)
          for (std::size_t d = 0; d < 3; ++d)
            back[3 * place[p] + d] = other.forces[3 * p + d];
        CHECK(same_bits(back, given.forces));
        CHECK(same_bits(other.virial, given.virial));
        CHECK(other.energy == given.energy);
      }
    }
  });
}

TEST_CASE("any order: forces add up to nothing but for rounding of each") {
  test::with_target<PairForce>([]<class P>(const Implementation<PairForce, P>& implementation) {
    if (!offers_any_order(implementation) || P::value == Precision::single) return;
    for (const char* name : {"1000 random", "three types", "tilted by 0.8"}) {
      CAPTURE(name);
      const Outcome out = in_any_order(implementation, make_pair_force_case(name));
      double sum[3] = {};
      double magnitude = 0;
      for (std::size_t i = 0; i < out.forces.size(); ++i) {
        sum[i % 3] += out.forces[i];
        magnitude += std::abs(out.forces[i]);
      }
      // The total force vanishes for floats too, because a pair adds the same integer to both
      // atoms, with opposite signs.
      for (const double s : sum)
        CHECK(std::abs(s) <= 1e-14 * magnitude);
    }
  });
}

TEST_CASE("any order: what gives less refuses") {
  test::with_target<PairForce>([]<class P>(const Implementation<PairForce, P>& implementation) {
    PairForceProblem problem = pair_force_problem_of(pair_at(1.5));
    problem.determinism = Determinism::any_order;
    const Refusal refusal = implementation.can_run(problem, test::context(), {});
    CHECK(refusal.has_value() != offers_any_order(implementation));
    if (refusal)
      CHECK(refusal->find("the required determinism is any_order, it provides at most") == 0);
  });
}

TEST_CASE("any order: a pair beyond the range of fixed point has forces that are no numbers") {
  test::with_target<PairForce>([]<class P>(const Implementation<PairForce, P>& implementation) {
    if (!offers_any_order(implementation)) return;
    for (const double r : {0.3, 0.5, 1.2}) {
      CAPTURE(r);
      PairForceCase system = pair_at(r);
      // One more atom, beyond the cutoff of both.
      system.positions.insert(system.positions.end(), {15, 15, 15});
      system.types.push_back(0);
      const Outcome out = in_any_order(implementation, system);
      const double s6 = std::pow(r, -6);
      const double force = 24 * (2 * s6 * s6 - s6) / r;
      const double tolerance = P::value == Precision::double_precision ? 1e-12 : 1e-5;
      CHECK(out.forces[6] == 0);
      if (r > 0.4) {
        CHECK(out.forces[3] == test::relative(force).epsilon(tolerance));
        CHECK(out.forces[0] == -out.forces[3]);
        CHECK(out.energy == test::relative(4 * (s6 * s6 - s6)).epsilon(tolerance));
        CHECK(out.virial[0] == test::relative(force * r).epsilon(tolerance));
      } else {
        CHECK(std::isnan(out.forces[0]));
        CHECK(std::isnan(out.forces[3]));
        CHECK(std::isnan(out.energy));
        CHECK(std::isnan(out.virial[0]));
        CHECK(std::isfinite(compute(implementation, system).forces[0]));
      }
    }
  });
}

}  // namespace
}  // namespace tessera::md
