#pragma once

#include <algorithm>
#include <cmath>
#include <tessera/md/pair_form/pair_form.hpp>
#include <vector>

/// \file
/// What holds for every form: tests of forms outside the library use it too.

namespace tessera::test {

/// Values in the middle of what makes sense, by the unit of each coefficient.
inline std::vector<double> plausible_coefficients(const md::PairForm& form) {
  std::vector<double> fields;
  for (const md::CoefficientField& field : form.fields()) {
    double value = field.default_value.value_or(1.3);
    if (field.is_cutoff)
      value = 3;
    else if (field.length == 1 && field.energy == 0)
      value = 1.1;
    else if (field.length == -1)
      value = 1.7;
    fields.push_back(value);
  }
  return fields;
}

/// Largest |F + dE/dr| over the largest of both, by central differences of two widths.
inline double gradient_error(const md::PairForm& form) {
  const std::vector<double> fields = plausible_coefficients(form);
  std::vector<double> row(static_cast<std::size_t>(form.table_width()));
  form.pack(fields.data(), row.data());
  const auto energy = [&](double r) { return form.evaluate(row.data(), r, 0.7, -1.2).energy; };
  double worst = 0;
  for (double r = 0.85; r < 2.95; r += 0.0625) {
    const double h = 1e-3 * r;
    const auto slope = [&](double w) { return (energy(r + w) - energy(r - w)) / (2 * w); };
    // Richardson: the terms of second and fourth order cancel.
    const double coarse = slope(h);
    const double fine = slope(h / 2);
    const double finest = slope(h / 4);
    const double a = (4 * fine - coarse) / 3;
    const double b = (4 * finest - fine) / 3;
    const double expected = -(16 * b - a) / 15;
    const double force = form.evaluate(row.data(), r, 0.7, -1.2).force_over_r * r;
    const double scale = std::max({std::abs(force), std::abs(expected), std::abs(energy(r)) / r});
    if (!(scale > 0)) return INFINITY;  // a form that does nothing is no form
    worst = std::max(worst, std::abs(force - expected) / scale);
  }
  return worst;
}

}  // namespace tessera::test
