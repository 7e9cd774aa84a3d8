#include <math.h>
// Pair potentials call functions of <math.h> without a namespace, so these headers follow it.
#include "core/base/error.hpp"
#include "physics/md/listed_force/listed_potential.hpp"
#include "tests/support/relative.hpp"
#include "tests/unit/physics/md/potentials/bond_checks.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

namespace tessera::md {
namespace {

/// Coefficients in a plausible range for any bond potential.
std::vector<double> sample(const ListedPotentialPart& part) {
  std::vector<double> values;
  for (const CoefficientField& field : part.fields)
    values.push_back(field.energy == 1 ? 30 : field.length == 1 ? 1.3 : 2.0);
  return values;
}

using test::bond_part;
using test::bond_value;

TEST_CASE("forces of bond potentials are the slopes of their energies") {
  for (const ListedPotentialPart& part : listed_potentials(bond_class)) {
    CAPTURE(part.name);
    CHECK_FALSE(part.summary.empty());
    CHECK_FALSE(part.source.empty());
    const std::vector<double> values = sample(part);
    for (const double r : {0.7, 0.9, 1.1, 1.25}) {
      const double h = 1e-5;
      const double slope =
          (bond_value(part, values, r - h).energy - bond_value(part, values, r + h).energy) /
          (2 * h);
      CHECK(bond_value(part, values, r).force_over_r * r ==
            test::relative(slope).epsilon(1e-7).scale(1));
    }
  }
}

TEST_CASE("the bond potential harmonic has its published values") {
  test::check_bond_values("harmonic", {30, 1.3}, {{1.1, 30 * 0.04, 12 / 1.1}});
}

TEST_CASE("the bond potential morse has its published values") {
  const double rest = std::exp(0.4);
  test::check_bond_values("morse", {30, 2, 1.3},
                          {{1.1, 30 * std::pow(1 - rest, 2), -120 * (1 - rest) * rest / 1.1}});
}

TEST_CASE("a sum of bond potentials has the fields of each, and a kind has one of them") {
  const ListedPotential both = listed_potential(bond_class, "harmonic+morse");
  CHECK(both.fields == std::vector<std::string>{"style", "k", "r0", "d", "alpha", "morse_r0"});
  const std::vector<double> row = both.coefficients(1, {30, 2, 1.3});
  CHECK(row == std::vector<double>{1, 0, 0, 30, 2, 1.3});
  const auto of_kind = [&](const std::vector<double>& values) {
    return both.of_type({values.data(), {1, std::ssize(values)}}, 0);
  };
  CHECK(of_kind(row).part->name == "morse");
  CHECK(of_kind(row).fields[2] == 1.3);
  for (const double wrong : {-1.0, 0.5, 2.0, std::nan("")}) {
    std::vector<double> other = row;
    other[0] = wrong;
    CHECK_THROWS_AS((void)of_kind(other), ArgumentError);
  }
  CHECK_THROWS_AS((void)both.coefficients(1, {30, 2}), ArgumentError);
  CHECK_THROWS_AS((void)both.coefficients(2, {30, 2}), ArgumentError);
  CHECK_THROWS_AS((void)listed_potential(bond_class, "harmonic+harmonic"), ArgumentError);
  CHECK_THROWS_AS((void)listed_potential(bond_class, "harmonic+"), SelectionError);
  CHECK_THROWS_AS((void)listed_potential(bond_class, "harmonik"), SelectionError);
  CHECK(listed_potential(bond_class, "").parts.empty());
}

}  // namespace
}  // namespace tessera::md
