#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <tessera/core/base/error.hpp>
#include <tessera/core/memory/array.hpp>
#include <tessera/md/coincident_atoms.hpp>
#include <tessera/md/pair_force/pair_force.hpp>
#include <tessera/md/pair_force/pair_force_cases.hpp>
#include <tessera/md/pair_force/pair_force_reference.hpp>
#include <vector>

#include "tests/support/target.hpp"

/// \file
/// Properties of md/pair_force that need no oracle.

namespace tessera::md {
namespace {

struct Outcome {
  std::vector<double> forces;  ///< atoms x 3
  double energy = 0;
  std::vector<double> virial;
  double reach = 0;  ///< allowed displacement
};

/// Forces of the target. `column_major` hands over x, y and z as three arrays.
template <class P>
Outcome compute(const Implementation<PairForce, P>& implementation, const PairForceCase& system,
                bool column_major = false) {
  using Storage = typename P::Storage;
  const Context context = test::context();
  const auto atoms = static_cast<std::int64_t>(system.types.size());
  std::vector<Storage> values(system.positions.size());
  for (std::int64_t i = 0; i < atoms; ++i)
    for (std::int64_t d = 0; d < 3; ++d)
      values[static_cast<std::size_t>(column_major ? d * atoms + i : 3 * i + d)] =
          static_cast<Storage>(system.positions[static_cast<std::size_t>(3 * i + d)]);
  Array<Storage> positions(context, values);
  Array<Storage> forces(context, 3 * atoms);
  Array<std::int32_t> types(context, system.types);
  Array<double> totals(context, 7);
  forces.fill_bytes(0xff);
  totals.fill_bytes(0xff);
  PairForceArgs<Storage> args;
  if (column_major) {
    args.positions = {positions.data(), {atoms, 3}, {1, atoms}};
    args.forces = {forces.data(), {atoms, 3}, {1, atoms}};
  } else {
    args.positions = positions.rows(3);
    args.forces = forces.rows(3);
  }
  args.types = types.view();
  args.box = system.box;
  args.coefficients = system.coefficients.view();
  args.energy = {totals.data(), {1}};
  args.virial = {totals.data() + 1, {6}};
  PairForceProblem problem = pair_force_problem(args, system.coefficients.form().name());
  problem.skin = system.skin;
  const auto plan = implementation.make_plan(problem, context, {});
  plan->prepare(args);
  plan->execute(args);
  Outcome outcome;
  const std::vector<Storage> raw = forces.to_host();
  outcome.forces.resize(raw.size());
  for (std::int64_t i = 0; i < atoms; ++i)
    for (std::int64_t d = 0; d < 3; ++d)
      outcome.forces[static_cast<std::size_t>(3 * i + d)] = static_cast<double>(
          raw[static_cast<std::size_t>(column_major ? d * atoms + i : 3 * i + d)]);
  const std::vector<double> sums = totals.to_host();
  outcome.energy = sums[0];
  outcome.virial.assign(sums.begin() + 1, sums.end());
  outcome.reach = plan->allowed_displacement();
  return outcome;
}

double relative_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double difference = 0;
  double magnitude = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference += (a[i] - b[i]) * (a[i] - b[i]);
    magnitude += b[i] * b[i];
  }
  return magnitude > 0 ? std::sqrt(difference / magnitude) : std::sqrt(difference);
}

/// What two ways to the same forces may differ by. Coordinates themselves change in the last digit
/// when a system is moved, hence the margin over the tolerance against the oracle; in float the
/// rounding of absolute coordinates dominates.
template <class P>
constexpr double same_forces = P::value == Precision::double_precision ? 1e-10
                               : P::value == Precision::mixed          ? 2e-5
                                                                       : 2e-3;

PairForceCase pair_at(double distance) {
  PairForceCase c;
  for (double& length : c.box.length)
    length = 20;
  c.coefficients = CoefficientTable(pair_forms().find("lj/cut"), 1);
  c.coefficients.set_all({{"epsilon", 1}, {"sigma", 1}, {"cutoff", 2.5}});
  c.positions = {5, 5, 5, 5 + distance, 5, 5};
  c.types = {0, 0};
  return c;
}

TEST_CASE("two atoms feel the Lennard-Jones force") {
  test::with_target<PairForce>([]<class P>(const Implementation<PairForce, P>& implementation) {
    for (const double r : {0.9, 1.0, 1.125, 1.5, 2.0, 2.4375}) {
      const Outcome out = compute(implementation, pair_at(r));
      const double s6 = std::pow(r, -6);
      const double force = 24 * (2 * s6 * s6 - s6) / r;
      const double tolerance = P::value == Precision::double_precision ? 1e-12 : 1e-5;
      CHECK(out.forces[3] == doctest::Approx(force).epsilon(tolerance));
      CHECK(out.forces[0] == doctest::Approx(-force).epsilon(tolerance));
      CHECK(out.energy == doctest::Approx(4 * (s6 * s6 - s6)).epsilon(tolerance).scale(1));
      CHECK(out.virial[0] == doctest::Approx(force * r).epsilon(tolerance));
      CHECK(out.forces[1] == 0);
      CHECK(out.virial[3] == 0);
    }
  });
}

TEST_CASE("pairs at the cutoff do not interact, pairs just within do") {
  test::with_target<PairForce>([]<class P>(const Implementation<PairForce, P>& implementation) {
    CHECK(compute(implementation, pair_at(2.5)).energy == 0);
    CHECK(compute(implementation, pair_at(2.5)).forces[0] == 0);
    CHECK(compute(implementation, pair_at(2.5 - 1.0 / 1024)).energy < 0);
    CHECK(compute(implementation, pair_at(2.5 + 1.0 / 1024)).energy == 0);
  });
}

TEST_CASE("forces add up to nothing") {
  test::with_target<PairForce>([]<class P>(const Implementation<PairForce, P>& implementation) {
    for (const char* name : {"1000 random", "three types", "clustered", "slab"}) {
      const Outcome out = compute(implementation, make_pair_force_case(name));
      double sum[3] = {};
      double magnitude = 0;
      for (std::size_t i = 0; i < out.forces.size(); ++i) {
        sum[i % 3] += out.forces[i];
        magnitude += std::abs(out.forces[i]);
      }
      for (const double s : sum)
        CHECK(std::abs(s) <= magnitude * (P::value == Precision::double_precision ? 1e-14 : 1e-6));
    }
  });
}

TEST_CASE("moving everything changes nothing") {
  test::with_target<PairForce>([]<class P>(const Implementation<PairForce, P>& implementation) {
    const PairForceCase original = make_pair_force_case("1000 random");
    const Outcome before = compute(implementation, original);
    PairForceCase moved = original;
    for (std::size_t i = 0; i < moved.positions.size(); ++i)
      moved.positions[i] += std::vector{3.25, -1.75, 100.5}[i % 3];
    CHECK(relative_difference(compute(implementation, moved).forces, before.forces) <
          same_forces<P>);
    // The origin of the box is a label too.
    for (int d = 0; d < 3; ++d)
      moved.box.lower[d] = std::vector{3.25, -1.75, 100.5}[static_cast<std::size_t>(d)];
    CHECK(relative_difference(compute(implementation, moved).forces, before.forces) <
          same_forces<P>);
  });
}

TEST_CASE("images are the same atom") {
  test::with_target<PairForce>([]<class P>(const Implementation<PairForce, P>& implementation) {
    const PairForceCase original = make_pair_force_case("1000 random");
    PairForceCase wrapped = original;
    std::mt19937 random(3);
    for (std::size_t i = 0; i < wrapped.positions.size(); ++i)
      wrapped.positions[i] += wrapped.box.length[i % 3] * (static_cast<int>(random() % 3) - 1);
    CHECK(relative_difference(compute(implementation, wrapped).forces,
                              compute(implementation, original).forces) < same_forces<P>);
  });
}

TEST_CASE("the names of the axes do not matter") {
  test::with_target<PairForce>([]<class P>(const Implementation<PairForce, P>& implementation) {
    const PairForceCase original = make_pair_force_case("slab");
    PairForceCase turned = original;
    for (std::size_t i = 0; i < turned.types.size(); ++i)
      for (std::size_t d = 0; d < 3; ++d)
        turned.positions[3 * i + (d + 1) % 3] = original.positions[3 * i + d];
    for (int d = 0; d < 3; ++d) {
      turned.box.length[(d + 1) % 3] = original.box.length[d];
      turned.box.periodic[(d + 1) % 3] = original.box.periodic[d];
    }
    const Outcome before = compute(implementation, original);
    const Outcome after = compute(implementation, turned);
    std::vector<double> back(before.forces.size());
    for (std::size_t i = 0; i < turned.types.size(); ++i)
      for (std::size_t d = 0; d < 3; ++d)
        back[3 * i + d] = after.forces[3 * i + (d + 1) % 3];
    CHECK(relative_difference(back, before.forces) < same_forces<P>);
    CHECK(after.virial[1] == doctest::Approx(before.virial[0]).epsilon(1e-5));
  });
}

TEST_CASE("no neighbor is lost, however many there are") {
  test::with_target<PairForce>([]<class P>(const Implementation<PairForce, P>& implementation) {
    if constexpr (P::value != Precision::double_precision) return;
    // Every atom in reach of every other: rows of any length, around the capacities that lists
    // start with too.
    std::mt19937 random(12);
    PairForceCase system = pair_at(1);
    system.coefficients.set_all({{"sigma", 0.2}});
    system.positions.clear();
    system.types.clear();
    while (system.types.size() < 200) {
      double r[3];
      for (double& x : r)
        x = 9 + 1.4 * (random() >> 8) / 16777216.0;
      bool free = true;
      for (std::size_t j = 0; j < system.types.size(); ++j) {
        double square = 0;
        for (std::size_t d = 0; d < 3; ++d)
          square += (r[d] - system.positions[3 * j + d]) * (r[d] - system.positions[3 * j + d]);
        free = free && square > 0.17 * 0.17;
      }
      if (!free) continue;
      system.positions.insert(system.positions.end(), r, r + 3);
      system.types.push_back(0);
      const auto atoms = static_cast<std::int64_t>(system.types.size());
      if (atoms < 60) continue;
      std::vector<double> expected(system.positions.size());
      PairForceArgs<double> args;
      args.positions = {system.positions.data(), {atoms, 3}};
      args.types = {system.types.data(), {atoms}};
      args.forces = {expected.data(), {atoms, 3}};
      args.box = system.box;
      args.coefficients = system.coefficients.view();
      pair_force_oracle(args);
      CAPTURE(atoms);
      CHECK(relative_difference(compute(implementation, system).forces, expected) < 1e-12);
    }
  });
}

TEST_CASE("strides are honoured") {
  test::with_target<PairForce>([]<class P>(const Implementation<PairForce, P>& implementation) {
    const PairForceCase system = make_pair_force_case("33");
    CHECK(compute(implementation, system, true).forces == compute(implementation, system).forces);
  });
}

TEST_CASE("the energy has the force as its gradient") {
  test::with_target<PairForce>([]<class P>(const Implementation<PairForce, P>& implementation) {
    if constexpr (P::value != Precision::double_precision) return;
    PairForceCase system = make_pair_force_case("33");
    const Outcome at = compute(implementation, system);
    constexpr double h = 1e-5;
    for (const std::size_t i : {std::size_t{0}, std::size_t{40}, std::size_t{98}}) {
      const double x = system.positions[i];
      system.positions[i] = x + h;
      const double above = compute(implementation, system).energy;
      system.positions[i] = x - h;
      const double below = compute(implementation, system).energy;
      system.positions[i] = x;
      CHECK(-(above - below) / (2 * h) == doctest::Approx(at.forces[i]).epsilon(1e-5).scale(1));
    }
  });
}

TEST_CASE("a plan follows atoms that move within its reach, and a box that changes") {
  test::with_target<PairForce>([]<class P>(const Implementation<PairForce, P>& implementation) {
    using Storage = typename P::Storage;
    const Context context = test::context();
    PairForceCase system = make_pair_force_case("melt 2048");
    const auto atoms = static_cast<std::int64_t>(system.types.size());
    const auto place = [&](const PairForceCase& c) {
      return std::vector<Storage>(c.positions.begin(), c.positions.end());
    };
    Array<Storage> positions(context, place(system));
    Array<Storage> forces(context, 3 * atoms);
    Array<std::int32_t> types(context, system.types);
    PairForceArgs<Storage> args;
    args.positions = positions.rows(3);
    args.forces = forces.rows(3);
    args.types = types.view();
    args.box = system.box;
    args.coefficients = system.coefficients.view();
    const auto plan = implementation.make_plan(pair_force_problem(args), context, {});
    plan->prepare(args);
    const double reach = std::min(plan->allowed_displacement(), 0.2);
    CHECK(reach > 0);
    std::mt19937 random(9);
    // Each coordinate by at most reach / 2: no atom further than 0.87 of what is allowed.
    for (double& x : system.positions)
      x += reach * (static_cast<double>(random() % 1000) / 1000 - 0.5);
    for (double& length : system.box.length)
      length *= 1.0001;
    positions.copy_from(place(system));
    args.box = system.box;
    forces.fill_bytes(0xff);
    plan->execute(args);
    const std::vector<Storage> raw = forces.to_host();
    const std::vector<double> followed(raw.begin(), raw.end());
    const double tolerance = P::value == Precision::double_precision ? 1e-12 : 1e-5;
    CHECK(relative_difference(followed, compute(implementation, system).forces) < tolerance);
  });
}

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
            "atoms 41 and 700 are at one place: their force is not defined");
    }
  });
}

TEST_CASE("a cutoff beyond half the box is refused with the reason, or summed over images") {
  test::with_target<PairForce>([]<class P>(const Implementation<PairForce, P>& implementation) {
    PairForceCase system = pair_at(1.5);
    for (double& length : system.box.length)
      length = 4;
    try {
      const Outcome out = compute(implementation, system);
      CHECK(test::target().info().name == "reference");
      // The image on the other side, 2.5 away, is at the cutoff: one pair only.
      const double s6 = std::pow(1.5, -6);
      CHECK(out.energy == doctest::Approx(4 * (s6 * s6 - s6)));
    } catch (const RefusalError& refusal) {
      CHECK(test::target().info().name != "reference");
      CHECK(refusal.reason().find("half of the periodic box") != std::string::npos);
    }
  });
}

TEST_CASE("a cutoff of zero and bad shapes are errors") {
  PairForceCase system = pair_at(1.5);
  std::vector<double> forces(6);
  PairForceArgs<double> args;
  args.positions = {system.positions.data(), {2, 3}};
  args.forces = {forces.data(), {2, 3}};
  args.types = {system.types.data(), {2}};
  args.box = system.box;
  system.coefficients.set_all({{"cutoff", 0}});
  args.coefficients = system.coefficients.view();
  CHECK_THROWS_WITH_AS((void)pair_force_problem(args),
                       "md/pair_force: the cutoff is 0, expected a length greater than zero",
                       ArgumentError);
  system.coefficients.set_all({{"cutoff", 2.5}});
  args.coefficients = system.coefficients.view();
  args.types = {system.types.data(), {1}};
  CHECK_THROWS_AS((void)pair_force_problem(args), ArgumentError);
}

TEST_CASE("the public entry names an atom that is nowhere") {
  test::with_target<PairForce>([]<class P>(const Implementation<PairForce, P>&) {
    using Storage = typename P::Storage;
    const Context context = test::context_with_target();
    const PairForceCase system = make_pair_force_case("33");
    std::vector<Storage> values(system.positions.begin(), system.positions.end());
    values[3 * 17 + 1] = std::numeric_limits<Storage>::quiet_NaN();
    Array<Storage> positions(context, values);
    Array<Storage> forces(context, static_cast<std::int64_t>(values.size()));
    Array<std::int32_t> types(context, system.types);
    PairForceArgs<Storage> args;
    args.positions = positions.rows(3);
    args.forces = forces.rows(3);
    args.types = types.view();
    args.box = system.box;
    args.coefficients = system.coefficients.view();
    CHECK_THROWS_WITH_AS(pair_force<P>(context, args), "the position of atom 17 is not finite",
                         ParticleError);
  });
}

}  // namespace
}  // namespace tessera::md
