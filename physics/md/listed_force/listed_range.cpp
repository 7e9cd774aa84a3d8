#include "physics/md/listed_force/listed_range.hpp"

#include "physics/md/listed_force/listed_extent.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>

namespace tessera::md {
namespace {

double power_of_two_above(double x) {
  return std::exp2(std::ceil(std::log2(x)));
}

/// Longest of the fields that are lengths; 0: none.
double longest_length(const ListedPotential::OfType& type) {
  double length = 0;
  for (std::size_t f = 0; f < type.fields.size(); ++f) {
    const CoefficientField& field = type.part->fields[f];
    if (field.length == 1 && field.energy == 0) length = std::max(length, std::abs(type.fields[f]));
  }
  return length;
}

}  // namespace

PairRange listed_range(const std::array<ListedPotential, listed_classes>& potentials,
                       const std::array<View<const double, 2>, listed_classes>& coefficients,
                       const Box& box) {
  PairRange range;
  range.length = longest_image(box);
  double energy = 0;
  double force = 0;
  double slope = 0;  // in an angle
  double shortest = std::numeric_limits<double>::infinity();
  const auto consider = [&](const ListedValue& value, double& largest) {
    if (std::isfinite(value.slope)) largest = std::max(largest, std::abs(value.slope));
    if (std::isfinite(value.energy)) energy = std::max(energy, std::abs(value.energy));
  };
  for (std::size_t c = 0; c < listed_classes; ++c)
    for (std::int64_t t = 0; t < coefficients[c].extent(0); ++t) {
      const ListedPotential::OfType type = potentials[c].of_type(coefficients[c], t);
      if (c == bond_class) {
        const double given = longest_length(type);
        const double length = given > 0 ? given : range.length / 256;
        shortest = std::min(shortest, length);
        for (const double share : {0.5, 0.75, 0.9, 1.25, 1.5, 2.0})
          consider(type.at(share * length), force);
      } else {
        constexpr int steps = 24;
        const double least = c == angle_class ? 0 : -std::numbers::pi;
        // The ends are left out, where restricted bending is infinite.
        for (int k = 1; k < steps; ++k)
          consider(type.at(least + (std::numbers::pi - least) * k / steps), slope);
      }
    }
  force = std::max(force, slope / std::min(shortest, range.length / 256));
  if (force > 0) range.force = std::ldexp(power_of_two_above(force), pair_range_exponent);
  if (energy > 0) range.energy = std::ldexp(power_of_two_above(energy), pair_range_exponent);
  return range;
}

}  // namespace tessera::md
