#include "physics/md/neighbor/cutoff_classes.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tessera::md {
namespace {

/// Cutoff of the like pairs of a type, or, if there is none, its shortest cutoff with another type.
double own_cutoff(const CutoffClasses& classes, int type) {
  const double* const row = classes.cutoffs.data() + std::ptrdiff_t{type} * classes.types;
  if (row[type] > 0) return row[type];
  double least = 0;
  for (int other = 0; other < classes.types; ++other)
    if (row[other] > 0 && (least == 0 || row[other] < least)) least = row[other];
  return least;
}

}  // namespace

bool CutoffClasses::alike() const {
  if (cutoffs.empty()) return true;
  // A pair of types with the shortest cutoff then has 1.7 times the entries.
  constexpr double most_ratio = 1.2;
  const auto [shortest, longest] = std::minmax_element(cutoffs.begin(), cutoffs.end());
  return *longest <= most_ratio * *shortest;
}

double CutoffClasses::width(int of, double skin) const {
  double width = reach(of, of, skin);
  for (int other = 0; other < count && largest[of][of] == 0; ++other)
    width = std::max(width, reach(of, other, skin));
  return width;
}

double CutoffClasses::typical_cutoff(const ClassCounts& atoms) const {
  double pairs = 0;
  double sum = 0;
  double furthest = 0;
  for (int a = 0; a < count; ++a)
    for (int b = 0; b < count; ++b) {
      const double cutoff = largest[a][b];
      const double met = static_cast<double>(atoms.of[a]) * static_cast<double>(atoms.of[b]) *
                         cutoff * cutoff * cutoff;
      pairs += met;
      sum += met * cutoff;
      furthest = std::max(furthest, cutoff);
    }
  return pairs > 0 ? sum / pairs : furthest;
}

std::vector<double> CutoffClasses::squared_reaches(double skin) const {
  std::vector<double> squared;
  for (const double cutoff : cutoffs)
    squared.push_back(cutoff > 0 ? (cutoff + skin) * (cutoff + skin) : 0);
  return squared;
}

CutoffClasses cutoff_classes(const PairPotential& potential, View<const double, 3> coefficients) {
  CutoffClasses classes;
  classes.types = static_cast<int>(coefficients.extent(0));
  for (std::int64_t a = 0; a < classes.types; ++a)
    for (std::int64_t b = 0; b < classes.types; ++b) {
      std::vector<double> fields;
      for (std::int64_t f = 0; f < coefficients.extent(2); ++f)
        fields.push_back(coefficients(a, b, f));
      classes.cutoffs.push_back(std::max(0.0, potential.cutoff(fields.data())));
    }
  classes.of_type.assign(static_cast<std::size_t>(classes.types), 0);
  if (classes.cutoffs.empty()) return classes;
  classes.uniform = std::all_of(classes.cutoffs.begin(), classes.cutoffs.end(),
                                [&](double c) { return c == classes.cutoffs.front(); });

  std::vector<int> by_cutoff(static_cast<std::size_t>(classes.types));
  std::iota(by_cutoff.begin(), by_cutoff.end(), 0);
  std::stable_sort(by_cutoff.begin(), by_cutoff.end(),
                   [&](int a, int b) { return own_cutoff(classes, a) < own_cutoff(classes, b); });
  // Classes pay off if search volumes differ by a factor of several.
  constexpr double least_ratio = 1.5;
  double start = 0;
  double ratio = least_ratio;
  classes.count = 0;
  for (const int type : by_cutoff) {
    const double own = own_cutoff(classes, type);
    if (classes.count == 0 || (start == 0 && own > 0)) {
      // Types without interactions join the first class.
      start = own;
      if (own > 0)
        ratio = std::max(least_ratio, 1.0001 * std::pow(own_cutoff(classes, by_cutoff.back()) / own,
                                                        1.0 / CutoffClasses::most));
      classes.count = 1;
    } else if (own > start * ratio) {
      start = own;
      ++classes.count;
    }
    classes.of_type[static_cast<std::size_t>(type)] = classes.count - 1;
  }
  for (int a = 0; a < classes.types; ++a)
    for (int b = 0; b < classes.types; ++b) {
      double& most = classes.largest[classes.of_type[static_cast<std::size_t>(a)]]
                                    [classes.of_type[static_cast<std::size_t>(b)]];
      most = std::max(
          most,
          classes.cutoffs[static_cast<std::size_t>(a) * static_cast<std::size_t>(classes.types) +
                          static_cast<std::size_t>(b)]);
    }
  return classes;
}

}  // namespace tessera::md
