#include "core/base/error.hpp"
#include "physics/md/pair_potential/coefficient_table.hpp"
#include "physics/md/pair_potential/table_forces.hpp"
#include "physics/md/pair_potential/tabulated_pair.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numbers>
#include <string_view>
#include <vector>

namespace tessera::md {
namespace {

struct Potential {
  const char* name;
  double (*energy)(double);
  double (*force)(double);
  double inner;
  double outer;
};

const std::vector<Potential>& smooth_potentials() {
  static const std::vector<Potential> all = {
      {"Lennard-Jones", [](double r) { return 4 * (std::pow(r, -12) - std::pow(r, -6)); },
       [](double r) { return 24 * (2 * std::pow(r, -13) - std::pow(r, -7)); }, 0.8, 2.5},
      {"Lennard-Jones from far inside",
       [](double r) { return 4 * (std::pow(r, -12) - std::pow(r, -6)); },
       [](double r) { return 24 * (2 * std::pow(r, -13) - std::pow(r, -7)); }, 0.3, 3},
      {"Buckingham", [](double r) { return 1e3 * std::exp(-r / 0.3) - 30 * std::pow(r, -6); },
       [](double r) { return 1e3 / 0.3 * std::exp(-r / 0.3) - 180 * std::pow(r, -7); }, 1.6, 12},
      {"Morse", [](double r) { return std::pow(1 - std::exp(-2 * (r - 1.2)), 2) - 1; },
       [](double r) { return -4 * (1 - std::exp(-2 * (r - 1.2))) * std::exp(-2 * (r - 1.2)); }, 0.5,
       3},
      {"Coulomb", [](double r) { return 332 / r; }, [](double r) { return 332 / (r * r); }, 0.5,
       10},
      {"steep", [](double r) { return std::pow(r, -12); },
       [](double r) { return 12 * std::pow(r, -13); }, 0.8, 2.5},
      {"soft", [](double r) { return 10 * (1 + std::cos(std::numbers::pi * r / 2.5)); },
       [](double r) { return 4 * std::numbers::pi * std::sin(std::numbers::pi * r / 2.5); }, 0.01,
       2.5}};
  return all;
}

/// Potentials with a step in the energy or the force, with narrow features, or with oscillations.
const std::vector<Potential>& rough_potentials() {
  static const std::vector<Potential> all = {
      {"cut before the end",
       [](double r) { return r < 2.5 ? 4 * (std::pow(r, -12) - std::pow(r, -6)) : 0; },
       [](double r) { return r < 2.5 ? 24 * (2 * std::pow(r, -13) - std::pow(r, -7)) : 0; }, 0.8,
       3},
      {"a last point of zero",
       [](double r) { return r < 2.4999 ? 4 * (std::pow(r, -12) - std::pow(r, -6)) : 0; },
       [](double r) { return r < 2.4999 ? 24 * (2 * std::pow(r, -13) - std::pow(r, -7)) : 0; }, 0.8,
       2.5},
      {"charges cut before the end", [](double r) { return r < 8 ? 332 / r : 0; },
       [](double r) { return r < 8 ? 332 / (r * r) : 0; }, 0.5, 10},
      {"repulsion alone",
       [](double r) { return r < 1.122462 ? 4 * (std::pow(r, -12) - std::pow(r, -6)) + 1 : 0; },
       [](double r) { return r < 1.122462 ? 24 * (2 * std::pow(r, -13) - std::pow(r, -7)) : 0; },
       0.8, 1.5},
      {"narrow Morse", [](double r) { return std::pow(1 - std::exp(-6 * (r - 1.2)), 2) - 1; },
       [](double r) { return -12 * (1 - std::exp(-6 * (r - 1.2))) * std::exp(-6 * (r - 1.2)); },
       0.5, 3},
      {"the edge of a well", [](double r) { return -1 / (1 + std::exp(20 * (r - 1.5))); },
       [](double r) { return -5 / std::pow(std::cosh(10 * (r - 1.5)), 2); }, 0.8, 2.5},
      {"waves", [](double r) { return std::cos(5 * r) * std::pow(r, -3); },
       [](double r) {
         return 5 * std::sin(5 * r) * std::pow(r, -3) + 3 * std::cos(5 * r) * std::pow(r, -4);
       },
       0.9, 4},
      {"no force", [](double) { return 3.5; }, [](double) { return 0.0; }, 0.5, 2}};
  return all;
}

enum class Spacing { even, squared, bitmap };

/// Distances of a bitmap table: bit patterns of r^2 in single precision that differ by one step of
/// the last kept bit (LAMMPS documentation, "pair_style table", BITMAP).
std::vector<double> bitmap(double inner, double outer, int points) {
  const auto low = std::bit_cast<std::uint32_t>(static_cast<float>(inner * inner));
  const auto high = std::bit_cast<std::uint32_t>(static_cast<float>(outer * outer));
  int shift = 0;
  while ((high >> shift) - (low >> shift) > static_cast<std::uint32_t>(points))
    ++shift;
  std::vector<double> r;
  for (std::uint32_t k = (low >> shift) + 1; k <= high >> shift; ++k)
    r.push_back(std::sqrt(static_cast<double>(std::bit_cast<float>(k << shift))));
  return r;
}

std::vector<double> distances(Spacing spacing, double inner, double outer, int points) {
  if (spacing == Spacing::bitmap) return bitmap(inner, outer, points);
  std::vector<double> r;
  for (int k = 0; k < points; ++k) {
    const double part = static_cast<double>(k) / (points - 1);
    r.push_back(spacing == Spacing::even
                    ? inner + part * (outer - inner)
                    : std::sqrt(inner * inner + part * (outer * outer - inner * inner)));
  }
  return r;
}

double printed(double value, const char* format) {
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  return std::strtod(text, nullptr);
}

struct Formats {
  const char* distance;
  const char* value;
};
constexpr Formats all_formats[] = {{"%.17g", "%.5g"},  {"%.17g", "%.5f"},  {"%.17g", "%.8e"},
                                   {"%.17g", "%.17g"}, {"%.5g", "%.5g"},   {"%.6f", "%.6f"},
                                   {"%.7g", "%.7g"},   {"%.15g", "%.12g"}, {"%.4f", "%.10f"}};

TabulatedPair printed_table(const Potential& potential, const std::vector<double>& r,
                            const Formats& formats, double factor = 1) {
  TabulatedPair table;
  for (const double distance : r) {
    table.r.push_back(printed(distance, formats.distance));
    table.energy.push_back(printed(potential.energy(distance), formats.value));
    table.force.push_back(printed(factor * potential.force(distance), formats.value));
  }
  return table;
}

bool grows(const std::vector<double>& r) {
  for (std::size_t k = 1; k < r.size(); ++k)
    if (!(r[k] > r[k - 1])) return false;
  return r.front() > 0;
}

/// Calls `look` with every combination of potential, spacing, number of points and number format.
template <class Look>
void every_table(const std::vector<Potential>& potentials, std::vector<int> counts, Look look) {
  for (const Potential& potential : potentials)
    for (const Spacing spacing : {Spacing::even, Spacing::squared, Spacing::bitmap})
      for (const int points : counts)
        for (const Formats& formats : all_formats) {
          const bool few_digits = std::string_view(formats.value) == "%.5g";
          if (points > 1000 && !few_digits) continue;
          const auto r = distances(spacing, potential.inner, potential.outer, points);
          CAPTURE(potential.name);
          CAPTURE(static_cast<int>(spacing));
          CAPTURE(points);
          CAPTURE(formats.distance);
          CAPTURE(formats.value);
          look(potential, spacing, r, formats);
        }
}

TabulatedPair lennard_jones(int points) {
  const Potential& lj = smooth_potentials().front();
  return printed_table(lj, distances(Spacing::even, lj.inner, lj.outer, points), all_formats[3]);
}

}  // namespace

TEST_CASE("forces that are the slopes of their energies are none that are wrong") {
  int tables = 0;
  const auto look = [&](const Potential& potential, Spacing, const std::vector<double>& r,
                        const Formats& formats) {
    const TabulatedPair table = printed_table(potential, r, formats);
    if (!grows(table.r)) return;
    ++tables;
    const auto wrong = find_wrong_forces(table);
    if (wrong) FAIL_CHECK(text_of(*wrong, table));
  };
  every_table(smooth_potentials(), {2, 3, 4, 5, 10, 16, 40, 200, 1000, 10000}, look);
  every_table(rough_potentials(), {10, 16, 40, 200, 1000, 10000}, look);
  CHECK(tables > 2000);
}

TEST_CASE("forces of the wrong sign, size or unit are found in every table") {
  every_table(smooth_potentials(), {10, 40, 200, 1000, 10000},
              [&](const Potential& potential, Spacing spacing, const std::vector<double>& r,
                  const Formats& formats) {
                // A bitmap of ten points uses only half of them, too coarse for steep potentials.
                if (spacing == Spacing::bitmap && r.size() < 32) return;
                if (!grows(printed_table(potential, r, formats).r)) return;
                for (const double factor : {-1.0, 0.0, 0.5, 4.184, 0.1, 23.06}) {
                  CAPTURE(factor);
                  CHECK(find_wrong_forces(printed_table(potential, r, formats, factor)));
                }
              });
}

TEST_CASE("tables of extreme numbers are judged without a false alarm") {
  for (const double scale : {1e-290, 1e-160, 1e160, 1e300}) {
    TabulatedPair table = lennard_jones(50);
    for (std::size_t k = 0; k < table.r.size(); ++k) {
      table.energy[k] *= scale;
      table.force[k] *= scale;
    }
    CAPTURE(scale);
    CHECK_FALSE(find_wrong_forces(table));
  }
  CHECK_FALSE(
      find_wrong_forces({{1, 2, 3, 4, 5}, {1e308, -1e308, 1e308, -1e308, 1e308}, {0, 0, 0, 0, 0}}));
  CHECK_FALSE(find_wrong_forces({{1e-300, 2e-300, 3e-300, 4e-300}, {1, 1, 1, 1}, {0, 0, 0, 0}}));
}

TEST_CASE("one wrong force in a hundred is let pass, two are not") {
  const TabulatedPair good = lennard_jones(202);
  for (const std::size_t wrong : {1u, 2u, 3u}) {
    TabulatedPair bad = good;
    for (std::size_t k = 0; k < wrong; ++k)
      bad.force[100 + 7 * k] *= 2;
    const auto found = find_wrong_forces(bad);
    CHECK(found.has_value() == (wrong == 3));
    if (!found) continue;
    CHECK(found->point == 100);
    CHECK(found->wrong == 3);
    CHECK(found->judged == 200);
    CHECK(found->least < good.force[100]);
    CHECK(found->most > good.force[100]);
  }
}

TEST_CASE("a table of wrong forces is refused where a form gets it, unless it is meant so") {
  TabulatedPair bad = lennard_jones(100);
  for (double& force : bad.force)
    force = -force;
  CoefficientTable coefficients(pair_potentials().find("table:50"), 1);
  CHECK_THROWS_WITH_AS(set_tabulated(coefficients, 0, 0, bad),
                       doctest::Contains("tabulated pair potential: force: number 2 is -"),
                       ArgumentError);
  CHECK_THROWS_WITH_AS(static_cast<void>(tabulated_coefficients(bad, 50)),
                       doctest::Contains("of the 98 forces that can be judged contradict"),
                       ArgumentError);
  CHECK_NOTHROW(set_tabulated(coefficients, 0, 0, bad, 0, TableForces::file));
  CHECK_NOTHROW(static_cast<void>(tabulated_coefficients(bad, 50, 0, TableForces::file)));
}

}  // namespace tessera::md
