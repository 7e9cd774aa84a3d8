#ifndef TESSERA_TESTS_UNIT_PHYSICS_MD_POTENTIALS_POTENTIAL_CHECKS_HPP
#define TESSERA_TESTS_UNIT_PHYSICS_MD_POTENTIALS_POTENTIAL_CHECKS_HPP

#include "physics/md/pair_potential/coefficient_table.hpp"
#include "physics/md/pair_potential/pair_potential.hpp"
#include "physics/md/pair_potential/pair_table.hpp"
#include "tests/support/relative.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

/// \file
/// Checks of pair potentials, also for tests of potentials outside the library.

namespace tessera::test {

struct FormReference {
  double r, energy, force_over_r;
};

/// Compares a potential with values of its published formula, which were computed in 60 decimal
/// digits, independently of its header, and rounded.
inline void check_values(const md::PairPotential& potential, const md::CoefficientValues& values,
                         double charge_i, double charge_j,
                         const std::vector<FormReference>& references, double tolerance = 2e-14) {
  md::CoefficientTable table(potential, 1);
  table.set_all(values);
  const std::vector<double> row = md::pack_pair_table(potential, table.view(), {});
  for (const FormReference& expected : references) {
    const md::PairValue value = potential.evaluate(row.data(), expected.r, charge_i, charge_j);
    CAPTURE(expected.r);
    CHECK(value.energy == doctest::Approx(expected.energy).epsilon(tolerance));
    CHECK(value.force_over_r == test::relative(expected.force_over_r).epsilon(tolerance));
  }
  const double beyond = table.largest_cutoff();
  CHECK(potential.evaluate(row.data(), beyond, charge_i, charge_j).energy == 0);
  CHECK(potential.evaluate(row.data(), beyond, charge_i, charge_j).force_over_r == 0);
}

/// A plausible value of each coefficient, chosen by its unit.
inline std::vector<double> plausible_coefficients(const md::PairPotential& potential) {
  std::vector<double> fields;
  for (const md::CoefficientField& field : potential.fields()) {
    double value = field.default_value.value_or(1.3);
    if (field.is_cutoff)
      value = 3;
    else if (field.for_all && !field.below.empty())
      value = 2.2;  // start of switching, not near a distance at which the slope is computed
    else if (field.length == 1 && field.energy == 0)
      value = 1.1;
    else if (field.length == -1)
      value = 1.7;
    fields.push_back(value);
  }
  return fields;
}

/// Largest |F + dE/dr| relative to the larger of both, by central differences.
inline double gradient_error(const md::PairPotential& potential) {
  const std::vector<double> fields = plausible_coefficients(potential);
  std::vector<double> row(static_cast<std::size_t>(potential.table_width()));
  potential.pack(fields.data(), row.data());
  const auto energy = [&](double r) { return potential.evaluate(row.data(), r, 0.7, -1.2).energy; };
  double worst = 0;
  for (double r = 0.85; r < 2.95; r += 0.0625) {
    const double h = 1e-3 * r;
    const auto slope = [&](double w) { return (energy(r + w) - energy(r - w)) / (2 * w); };
    // Richardson extrapolation: the terms of second and fourth order cancel.
    const double coarse = slope(h);
    const double fine = slope(h / 2);
    const double finest = slope(h / 4);
    const double a = (4 * fine - coarse) / 3;
    const double b = (4 * finest - fine) / 3;
    const double expected = -(16 * b - a) / 15;
    const double force = potential.evaluate(row.data(), r, 0.7, -1.2).force_over_r * r;
    const double scale = std::max({std::abs(force), std::abs(expected), std::abs(energy(r)) / r});
    if (!(scale > 0)) return INFINITY;  // a potential without energy and force fails
    worst = std::max(worst, std::abs(force - expected) / scale);
  }
  return worst;
}

}  // namespace tessera::test

#endif  // TESSERA_TESTS_UNIT_PHYSICS_MD_POTENTIALS_POTENTIAL_CHECKS_HPP
