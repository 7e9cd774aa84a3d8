#include "core/base/error.hpp"
#include "physics/md/mixing/mixing.hpp"
#include "tests/support/relative.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

namespace tessera::md {
namespace {

const std::vector<AtomType> two_types = {{"A", 1.0}, {"B", 2.0}};

PairCoefficient lj(int i, int j, double epsilon, double sigma) {
  return {i, j, {{"epsilon", epsilon}, {"sigma", sigma}}};
}

PairCoefficient lj(int i, int j, double epsilon, double sigma, double cutoff) {
  return {i, j, {{"epsilon", epsilon}, {"sigma", sigma}, {"cutoff", cutoff}}};
}

const std::vector<PairCoefficient> two_selves = {lj(0, 0, 4.0, 1.0, 2.0), lj(1, 1, 9.0, 3.0, 8.0)};

CoefficientTable mixed(MixingRule rule, const std::vector<PairCoefficient>& given) {
  return mix_coefficients(rule, pair_potentials().find("lj/cut"), two_types, given,
                          {{"cutoff", 5}});
}

/// Epsilon, sigma and cutoff of a pair of types.
std::vector<double> values(const CoefficientTable& table, int i, int j) {
  return {table.at(i, j, 1), table.at(i, j, 2), table.at(i, j, 0)};
}

}  // namespace

TEST_CASE("each rule mixes by its formula") {
  const std::vector<double> geometric = values(mixed(MixingRule::geometric, two_selves), 0, 1);
  CHECK(geometric[0] == 6.0);
  CHECK(geometric[1] == test::relative(std::sqrt(3.0)));
  CHECK(geometric[2] == 4.0);

  CHECK(values(mixed(MixingRule::arithmetic, two_selves), 0, 1) == std::vector{6.0, 2.0, 5.0});

  const std::vector<double> sixth = values(mixed(MixingRule::sixthpower, two_selves), 0, 1);
  CHECK(sixth[0] == test::relative(2 * 6.0 * 27 / (1 + 729.0)));
  CHECK(sixth[1] == test::relative(std::pow(365.0, 1.0 / 6)));
  CHECK(sixth[2] == test::relative(std::pow((64.0 + 262144.0) / 2, 1.0 / 6)));
}

TEST_CASE("equal types mix to themselves exactly") {
  for (const MixingRule rule :
       {MixingRule::geometric, MixingRule::arithmetic, MixingRule::sixthpower}) {
    CHECK(mix_length(rule, 1.1, 1.1) == 1.1);
    CHECK(mix_epsilon(rule, 0.1, 1.1, 0.1, 1.1) == 0.1);
    CHECK(mixing_rule_from_name(name(rule)) == rule);
  }
}

TEST_CASE("a given pair is not mixed and the last one given wins") {
  std::vector<PairCoefficient> given = two_selves;
  given.push_back(lj(1, 0, 0.5, 1.5));
  const CoefficientTable table = mixed(MixingRule::arithmetic, given);
  CHECK(values(table, 0, 1) == std::vector{0.5, 1.5, 5.0});
  CHECK(values(table, 1, 0) == values(table, 0, 1));
  CHECK(table.largest_cutoff() == 8.0);
  given.push_back(lj(0, 1, 0.7, 1.5, 6.0));
  CHECK(values(mixed(MixingRule::arithmetic, given), 1, 0) == std::vector{0.7, 1.5, 6.0});
}

TEST_CASE("a type without attraction and size mixes without dividing by zero") {
  const std::vector<PairCoefficient> given = {lj(0, 0, 0.0, 0.0), lj(1, 1, 0.0, 0.0)};
  for (const MixingRule rule :
       {MixingRule::geometric, MixingRule::arithmetic, MixingRule::sixthpower})
    CHECK(values(mixed(rule, given), 0, 1) == std::vector{0.0, 0.0, 5.0});
}

TEST_CASE("a second cutoff is the first where it is given nowhere") {
  const PairPotential potential = pair_potentials().find("lj/cut+coul/rf");
  const std::size_t second = potential.field("coulomb_cutoff");
  CoefficientValues for_all = {{"cutoff", 5}, {"coulomb_constant", 2}};
  CHECK(mix_coefficients(MixingRule::geometric, potential, two_types, two_selves, for_all)
            .at(0, 0, second) == 2.0);
  for_all["coulomb_cutoff"] = 7;
  const CoefficientTable table =
      mix_coefficients(MixingRule::geometric, potential, two_types, two_selves, for_all);
  CHECK(table.at(0, 0, second) == 7.0);
  CHECK(table.at(0, 1, second) == 7.0);
  CHECK(table.at(0, 1, potential.field("coulomb_constant")) == 2.0);
}

TEST_CASE("switch distances and exponents mix as lengths, and stay below what they are below of") {
  const CoefficientValues for_all = {{"cutoff", 5}};
  const auto with_switch = [&](double first, double second, const CoefficientValues& all) {
    std::vector<PairCoefficient> given = two_selves;
    given[0].values["switch"] = first;
    given[1].values["switch"] = second;
    return mix_coefficients(MixingRule::arithmetic, pair_potentials().find("lj/gromacs"), two_types,
                            given, all);
  };
  CHECK(with_switch(1.0, 4.0, for_all).at(0, 1, 3) == 2.5);
  CHECK_THROWS_WITH_AS(static_cast<void>(with_switch(2.0, 4.0, for_all)),
                       "pair coefficients of types A and A: switch = 2: expected a number below "
                       "cutoff = 2",
                       ArgumentError);
  CHECK_THROWS_WITH_AS(static_cast<void>(mix_coefficients(MixingRule::geometric,
                                                          pair_potentials().find("lj/gromacs"),
                                                          two_types, two_selves, for_all)),
                       doctest::Contains("expected epsilon and sigma and switch"), ArgumentError);
  // A value for all pairs, less than the smallest cutoff.
  CHECK(mix_coefficients(MixingRule::geometric, pair_potentials().find("lj/gromacs"), two_types,
                         two_selves, {{"cutoff", 5}, {"switch", 1.5}})
            .at(0, 1, 3) == 1.5);
  const CoefficientTable mie = mix_coefficients(
      MixingRule::arithmetic, pair_potentials().find("mie/cut"), two_types,
      std::vector<PairCoefficient>{{0, 0, {{"epsilon", 1}, {"sigma", 1}, {"repulsive", 14}}},
                                   {1, 1, {{"epsilon", 1}, {"sigma", 1}}}},
      for_all);
  CHECK(mie.at(0, 1, 3) == 13.0);
  CHECK(mie.at(0, 1, 4) == 6.0);
  CHECK_THROWS_WITH_AS(static_cast<void>(mix_coefficients(
                           MixingRule::geometric, pair_potentials().find("yukawa"), two_types,
                           std::vector<PairCoefficient>{{0, 0, {{"a", 1}}}, {1, 1, {{"a", -1}}}},
                           {{"cutoff", 5}, {"kappa", 1}})),
                       doctest::Contains("has no mixing rule where it is negative"), ArgumentError);
}

TEST_CASE("a missing or impossible coefficient is refused with the name of the type") {
  const auto refuse = [](const std::vector<PairCoefficient>& given, const char* message) {
    CHECK_THROWS_WITH_AS(static_cast<void>(mixed(MixingRule::geometric, given)), message,
                         ArgumentError);
  };
  refuse({two_selves[0]},
         "no pair coefficients for like pairs of type B: expected epsilon and sigma");
  refuse({two_selves[0], lj(1, 1, -1, 1)},
         "pair coefficients of types B and B: epsilon: expected a number not below zero");
  refuse({two_selves[0], lj(1, 1, 1, 0)},
         "pair coefficients of types B and B: sigma = 0: expected a number greater than zero where "
         "epsilon is not zero");
  refuse({two_selves[0], lj(1, 2, 1, 1)}, "pair coefficient of a type that does not exist");
  refuse({two_selves[0], {1, 1, {{"epsilon", NAN}, {"sigma", 1}}}},
         "pair coefficients of types B and B: epsilon: expected a finite number");
  CHECK_THROWS_AS(static_cast<void>(mixed(MixingRule::geometric, {{0, 0, {{"epsilom", 1}}}})),
                  SelectionError);
  CHECK_THROWS_AS(static_cast<void>(mixing_rule_from_name("lorentz")), SelectionError);
}

}  // namespace tessera::md
