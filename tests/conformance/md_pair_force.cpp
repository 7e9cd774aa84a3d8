#include <doctest/doctest.h>

#include <algorithm>
#include <array>
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
#include <utility>
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
  Array<Storage> charges(context,
                         std::vector<Storage>(system.charges.begin(), system.charges.end()));
  Array<std::int32_t> excluded_from(context, system.excluded_from);
  Array<std::int32_t> excluded(context, system.excluded);
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
  if (!system.charges.empty()) args.charges = charges.view();
  if (!system.excluded_from.empty()) args.exclusions = {excluded_from.view(), excluded.view()};
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

PairForceProblem pair_force_problem_of(const PairForceCase& system) {
  PairForceProblem problem;
  problem.atoms = static_cast<std::int64_t>(system.types.size());
  problem.types = static_cast<int>(system.coefficients.types());
  problem.cutoff = system.coefficients.largest_cutoff();
  problem.form = system.coefficients.form().name();
  problem.skin = system.skin;
  problem.box = system.box;
  problem.exclusions = !system.excluded.empty();
  return problem;
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

/// Relative error that forces may have.
template <class P>
constexpr double force_tolerance = P::value == Precision::double_precision ? 1e-12
                                   : P::value == Precision::mixed          ? 1e-5
                                                                           : 5e-6;

/// A plan with its arrays, in a box that a test changes.
template <class P>
class Prepared {
 public:
  using Storage = typename P::Storage;

  Prepared(const Implementation<PairForce, P>& implementation, const PairForceCase& system)
      : system_(system),
        context_(test::context()),
        positions_(context_, rounded(system.positions)),
        forces_(context_, 3 * atoms()),
        types_(context_, system.types),
        totals_(context_, 7) {
    PairForceProblem problem = pair_force_problem(args(system.box));
    problem.skin = system.skin;
    plan_ = implementation.make_plan(problem, context_, {});
  }

  void prepare(const Box& box) { plan_->prepare(args(box)); }
  [[nodiscard]] double allowed(const Box& box) const { return plan_->allowed_displacement(box); }
  void move_to(const std::vector<double>& positions) {
    system_.positions = positions;
    positions_.copy_from(rounded(positions));
  }

  /// Executes in `box`; the largest of the errors of forces, energy and virial, in tolerances.
  double error_in(const Box& box) {
    forces_.fill_bytes(0xff);
    totals_.fill_bytes(0xff);
    plan_->execute(args(box));
    const std::vector<Storage> raw = forces_.to_host();
    const std::vector<double> found = totals_.to_host();
    std::vector<double> forces(raw.size());
    std::vector<double> totals(7);
    PairForceArgs<double> expected;
    std::vector<double> positions = system_.positions;
    if (P::value == Precision::single)
      for (double& x : positions)
        x = static_cast<float>(x);
    expected.positions = {positions.data(), {atoms(), 3}};
    expected.types = {system_.types.data(), {atoms()}};
    expected.forces = {forces.data(), {atoms(), 3}};
    expected.box = box;
    expected.coefficients = system_.coefficients.view();
    expected.energy = {totals.data(), {1}};
    expected.virial = {totals.data() + 1, {6}};
    PairForceScrutiny scrutiny;
    scrutiny.margin = 4e-6;
    pair_force_oracle(expected, "lj/cut", PairSearch::automatic, &scrutiny);
    double difference = 0;
    double magnitude = 0;
    double largest = 0;
    for (std::size_t i = 0; i < raw.size(); ++i) {
      if (scrutiny.near_cutoff[i / 3]) continue;
      const double d = static_cast<double>(raw[i]) - forces[i];
      difference += d * d;
      magnitude += forces[i] * forces[i];
    }
    double error = std::sqrt(difference / magnitude);
    for (const double t : totals)
      largest = std::max(largest, std::abs(t));
    for (std::size_t i = 0; i < totals.size(); ++i)
      error = std::max(error, 0.1 * std::abs(found[i] - totals[i]) / largest);
    return std::isfinite(error) ? error / force_tolerance<P> : 1e300;
  }

 private:
  [[nodiscard]] std::int64_t atoms() const {
    return static_cast<std::int64_t>(system_.types.size());
  }
  [[nodiscard]] static std::vector<Storage> rounded(const std::vector<double>& values) {
    return {values.begin(), values.end()};
  }
  [[nodiscard]] PairForceArgs<Storage> args(const Box& box) {
    PairForceArgs<Storage> args;
    args.positions = positions_.rows(3);
    args.forces = forces_.rows(3);
    args.types = types_.view();
    args.box = box;
    args.coefficients = system_.coefficients.view();
    args.energy = {totals_.data(), {1}};
    args.virial = {totals_.data() + 1, {6}};
    return args;
  }

  PairForceCase system_;
  Context context_;
  Array<Storage> positions_;
  Array<Storage> forces_;
  Array<std::int32_t> types_;
  Array<double> totals_;
  std::unique_ptr<Plan<PairForce, P>> plan_;
};

bool is_reference() {
  return test::target().info().name == "reference";
}

/// Shrunk, grown and sheared by up to 20 %, in all and in single directions.
std::vector<Box> changed_boxes(const Box& box) {
  std::vector<Box> boxes;
  for (const double by : {0.0005, 0.004, 0.02, 0.08, 0.2})
    for (const double sign : {-1.0, 1.0}) {
      const double factor = 1 + sign * by;
      Box all = box;
      for (int d = 0; d < 3; ++d) {
        all.length[d] *= factor;
        all.tilt[d] *= factor;
        Box one = box;
        one.length[d] *= factor;
        boxes.push_back(one);
        Box sheared = box;
        sheared.tilt[d] += sign * by * box.length[d == 2 ? 1 : 0];
        if (!find_fault(sheared)) boxes.push_back(sheared);
      }
      boxes.push_back(all);
    }
  Box elsewhere = box;
  elsewhere.lower[1] += 0.7;
  boxes.push_back(elsewhere);
  return boxes;
}

TEST_CASE("after a change of the box everything is right or refused") {
  test::with_target<PairForce>([]<class P>(const Implementation<PairForce, P>& implementation) {
    for (const char* name :
         {"unwrapped", "slab", "tilted by 0.5", "tilted, unwrapped", "tilted slab"})
      for (const double skin : {0.0, 0.8}) {
        // The oracle serves every box, at the price of all pairs each time.
        if (is_reference() && (skin > 0 || std::string(name) != "tilted slab")) continue;
        CAPTURE(name);
        CAPTURE(skin);
        PairForceCase system = make_pair_force_case(name);
        system.skin = skin;
        if (implementation.can_run(pair_force_problem_of(system), test::context())) continue;
        Prepared<P> plan(implementation, system);
        plan.prepare(system.box);
        CHECK(plan.allowed(system.box) > 0);
        int right = 0;
        int refused = 0;
        std::mt19937 random(17);
        for (const Box& box : changed_boxes(system.box)) {
          CAPTURE(box.length[0]);
          CAPTURE(box.length[1]);
          CAPTURE(box.length[2]);
          CAPTURE(box.tilt[0]);
          CAPTURE(box.tilt[1]);
          CAPTURE(box.tilt[2]);
          plan.move_to(system.positions);
          const double allowed = plan.allowed(box);
          if (allowed < 0) {
            ++refused;
            CHECK_THROWS_AS((void)plan.error_in(box), BoxError);
            continue;
          }
          ++right;
          CHECK(plan.error_in(box) <= 1);
          // Atoms as far as they may go, each its own way.
          std::vector<double> moved = system.positions;
          for (std::size_t i = 0; i < moved.size(); i += 3) {
            double step[3];
            double square = 0;
            for (double& s : step) {
              s = static_cast<double>(random() % 2001) / 1000 - 1;
              square += s * s;
            }
            const double most = std::min(allowed, 0.2);
            for (std::size_t d = 0; d < 3 && square > 0; ++d)
              moved[i + d] += 0.99 * most * step[d] / std::sqrt(square);
          }
          plan.move_to(moved);
          CHECK(plan.error_in(box) <= 1);
        }
        CHECK(right > 0);
        CHECK((refused > 0 || is_reference()));
      }
  });
}

TEST_CASE("prepare judges the box that it is given") {
  test::with_target<PairForce>([]<class P>(const Implementation<PairForce, P>& implementation) {
    const PairForceCase system = make_pair_force_case("1000 random");
    Prepared<P> plan(implementation, system);
    Box box = system.box;
    for (double& length : box.length)
      length *= 1.13;
    box.tilt[0] = 0.4 * box.length[0];
    box.tilt[2] = -0.3 * box.length[1];
    plan.prepare(box);
    CHECK(plan.error_in(box) <= 1);
    Box small = system.box;
    small.length[1] = 4.9;
    Box none = system.box;
    none.length[2] = std::numeric_limits<double>::quiet_NaN();
    Box open = system.box;
    open.periodic[0] = false;
    open.tilt[0] = 1;
    for (const Box& bad : {none, open}) {
      if (!is_reference()) CHECK_THROWS_AS(plan.prepare(bad), BoxError);
      // What could not be prepared has to be prepared again.
      plan.prepare(system.box);
      CHECK_THROWS_AS((void)plan.error_in(bad), BoxError);
    }
    if (!is_reference()) {
      CHECK_THROWS_WITH_AS(plan.prepare(small), doctest::Contains("half of the periodic box"),
                           BoxError);
      plan.prepare(system.box);
      Box opened = system.box;
      opened.periodic[2] = false;
      CHECK(plan.allowed(opened) < 0);
      CHECK(plan.allowed(small) < 0);
      CHECK_THROWS_WITH_AS((void)plan.error_in(opened), doctest::Contains("z became not periodic"),
                           BoxError);
      CHECK_THROWS_WITH_AS((void)plan.error_in(small),
                           doctest::Contains("half of the periodic box"), BoxError);
      CHECK(plan.error_in(system.box) <= 1);
    }
  });
}

TEST_CASE("other vectors of the same lattice change nothing") {
  test::with_target<PairForce>([]<class P>(const Implementation<PairForce, P>& implementation) {
    const PairForceCase original = make_pair_force_case("tilted by 0.3");
    if (implementation.can_run(pair_force_problem_of(original), test::context())) return;
    const Outcome before = compute(implementation, original);
    PairForceCase other = original;
    other.box.tilt[0] += 2 * other.box.length[0];
    other.box.tilt[1] += other.box.tilt[0] - other.box.length[0];
    other.box.tilt[2] += other.box.length[1];
    const Outcome after = compute(implementation, other);
    CHECK(relative_difference(after.forces, before.forces) < same_forces<P>);
    CHECK(after.energy == doctest::Approx(before.energy).epsilon(1e-5));
    for (std::size_t c = 0; c < 6; ++c)
      CHECK(after.virial[c] == doctest::Approx(before.virial[c]).epsilon(1e-4));
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

/// The atom `second` where `first` is, as the precision of the caller has it.
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

/// What the oracle makes of a system in double.
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
  pair_force_oracle(args, system.coefficients.form().name());
  return out;
}

/// Sixty excluded pairs at one place each, every third by way of another image.
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

/// The hydrogens of every molecule on its oxygen.
PairForceCase water_in_one_place(const std::string& form) {
  PairForceCase system = make_water_case(form);
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
      // Written so that no NaN passes.
      CHECK(relative_difference(found.forces, expected.forces) < same_forces<P>);
      CHECK(std::abs(found.energy - expected.energy) <
            10 * same_forces<P> * std::abs(expected.energy));
      CHECK(relative_difference(found.virial, expected.virial) < 10 * same_forces<P>);
      ++compared;
    }
    CHECK(compared > 0);
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
      // A third atom where an excluded pair is, excluded by one of them: wherever the other is.
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
