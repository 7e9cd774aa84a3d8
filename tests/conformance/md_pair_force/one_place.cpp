#include "physics/md/coincident_atoms.hpp"
#include "physics/md/pair_force/pair_force_reference.hpp"
#include "tests/conformance/md_pair_force/forces.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

/// \file
/// Coincident atoms in md/pair_force, with and without exclusions.

namespace tessera::md {
namespace {

TEST_CASE("two atoms at one place are named") {
  test::with_target<PairForce>([]<class P>(const Implementation<PairForce, P>& implementation) {
    PairForceCase system = make_pair_force_case("1000 random");
    for (std::size_t d = 0; d < 3; ++d)
      system.positions[3 * 700 + d] = system.positions[3 * 41 + d];
    try {
      (void)compute(implementation, system);
      FAIL("no exception");
    } catch (const CoincidentAtoms& error) {
      CHECK(error.first() == 41);
      CHECK(error.second() == 700);
      CHECK(std::string(error.what()) ==
            "atoms 41 and 700 have the same position: their force is not defined");
    }
  });
}

/// Moves atom `second` to the position of atom `first`.
void put_on(PairForceCase& system, std::size_t first, std::size_t second) {
  for (std::size_t d = 0; d < 3; ++d)
    system.positions[3 * second + d] = system.positions[3 * first + d];
}

void exclude(PairForceCase& system, const std::vector<std::array<std::int32_t, 2>>& pairs) {
  std::vector<std::vector<std::int32_t>> partners(system.types.size());
  for (const auto& [a, b] : pairs) {
    partners[static_cast<std::size_t>(a)].push_back(b);
    partners[static_cast<std::size_t>(b)].push_back(a);
  }
  system.excluded_from = {0};
  system.excluded.clear();
  for (const auto& row : partners) {
    system.excluded.insert(system.excluded.end(), row.begin(), row.end());
    system.excluded_from.push_back(static_cast<std::int32_t>(system.excluded.size()));
  }
}

/// Result of the oracle for a system in double.
Outcome expect(PairForceCase system) {
  const auto atoms = static_cast<std::int64_t>(system.types.size());
  Outcome out;
  out.forces.resize(system.positions.size());
  out.virial.resize(6);
  PairForceArgs<double> args;
  args.positions = {system.positions.data(), {atoms, 3}};
  args.types = {system.types.data(), {atoms}};
  if (!system.charges.empty()) args.charges = {system.charges.data(), {atoms}};
  args.exclusions = {{system.excluded_from.data(), {atoms + 1}},
                     {system.excluded.data(), {std::ssize(system.excluded)}}};
  args.forces = {out.forces.data(), {atoms, 3}};
  args.box = system.box;
  args.coefficients = system.coefficients.view();
  args.energy = {&out.energy, {1}};
  args.virial = {out.virial.data(), {6}};
  pair_force_oracle(args, system.coefficients.potential().name());
  return out;
}

/// A standard case with sixty excluded pairs of coincident atoms; in every third pair the atoms
/// coincide through a periodic image.
PairForceCase excluded_at_one_place(const std::string& name) {
  PairForceCase system = make_pair_force_case(name);
  std::vector<std::array<std::int32_t, 2>> pairs;
  for (std::int32_t i = 0; i < 60; ++i) {
    const auto first = static_cast<std::size_t>(i);
    pairs.push_back({i, i + 200});
    put_on(system, first, first + 200);
    if (i % 3 == 0) system.positions[3 * (first + 200)] += system.box.length[0];
  }
  exclude(system, pairs);
  return system;
}

/// Water with the hydrogens of every molecule at the position of its oxygen.
PairForceCase water_in_one_place(const std::string& potential) {
  PairForceCase system = make_water_case(potential);
  for (std::size_t m = 0; m < system.types.size(); m += 3) {
    put_on(system, m, m + 1);
    put_on(system, m, m + 2);
  }
  return system;
}

TEST_CASE("two atoms at one place that exclude each other do not interact") {
  test::with_target<PairForce>([]<class P>(const Implementation<PairForce, P>& implementation) {
    int compared = 0;
    for (const PairForceCase& system :
         {excluded_at_one_place("1000 random"), excluded_at_one_place("three types"),
          excluded_at_one_place("tilted by 0.3"), water_in_one_place("lj/cut+coul/rf")}) {
      CAPTURE(system.name);
      if (implementation.can_run(pair_force_problem_of(system), test::context())) continue;
      const Outcome found = compute(implementation, system);
      const Outcome expected = expect(system);
      // The comparisons are false for NaN.
      CHECK(relative_difference(found.forces, expected.forces) < same_forces<P>);
      CHECK(std::abs(found.energy - expected.energy) <
            10 * same_forces<P> * std::abs(expected.energy));
      CHECK(relative_difference(found.virial, expected.virial) < 10 * same_forces<P>);
      ++compared;
    }
    const PairForceCase excluded = excluded_at_one_place("1000 random");
    const bool takes_exclusions =
        !implementation.can_run(pair_force_problem_of(excluded), test::context());
    CHECK((compared > 0) == takes_exclusions);
  });
}

TEST_CASE("two atoms at one place are named among excluded pairs at one place") {
  test::with_target<PairForce>([]<class P>(const Implementation<PairForce, P>& implementation) {
    const auto check_named = [&](const PairForceCase& system, int first, int second) {
      CAPTURE(system.name);
      CAPTURE(first);
      try {
        (void)compute(implementation, system);
        FAIL_CHECK("no exception");
      } catch (const CoincidentAtoms& error) {
        CHECK(error.first() == first);
        CHECK(error.second() == second);
      }
    };
    for (const char* name : {"1000 random", "tilted by 0.3"}) {
      PairForceCase apart = excluded_at_one_place(name);
      if (implementation.can_run(pair_force_problem_of(apart), test::context())) continue;
      put_on(apart, 100, 150);
      check_named(apart, 100, 150);
      // A third atom at the position of an excluded pair, excluded by only one of the two: the pair
      // with the other atom is reported.
      for (std::int32_t i = 0; i < 60; i += 4) {
        PairForceCase third = excluded_at_one_place(name);
        put_on(third, static_cast<std::size_t>(i), 150);
        std::vector<std::array<std::int32_t, 2>> pairs = {{150, i + 200}};
        for (std::int32_t k = 0; k < 60; ++k)
          pairs.push_back({k, k + 200});
        exclude(third, pairs);
        check_named(third, i, 150);
      }
    }
  });
}

}  // namespace
}  // namespace tessera::md
