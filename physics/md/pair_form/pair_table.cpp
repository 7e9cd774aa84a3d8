#include <algorithm>
#include <cmath>
#include <tessera/md/pair_form/pair_table.hpp>

namespace tessera::md {
namespace {

std::vector<double> fields_of(const PairForm& form, View<const double, 3> coefficients,
                              std::int64_t a, std::int64_t b) {
  std::vector<double> fields;
  for (std::size_t f = 0; f < form.fields().size(); ++f)
    fields.push_back(coefficients(a, b, static_cast<std::int64_t>(f)));
  return fields;
}

double power(double base, int exponent) {
  double product = 1;
  for (int k = 0; k < std::abs(exponent); ++k)
    product *= base;
  return exponent < 0 ? 1 / product : product;
}

double power_of_two(double x) {
  return std::exp2(std::round(std::log2(x)));
}

/// Calls `visit(field, value)` for every coefficient of every pair of types that interacts.
template <class Visit>
void for_each_coefficient(const PairForm& form, View<const double, 3> coefficients,
                          const Visit& visit) {
  for (std::int64_t a = 0; a < coefficients.extent(0); ++a)
    for (std::int64_t b = 0; b < coefficients.extent(1); ++b) {
      const std::vector<double> fields = fields_of(form, coefficients, a, b);
      if (!(form.cutoff(fields.data()) > 0)) continue;
      for (std::size_t f = 0; f < fields.size(); ++f)
        visit(form.fields()[f], fields[f]);
    }
}

}  // namespace

double typical_length(const PairForm& form, View<const double, 3> coefficients) {
  double least = INFINITY;
  double most = 0;
  const auto scan = [&](bool cutoffs) {
    for_each_coefficient(form, coefficients, [&](const CoefficientField& field, double value) {
      const bool is_length = field.length == 1 && field.energy == 0 && field.charge == 0;
      if (!is_length || field.is_cutoff != cutoffs || !(std::abs(value) > 0)) return;
      least = std::min(least, std::abs(value));
      most = std::max(most, std::abs(value));
    });
  };
  scan(false);
  if (most == 0) scan(true);
  return most > 0 ? power_of_two(std::sqrt(least) * std::sqrt(most)) : 1;
}

PairUnits pair_units(const PairForm& form, View<const double, 3> coefficients, double length,
                     double energy) {
  PairUnits units{length, energy, 1};
  double constant = 0;
  for_each_coefficient(form, coefficients, [&](const CoefficientField& field, double value) {
    if (field.charge == -2 && field.energy == 1 && field.length == 1)
      constant = std::max(constant, std::abs(value));
  });
  if (constant > 0) units.charge = power_of_two(std::sqrt(energy * length / constant));
  return units;
}

std::vector<double> pack_pair_table(const PairForm& form, View<const double, 3> coefficients,
                                    const PairUnits& units) {
  const auto types = coefficients.extent(0);
  const auto width = static_cast<std::size_t>(form.table_width());
  std::vector<double> table(static_cast<std::size_t>(types * types) * width);
  double* row = table.data();
  for (std::int64_t a = 0; a < types; ++a)
    for (std::int64_t b = 0; b < types; ++b, row += width) {
      std::vector<double> fields = fields_of(form, coefficients, a, b);
      for (std::size_t f = 0; f < fields.size(); ++f) {
        const CoefficientField& field = form.fields()[f];
        fields[f] *= power(units.length, -field.length) * power(units.energy, -field.energy) *
                     power(units.charge, -field.charge);
      }
      form.pack(fields.data(), row);
      const bool inert = form.parts().size() == 1 &&
                         std::all_of(row + 1, row + width, [](double x) { return x == 0; });
      if (inert) row[0] = 0;
    }
  return table;
}

double shortest_length(const PairForm& form, View<const double, 3> coefficients) {
  double least = INFINITY;
  for_each_coefficient(form, coefficients, [&](const CoefficientField& field, double value) {
    const bool is_length = field.length == 1 && field.energy == 0 && field.charge == 0;
    if (is_length && !field.is_cutoff && std::abs(value) > 0)
      least = std::min(least, std::abs(value));
  });
  return least < INFINITY ? least : 0;
}

double largest_cutoff(const PairForm& form, View<const double, 3> coefficients) {
  double largest = 0;
  for (std::int64_t a = 0; a < coefficients.extent(0); ++a)
    for (std::int64_t b = 0; b < coefficients.extent(1); ++b)
      largest = std::max(largest, form.cutoff(fields_of(form, coefficients, a, b).data()));
  return largest;
}

}  // namespace tessera::md
