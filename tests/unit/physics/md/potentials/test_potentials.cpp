#include "core/base/device_code.hpp"
#include "core/base/error.hpp"
#include "physics/md/pair_potential/coefficient_table.hpp"
#include "physics/md/pair_potential/pair_kernels.hpp"
#include "physics/md/pair_potential/pair_table.hpp"
#include "tests/support/relative.hpp"
#include "tests/unit/physics/md/potentials/potential_checks.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <vector>

namespace tessera::md {
namespace {

using test::check_values;

CoefficientValues lennard_jones(double shift) {
  return {{"epsilon", 1.3}, {"sigma", 1.1}, {"cutoff", 2.7}, {"shift", shift}};
}

}  // namespace

TEST_CASE("lj/cut has its published values") {
  const PairPotential potential = pair_potentials().find("lj/cut");
  check_values(potential, lennard_jones(0), 0, 0,
               {{0.95, 17.669837443107511, 318.25995070249314},
                {1.25, -1.2934112410040588, -0.66017752600825941},
                {2.5, -0.037459030779160754, -0.035697820326836653}});
  check_values(potential, lennard_jones(1), 0, 0,
               {{0.95, 17.693506797550196, 318.25995070249314},
                {1.25, -1.2697418865613728, -0.66017752600825941},
                {2.5, -0.013789676336474753, -0.035697820326836653}});
}

TEST_CASE("lj/smooth/linear has its published values") {
  check_values(pair_potentials().find("lj/smooth/linear"),
               {{"epsilon", 1.3}, {"sigma", 1.1}, {"cutoff", 2.7}}, 0, 0,
               {{0.95, 17.785131447179623, 318.31506327369885},
                {1.25, -1.1938243197255607, -0.61829197189194929},
                {2.5, -0.0033182878073972212, -0.01475504326868159}});
}

TEST_CASE("coul/rf has its published values") {
  const PairPotential potential = pair_potentials().find("coul/rf");
  check_values(potential, {{"coulomb_constant", 332.06371}, {"cutoff", 10}, {"epsilon_rf", 78}},
               -0.82, 0.41,
               {{1.9, -42.316148351769009, -16.166892215855469},
                {6.5, -2.8493725512173489, -0.29701074673429001},
                {9.75, -0.015911591508592868, -0.010943002269548542}});
  check_values(potential, {{"coulomb_constant", 332.06371}, {"cutoff", 10}, {"epsilon_rf", 0}},
               -0.82, 0.41,
               {{1.9, -42.213336611171691, -16.164758970900653},
                {6.5, -2.7877751031470579, -0.29487750177947475},
                {9.75, -0.010645143026392629, -0.0088097573147332565}});
}

TEST_CASE("a sum is the sum of its parts, each within its own cutoff") {
  const PairPotential potential = pair_potentials().find("lj/cut+coul/rf");
  CHECK(potential.reads(AtomData::charge));
  CHECK(potential.field("coulomb_cutoff") == 4);
  CoefficientTable table(potential, 1);
  table.set_all({{"epsilon", 1.3},
                 {"sigma", 1.1},
                 {"cutoff", 2.7},
                 {"coulomb_cutoff", 10},
                 {"epsilon_rf", 78},
                 {"coulomb_constant", 332.06371}});
  CHECK(table.largest_cutoff() == 10);
  const std::vector<double> row = pack_pair_table(potential, table.view(), {});
  CHECK(potential.evaluate(row.data(), 6.5, -0.82, 0.41).energy ==
        test::relative(-2.8493725512173489).epsilon(2e-14));
  CHECK(potential.evaluate(row.data(), 1.25, 0, 0).energy ==
        test::relative(-1.2934112410040588).epsilon(2e-14));
  const PairValue both = potential.evaluate(row.data(), 1.25, -0.82, 0.41);
  const PairValue alone = potential.evaluate(row.data(), 1.25, 0, 0);
  CHECK(both.energy - alone.energy < -70);
}

TEST_CASE("the force of every form is the slope of its energy") {
  for (const std::string& name : pair_potentials().names()) {
    if (pair_potentials().find(name).parts().front().points > 0) continue;  // test_table.cpp
    CAPTURE(name);
    CHECK(test::gradient_error(pair_potentials().find(name)) < 1e-9);
  }
  CHECK(test::gradient_error(pair_potentials().find("lj/smooth/linear+coul/rf")) < 1e-9);
}

namespace {

/// A pair potential with a mistake in its force: a factor of 6 in place of 12.
struct WrongGradient {
  static constexpr potentials::Traits traits{.width = 1};
  template <class Declaration>
  static void declare(Declaration& potential) {
    potential.is("wrong", "nowhere");
    potential.has("cutoff", "").cutoff();
    potential.has("epsilon", "").energy(1);
  }
  template <class T>
  static TESSERA_INLINE void pack(const T* field, T* c) {
    c[0] = field[1];
  }
  template <class Real, class Distance, class Coefficients, class Atom>
  TESSERA_INLINE void at(const Distance& r, const Coefficients& c, const Atom&, const Atom&,
                         Real& force_over_r, Real& energy) const {
    const Real i2 = r.inverse_squared();
    const Real i6 = i2 * i2 * i2;
    force_over_r = Real(6) * c[0] * i6 * i6 * i2;
    energy = c[0] * i6 * i6;
  }
};

}  // namespace

TEST_CASE("a planted wrong gradient is found") {
  const PairPotential potential({describe_pair_potential<WrongGradient>("wrong", -1)});
  CHECK(test::gradient_error(potential) > 0.1);
}

TEST_CASE("forms that do not exist, and sums that make no sense, are refused") {
  CHECK_THROWS_WITH_AS(static_cast<void>(pair_potentials().find("lj/cot")),
                       doctest::Contains("lj/cut"), SelectionError);
  CHECK_THROWS_AS(static_cast<void>(pair_potentials().find("")), SelectionError);
  CHECK_THROWS_AS(static_cast<void>(pair_potentials().find("coul/rf+lj/cut")), ArgumentError);
  CHECK_THROWS_AS(static_cast<void>(pair_potentials().find("lj/cut+lj/cut")), ArgumentError);
  CHECK_THROWS_AS(static_cast<void>(pair_potentials().find("lj/cut+")), SelectionError);
}

TEST_CASE("coefficients out of their range are refused by name") {
  CoefficientTable table(pair_potentials().find("lj/cut"), 2);
  CHECK_THROWS_WITH_AS(table.set(0, 1, {{"epsilon", -1}}),
                       "lj/cut: epsilon = -1: expected a number not below zero", ArgumentError);
  CHECK_THROWS_WITH_AS(table.set(0, 1, {{"epslon", 1}}), doctest::Contains("epsilon"),
                       SelectionError);
  CHECK_THROWS_AS(table.set(0, 1, {{"sigma", NAN}}), ArgumentError);
  CHECK_THROWS_AS(table.set(0, 1, {{"shift", 0.5}}), ArgumentError);
  table.set_all({{"epsilon", 1}, {"cutoff", 2.5}});
  CHECK_THROWS_WITH_AS(
      check_coefficients(table.potential(), table.view()),
      "lj/cut, types 1 and 1: sigma = 0: expected a number greater than zero where "
      "epsilon is not zero",
      ArgumentError);
  std::vector<double> skew = {2.5, 1, 1, 0, 2.5, 1, 1, 0, 2.5, 2, 1, 0, 2.5, 1, 1, 0};
  CHECK_THROWS_WITH_AS(
      check_coefficients(table.potential(), View<const double, 3>(skew.data(), {2, 2, 4})),
      doctest::Contains("the other way round"), ArgumentError);
}

TEST_CASE("a part acts on the types that it has an energy for inside its cutoff") {
  CoefficientTable table(pair_potentials().find("lj/cut+coul/rf"), 4);
  table.set_all({{"sigma", 1}, {"cutoff", 2.5}, {"coulomb_cutoff", 3}, {"coulomb_constant", 1}});
  table.set(0, 0, {{"epsilon", 1}});
  table.set(1, 2, {{"epsilon", 1}});
  for (const int type : {0, 1, 2, 3})
    table.set(type, 3, {{"epsilon", 1}, {"cutoff", 0}, {"coulomb_cutoff", 0}});
  using Bits = std::vector<std::uint8_t>;
  CHECK(acting_parts(table.potential(), table.view()) == Bits{3, 3, 3, 0});
  table.set(1, 2, {{"epsilon", 0}});
  CHECK(acting_parts(table.potential(), table.view()) == Bits{3, 2, 2, 0});
}

TEST_CASE("a form without energies does nothing, so that kernels may leave it out") {
  for (const std::string& name : pair_potentials().names()) {
    CAPTURE(name);
    const PairPotential potential = pair_potentials().find(name);
    std::vector<double> fields = test::plausible_coefficients(potential);
    for (std::size_t f = 0; f < fields.size(); ++f)
      if (potential.fields()[f].energy != 0) fields[f] = 0;
    std::vector<double> row(static_cast<std::size_t>(potential.table_width()));
    std::vector<double> samples;
    potential.pack(fields.data(), row.data(), &samples);
    for (const double r : {0.7, 1.1, 2.9}) {
      const PairValue value = potential.evaluate(row.data(), r, 1, -1, samples.data());
      CHECK(value.energy == 0);
      CHECK(value.force_over_r == 0);
    }
  }
}

TEST_CASE("a kernel's units do not change what a pair does") {
  const PairPotential potential = pair_potentials().find("lj/cut+coul/rf");
  CoefficientTable table(potential, 1);
  table.set_all({{"epsilon", 1.65e-21},
                 {"sigma", 3.4e-10},
                 {"cutoff", 9e-10},
                 {"coulomb_cutoff", 1e-9},
                 {"coulomb_constant", 8.9875517873681764e9}});
  const double length = typical_length(potential, table.view());
  CHECK(length > 1e-10);
  CHECK(length < 1e-9);
  const double e = 1.602176634e-19;
  const PairUnits units = pair_units(potential, table.view(), e);
  CHECK(units.length == length);
  const std::vector<double> scaled = pack_pair_table(potential, table.view(), units);
  for (const double number : scaled) {
    // The range of a float, with a margin for powers of a distance.
    CHECK((number == 0 || (std::abs(number) > 1e-12 && std::abs(number) < 1e12)));
  }
  const std::vector<double> plain = pack_pair_table(potential, table.view(), {});
  const PairValue a = potential.evaluate(plain.data(), 3.1e-10, e, -0.5 * e);
  const PairValue b = potential.evaluate(scaled.data(), 3.1e-10 / length, e / units.charge,
                                         -0.5 * e / units.charge);
  CHECK(b.energy * units.energy == test::relative(a.energy).epsilon(1e-12));
  CHECK(b.force_over_r * units.energy / (length * length) ==
        test::relative(a.force_over_r).epsilon(1e-12));
}

TEST_CASE("a kernel's units suit any scale of lengths, energies and charges") {
  const PairPotential potential = pair_potentials().find("lj/cut+coul/rf");
  for (const double length : {1e-11, 1e-4, 1.0, 2000.0, 1e6})
    for (const double energy : {1.6e-21, 1.0, 1e20})
      for (const double charge : {0.0, 1.6e-19, 1.0, 1e15}) {
        CoefficientTable table(potential, 2);
        // Lengths that differ by up to a factor of 100, and a constant that makes the forces of
        // charges as strong as the others.
        const double constant = charge > 0 ? energy * length / (charge * charge) : 9e9;
        for (const auto& [i, j, sigma] :
             {std::tuple{0, 0, 0.1}, std::tuple{0, 1, 1.0}, std::tuple{1, 1, 10.0}})
          table.set(i, j,
                    {{"epsilon", energy},
                     {"sigma", sigma * length},
                     {"cutoff", 2.5 * sigma * length},
                     {"coulomb_cutoff", 25 * length},
                     {"coulomb_constant", constant}});
        CAPTURE(length);
        CAPTURE(energy);
        CAPTURE(charge);
        const PackedPairs packed = packed_pairs(Precision::mixed, potential, table.view(), charge);
        CHECK(packed.table == pack_pair_table(potential, table.view(), packed.units));
        for (const double number : packed.table)
          CHECK((number == 0 || (std::abs(number) > 1e-17 && std::abs(number) < 1e17)));
        CHECK(charge / packed.units.charge < 2);
      }
}

TEST_CASE("what a precision cannot hold is refused with what it is") {
  CoefficientTable table(pair_potentials().find("lj/cut"), 2);
  const auto refusal = [&](Precision precision) -> std::string {
    try {
      (void)packed_pairs(precision, table.potential(), table.view(), 0);
    } catch (const RefusalError& error) {
      return error.what();
    }
    return {};
  };
  table.set_all({{"epsilon", 1e25}, {"sigma", 1e-11}, {"cutoff", 2.5e-11}});
  CHECK(refusal(Precision::single).find("forces of about") != std::string::npos);
  CHECK(refusal(Precision::mixed).empty());
  table.set_all({{"epsilon", 1e-40}, {"sigma", 1}, {"cutoff", 2.5}});
  CHECK(refusal(Precision::single).find("forces of about") != std::string::npos);
  CHECK(refusal(Precision::mixed).empty());
  table.set_all({{"epsilon", 1}, {"sigma", 1e-40}, {"cutoff", 2.5e-40}});
  CHECK(refusal(Precision::single).find("lengths of about") != std::string::npos);
  CHECK(refusal(Precision::mixed).empty());
  table.set_all({{"epsilon", 1}, {"sigma", 1e-8}, {"cutoff", 2.5}});
  table.set(1, 1, {{"sigma", 1}});
  for (const Precision precision : {Precision::single, Precision::mixed})
    CHECK(refusal(precision).find("the coefficients of types 1 and 1 come to") !=
          std::string::npos);
  CHECK(refusal(Precision::double_precision).empty());
}

TEST_CASE("what has no effect decides no unit") {
  CoefficientTable table(pair_potentials().find("lj/cut+coul/rf"), 2);
  table.set_all({{"epsilon", 0.65}, {"sigma", 3.2}, {"cutoff", 10}, {"coulomb_constant", 1389}});
  const double alone = shortest_length(table.potential(), table.view());
  // Hydrogen of a water model: epsilon 0, and a length without meaning.
  table.set(0, 1, {{"epsilon", 0}, {"sigma", 0.01}});
  table.set(1, 1, {{"epsilon", 0}, {"sigma", 0.01}});
  CHECK(shortest_length(table.potential(), table.view()) == alone);
  CHECK(typical_length(table.potential(), table.view()) == 4);
}

TEST_CASE("charges decide the unit of charge where they do anything") {
  CoefficientTable table(pair_potentials().find("lj/cut+coul/rf"), 1);
  table.set_all({{"epsilon", 1}, {"sigma", 1}, {"cutoff", 2.5}, {"coulomb_constant", 1}});
  const auto packed = [&](double charge) {
    return packed_pairs(Precision::mixed, table.potential(), table.view(), charge);
  };
  CHECK(packed(0.5).units.charge == 0.5);
  CHECK(packed(1e-21).units.charge == 0x1p-40);
  CHECK_THROWS_WITH_AS((void)packed(HUGE_VAL),
                       "md/pair_force: charges: one of them is not a finite number", ArgumentError);
  CHECK_THROWS_WITH_AS((void)packed(1e200), doctest::Contains("are no numbers"), RefusalError);
}

TEST_CASE("units are told as exponents") {
  const PairPotential potential = pair_potentials().find("coul/rf");
  CHECK(unit_text(potential.fields()[potential.field("coulomb_constant")]) ==
        "energy length/charge^2");
  CHECK(unit_text(potential.fields()[potential.field("epsilon_rf")]).empty());
}

}  // namespace tessera::md
