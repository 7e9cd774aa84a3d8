#include "physics/md/bond_force/bond_range.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace tessera::md {
namespace {

double power_of_two_above(double x) {
  return std::exp2(std::ceil(std::log2(x)));
}

/// No nearest image is further away than this in a periodic direction; atoms of an open box may be.
double longest_separation(const Box& box) {
  double sum = 0;
  for (int d = 0; d < 3; ++d) {
    const Vec3<double> edge = box.edge(d);
    sum += std::abs(edge.x) + std::abs(edge.y) + std::abs(edge.z);
  }
  constexpr double open = 16;
  return power_of_two_above(open * sum);
}

/// Longest of the fields that are lengths; 0: none.
double longest_length(const BondPotential::OfKind& kind) {
  double length = 0;
  for (std::size_t f = 0; f < kind.part->fields.size(); ++f) {
    const CoefficientField& field = kind.part->fields[f];
    if (field.length == 1 && field.energy == 0 && field.charge == 0)
      length = std::max(length, std::abs(kind.fields[f]));
  }
  return length;
}

}  // namespace

PairRange bond_range(const BondPotential& potential, View<const double, 2> coefficients,
                     const Box& box) {
  PairRange range;
  range.length = longest_separation(box);
  double force = 0;
  double energy = 0;
  for (std::int64_t kind = 0; kind < coefficients.extent(0); ++kind) {
    const BondPotential::OfKind own = potential.of_kind(coefficients, kind);
    const double length = longest_length(own);
    for (const double share : {0.5, 0.75, 0.9, 1.25, 1.5, 2.0}) {
      const double r = share * (length > 0 ? length : range.length / 256);
      PairValue value;
      own.part->evaluate(own.packed.data(), nullptr, charged_pair(r, 0, 0), value);
      if (std::isfinite(value.force_over_r))
        force = std::max(force, std::abs(value.force_over_r) * r);
      if (std::isfinite(value.energy)) energy = std::max(energy, std::abs(value.energy));
    }
  }
  if (force > 0) range.force = std::ldexp(power_of_two_above(force), pair_range_exponent);
  if (energy > 0) range.energy = std::ldexp(power_of_two_above(energy), pair_range_exponent);
  return range;
}

PairRange special_range(const PairPotential& potential, View<const double, 2> coefficients,
                        double largest_charge, const Box& box) {
  PairRange range =
      pair_range(potential, special_table(potential, coefficients), largest_charge, {});
  range.length = std::max(range.length, longest_separation(box));
  return range;
}

}  // namespace tessera::md
