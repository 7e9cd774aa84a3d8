#include "physics/md/pair_potential/tabulated_pair.hpp"

#include "core/base/error.hpp"
#include "core/base/shortest_number.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace tessera::md {
namespace {

[[noreturn]] void refuse_table(const std::string& array, const std::string& what) {
  throw ArgumentError("tabulated pair potential", array, what);
}

/// A table resampled at the points of the pair potential "table".
struct Resampled {
  double cutoff;
  double inner;
  std::vector<double> energy;
  std::vector<double> force;
};

Resampled resample(const TabulatedPair& table, int points, double cutoff, TableForces forces) {
  check_tabulated_pair(table);
  if (forces == TableForces::checked)
    if (const auto wrong = find_wrong_forces(table))
      refuse_table("force", "number " + std::to_string(wrong->point + 1) + " is " +
                                rounded_number(table.force[wrong->point]) + ": " +
                                text_of(*wrong, table) + "; TableForces::file accepts them");
  if (points < 2) refuse_table("points", std::to_string(points) + ", expected 2 or more");
  const double inner = table.r.front();
  const double end = cutoff > 0 ? std::min(cutoff, table.r.back()) : table.r.back();
  if (!(end > inner))
    refuse_table("cutoff", rounded_number(cutoff) + ", expected more than the first distance, " +
                               rounded_number(inner));
  Resampled resampled{end, inner, {}, {}};
  const double spacing = (end * end - inner * inner) / (points - 1);
  for (int k = 0; k < points; ++k) {
    const double r = k + 1 < points ? std::sqrt(inner * inner + k * spacing) : end;
    const PairValue value = value_at(table, std::clamp(r, inner, end));
    resampled.energy.push_back(value.energy);
    resampled.force.push_back(value.force_over_r * r);
  }
  return resampled;
}

}  // namespace

void check_tabulated_pair(const TabulatedPair& table) {
  const std::size_t points = table.r.size();
  if (points < 2) refuse_table("r", std::to_string(points) + " points, expected at least two");
  const auto check = [&](const std::vector<double>& values, const char* name) {
    if (values.size() != points)
      refuse_table(name, std::to_string(values.size()) + " numbers, expected " +
                             std::to_string(points) + ", one for each distance");
    for (std::size_t k = 0; k < points; ++k)
      if (!std::isfinite(values[k]))
        refuse_table(name, "number " + std::to_string(k + 1) + " is " + rounded_number(values[k]) +
                               ", expected a finite number");
  };
  check(table.r, "r");
  check(table.energy, "energy");
  check(table.force, "force");
  for (std::size_t k = 0; k < points; ++k)
    if (!(table.r[k] > (k == 0 ? 0 : table.r[k - 1])))
      refuse_table("r", "number " + std::to_string(k + 1) + " is " + rounded_number(table.r[k]) +
                            ", expected more than " + rounded_number(k == 0 ? 0 : table.r[k - 1]));
}

PairValue value_at(const TabulatedPair& table, double r) {
  if (r > table.r.back()) return {};
  const auto above = std::upper_bound(table.r.begin(), table.r.end(), r) - table.r.begin();
  const auto k =
      static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(above - 1, 0, std::ssize(table.r) - 2));
  const double first = table.r[k] * table.r[k];
  const double span = table.r[k + 1] * table.r[k + 1] - first;
  const double x = (r * r - first) / span;
  const double slope = -span * table.force[k] / (2 * table.r[k]);
  if (x < 0) return {-2 * slope / span, table.energy[k] + x * slope};
  const double next = -span * table.force[k + 1] / (2 * table.r[k + 1]);
  const double rise = table.energy[k + 1] - table.energy[k];
  const double bend = 3 * rise - 2 * slope - next;
  const double third = slope + next - 2 * rise;
  return {-2 * (slope + x * (2 * bend + 3 * x * third)) / span,
          table.energy[k] + x * (slope + x * (bend + x * third))};
}

CoefficientValues tabulated_coefficients(const TabulatedPair& table, int points, double cutoff,
                                         TableForces forces) {
  const Resampled resampled = resample(table, points, cutoff, forces);
  CoefficientValues values{{"cutoff", resampled.cutoff}, {"inner", resampled.inner}};
  for (std::size_t k = 0; k < resampled.energy.size(); ++k) {
    values["energy_" + std::to_string(k + 1)] = resampled.energy[k];
    values["force_" + std::to_string(k + 1)] = resampled.force[k];
  }
  return values;
}

void set_tabulated(CoefficientTable& coefficients, int i, int j, const TabulatedPair& table,
                   double cutoff, TableForces forces) {
  const int points = coefficients.potential().parts().front().points;
  if (points == 0)
    throw ArgumentError("set_tabulated", "coefficients",
                        "of the form '" + coefficients.potential().name() +
                            "', expected \"table\", or a sum with it");
  const Resampled resampled = resample(table, points, cutoff, forces);
  const std::size_t first = coefficients.potential().field("energy_1");
  coefficients.set(i, j, {{"cutoff", resampled.cutoff}, {"inner", resampled.inner}});
  for (std::size_t k = 0; k < resampled.energy.size(); ++k) {
    coefficients.set(i, j, first + k, resampled.energy[k]);
    coefficients.set(i, j, first + resampled.energy.size() + k, resampled.force[k]);
  }
}

}  // namespace tessera::md
