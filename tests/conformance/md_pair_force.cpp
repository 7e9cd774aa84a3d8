#include "core/base/error.hpp"
#include "core/memory/array.hpp"
#include "physics/md/pair_force/pair_force_reference.hpp"
#include "tests/conformance/md_pair_force/forces.hpp"
#include "tests/support/relative.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

/// \file
/// Properties of md/pair_force that need no oracle.

namespace tessera::md {
namespace {

TEST_CASE("two atoms feel the Lennard-Jones force") {
  test::with_target<PairForce>([]<class P>(const Implementation<PairForce, P>& implementation) {
    for (const double r : {0.9, 1.0, 1.125, 1.5, 2.0, 2.4375}) {
      const Outcome out = compute(implementation, pair_at(r));
      const double s6 = std::pow(r, -6);
      const double force = 24 * (2 * s6 * s6 - s6) / r;
      const double tolerance = P::value == Precision::double_precision ? 1e-12 : 1e-5;
      CHECK(out.forces[3] == test::relative(force).epsilon(tolerance));
      CHECK(out.forces[0] == test::relative(-force).epsilon(tolerance));
      CHECK(out.energy == doctest::Approx(4 * (s6 * s6 - s6)).epsilon(tolerance).scale(1));
      CHECK(out.virial[0] == test::relative(force * r).epsilon(tolerance));
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
    // Moving the origin of the box together with the atoms changes nothing.
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
    CHECK(after.virial[1] == test::relative(before.virial[0]).epsilon(1e-5));
  });
}

TEST_CASE("no neighbor is lost, however many there are") {
  test::with_target<PairForce>([]<class P>(const Implementation<PairForce, P>& implementation) {
    if constexpr (P::value != Precision::double_precision) return;
    // Every atom is within the cutoff of every other, so that lists have any length, also lengths
    // around the initial capacities of lists.
    std::mt19937 random(12);
    PairForceCase system = pair_at(1);
    system.coefficients.set_all({{"sigma", 0.2}});
    system.positions.clear();
    system.types.clear();
    while (system.types.size() < 200) {
      double r[3];
      for (double& x : r)
        x = 9 + 1.4 * static_cast<double>(random() >> 8) / 16777216.0;
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

TEST_CASE("other vectors of the same lattice change nothing") {
  test::with_target<PairForce>([]<class P>(const Implementation<PairForce, P>& implementation) {
    const PairForceCase original = make_pair_force_case("tilted by 0.3");
    if (implementation.can_run(pair_force_problem_of(original), test::context())) return;
    const Outcome before = compute(implementation, original);
    const double* const length = original.box.length;
    for (const int lengths : {1, 1000}) {
      CAPTURE(lengths);
      PairForceCase other = original;
      other.box.tilt[0] += 2 * lengths * length[0];
      other.box.tilt[1] += lengths * (original.box.tilt[0] - length[0]);
      other.box.tilt[2] += lengths * length[1];
      const Outcome after = compute(implementation, other);
      // The rounding of tilts contributes too.
      const double rounding = 1e-10 * lengths;
      CHECK(relative_difference(after.forces, before.forces) < same_forces<P> + rounding);
      CHECK(after.energy == test::relative(before.energy).epsilon(1e-5));
      for (std::size_t c = 0; c < 6; ++c)
        CHECK(after.virial[c] == test::relative(before.virial[c]).epsilon(1e-4));
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
      // The other image, at distance 2.5, is at the cutoff: only one pair counts.
      const double s6 = std::pow(1.5, -6);
      CHECK(out.energy == test::relative(4 * (s6 * s6 - s6)));
    } catch (const RefusalError& refusal) {
      CHECK(test::target().info().name != "reference");
      CHECK(refusal.reason().find("half of the periodic box") != std::string::npos);
    }
  });
}

TEST_CASE("a cutoff of many shortest lengths is resolved, or refused with the reason") {
  test::with_target<PairForce>([]<class P>(const Implementation<PairForce, P>& implementation) {
    for (const double ratio : {300.0, 2500.0})
      for (const bool told : {true, false}) {
        CAPTURE(ratio);
        CAPTURE(told);
        const double sigma = 2.5 / ratio;
        PairForceCase system = pair_at(1.2 * sigma);
        system.positions = {sigma, sigma, sigma, 2.2 * sigma, sigma, sigma};
        system.coefficients.set_all({{"sigma", sigma}});
        PairForceArrays<typename P::Storage> arrays(test::context(), system);
        PairForceArgs<typename P::Storage> args = arrays.args(system);
        Array<double> energy(test::context(), 7);
        args.energy = {energy.data(), {1}};
        args.virial = {energy.data() + 1, {6}};
        PairForceProblem problem = pair_force_problem_of(system);
        if (told) problem.shortest = sigma;
        try {
          const auto plan = implementation.make_plan(problem, test::context(), {});
          plan->prepare(args);
          plan->execute(args);
          const double s6 = std::pow(1.2, -6);
          CHECK(energy.to_host()[0] == test::relative(4 * (s6 * s6 - s6)).epsilon(1e-4));
        } catch (const RefusalError& refusal) {
          CHECK(ratio == 2500);
          CHECK(P::value != Precision::double_precision);
          CHECK(refusal.reason().find("times the shortest length") != std::string::npos);
        }
      }
  });
}

PairForceCase charged_pair_at(double distance, double charge_i, double charge_j) {
  PairForceCase c = pair_at(distance);
  c.coefficients = CoefficientTable(pair_potentials().find("lj/cut+coul/rf"), 1);
  c.coefficients.set_all({{"epsilon", 1},
                          {"sigma", 1},
                          {"cutoff", 2.5},
                          {"coulomb_cutoff", 2.5},
                          {"coulomb_constant", 1}});
  c.charges = {charge_i, charge_j};
  return c;
}

TEST_CASE("charges that are no numbers are refused, or come out as such") {
  test::with_target<PairForce>([]<class P>(const Implementation<PairForce, P>& implementation) {
    for (const double charge : {static_cast<double>(NAN), HUGE_VAL}) {
      CAPTURE(charge);
      PairForceCase system = charged_pair_at(1.5, 1, charge);
      try {
        const Outcome out = compute(implementation, system);
        CHECK_FALSE(std::isfinite(out.energy));
      } catch (const ArgumentError& error) {
        CHECK(error.argument() == "charges");
      }
    }
  });
}

TEST_CASE("charges that do next to nothing do not stand in the way of the rest") {
  test::with_target<PairForce>([]<class P>(const Implementation<PairForce, P>& implementation) {
    const double s6 = std::pow(1.5, -6);
    for (const double charge : {1e-21, 1e-30})
      CHECK(compute(implementation, charged_pair_at(1.5, charge, -charge)).energy ==
            test::relative(4 * (s6 * s6 - s6)).epsilon(1e-5));
  });
}

/// 3 x 3 x 166 atoms in a box that is long along z.
PairForceCase needle() {
  PairForceCase c = pair_at(1);
  c.box.length[2] = 200;
  c.box.periodic[0] = c.box.periodic[1] = false;
  c.positions.clear();
  std::mt19937 random(7);
  std::uniform_real_distribution<double> jitter(-0.05, 0.05);
  for (int z = 0; z < 166; ++z)
    for (int y = 0; y < 3; ++y)
      for (int x = 0; x < 3; ++x)
        for (const int k : {x, y, z})
          c.positions.push_back(1.2 * k + jitter(random));
  c.types.assign(c.positions.size() / 3, 0);
  return c;
}

TEST_CASE("an atom far away is a neighbor of few, or refused") {
  test::with_target<PairForce>([]<class P>(const Implementation<PairForce, P>& implementation) {
    constexpr bool floats = std::is_same_v<typename P::Storage, float>;
    // The oracle finds the image of a position as long as doubles resolve it.
    const bool oracle = test::target().info().name == "reference";
    for (const bool periodic : oracle ? std::vector{false} : std::vector{false, true})
      for (const double place : {1e19, 1e33, floats ? 1e37 : 1e200}) {
        CAPTURE(periodic);
        CAPTURE(place);
        PairForceCase system = needle();
        system.box.periodic[2] = periodic;
        const std::vector<double> before = compute(implementation, system).forces;
        system.positions[2] = place;
        try {
          const std::vector<double> after = compute(implementation, system).forces;
          int changed = 0;
          for (std::size_t k = 0; k < after.size(); ++k)
            if (!(std::abs(after[k] - before[k]) < 1e-2)) ++changed;
          // Only its neighbors at the former and at the present position may change.
          CHECK(changed > 0);
          CHECK(changed < 3 * 100);
        } catch (const Error& error) {
          CHECK(std::string(error.what()).find("far") != std::string::npos);
        }
      }
  });
}

TEST_CASE("how many shortest lengths a cutoff may have in coordinates of 32 bits") {
  CHECK_FALSE(refuse_short_lengths(2.5, 0, "other"));
  CHECK_FALSE(refuse_short_lengths(2.5, 2.5 / 349, "other"));
  CHECK(refuse_short_lengths(2.5, 2.5 / 351, "other")->find("more than 350 times") !=
        std::string::npos);
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
  CHECK_THROWS_WITH_AS(
      (void)pair_force_problem(args),
      "md/pair_force: coefficients: the largest cutoff is 0, expected a length greater than zero",
      ArgumentError);
  system.coefficients.set_all({{"cutoff", 2.5}});
  args.coefficients = system.coefficients.view();
  args.types = {system.types.data(), {1}};
  CHECK_THROWS_AS((void)pair_force_problem(args), ArgumentError);
}

/// Energies and virials per atom, with the totals of the same call.
struct ByAtom {
  std::vector<double> energies, virials, totals;
};

template <class P>
ByAtom compute_by_atom(const Implementation<PairForce, P>& implementation,
                       const PairForceCase& system) {
  const Context context = test::context();
  PairForceArrays<typename P::Storage> arrays(context, system);
  const auto atoms = std::ssize(system.types);
  Array<double> energies(context, atoms);
  Array<double> virials(context, 6 * atoms);
  Array<double> totals(context, 7);
  for (Array<double>* const out : {&energies, &virials, &totals})
    out->fill_bytes(0xff);
  PairForceArgs<typename P::Storage> args = arrays.args(system);
  args.energies = energies.view();
  args.virials = virials.rows(6);
  args.energy = {totals.data(), {1}};
  args.virial = {totals.data() + 1, {6}};
  PairForceProblem problem = pair_force_problem_of(system);
  problem.by_atom = true;
  const auto plan = implementation.make_plan(problem, context, {});
  plan->prepare(args);
  plan->execute(args);
  return {energies.to_host(), virials.to_host(), totals.to_host()};
}

/// Whether the target supports energies per atom. Checks that the oracle and portable bodies do.
template <class P>
bool gives_by_atom(const Implementation<PairForce, P>& implementation,
                   const PairForceCase& system) {
  PairForceProblem problem = pair_force_problem_of(system);
  problem.by_atom = true;
  const Refusal refusal = implementation.can_run(problem, test::context());
  if (!refusal) return true;
  CHECK(*refusal == "computes no energies and virials of single atoms");
  const std::string& name = implementation.info().name;
  CHECK(name != "reference");
  CHECK(name.find(".portable") == std::string::npos);
  CHECK_THROWS_AS((void)implementation.make_plan(problem, test::context(), {}), RefusalError);
  return false;
}

TEST_CASE("two atoms have half of their energy and virial each, a third one nothing") {
  test::with_target<PairForce>([]<class P>(const Implementation<PairForce, P>& implementation) {
    PairForceCase system = pair_at(1.125);
    system.positions.insert(system.positions.end(), {15, 5, 5});
    system.types.push_back(0);
    if (!gives_by_atom(implementation, system)) return;
    const ByAtom out = compute_by_atom(implementation, system);
    const double s6 = std::pow(1.125, -6);
    const double tolerance = P::value == Precision::double_precision ? 1e-12 : 1e-5;
    for (const std::size_t atom : {0u, 1u}) {
      CHECK(out.energies[atom] == test::relative(2 * (s6 * s6 - s6)).epsilon(tolerance));
      CHECK(out.virials[6 * atom] == test::relative(12 * (2 * s6 * s6 - s6)).epsilon(tolerance));
      for (std::size_t c = 1; c < 6; ++c)
        CHECK(out.virials[6 * atom + c] == 0);
    }
    CHECK(out.energies[2] == 0);
    for (std::size_t c = 12; c < 18; ++c)
      CHECK(out.virials[c] == 0);
  });
}

TEST_CASE("what single atoms have adds up to the totals") {
  test::with_target<PairForce>([]<class P>(const Implementation<PairForce, P>& implementation) {
    for (const char* name : {"1000 random", "three types", "slab", "tilted by 0.8"}) {
      const PairForceCase system = make_pair_force_case(name);
      if (!gives_by_atom(implementation, system)) return;
      CAPTURE(name);
      const ByAtom out = compute_by_atom(implementation, system);
      double sums[7] = {};
      double magnitudes[7] = {};
      for (std::size_t i = 0; i < system.types.size(); ++i)
        for (std::size_t c = 0; c < 7; ++c) {
          const double value = c == 0 ? out.energies[i] : out.virials[6 * i + c - 1];
          sums[c] += value;
          magnitudes[c] += std::abs(value);
        }
      for (std::size_t c = 0; c < 7; ++c) {
        CHECK(std::abs(sums[c] - out.totals[c]) <= 1e-13 * magnitudes[c]);
        CHECK(magnitudes[c] > 0);
      }
    }
  });
}

TEST_CASE("what single atoms have is not given where the problem does not ask for it") {
  test::with_target<PairForce>([]<class P>(const Implementation<PairForce, P>& implementation) {
    const PairForceCase system = pair_at(1.125);
    PairForceArrays<typename P::Storage> arrays(test::context(), system);
    Array<double> energies(test::context(), 2);
    PairForceArgs<typename P::Storage> args = arrays.args(system);
    const auto plan = implementation.make_plan(pair_force_problem_of(system), test::context(), {});
    plan->prepare(args);
    args.energies = energies.view();
    CHECK_THROWS_WITH_AS(plan->execute(args),
                         "md/pair_force: energies: given, and the problem does not say by_atom",
                         ArgumentError);
  });
}

TEST_CASE("the public entry names an atom that is nowhere") {
  test::with_target<PairForce>([]<class P>(const Implementation<PairForce, P>&) {
    using Storage = typename P::Storage;
    const Context context = test::context_with_target();
    PairForceCase system = make_pair_force_case("33");
    system.positions[3 * 17 + 1] = std::numeric_limits<double>::quiet_NaN();
    PairForceArrays<Storage> arrays(context, system);
    CHECK_THROWS_WITH_AS(pair_force<P>(context, arrays.args(system)),
                         "the position of atom 17 is not finite", ParticleError);
  });
}

}  // namespace
}  // namespace tessera::md
