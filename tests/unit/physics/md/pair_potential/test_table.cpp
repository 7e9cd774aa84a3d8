#include "core/base/error.hpp"
#include "physics/md/pair_potential/pair_table.hpp"
#include "physics/md/pair_potential/tabulated_pair.hpp"
#include "tests/support/relative.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace tessera::md {
namespace {

constexpr double innermost = 0.8;
constexpr double outermost = 2.5;

double lj_energy(double r) {
  const double sixth = std::pow(r, -6);
  return 4 * sixth * (sixth - 1);
}
double lj_force(double r) {
  const double sixth = std::pow(r, -6);
  return 24 * sixth * (2 * sixth - 1) / r;
}

/// Lennard-Jones in reduced units.
TabulatedPair tabulated_lj(int points, bool squared) {
  TabulatedPair table;
  for (int k = 0; k < points; ++k) {
    const double part = static_cast<double>(k) / (points - 1);
    const double r = k + 1 == points ? outermost
                     : squared       ? std::sqrt(innermost * innermost +
                                                 part * (outermost * outermost - innermost * innermost))
                                     : innermost + part * (outermost - innermost);
    table.r.push_back(r);
    table.energy.push_back(lj_energy(r));
    table.force.push_back(lj_force(r));
  }
  return table;
}

/// Row and samples of a pair of types with the potential "table:points".
struct Packed {
  PairPotential potential;
  std::vector<double> samples;
  std::vector<double> row;

  Packed(const TabulatedPair& table, int points, double cutoff = 0)
      : potential(pair_potentials().find("table:" + std::to_string(points))) {
    CoefficientTable coefficients(potential, 1);
    set_tabulated(coefficients, 0, 0, table, cutoff);
    check_coefficients(potential, coefficients.view());
    row = pack_pair_table(potential, coefficients.view(), {}, &samples);
  }
  [[nodiscard]] PairValue at(double r) const {
    return potential.evaluate(row.data(), r, 0, 0, samples.data());
  }
};

}  // namespace

TEST_CASE("a table of Lennard-Jones agrees with the formula, the better the more points") {
  double before = 0;
  for (const int points : {250, 500, 1000, 2000}) {
    const Packed packed(tabulated_lj(points, true), points);
    double worst = 0;
    for (double r = innermost; r < outermost; r += 0.00137) {
      const PairValue value = packed.at(r);
      const double scale = std::abs(lj_force(r)) + 1;
      worst = std::max(worst, std::abs(value.force_over_r * r - lj_force(r)) / scale);
      worst = std::max(worst, std::abs(value.energy - lj_energy(r)) / scale);
    }
    CAPTURE(points);
    // Third order in the spacing: the cubic interpolates energies and forces.
    if (before > 0) CHECK(before / worst > 6);
    before = worst;
  }
  CHECK(before < 1e-6);
}

TEST_CASE("the form has the energies and forces of its points") {
  const TabulatedPair table = tabulated_lj(300, true);
  const Packed packed(table, 300);
  for (std::size_t k = 0; k + 1 < table.r.size(); ++k) {
    CHECK(packed.at(table.r[k]).energy == test::relative(table.energy[k]).epsilon(1e-10));
    CHECK(packed.at(table.r[k]).force_over_r * table.r[k] ==
          test::relative(table.force[k]).epsilon(1e-8));
  }
}

TEST_CASE("the force of a table is the slope of its energy, below the first point too") {
  const Packed packed(tabulated_lj(101, false), 64);
  // Distances within the cubic intervals in r^2, whose spacing is (outermost^2 - innermost^2) / 63.
  const double spacing = (outermost * outermost - innermost * innermost) / 63;
  for (int k = -4; k < 63; ++k) {
    const double r = std::sqrt(innermost * innermost + (k + 0.4) * spacing);
    const double h = 1e-3 * spacing / r;
    const auto slope = [&](double w) {
      return (packed.at(r + w).energy - packed.at(r - w).energy) / (2 * w);
    };
    const double expected = -(4 * slope(h / 2) - slope(h)) / 3;
    const double force = packed.at(r).force_over_r * r;
    CAPTURE(r);
    CHECK(std::abs(force - expected) < 1e-8 * (1 + std::abs(force)));
  }
}

TEST_CASE("energy and force of a table are continuous") {
  const Packed packed(tabulated_lj(101, false), 64);
  const double spacing = (outermost * outermost - innermost * innermost) / 63;
  for (int k = 0; k < 63; ++k) {
    const double r = std::sqrt(innermost * innermost + k * spacing);
    const PairValue below = packed.at(r * (1 - 1e-12));
    const PairValue above = packed.at(r * (1 + 1e-12));
    CHECK(below.energy == doctest::Approx(above.energy).epsilon(1e-9));
    CHECK(below.force_over_r == doctest::Approx(above.force_over_r).epsilon(1e-9));
  }
}

TEST_CASE("a table ends at its last point or at the cutoff") {
  const Packed whole(tabulated_lj(500, true), 500);
  CHECK(whole.at(outermost).energy == 0);
  CHECK(whole.at(std::nextafter(outermost, 0)).energy ==
        test::relative(lj_energy(outermost)).epsilon(1e-10));
  const Packed cut(tabulated_lj(500, true), 500, 2.0);
  CHECK(cut.at(2.0).energy == 0);
  CHECK(cut.at(std::nextafter(2.0, 0)).energy == test::relative(lj_energy(2)).epsilon(1e-8));
  const Packed beyond(tabulated_lj(500, true), 500, 3.0);
  CHECK(beyond.at(outermost).energy == 0);
}

TEST_CASE("each pair of types has a table of its own, in the units of a kernel too") {
  const PairPotential potential = pair_potentials().find("table:200+coul/cut");
  CHECK(potential.name() == "table:200+coul/cut");
  CHECK(potential.name_of_row() == "table+coul/cut");
  CoefficientTable coefficients(potential, 2);
  coefficients.set_all({{"coulomb_constant", 332}, {"coulomb_cutoff", 30}});
  for (int a = 0; a < 2; ++a)
    for (int b = a; b < 2; ++b) {
      TabulatedPair table = tabulated_lj(200, true);
      for (std::size_t k = 0; k < table.r.size(); ++k) {
        table.r[k] *= 3.4;
        table.energy[k] *= 0.2 * (1 + a + b);
        table.force[k] *= 0.2 * (1 + a + b) / 3.4;
      }
      set_tabulated(coefficients, a, b, table);
    }
  const PackedPairs packed = packed_pairs(Precision::mixed, potential, coefficients.view(), 0.5);
  const PairUnits& units = packed.units;
  CHECK(units.energy != 1);
  CHECK(packed.samples.size() == 3 * 4 * 199);
  const double r = 1.3 * 3.4;
  for (std::size_t a = 0; a < 2; ++a)
    for (std::size_t b = 0; b < 2; ++b) {
      const double* const row =
          packed.table.data() + (2 * a + b) * static_cast<std::size_t>(potential.table_width());
      const PairValue value = potential.evaluate(row, r / units.length, 0.5 / units.charge,
                                                 -0.5 / units.charge, packed.samples.data());
      CHECK(value.energy * units.energy ==
            test::relative(0.2 * static_cast<double>(1 + a + b) * lj_energy(1.3) - 332 * 0.25 / r)
                .epsilon(1e-6));
    }
}

TEST_CASE("arrays that are no table are refused by name") {
  const auto refused = [](TabulatedPair table, const char* message) {
    CHECK_THROWS_WITH_AS(check_tabulated_pair(table), message, ArgumentError);
  };
  const TabulatedPair good = tabulated_lj(5, false);
  TabulatedPair bad = good;
  bad.r[3] = bad.r[2];
  refused(bad, "tabulated pair potential: r: number 4 is 1.65, expected more than 1.65");
  bad = good;
  bad.r[0] = 0;
  refused(bad, "tabulated pair potential: r: number 1 is 0, expected more than 0");
  bad = good;
  bad.energy[1] = HUGE_VAL;
  refused(bad, "tabulated pair potential: energy: number 2 is inf, expected a finite number");
  bad = good;
  bad.force.pop_back();
  refused(bad, "tabulated pair potential: force: 4 numbers, expected 5, one for each distance");
  refused({{1}, {0}, {0}}, "tabulated pair potential: r: 1 points, expected at least two");
  CoefficientTable coefficients(pair_potentials().find("table:10"), 1);
  CHECK_THROWS_WITH_AS(set_tabulated(coefficients, 0, 0, good, 0.5),
                       doctest::Contains("expected more than the first distance, 0.8"),
                       ArgumentError);
  CoefficientTable other(pair_potentials().find("lj/cut"), 1);
  CHECK_THROWS_WITH_AS(set_tabulated(other, 0, 0, good), doctest::Contains("expected \"table\""),
                       ArgumentError);
}

TEST_CASE("the number of points belongs to a table, and makes sense") {
  CHECK(pair_potentials().find("table").name() == "table:1000");
  for (const char* name : {"table:1", "table:", "table:x", "table:100001", "table:20x"})
    CHECK_THROWS_WITH_AS(static_cast<void>(pair_potentials().find(name)),
                         doctest::Contains("expected from 2 to 100000 points"), ArgumentError);
  CHECK_THROWS_WITH_AS(static_cast<void>(pair_potentials().find("lj/cut:20")),
                       doctest::Contains("no number of points"), ArgumentError);
}

}  // namespace tessera::md
