#include "core/base/error.hpp"
#include "core/memory/array.hpp"
#include "physics/md/special_force/special_force.hpp"
#include "physics/md/topology/pair_lists.hpp"
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
/// Properties of md/special_force that need no oracle.

namespace tessera::md {
namespace {

/// A molecule of four atoms, a triangle with a tail, that crosses two faces of the box.
struct Molecule {
  Box box;
  std::vector<double> positions = {0.3, 0.2, 5.0, 7.5, 0.9, 5.3, 8.3, 8.6, 4.9, 6.6, 1.2, 6.1};
  std::vector<double> charges = {0.5, -0.25, 0.75, -1.0};
  std::vector<Bond> bonds = {{{0, 1}, 0}, {{1, 2}, 1}, {{2, 0}, 0}, {{1, 3}, 1}};
  std::string potential = "lj/cut+coul/rf";
  /// cutoff, epsilon, sigma, shift, cutoff, epsilon_rf, constant; factors; whether fields are kept
  std::vector<double> coefficients = {2.5, 0.8, 1.1, 0, 3.0, 78, 1.5, 0,   0,      1,
                                      2.5, 0.7, 1.2, 1, 3.5, 20, 1.5, 0.5, 0.8333, 1};
  int kinds = 2;

  Molecule() {
    const double lengths[3] = {8, 9, 10};
    for (int d = 0; d < 3; ++d)
      box.length[d] = lengths[d];
  }
};

/// The arrays of a molecule on the device, and the arguments of a call on them.
template <class P>
struct Call {
  using Storage = typename P::Storage;

  Molecule molecule;
  std::int64_t atoms;
  PairLists lists;
  Context context = test::context();
  Array<Storage> positions, charges;
  Array<std::int32_t> offsets, partners, kinds;
  Array<Storage> forces;
  SpecialForceArgs<Storage> args;

  Call(const Molecule& m, const std::vector<Storage>& forces_before)
      : molecule(m),
        atoms(std::ssize(m.positions) / 3),
        lists(bonds_by_atom(atoms, m.bonds)),
        positions(context, std::vector<Storage>(m.positions.begin(), m.positions.end())),
        charges(context, std::vector<Storage>(m.charges.begin(), m.charges.end())),
        offsets(context, lists.offsets),
        partners(context, lists.partners),
        kinds(context, lists.kinds),
        forces(context, forces_before) {
    args.positions = positions.rows(3);
    args.charges = charges.view();
    args.offsets = offsets.view();
    args.partners = partners.view();
    args.kinds = kinds.view();
    args.forces = forces.rows(3);
    args.box = m.box;
    const std::vector<double>& coefficients = molecule.coefficients;
    args.coefficients = {coefficients.data(), {m.kinds, std::ssize(coefficients) / m.kinds}};
  }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  [[nodiscard]] auto make_plan(const Implementation<SpecialForce, P>& implementation,
                               bool by_atom = false) const {
    return implementation.make_plan(
        {atoms, partners.size(), molecule.kinds, molecule.potential, Determinism::none, by_atom},
        context, {});
  }
};

template <class P>
struct Result {
  std::vector<typename P::Storage> forces;
  double energy = 0;
  std::array<double, 6> virial{};
  double allowed = 0;
};

template <class P>
Result<P> run(const Implementation<SpecialForce, P>& implementation, const Molecule& m,
              std::vector<typename P::Storage> forces = {}, Write write = Write::overwrite) {
  using Storage = typename P::Storage;
  forces.resize(m.positions.size(), std::numeric_limits<Storage>::quiet_NaN());
  Call<P> call(m, forces);
  Array<double> tally(call.context, 7);
  tally.fill_bytes(0xff);
  call.args.write = write;
  call.args.energy = {tally.data(), {1}};
  call.args.virial = {tally.data() + 1, {6}};
  const auto plan = call.make_plan(implementation);
  plan->prepare(call.args);
  plan->execute(call.args);
  const std::vector<double> sums = tally.to_host();
  Result<P> result{call.forces.to_host(), sums[0], {}, plan->allowed_displacement(m.box)};
  std::copy_n(sums.begin() + 1, 6, result.virial.begin());
  return result;
}

struct AtomShares {
  std::vector<double> energies, virials;
};

template <class P>
AtomShares run_by_atom(const Implementation<SpecialForce, P>& implementation, const Molecule& m) {
  Call<P> call(m, std::vector<typename P::Storage>(m.positions.size()));
  Array<double> energies(call.context, call.atoms);
  Array<double> virials(call.context, 6 * call.atoms);
  energies.fill_bytes(0xff);
  virials.fill_bytes(0xff);
  call.args.write = Write::add;
  call.args.energies = energies.view();
  call.args.virials = virials.rows(6);
  const auto plan = call.make_plan(implementation, true);
  plan->prepare(call.args);
  plan->execute(call.args);
  return {energies.to_host(), virials.to_host()};
}

TEST_CASE("forces are the slope of the energy") {
  test::with_target<SpecialForce>(
      []<class P>(const Implementation<SpecialForce, P>& implementation) {
        if (P::value != Precision::double_precision) return;
        const Molecule m;
        const Result<P> result = run(implementation, m);
        for (std::size_t c = 0; c < m.positions.size(); ++c) {
          const double h = 1e-5;
          Molecule low = m;
          Molecule high = m;
          low.positions[c] -= h;
          high.positions[c] += h;
          const double slope =
              (run(implementation, high).energy - run(implementation, low).energy) / (2 * h);
          CHECK(result.forces[c] == test::relative(-slope).epsilon(1e-7));
        }
      });
}

TEST_CASE("the virial is the slope of the energy under strain") {
  test::with_target<SpecialForce>(
      []<class P>(const Implementation<SpecialForce, P>& implementation) {
        if (P::value != Precision::double_precision) return;
        const Molecule m;
        const Result<P> result = run(implementation, m);
        for (std::size_t d = 0; d < 3; ++d) {
          const auto strained = [&](double by) {
            Molecule s = m;
            s.box.length[d] *= 1 + by;
            for (std::size_t c = d; c < s.positions.size(); c += 3)
              s.positions[c] *= 1 + by;
            return run(implementation, s).energy;
          };
          const double h = 1e-6;
          CHECK(result.virial[d] ==
                test::relative(-(strained(h) - strained(-h)) / (2 * h)).epsilon(1e-6));
        }
      });
}

TEST_CASE("forces cancel exactly within a pair, and add to what is there") {
  test::with_target<SpecialForce>(
      []<class P>(const Implementation<SpecialForce, P>& implementation) {
        using Storage = typename P::Storage;
        Molecule pair;
        pair.positions.resize(6);
        pair.charges.resize(2);
        pair.bonds = {{{0, 1}, 0}};
        const auto alone = run(implementation, pair).forces;
        for (std::size_t d = 0; d < 3; ++d) {
          CHECK(alone[d] == -alone[3 + d]);
          CHECK(alone[d] != 0);
        }
        pair.positions.insert(pair.positions.end(), {4, 4, 4});
        pair.charges.resize(3);
        const std::vector<Storage> before = {1, 2, 3, 4, 5, 6, 7, 8, 9};
        const auto added = run(implementation, pair, before, Write::add).forces;
        for (std::size_t c = 0; c < 6; ++c)
          CHECK(added[c] == test::relative(alone[c] + before[c]).epsilon(1e-5));
        for (std::size_t c = 6; c < 9; ++c)
          CHECK(added[c] == before[c]);
        // With Write::overwrite, an atom without pairs has zero force.
        const auto overwritten = run(implementation, pair).forces;
        for (std::size_t c = 6; c < 9; ++c)
          CHECK(overwritten[c] == 0);
      });
}

TEST_CASE("each atom has half of the energy and virial of its pairs") {
  test::with_target<SpecialForce>([]<class P>(
                                      const Implementation<SpecialForce, P>& implementation) {
    const Context context = test::context();
    Molecule m;
    m.positions.insert(m.positions.end(), {4, 4, 4});  // an atom without pairs
    m.charges.push_back(1);
    SpecialForceProblem problem{5, 8, m.kinds, m.potential, Determinism::none, true};
    if (const Refusal refusal = implementation.can_run(problem, context)) {
      CHECK(*refusal == "computes no energies and virials of single atoms");
      CHECK(test::target().info().name != "reference");
      return;
    }
    const AtomShares all = run_by_atom(implementation, m);
    double energy = 0;
    std::array<double, 6> virial{};
    for (std::size_t i = 0; i < 5; ++i) {
      energy += all.energies[i];
      for (std::size_t c = 0; c < 6; ++c)
        virial[c] += all.virials[6 * i + c];
    }
    const Result<P> totals = run(implementation, m);
    CHECK(energy == test::relative(totals.energy).epsilon(1e-12));
    for (std::size_t c = 0; c < 6; ++c)
      CHECK(virial[c] == test::relative(totals.virial[c]).epsilon(1e-12));
    // The last atom has half of its only bond; the rest of the molecule has the other half.
    Molecule tail = m;
    tail.bonds = {m.bonds.back()};
    CHECK(all.energies[3] == test::relative(0.5 * run(implementation, tail).energy).epsilon(1e-6));
    for (std::size_t c = 0; c < 6; ++c) {
      CHECK(all.virials[18 + c] ==
            test::relative(0.5 * run(implementation, tail).virial[c]).epsilon(1e-6));
      CHECK(all.virials[24 + c] == 0);
    }
    CHECK(all.energies[4] == 0);
  });
}

TEST_CASE("whole boxes between two atoms do not matter") {
  test::with_target<SpecialForce>(
      []<class P>(const Implementation<SpecialForce, P>& implementation) {
        const Molecule m;
        Molecule far = m;
        for (std::size_t c = 0; c < 3; ++c)
          far.positions[c] -= 3 * far.box.length[c];
        const Result<P> near = run(implementation, m);
        const Result<P> other = run(implementation, far);
        const double tolerance = sizeof(typename P::Storage) == 8 ? 1e-5 : 1e-3;
        CHECK(other.energy == test::relative(near.energy).epsilon(tolerance));
        for (std::size_t c = 0; c < near.forces.size(); ++c)
          CHECK(other.forces[c] == test::relative(near.forces[c]).epsilon(tolerance));
      });
}

TEST_CASE("two atoms at one place have an energy and no force") {
  test::with_target<SpecialForce>(
      []<class P>(const Implementation<SpecialForce, P>& implementation) {
        Molecule m;
        m.bonds = {{{0, 1}, 0}};
        for (std::size_t d = 0; d < 3; ++d)
          m.positions[3 + d] = m.positions[d];
        const Result<P> result = run(implementation, m);
        for (const auto f : result.forces)
          CHECK(f == 0);
        for (const double w : result.virial)
          CHECK(w == 0);
        // C q_i q_j (-1/rc - k rc^2).
        const double field = 1 / 3.0 + 77.0 / 157 / 3;
        const double energy = 1.5 * 0.5 * -0.25 * -field;
        CHECK(result.energy == test::relative(energy).epsilon(1e-6));
      });
}

TEST_CASE("a scaled pair is nothing beyond its cutoff, in whatever image it is") {
  test::with_target<SpecialForce>(
      []<class P>(const Implementation<SpecialForce, P>& implementation) {
        Molecule m;
        m.bonds = {{{0, 1}, 1}};  // cutoffs 2.5 and 3.5
        m.positions = {1, 1, 1, 4.9, 5.4, 5.9, 8.3, 8.6, 4.9, 6.6, 1.2, 6.1};
        const Result<P> far = run(implementation, m);
        CHECK(far.energy == 0);
        for (const auto f : far.forces)
          CHECK(f == 0);
        if (test::target().info().name != "reference") CHECK(std::isinf(far.allowed));
        // With cutoffs up to half of the shortest length, 8, at most one image is within the
        // cutoff.
        m.coefficients[10] = m.coefficients[14] = 4;
        m.positions = {1, 1, 1, 4.9375, 1, 1, 8.3, 8.6, 4.9, 6.6, 1.2, 6.1};
        const Result<P> near = run(implementation, m);
        CHECK(near.energy != 0);
        m.positions[3] = 5.0625;  // 3.9375 in the other direction
        const Result<P> other = run(implementation, m);
        CHECK(other.energy == near.energy);
        CHECK(other.forces[0] == -near.forces[0]);
        CHECK(near.forces[0] != 0);
      });
}

TEST_CASE("a pair that acts beyond half of the box is refused where its image is in doubt") {
  test::with_target<SpecialForce>(
      []<class P>(const Implementation<SpecialForce, P>& implementation) {
        if (test::target().info().name == "reference") return;
        const auto refused = [&](const Molecule& m) {
          try {
            (void)run(implementation, m);
          } catch (const ParticleError& error) {
            const std::string text = error.what();
            CHECK(text.find("the scaled or excluded pair of atoms 0 and 1") != std::string::npos);
            CHECK(text.find("bond") == std::string::npos);
            return true;
          }
          return false;
        };
        Molecule m;
        m.bonds = {{{0, 1}, 1}, {{2, 3}, 0}};  // only the second kind has a long cutoff
        m.positions = {1, 1, 1, 4.7, 1, 1, 1, 1, 5, 5, 1, 5};
        CHECK_FALSE(refused(m));
        m.coefficients[14] = 4.5;
        CHECK(refused(m));
        m.positions[3] = 4.5;
        CHECK(run(implementation, m).allowed == test::relative(0.25));
        // The correction of an Ewald sum has no cutoff, unless it vanishes.
        m.positions[3] = 4.7;
        m.potential = "lj/cut+coul/long";
        // cutoff, epsilon, sigma, shift, cutoff, alpha, constant; factors; whether fields are kept
        m.coefficients = {2.5, 0.8, 1.1, 0, 3, 0.5, 1.5, 0, 1, 1,
                          2.5, 0.8, 1.1, 0, 3, 0.5, 1.5, 1, 0, 1};
        CHECK(refused(m));
        m.coefficients[19] = 0;
        CHECK_FALSE(refused(m));
      });
}

TEST_CASE(
    "a plan of scaled pairs prepares again where the box has become too small for one image") {
  test::with_target<SpecialForce>(
      []<class P>(const Implementation<SpecialForce, P>& implementation) {
        if (test::target().info().name == "reference") return;
        Molecule m;
        const Call<P> call(m, std::vector<typename P::Storage>(m.positions.size()));
        const auto plan = call.make_plan(implementation);
        plan->prepare(call.args);
        Box small = m.box;
        small.length[0] = 7.01;  // the largest cutoff is 3.5
        CHECK(std::isinf(plan->allowed_displacement(small)));
        small.length[0] = 6.99;
        CHECK(plan->allowed_displacement(small) < 0);
      });
}

TEST_CASE("arguments that do not fit together are refused") {
  test::with_target<SpecialForce>(
      []<class P>(const Implementation<SpecialForce, P>& implementation) {
        Molecule m;
        m.coefficients.pop_back();
        m.coefficients.pop_back();
        CHECK_THROWS_AS((void)run(implementation, m), ArgumentError);
        m = {};
        m.charges.pop_back();
        CHECK_THROWS_AS((void)run(implementation, m), ArgumentError);
        m = {};
        m.potential = "lj/cutt";
        CHECK_THROWS_AS((void)run(implementation, m), SelectionError);
      });
}

/// Chains of bonded atoms in a box, cut in two: targets are the atoms of one half, ghosts all
/// others.
Molecule bonded_chains(const Box& box) {
  Molecule m;
  m.box = box;
  m.positions.clear();
  m.charges.clear();
  m.bonds.clear();
  std::mt19937 random(77);
  std::uniform_real_distribution<double> share(0, 1);
  for (std::int32_t i = 0; i < 90; ++i) {
    const bool first = i % 9 == 0;
    for (std::size_t d = 0; d < 3; ++d)
      m.positions.push_back(first
                                ? box.length[d] * share(random)
                                : m.positions[m.positions.size() - 3] + 0.45 + 0.3 * share(random));
    m.charges.push_back(share(random) < 0.5 ? -0.75 : 0.75);
    if (!first) m.bonds.push_back({{i - 1, i}, i % 2});
    if (i % 9 == 8) m.bonds.push_back({{i - 2, i}, 1});
  }
  return m;
}

/// A molecule in the rows of a half of it.
Molecule rows_of(const Molecule& whole, const test::Half& half) {
  Molecule molecule = whole;
  molecule.positions = test::in_rows(half, whole.positions, 3);
  molecule.charges = test::in_rows(half, whole.charges, 1);
  for (Bond& bond : molecule.bonds)
    for (std::int32_t& atom : bond.atoms)
      atom = half.row_of[static_cast<std::size_t>(atom)];
  return molecule;
}

template <class P>
struct Totals {
  std::vector<typename P::Storage> forces;  ///< a row for each atom, also for ghosts
  std::vector<double> sums;                 ///< energy and virial
};

/// \param targets -1: all atoms.
template <class P>
Totals<P> run_rows(const Implementation<SpecialForce, P>& implementation, const Molecule& m,
                   std::int64_t targets, Determinism determinism) {
  Call<P> call(m, std::vector<typename P::Storage>(
                      m.positions.size(), std::numeric_limits<typename P::Storage>::quiet_NaN()));
  Array<double> tally(call.context, 7);
  call.args.energy = {tally.data(), {1}};
  call.args.virial = {tally.data() + 1, {6}};
  if (targets >= 0) {
    call.args.owned = targets;
    call.args.forces.extents[0] = targets;
  }
  const auto plan = implementation.make_plan(
      {call.atoms, call.partners.size(), m.kinds, m.potential, determinism}, call.context, {});
  plan->prepare(call.args);
  plan->execute(call.args);
  return {call.forces.to_host(), tally.to_host()};
}

TEST_CASE("two halves with ghosts give the forces, energy and virial of all pairs") {
  test::with_target<SpecialForce>(
      []<class P>(const Implementation<SpecialForce, P>& implementation) {
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
            const Molecule whole = bonded_chains(box);
            const std::vector<Storage> poison(whole.positions.size(),
                                              std::numeric_limits<Storage>::quiet_NaN());
            const Totals<P> expected = run_rows(implementation, whole, -1, determinism);
            if (determinism == Determinism::any_order)
              test::print_bits(whole.potential, expected.forces);
            std::vector<Storage> forces = poison;
            double sums[7] = {};
            double magnitude[7] = {};
            std::size_t crossing = 0;
            for (int part = 0; part < 2; ++part) {
              const test::Half half = test::half_of(whole.positions, part);
              const Molecule molecule = rows_of(whole, half);
              for (const Bond& bond : molecule.bonds)
                if ((bond.atoms[0] < half.targets) != (bond.atoms[1] < half.targets)) ++crossing;
              const Totals<P> out = run_rows(implementation, molecule, half.targets, determinism);
              for (std::size_t r = 0; r < half.rows.size(); ++r)
                for (std::size_t d = 0; d < 3; ++d) {
                  if (r < static_cast<std::size_t>(half.targets))
                    forces[3 * half.rows[r] + d] = out.forces[3 * r + d];
                  else
                    CHECK(std::isnan(out.forces[3 * r + d]));
                }
              for (std::size_t k = 0; k < 7; ++k) {
                sums[k] += out.sums[k];
                magnitude[k] += std::abs(out.sums[k]);
              }
            }
            CHECK(crossing > 4);
            // Each force is the sum of the same terms in the same order.
            CHECK(std::memcmp(forces.data(), expected.forces.data(),
                              forces.size() * sizeof forces[0]) == 0);
            for (std::size_t k = 0; k < 7; ++k)
              CHECK(std::abs(sums[k] - expected.sums[k]) <=
                    1e-13 * (magnitude[k] + std::abs(expected.sums[k]) + magnitude[0]));
          }
      });
}

}  // namespace
}  // namespace tessera::md
