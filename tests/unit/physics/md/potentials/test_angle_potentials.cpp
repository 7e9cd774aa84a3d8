#include "physics/md/listed_force/listed_potential.hpp"
#include "tests/support/relative.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

namespace tessera::md {
namespace {

constexpr double degree = std::numbers::pi / 180;

ListedValue value_of(const ListedPotentialPart& part, const std::vector<double>& values,
                     double radians) {
  std::vector<double> packed(static_cast<std::size_t>(part.width));
  part.pack(values.data(), packed.data());
  return part.evaluate(packed.data(), radians);
}

struct AngleReference {
  double degrees;
  double energy;
  double slope;  ///< derivative of the energy by the angle in radians
};

/// Compares the potential of an angle with values of its published formula.
void check_angle_values(int of_class, const std::string& name, const std::vector<double>& values,
                        const std::vector<AngleReference>& references) {
  const ListedPotential potential = listed_potential(of_class, name);
  for (const AngleReference& expected : references) {
    CAPTURE(expected.degrees);
    const ListedValue value = value_of(potential.parts[0], values, expected.degrees * degree);
    CHECK(std::abs(value.energy - expected.energy) <= 1e-13 * (std::abs(expected.energy) + 1));
    CHECK(std::abs(value.slope - expected.slope) <= 1e-13 * (std::abs(expected.slope) + 1));
  }
}

}  // namespace

TEST_CASE("slopes of angle potentials are those of their energies") {
  for (const int of_class : {angle_class, dihedral_class, improper_class})
    for (const ListedPotentialPart& part : listed_potentials(of_class)) {
      CAPTURE(part.name);
      CHECK_FALSE(part.summary.empty());
      CHECK_FALSE(part.source.empty());
      std::vector<double> values;
      for (const CoefficientField& field : part.fields)
        values.push_back(field.is_angle ? 100.0 : 2.0 + static_cast<double>(values.size()));
      for (const double angle : {0.4, 1.1, 1.7, 2.9}) {
        const double h = 1e-5;
        const double slope =
            (value_of(part, values, angle + h).energy - value_of(part, values, angle - h).energy) /
            (2 * h);
        CHECK(std::abs(value_of(part, values, angle).slope - slope) <=
              1e-7 * (std::abs(slope) + 1));
      }
    }
}

TEST_CASE("the angle potential harmonic has its published values") {
  check_angle_values(angle_class, "harmonic", {8, 120},
                     {{90, 8 * std::pow(30 * degree, 2), -16 * 30 * degree}, {120, 0, 0}});
}

TEST_CASE("the angle potential cosine/squared has its published values") {
  // cos 60 = 1/2, cos 120 = -1/2.
  check_angle_values(angle_class, "cosine/squared", {8, 120},
                     {{60, 8, -16 * std::sqrt(0.75)}, {90, 2, -8}, {180, 2, 0}});
}

TEST_CASE("the angle potential cosine/squared/restricted has its published values") {
  // At 60 degrees, with sin^2 = 3/4: 8 / (3/4) and -2 * 8 * (1 + 1/4) / (3/4)^(3/2).
  check_angle_values(angle_class, "cosine/squared/restricted", {8, 120},
                     {{60, 32.0 / 3, -20 / std::pow(0.75, 1.5)}, {90, 2, -8}, {120, 0, 0}});
}

TEST_CASE("the dihedral potential periodic has its published values") {
  check_angle_values(dihedral_class, "periodic", {5, 3, 0},
                     {{0, 10, 0}, {60, 0, 0}, {30, 5, -15}, {-30, 5, 15}, {180, 0, 0}});
  check_angle_values(dihedral_class, "periodic", {5, 1, 90}, {{90, 10, 0}, {0, 5, 5}});
}

TEST_CASE("the dihedral potential ryckaert/bellemans has its published values") {
  // Butane: trans is the minimum, cis the maximum (kJ/mol).
  const std::vector<double> butane = {9.28, 12.16, -13.12, -3.06, 26.24, -31.5};
  check_angle_values(dihedral_class, "ryckaert/bellemans", butane,
                     {{180, 0, 0}, {0, 44.8, 0}, {90, 9.28, 12.16}, {-90, 9.28, -12.16}});
}

TEST_CASE("the dihedral potential opls has its published values") {
  check_angle_values(dihedral_class, "opls", {1, 2, 3, 4},
                     {{0, 4, 0}, {180, 0, 0}, {90, 0.5 + 2 + 1.5 + 0, -0.5 + 4.5}});
}

TEST_CASE("the improper potential harmonic has its published values") {
  check_angle_values(improper_class, "harmonic", {8, 0},
                     {{30, 8 * std::pow(30 * degree, 2), 16 * 30 * degree}});
  // By the shorter way round: from 170 to -170 degrees are 20.
  check_angle_values(improper_class, "harmonic", {8, 170},
                     {{-170, 8 * std::pow(20 * degree, 2), 16 * 20 * degree}});
}

}  // namespace tessera::md
