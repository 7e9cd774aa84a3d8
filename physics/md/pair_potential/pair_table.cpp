#include "physics/md/pair_potential/pair_table.hpp"

#include "core/base/error.hpp"
#include "core/base/shortest_number.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace tessera::md {
namespace {

std::vector<double> fields_of(const PairPotential& potential, View<const double, 3> coefficients,
                              std::int64_t a, std::int64_t b) {
  std::vector<double> fields;
  for (std::size_t f = 0; f < potential.fields().size(); ++f)
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

/// Whether a part has no effect on a pair of types: it has coefficients that are energies, and all
/// are zero.
bool without_effect(const PairPotentialPart& part, const double* values) {
  bool energies = false;
  for (std::size_t f = 0; f < part.fields.size(); ++f) {
    if (part.fields[f].energy == 0) continue;
    if (values[f] != 0) return false;
    energies = true;
  }
  return energies;
}

/// Calls `visit(field, value)` for every coefficient of every pair of types that interacts.
template <class Visit>
void for_each_coefficient(const PairPotential& potential, View<const double, 3> coefficients,
                          const Visit& visit) {
  for (std::int64_t a = 0; a < coefficients.extent(0); ++a)
    for (std::int64_t b = 0; b < coefficients.extent(1); ++b) {
      const std::vector<double> fields = fields_of(potential, coefficients, a, b);
      if (!(potential.cutoff(fields.data()) > 0)) continue;
      std::size_t first = 0;
      for (const PairPotentialPart& part : potential.parts()) {
        const std::size_t last = first + part.fields.size();
        if (!without_effect(part, fields.data() + first))
          for (std::size_t f = first; f < last; ++f)
            visit(potential.fields()[f], fields[f]);
        first = last;
      }
    }
}

/// Range of the nonzero lengths among the coefficients.
struct Lengths {
  double least = INFINITY;
  double most = 0;
};

Lengths lengths_of(const PairPotential& potential, View<const double, 3> coefficients,
                   bool cutoffs) {
  Lengths lengths;
  for_each_coefficient(potential, coefficients, [&](const CoefficientField& field, double value) {
    const bool is_length = field.length == 1 && field.energy == 0 && field.charge == 0;
    if (!is_length || field.is_cutoff != cutoffs || !(std::abs(value) > 0)) return;
    lengths.least = std::min(lengths.least, std::abs(value));
    lengths.most = std::max(lengths.most, std::abs(value));
  });
  return lengths;
}

/// Whether a float represents `x` and numbers up to `margin` times smaller or larger.
bool fits_in_float(double x, double margin) {
  return x == 0 || (std::abs(x) <= std::numeric_limits<float>::max() / margin &&
                    std::abs(x) >= std::numeric_limits<float>::min() * margin);
}

[[noreturn]] void refuse(Precision precision, const std::string& what) {
  throw RefusalError("md/pair_force in " + std::string(name(precision)), what);
}

/// Throws if lengths and forces of about these units do not fit in the arrays of the precision.
void require_storable(Precision precision, const PairUnits& units) {
  if (precision != Precision::single) return;
  // Positions and forces span this factor above and below their units.
  constexpr double around = 1e6;
  if (!fits_in_float(units.length, around))
    refuse(precision, "lengths of about " + rounded_number(units.length) +
                          " do not fit in the positions; use mixed or double");
  if (!fits_in_float(units.force(), around))
    refuse(precision, "forces of about " + rounded_number(units.force()) +
                          " do not fit in the array of forces; use mixed or double");
}

/// Throws if there are too many samples for their indices, which are stored as numbers of the
/// precision and used as integers in loops. Rounds samples that are too small for a float to zero:
/// they are negligible beside the others.
void require_samples(Precision precision, std::vector<double>& samples) {
  const bool floats = precision != Precision::double_precision;
  const std::size_t most = std::size_t{1} << (floats ? 24 : 31);
  if (samples.size() >= most)
    refuse(precision, "tables come to " + std::to_string(samples.size()) +
                          " numbers, expected less than " + std::to_string(most) +
                          "; use fewer points" + (floats ? ", or double" : ""));
  for (double& sample : samples) {
    if (!floats) break;
    if (std::abs(sample) < static_cast<double>(std::numeric_limits<float>::min())) sample = 0;
    if (!fits_in_float(sample, 1))
      refuse(precision,
             "a table comes to " + rounded_number(sample) +
                 " in units that suit all types, which a float does not hold; use double");
  }
}

}  // namespace

double typical_length(const PairPotential& potential, View<const double, 3> coefficients) {
  Lengths lengths = lengths_of(potential, coefficients, false);
  if (lengths.most == 0) lengths = lengths_of(potential, coefficients, true);
  return lengths.most > 0 ? power_of_two(std::sqrt(lengths.least) * std::sqrt(lengths.most)) : 1;
}

double shortest_length(const PairPotential& potential, View<const double, 3> coefficients) {
  const Lengths lengths = lengths_of(potential, coefficients, false);
  return lengths.most > 0 ? lengths.least : 0;
}

PairUnits pair_units(const PairPotential& potential, View<const double, 3> coefficients,
                     double largest_charge) {
  PairUnits units;
  units.length = typical_length(potential, coefficients);
  const bool charged = largest_charge > 0;
  if (charged) units.charge = power_of_two(largest_charge);
  double energy = 0;
  double constant = 0;
  for_each_coefficient(potential, coefficients, [&](const CoefficientField& field, double value) {
    if (field.energy != 1) return;
    // Energy that the coefficient amounts to at unit length and unit charge.
    const double worth =
        std::abs(value) * power(units.length, -field.length) * power(units.charge, -field.charge);
    if (field.charge == 0 || charged) energy = std::max(energy, worth);
    if (field.charge == -2) constant = std::max(constant, worth);
  });
  if (energy > 0) units.energy = power_of_two(energy);
  if (!(constant > 0)) return units;
  // Without charges, or with negligible charges, chooses the unit of charge such that the Coulomb
  // constant is representable.
  if (energy == 0) units.energy = power_of_two(constant);
  const double neutral = units.charge * std::sqrt(units.energy) / std::sqrt(constant);
  if (!charged)
    units.charge = power_of_two(neutral);
  else if (units.charge < 0x1p-40 * neutral)
    units.charge = power_of_two(0x1p-40 * neutral);
  return units;
}

std::vector<double> pack_pair_table(const PairPotential& potential,
                                    View<const double, 3> coefficients, const PairUnits& units,
                                    std::vector<double>* samples) {
  const auto types = coefficients.extent(0);
  const auto width = static_cast<std::size_t>(potential.table_width());
  std::vector<double> table(static_cast<std::size_t>(types * types) * width);
  double* row = table.data();
  const bool tabulated =
      std::any_of(potential.parts().begin(), potential.parts().end(),
                  [](const PairPotentialPart& part) { return part.samples > 0; });
  for (std::int64_t a = 0; a < types; ++a)
    for (std::int64_t b = 0; b < types; ++b, row += width) {
      std::vector<double> fields = fields_of(potential, coefficients, a, b);
      for (std::size_t f = 0; f < fields.size(); ++f) {
        const CoefficientField& field = potential.fields()[f];
        fields[f] *= power(units.length, -field.length) * power(units.energy, -field.energy) *
                     power(units.charge, -field.charge);
      }
      if (b < a && tabulated) {  // the table is symmetric: samples are stored once
        std::copy_n(table.data() + static_cast<std::size_t>(b * types + a) * width, width, row);
        continue;
      }
      potential.pack(fields.data(), row, samples);
      const bool inert = potential.parts().size() == 1 &&
                         std::all_of(row + 1, row + width, [](double x) { return x == 0; });
      if (inert) row[0] = 0;
    }
  return table;
}

std::vector<std::uint8_t> acting_parts(const PairPotential& potential,
                                       View<const double, 3> coefficients) {
  const auto types = coefficients.extent(0);
  std::vector<std::uint8_t> acting(static_cast<std::size_t>(types));
  for (std::int64_t a = 0; a < types; ++a)
    for (std::int64_t b = 0; b < types; ++b) {
      const std::vector<double> fields = fields_of(potential, coefficients, a, b);
      const double* of_part = fields.data();
      unsigned bit = 1;
      for (const PairPotentialPart& part : potential.parts()) {
        if (of_part[0] > 0 && !without_effect(part, of_part))
          acting[static_cast<std::size_t>(a)] |= static_cast<std::uint8_t>(bit);
        of_part += part.fields.size();
        bit *= 2;
      }
    }
  return acting;
}

PackedPairs packed_pairs(Precision precision, const PairPotential& potential,
                         View<const double, 3> coefficients, double largest_charge) {
  PackedPairs packed;
  const bool floats = precision != Precision::double_precision;
  if (!std::isfinite(largest_charge))
    throw ArgumentError("md/pair_force", "charges", "one of them is not a finite number");
  if (floats) {
    packed.units = pair_units(potential, coefficients, largest_charge);
    if (!std::isfinite(packed.units.energy) || !std::isfinite(packed.units.charge))
      refuse(precision, "the energies of coefficients and charges (of up to " +
                            rounded_number(largest_charge) + ") are no numbers; use other units");
    require_storable(precision, packed.units);
  }
  packed.table = pack_pair_table(potential, coefficients, packed.units, &packed.samples);
  require_samples(precision, packed.samples);
  for (std::size_t k = 0; floats && k < packed.table.size(); ++k) {
    if (fits_in_float(packed.table[k], 1)) continue;
    const std::size_t pair = k / static_cast<std::size_t>(potential.table_width());
    const auto types = static_cast<std::size_t>(coefficients.extent(0));
    refuse(precision, "the coefficients of types " + std::to_string(pair / types + 1) + " and " +
                          std::to_string(pair % types + 1) + " come to " +
                          rounded_number(packed.table[k]) +
                          " in units that suit all types, which a float does not hold; use double");
  }
  return packed;
}

double largest_cutoff(const PairPotential& potential, View<const double, 3> coefficients) {
  double largest = 0;
  for (std::int64_t a = 0; a < coefficients.extent(0); ++a)
    for (std::int64_t b = 0; b < coefficients.extent(1); ++b)
      largest =
          std::max(largest, potential.cutoff(fields_of(potential, coefficients, a, b).data()));
  return largest;
}

}  // namespace tessera::md
