#include "physics/md/pair_potential/table_forces.hpp"

#include "core/base/shortest_number.hpp"
#include "physics/md/pair_potential/tabulated_pair.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <vector>

namespace tessera::md {
namespace {

/// Number of decimal digits of the shortest text that reads back to the same bits.
struct Digits {
  int significant;
  int exponent;  ///< power of ten of the first digit
};

Digits digits_of(double value) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), std::abs(value),
                                 std::chars_format::scientific);
  const char* const e = std::find(text.data(), end.ptr, 'e');
  const int written = static_cast<int>(e - text.data());
  return {written > 1 ? written - 1 : 1, std::atoi(e + 1)};
}

/// Possible rounding error of each number, inferred from the number of its digits; at least half of
/// `part` times the number.
std::vector<double> roundings(const std::vector<double>& values, double part) {
  std::vector<Digits> digits;
  int significant = 0, decimals = 0;
  for (const double value : values) {
    digits.push_back(digits_of(value));
    if (value == 0) continue;
    significant = std::max(significant, digits.back().significant);
    decimals = std::max(decimals, digits.back().significant - 1 - digits.back().exponent);
  }
  std::vector<double> errors(values.size(), 0);
  if (significant == 0) return errors;
  for (std::size_t k = 0; k < values.size(); ++k) {
    double quantum = std::pow(10.0, -decimals);
    if (values[k] != 0)
      quantum = std::max(quantum, std::pow(10.0, digits[k].exponent - significant + 1));
    errors[k] = std::max(quantum, part * std::abs(values[k])) / 2;
  }
  return errors;
}

/// Possible rounding errors of the distances. Evenly spaced numbers with few digits count as exact
/// up to double precision.
std::vector<double> roundings_of_distances(const std::vector<double>& r) {
  constexpr double part = std::numeric_limits<double>::epsilon();
  std::vector<double> errors = roundings(r, part);
  std::size_t uneven = 0;
  for (std::size_t k = 1; k + 1 < r.size(); ++k)
    if (std::abs(r[k + 1] - 2 * r[k] + r[k - 1]) >= errors[k]) ++uneven;
  if (100 * uneven < r.size())
    for (std::size_t k = 0; k < r.size(); ++k)
      errors[k] = part * r[k];
  return errors;
}

struct Interval {
  double slope;  ///< minus the slope of E
  double error;
};

}  // namespace

std::string_view name(TableForces forces) {
  return forces == TableForces::checked ? "checked" : "file";
}

std::optional<WrongForces> find_wrong_forces(const TabulatedPair& table) {
  constexpr double single = std::numeric_limits<float>::epsilon();
  const std::vector<double> of_r = roundings_of_distances(table.r);
  const std::vector<double> of_energy = roundings(table.energy, single);
  const std::vector<double> of_force = roundings(table.force, single);
  std::vector<std::size_t> points{0};
  for (std::size_t k = 1; k < table.r.size(); ++k)
    if (table.r[k] - table.r[points.back()] >= 40 * of_r[k]) points.push_back(k);
  std::vector<Interval> intervals;
  for (std::size_t p = 1; p < points.size(); ++p) {
    const std::size_t a = points[p - 1], b = points[p];
    const double length = table.r[b] - table.r[a];
    const double slope = (table.energy[a] - table.energy[b]) / length;
    intervals.push_back(
        {slope, (of_energy[a] + of_energy[b] + std::abs(slope) * (of_r[a] + of_r[b])) / length});
  }

  std::optional<WrongForces> found;
  std::size_t wrong = 0, judged = 0;
  for (std::size_t p = 1; p + 1 < points.size(); ++p) {
    const std::size_t first = p >= 2 ? p - 2 : 0;
    const std::size_t end = std::min(p + 2, intervals.size());
    if (end - first < 3) continue;
    const auto from = intervals.begin() + static_cast<std::ptrdiff_t>(first);
    const auto to = intervals.begin() + static_cast<std::ptrdiff_t>(end);
    const auto less = [](const Interval& a, const Interval& b) { return a.slope < b.slope; };
    const auto more = [](const Interval& a, const Interval& b) { return a.slope > b.slope; };
    double least = std::min(intervals[p - 1].slope, intervals[p].slope);
    double most = std::max(intervals[p - 1].slope, intervals[p].slope);
    double rounding = 0;
    for (auto interval = from; interval != to; ++interval)
      rounding = std::max(rounding, interval->error);
    if (end - first < 4 || !(std::is_sorted(from, to, less) || std::is_sorted(from, to, more))) {
      const auto [lowest, highest] = std::minmax_element(from, to, less);
      const double margin = 2 * (highest->slope - lowest->slope);
      least = lowest->slope - margin;
      most = highest->slope + margin;
    }
    const std::size_t k = points[p];
    const double bend = std::abs(intervals[p].slope - intervals[p - 1].slope) /
                        (table.r[points[p + 1]] - table.r[points[p - 1]]);
    rounding += of_force[k] + 2 * bend * of_r[k];
    ++judged;
    // The comparison is false for NaN: differences that are not finite do not refute a table.
    if (!(table.force[k] < least - rounding || table.force[k] > most + rounding)) continue;
    if (wrong++ == 0) found = {k, least - rounding, most + rounding, 0, 0};
  }
  if (100 * wrong <= judged) return std::nullopt;
  found->wrong = wrong;
  found->judged = judged;
  return found;
}

std::string text_of(const WrongForces& forces, const TabulatedPair& table) {
  return "-dE/dr of the energies at r = " + rounded_number(table.r[forces.point]) + " is from " +
         rounded_number(forces.least) + " to " + rounded_number(forces.most) +
         ", expected a force in this range; " + std::to_string(forces.wrong) + " of the " +
         std::to_string(forces.judged) + " forces that can be judged contradict the energies";
}

}  // namespace tessera::md
