#include "core/base/error.hpp"
#include "core/memory/array.hpp"
#include "physics/md/listed_force/listed_force.hpp"
#include "physics/md/topology/listed_lists.hpp"
#include "tests/support/halves.hpp"
#include "tests/support/print_bits.hpp"
#include "tests/support/relative.hpp"
#include "tests/support/target.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

/// \file
/// Properties of md/listed_force that need no oracle.

namespace tessera::md {
namespace {

constexpr double degree = 3.14159265358979323846 / 180;

/// A chain of five atoms that crosses two faces of the box, with terms of every class.
struct Molecule {
  Box box;
  std::vector<double> positions = {0.3, 0.2, 5.0, 7.5, 0.9, 5.3, 8.3, 8.6,
                                   4.9, 6.6, 1.2, 6.1, 5.9, 0.4, 6.6};
  std::array<ListedTypes, listed_classes> classes = {
      {{"harmonic", 1}, {"cosine/squared", 1}, {"periodic", 1}, {"harmonic", 1}}};
  std::array<std::vector<double>, listed_classes> coefficients = {
      {{300, 1.0}, {20, 110}, {3, 2, 40}, {15, -100}}};
  std::vector<ListedTerm> terms = {{0, 0, {0, 1}},       {0, 0, {1, 2}},      {0, 0, {1, 3}},
                                   {0, 0, {3, 4}},       {1, 1, {0, 1, 2}},   {1, 1, {4, 3, 1}},
                                   {2, 2, {4, 3, 1, 0}}, {3, 3, {1, 0, 2, 3}}};

  Molecule() {
    const double lengths[3] = {8, 9, 10};
    for (int d = 0; d < 3; ++d)
      box.length[d] = lengths[d];
  }
  [[nodiscard]] std::int64_t atoms() const { return std::ssize(positions) / 3; }

  /// Makes the terms of one class the only ones, with another potential.
  void use(int of_class, const std::string& potential, const std::vector<double>& numbers) {
    std::erase_if(terms, [&](const ListedTerm& term) { return term.of_class != of_class; });
    for (ListedTerm& term : terms)
      term.kind = 0;
    classes = {};
    coefficients = {};
    classes[static_cast<std::size_t>(of_class)] = {potential, 1};
    coefficients[static_cast<std::size_t>(of_class)] = numbers;
  }
};

/// The molecule with all of its classes, then with each potential of this build alone.
std::vector<Molecule> molecules() {
  std::vector<Molecule> all(1);
  for (int c = 0; c < listed_classes; ++c)
    for (const ListedPotentialPart& part : listed_potentials(c)) {
      std::vector<double> numbers;
      for (const CoefficientField& field : part.fields)
        numbers.push_back(field.is_angle ? 100 : field.length == 1 ? 2.5 : 3);
      all.emplace_back().use(c, part.name, numbers);
    }
  return all;
}

/// The arrays of a molecule on the device, and the arguments of a call on them.
template <class P>
struct Call {
  using Storage = typename P::Storage;

  Molecule molecule;
  ListedLists lists;
  Context context = test::context();
  Array<Storage> positions;
  Array<std::int32_t> offsets, kinds, places, partners;
  Array<Storage> forces;
  ListedForceArgs<Storage> args;

  Call(const Molecule& m, const std::vector<Storage>& forces_before)
      : molecule(m),
        lists(listed_by_atom(m.atoms(), m.terms)),
        positions(context, std::vector<Storage>(m.positions.begin(), m.positions.end())),
        offsets(context, lists.offsets),
        kinds(context, lists.kinds),
        places(context, lists.places),
        partners(context, lists.partners),
        forces(context, forces_before) {
    args.positions = positions.rows(3);
    args.offsets = offsets.view();
    args.kinds = kinds.view();
    args.places = places.view();
    args.partners = partners.view();
    args.forces = forces.rows(3);
    args.box = m.box;
    for (std::size_t c = 0; c < listed_classes; ++c)
      if (const std::int64_t types = m.classes[c].types; types > 0)
        args.coefficients[c] = {molecule.coefficients[c].data(),
                                {types, std::ssize(m.coefficients[c]) / types}};
  }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  [[nodiscard]] ListedForceProblem problem() const {
    return {molecule.atoms(), kinds.size(), molecule.classes, Determinism::none, false};
  }
};

template <class P>
struct Result {
  std::vector<typename P::Storage> forces;
  std::array<double, listed_classes> energies{};  ///< by class
  std::array<double, 6> virial{};                 ///< of all classes
  double allowed = 0;

  [[nodiscard]] double energy() const {
    return energies[0] + energies[1] + energies[2] + energies[3];
  }
};

template <class P>
Result<P> run(const Implementation<ListedForce, P>& implementation, const Molecule& m,
              std::vector<typename P::Storage> forces = {}, Write write = Write::overwrite) {
  using Storage = typename P::Storage;
  forces.resize(m.positions.size(), std::numeric_limits<Storage>::quiet_NaN());
  Call<P> call(m, forces);
  const std::int64_t classes = call.problem().present();
  Array<double> tally(call.context, 7 * classes);
  tally.fill_bytes(0xff);
  call.args.write = write;
  call.args.energy = {tally.data(), {classes}};
  call.args.virial = {tally.data() + classes, {classes, 6}};
  const auto plan = implementation.make_plan(call.problem(), call.context, {});
  plan->prepare(call.args);
  plan->execute(call.args);
  const std::vector<double> sums = tally.to_host();
  Result<P> result{call.forces.to_host(), {}, {}, plan->allowed_displacement(m.box)};
  std::size_t row = 0;
  for (std::size_t c = 0; c < listed_classes; ++c) {
    if (m.classes[c].types == 0) continue;
    result.energies[c] = sums[row];
    for (std::size_t k = 0; k < 6; ++k)
      result.virial[k] += sums[static_cast<std::size_t>(classes) + 6 * row + k];
    ++row;
  }
  return result;
}

/// Three atoms at right angles to each other's bonds, and a fourth at the dihedral angle `phi`,
/// with an angle `theta` at the second atom.
Molecule bent(double theta, double phi) {
  Molecule m;
  m.positions = {4 + std::cos(theta), 4 + std::sin(theta), 4, 4, 4, 4, 5, 4, 4, 5,
                 4 + std::cos(phi),   4 + std::sin(phi)};
  m.terms = {{0, 0, {0, 1}},    {0, 0, {1, 2}},       {0, 0, {2, 3}},
             {1, 1, {0, 1, 2}}, {2, 2, {0, 1, 2, 3}}, {3, 3, {0, 1, 2, 3}}};
  return m;
}

TEST_CASE("forces are the slope of the energy") {
  test::with_target<ListedForce>([]<class P>(const Implementation<ListedForce, P>& implementation) {
    if (P::value != Precision::double_precision) return;
    for (const Molecule& m : molecules()) {
      for (const ListedTypes& types : m.classes)
        CAPTURE(types.potential);
      const Result<P> result = run(implementation, m);
      double largest = 0;
      for (const double f : result.forces)
        largest = std::max(largest, std::abs(f));
      CHECK(largest > 0);
      for (std::size_t c = 0; c < m.positions.size(); ++c) {
        const double h = 1e-5;
        Molecule low = m;
        Molecule high = m;
        low.positions[c] -= h;
        high.positions[c] += h;
        const double slope =
            (run(implementation, high).energy() - run(implementation, low).energy()) / (2 * h);
        CHECK(std::abs(result.forces[c] + slope) <= 1e-7 * largest);
      }
    }
  });
}

TEST_CASE("the virial is the slope of the energy under strain") {
  test::with_target<ListedForce>([]<class P>(const Implementation<ListedForce, P>& implementation) {
    if (P::value != Precision::double_precision) return;
    constexpr std::size_t component[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
    for (Molecule m : molecules()) {
      m.box.periodic[0] = m.box.periodic[1] = m.box.periodic[2] = false;
      m.positions[0] += 8;
      m.positions[7] -= 9;
      const Result<P> result = run(implementation, m);
      for (std::size_t k = 0; k < 6; ++k) {
        const auto strained = [&](double by) {
          Molecule s = m;
          for (std::size_t i = 0; i < s.positions.size(); i += 3)
            s.positions[i + component[k][0]] += by * m.positions[i + component[k][1]];
          return run(implementation, s).energy();
        };
        const double h = 1e-6;
        const double slope = (strained(h) - strained(-h)) / (2 * h);
        CHECK(std::abs(result.virial[k] + slope) <= 1e-6 * (std::abs(slope) + 1));
      }
    }
  });
}

TEST_CASE("forces and torques of a molecule cancel, and forces add to what is there") {
  test::with_target<ListedForce>([]<class P>(const Implementation<ListedForce, P>& implementation) {
    using Storage = typename P::Storage;
    const double tolerance = sizeof(typename P::Compute) == 8 ? 1e-12 : 1e-4;
    for (Molecule m : molecules()) {
      m.box.periodic[0] = m.box.periodic[1] = m.box.periodic[2] = false;
      m.positions[0] += 8;
      m.positions[7] -= 9;
      const auto alone = run(implementation, m).forces;
      double largest = 0;
      double force[3] = {};
      double torque[3] = {};
      for (std::size_t i = 0; i < alone.size(); i += 3)
        for (std::size_t d = 0; d < 3; ++d) {
          const std::size_t e = (d + 1) % 3;
          const std::size_t f = (d + 2) % 3;
          force[d] += static_cast<double>(alone[i + d]);
          torque[d] += m.positions[i + e] * static_cast<double>(alone[i + f]) -
                       m.positions[i + f] * static_cast<double>(alone[i + e]);
          largest = std::max(largest, std::abs(static_cast<double>(alone[i + d])));
        }
      for (std::size_t d = 0; d < 3; ++d) {
        CHECK(std::abs(force[d]) <= tolerance * largest);
        CHECK(std::abs(torque[d]) <= 100 * tolerance * largest);
      }
      std::vector<Storage> before(alone.size(), Storage(2));
      m.positions.insert(m.positions.end(), {4, 4, 4});
      before.insert(before.end(), {7, 8, 9});
      const auto added = run(implementation, m, before, Write::add).forces;
      for (std::size_t c = 0; c < alone.size(); ++c)
        CHECK(added[c] == test::relative(alone[c] + 2).epsilon(1e-5));
      for (std::size_t c = alone.size(); c < added.size(); ++c)
        CHECK(added[c] == before[c]);
      // With Write::overwrite, an atom without terms has zero force.
      CHECK(run(implementation, m).forces.back() == 0);
    }
  });
}

TEST_CASE("energies are those of the formulas, by class") {
  test::with_target<ListedForce>([]<class P>(const Implementation<ListedForce, P>& implementation) {
    const double tolerance = sizeof(typename P::Compute) == 8 ? 1e-11 : 1e-5;
    for (const double phi : {-150.0, -60.0, 0.0, 35.0, 90.0, 180.0})
      for (const double theta : {40.0, 90.0, 123.0}) {
        const Molecule m = bent(theta * degree, phi * degree);
        const Result<P> result = run(implementation, m);
        const auto near = [&](double found, double expected) {
          CHECK(std::abs(found - expected) <= tolerance * 300);
        };
        near(result.energies[0], 0);
        near(result.energies[1],
             20 * std::pow(std::cos(theta * degree) - std::cos(110 * degree), 2));
        near(result.energies[2], 3 * (1 + std::cos((2 * phi - 40) * degree)));
        // From -100 degrees, by the shorter way round.
        const double apart = std::remainder(phi + 100, 360.0) * degree;
        near(result.energies[3], 15 * apart * apart);
        const auto alone = [&](int c, const char* name, const std::vector<double>& numbers) {
          Molecule one = m;
          one.use(c, name, numbers);
          return run(implementation, one).energies[static_cast<std::size_t>(c)];
        };
        near(alone(1, "harmonic", {5, 110}), 5 * std::pow((theta - 110) * degree, 2));
        const double cosine = std::cos(theta * degree);
        near(alone(1, "cosine/squared/restricted", {5, 110}),
             5 * std::pow(cosine - std::cos(110 * degree), 2) / (1 - cosine * cosine));
        const double psi = (phi - 180) * degree;
        double sum = 0;
        for (int n = 0; n < 6; ++n)
          sum += (n - 2.5) * std::pow(std::cos(psi), n);
        near(alone(2, "ryckaert/bellemans", {-2.5, -1.5, -0.5, 0.5, 1.5, 2.5}), sum);
        const double angle = phi * degree;
        near(alone(2, "opls", {1, 2, 3, 4}), 0.5 * (1 + std::cos(angle)) + 1 - std::cos(2 * angle) +
                                                 1.5 * (1 + std::cos(3 * angle)) +
                                                 2 * (1 - std::cos(4 * angle)));
      }
  });
}

TEST_CASE("angles of 0 and 180 degrees, atoms on a line and in one place have finite forces") {
  test::with_target<ListedForce>([]<class P>(const Implementation<ListedForce, P>& implementation) {
    for (const double theta : {0.0, 180.0, 179.9999}) {
      Molecule m = bent(theta * degree, 60 * degree);
      m.positions[1] = theta == 180 || theta == 0 ? 4 : m.positions[1];
      for (int c = 1; c < listed_classes; ++c)
        for (const ListedPotentialPart& part : listed_potentials(c)) {
          if (part.name == "cosine/squared/restricted") continue;
          CAPTURE(part.name);
          std::vector<double> numbers;
          for (const CoefficientField& field : part.fields)
            numbers.push_back(field.is_angle ? 180 : 3);
          Molecule one = m;
          one.use(c, part.name, numbers);
          const Result<P> result = run(implementation, one);
          CHECK(std::isfinite(result.energy()));
          for (const auto f : result.forces)
            CHECK(std::isfinite(f));
          if (c == 1 && theta == 180) {
            CHECK(std::abs(result.energy()) <= 1e-10);
            for (const auto f : result.forces)
              CHECK(std::abs(f) <= 1e-6);
          }
        }
    }
    Molecule together = bent(90 * degree, 60 * degree);
    for (std::size_t c = 0; c < together.positions.size(); ++c)
      together.positions[c] = 4;
    for (const auto f : run(implementation, together).forces)
      CHECK(f == 0);
    CHECK(run(implementation, together).energies[0] == test::relative(900).epsilon(1e-6));
  });
}

TEST_CASE("each atom has its share of the energy and virial of its terms") {
  test::with_target<ListedForce>([]<class P>(const Implementation<ListedForce, P>& implementation) {
    const Molecule m;
    Call<P> call(m, std::vector<typename P::Storage>(m.positions.size()));
    ListedForceProblem problem = call.problem();
    problem.by_atom = true;
    if (const Refusal refusal = implementation.can_run(problem, call.context)) {
      CHECK(*refusal == "computes no energies and virials of single atoms");
      CHECK(test::target().info().name != "reference");
      return;
    }
    Array<double> energies(call.context, m.atoms());
    Array<double> virials(call.context, 6 * m.atoms());
    energies.fill_bytes(0xff);
    virials.fill_bytes(0xff);
    call.args.energies = energies.view();
    call.args.virials = virials.rows(6);
    const auto plan = implementation.make_plan(problem, call.context, {});
    plan->prepare(call.args);
    plan->execute(call.args);
    std::vector<double> energy(5);
    std::array<double, 6> virial{};
    for (const ListedTerm& term : m.terms) {
      Molecule one = m;
      one.terms = {term};
      const Result<P> alone = run(implementation, one);
      const int atoms = listed_class[static_cast<std::size_t>(term.of_class)].atoms;
      for (int a = 0; a < atoms; ++a)
        energy[static_cast<std::size_t>(term.atoms[static_cast<std::size_t>(a)])] +=
            alone.energy() / atoms;
      for (std::size_t k = 0; k < 6; ++k)
        virial[k] += alone.virial[k];
    }
    const std::vector<double> found = energies.to_host();
    const std::vector<double> shares = virials.to_host();
    for (std::size_t i = 0; i < 5; ++i) {
      CHECK(found[i] == test::relative(energy[i]).epsilon(1e-6));
      for (std::size_t k = 0; k < 6; ++k)
        virial[k] -= shares[6 * i + k];
    }
    for (const double left : virial)
      CHECK(std::abs(left) <= 1e-3);
  });
}

TEST_CASE("whole boxes between two atoms do not matter") {
  test::with_target<ListedForce>([]<class P>(const Implementation<ListedForce, P>& implementation) {
    const Molecule m;
    Molecule far = m;
    for (std::size_t c = 0; c < 3; ++c)
      far.positions[c] -= 3 * far.box.length[c];
    const Result<P> near = run(implementation, m);
    const Result<P> other = run(implementation, far);
    const double tolerance = sizeof(typename P::Storage) == 8 ? 1e-4 : 1e-3;
    CHECK(other.energy() == test::relative(near.energy()).epsilon(tolerance));
    for (std::size_t c = 0; c < near.forces.size(); ++c)
      CHECK(std::abs(other.forces[c] - near.forces[c]) <= tolerance * 500);
  });
}

TEST_CASE("a term near half of the box is refused with its atoms, before it can flip") {
  test::with_target<ListedForce>([]<class P>(const Implementation<ListedForce, P>& implementation) {
    // The oracle does not keep state, so it has no allowed displacement.
    if (test::target().info().name == "reference") return;
    Molecule m;
    m.positions = {1, 1, 1, 4.5, 1, 1, 4, 2, 1};
    m.terms = {{1, 1, {1, 0, 2}}};
    // The arm of 3.5 may grow by 0.5, to half of the box; each of its atoms may move half of that.
    CHECK(run(implementation, m).allowed == test::relative(0.25));
    m.positions[3] = 4.7;
    try {
      (void)run(implementation, m);
      FAIL("no exception");
    } catch (const ParticleError& error) {
      CHECK(error.particles() == std::vector<std::int64_t>{0, 1});
      CHECK(std::string(error.what())
                .find("the separation in a listed term of atoms 0 and 1 spans 0.4625") !=
            std::string::npos);
    }
    // The ends of an angle are no neighbors in it.
    m.positions = {4, 4, 4, 1.5, 4, 4, 6.5, 4, 5};
    CHECK_NOTHROW((void)run(implementation, m));
    for (bool& periodic : m.box.periodic)
      periodic = false;
    CHECK(std::isinf(run(implementation, m).allowed));
  });
}

TEST_CASE("coefficients that the terms cannot hold are refused") {
  test::with_target<ListedForce>([]<class P>(const Implementation<ListedForce, P>& implementation) {
    if (test::target().info().name == "reference") return;
    for (const double stiffness : {1e39, 1e-39}) {
      Molecule m;
      m.coefficients[1][0] = stiffness;
      if constexpr (P::value == Precision::double_precision)
        CHECK_NOTHROW((void)run(implementation, m));
      else
        CHECK_THROWS_AS((void)run(implementation, m), RefusalError);
    }
  });
}

TEST_CASE("arguments that do not fit together are refused") {
  test::with_target<ListedForce>([]<class P>(const Implementation<ListedForce, P>& implementation) {
    Molecule m;
    m.coefficients[2].pop_back();
    CHECK_THROWS_AS((void)run(implementation, m), ArgumentError);
    m = {};
    m.classes[1].potential = "harmonics";
    CHECK_THROWS_AS((void)run(implementation, m), SelectionError);
    m = {};
    m.classes[1].potential = "harmonic+harmonic";
    CHECK_THROWS_AS((void)run(implementation, m), ArgumentError);
    m = {};
    m.classes[3].potential = "";
    CHECK_THROWS_AS((void)run(implementation, m), ArgumentError);
    m = {};
    m.terms.push_back({2, 2, {0, 1, 2, 1}});
    CHECK_THROWS_AS((void)run(implementation, m), ParticleError);
  });
}

/// Chains of atoms in a box, with terms of every class.
Molecule long_chains(const Box& box) {
  Molecule m;
  m.box = box;
  m.positions.clear();
  m.terms.clear();
  std::mt19937 random(77);
  std::uniform_real_distribution<double> share(0, 1);
  for (std::int32_t i = 0; i < 90; ++i) {
    const std::int32_t before = i % 9;
    for (std::size_t d = 0; d < 3; ++d)
      m.positions.push_back(before == 0
                                ? box.length[d] * share(random)
                                : m.positions[m.positions.size() - 3] + 0.2 + 0.6 * share(random));
    if (before >= 1) m.terms.push_back({0, 0, {i - 1, i}});
    if (before >= 2) m.terms.push_back({1, 1, {i - 2, i - 1, i}});
    if (before >= 3) m.terms.push_back({2, 2, {i - 3, i - 2, i - 1, i}});
    if (before >= 3) m.terms.push_back({3, 3, {i, i - 3, i - 1, i - 2}});
  }
  return m;
}

/// A molecule in the rows of a half of it.
Molecule rows_of(const Molecule& whole, const test::Half& half) {
  Molecule molecule = whole;
  molecule.positions = test::in_rows(half, whole.positions, 3);
  for (ListedTerm& term : molecule.terms)
    term.renumber(half.row_of);
  return molecule;
}

template <class P>
struct Totals {
  std::vector<typename P::Storage> forces;  ///< a row for each atom, also for ghosts
  std::vector<double> sums;                 ///< energies and virial
};

/// \param targets -1: all atoms.
template <class P>
Totals<P> run_rows(const Implementation<ListedForce, P>& implementation, const Molecule& m,
                   std::int64_t targets, Determinism determinism) {
  Call<P> call(m, std::vector<typename P::Storage>(
                      m.positions.size(), std::numeric_limits<typename P::Storage>::quiet_NaN()));
  Array<double> tally(call.context, 7 * listed_classes);
  call.args.energy = {tally.data(), {listed_classes}};
  call.args.virial = {tally.data() + listed_classes, {listed_classes, 6}};
  if (targets >= 0) {
    call.args.owned = targets;
    call.args.forces.extents[0] = targets;
  }
  ListedForceProblem problem = call.problem();
  problem.determinism = determinism;
  const auto plan = implementation.make_plan(problem, call.context, {});
  plan->prepare(call.args);
  plan->execute(call.args);
  return {call.forces.to_host(), tally.to_host()};
}

TEST_CASE("two halves with ghosts give the forces, energies and virial of all terms") {
  test::with_target<ListedForce>([]<class P>(const Implementation<ListedForce, P>& implementation) {
    using Storage = typename P::Storage;
    const Box periodic = Molecule().box;
    Box tilted = periodic;
    tilted.tilt[0] = 3.5;
    tilted.tilt[1] = -2;
    tilted.tilt[2] = 4;
    Box open = periodic;
    open.periodic[0] = open.periodic[2] = false;
    const bool fixed = most_determinism(implementation.info()) >= Determinism::any_order;
    for (const Box& box : {periodic, tilted, open})
      for (const Determinism determinism : {Determinism::none, Determinism::any_order}) {
        if (determinism == Determinism::any_order && !fixed) continue;
        const Molecule whole = long_chains(box);
        const Totals<P> expected = run_rows(implementation, whole, -1, determinism);
        if (determinism == Determinism::any_order)
          test::print_bits("listed terms", expected.forces);
        std::vector<Storage> forces(whole.positions.size(),
                                    std::numeric_limits<Storage>::quiet_NaN());
        double sums[7 * listed_classes] = {};
        double magnitude = 0;
        std::size_t crossing = 0;
        for (int part = 0; part < 2; ++part) {
          const test::Half half = test::half_of(whole.positions, part);
          const Molecule molecule = rows_of(whole, half);
          for (const ListedTerm& term : molecule.terms)
            if ((term.atoms[0] < half.targets) != (term.atoms[1] < half.targets)) ++crossing;
          const Totals<P> out = run_rows(implementation, molecule, half.targets, determinism);
          for (std::size_t r = 0; r < half.rows.size(); ++r)
            for (std::size_t d = 0; d < 3; ++d) {
              if (r < static_cast<std::size_t>(half.targets))
                forces[3 * half.rows[r] + d] = out.forces[3 * r + d];
              else
                CHECK(std::isnan(out.forces[3 * r + d]));
            }
          for (std::size_t k = 0; k < 7 * listed_classes; ++k) {
            sums[k] += out.sums[k];
            magnitude += std::abs(out.sums[k]);
          }
        }
        CHECK(crossing > 4);
        // Each force is the sum of the same terms in the same order.
        CHECK(std::memcmp(forces.data(), expected.forces.data(),
                          forces.size() * sizeof forces[0]) == 0);
        for (std::size_t k = 0; k < 7 * listed_classes; ++k)
          CHECK(std::abs(sums[k] - expected.sums[k]) <= 1e-13 * magnitude);
      }
  });
}

}  // namespace
}  // namespace tessera::md
