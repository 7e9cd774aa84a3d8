#include <doctest/doctest.h>

#include <cmath>
#include <tessera/core/base/error.hpp>
#include <tessera/md/mixing/mixing.hpp>
#include <vector>

namespace tessera::md {
namespace {

const std::vector<AtomType> two_types = {{"A", 1.0}, {"B", 2.0}};
const std::vector<PairCoefficient> two_selves = {{0, 0, 4.0, 1.0, 2.0}, {1, 1, 9.0, 3.0, 8.0}};

}  // namespace

TEST_CASE("each rule mixes by its formula") {
  const MixedCoefficient geometric =
      mix_coefficients(MixingRule::geometric, two_types, two_selves, 5).at(0, 1);
  CHECK(geometric.epsilon == 6.0);
  CHECK(geometric.sigma == doctest::Approx(std::sqrt(3.0)));
  CHECK(geometric.cutoff == 4.0);

  const MixedCoefficient arithmetic =
      mix_coefficients(MixingRule::arithmetic, two_types, two_selves, 5).at(0, 1);
  CHECK(arithmetic == MixedCoefficient{6.0, 2.0, 5.0});

  const MixedCoefficient sixth =
      mix_coefficients(MixingRule::sixthpower, two_types, two_selves, 5).at(0, 1);
  CHECK(sixth.epsilon == doctest::Approx(2 * 6.0 * 27 / (1 + 729.0)));
  CHECK(sixth.sigma == doctest::Approx(std::pow(365.0, 1.0 / 6)));
  CHECK(sixth.cutoff == doctest::Approx(std::pow((64.0 + 262144.0) / 2, 1.0 / 6)));
}

TEST_CASE("equal types mix to themselves exactly") {
  const MixedCoefficient value = {0.1, 1.1, 2.7};
  for (const MixingRule rule :
       {MixingRule::geometric, MixingRule::arithmetic, MixingRule::sixthpower}) {
    CHECK(mix(rule, value, value) == value);
    CHECK(mixing_rule_from_name(name(rule)) == rule);
  }
}

TEST_CASE("a given pair is not mixed and the last one given wins") {
  std::vector<PairCoefficient> given = two_selves;
  given.push_back({1, 0, 0.5, 1.5, {}});
  const PairTable table = mix_coefficients(MixingRule::arithmetic, two_types, given, 5);
  CHECK(table.at(0, 1) == MixedCoefficient{0.5, 1.5, 5.0});
  CHECK(table.at(1, 0) == table.at(0, 1));
  CHECK(table.largest_cutoff() == 8.0);
  given.push_back({0, 1, 0.7, 1.5, 6.0});
  CHECK(mix_coefficients(MixingRule::arithmetic, two_types, given, 5).at(1, 0) ==
        MixedCoefficient{0.7, 1.5, 6.0});
}

TEST_CASE("a type without attraction and size mixes without dividing by zero") {
  const std::vector<PairCoefficient> given = {{0, 0, 0.0, 0.0, {}}, {1, 1, 0.0, 0.0, {}}};
  for (const MixingRule rule :
       {MixingRule::geometric, MixingRule::arithmetic, MixingRule::sixthpower}) {
    CHECK(mix_coefficients(rule, two_types, given, 5).at(0, 1) == MixedCoefficient{0, 0, 5});
  }
}

TEST_CASE("a missing or impossible coefficient is refused with the name of the type") {
  const auto refuse = [](std::vector<PairCoefficient> given, const char* message) {
    CHECK_THROWS_WITH_AS(
        static_cast<void>(mix_coefficients(MixingRule::geometric, two_types, given, 5)), message,
        ArgumentError);
  };
  refuse({two_selves[0]},
         "no pair coefficients for type B with itself, expected epsilon and sigma");
  refuse({two_selves[0], {1, 1, -1, 1, {}}},
         "pair coefficients of types B and B: expected epsilon >= 0, sigma > 0 and a cutoff > 0");
  refuse({two_selves[0], {1, 1, 1, 0, {}}},
         "pair coefficients of types B and B: expected epsilon >= 0, sigma > 0 and a cutoff > 0");
  refuse({two_selves[0], {1, 2, 1, 1, {}}}, "pair coefficient of a type that does not exist");
  CHECK_THROWS_AS(
      static_cast<void>(mix_coefficients(MixingRule::geometric, two_types, two_selves, 0)),
      ArgumentError);
  CHECK_THROWS_AS(static_cast<void>(mixing_rule_from_name("lorentz")), SelectionError);
}

}  // namespace tessera::md
