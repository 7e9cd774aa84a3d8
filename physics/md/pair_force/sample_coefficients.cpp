#include "physics/md/pair_force/sample_coefficients.hpp"

#include "physics/md/pair_potential/tabulated_pair.hpp"

#include <cmath>

namespace tessera::md {
namespace {

using Field = CoefficientField;

std::optional<double> sample(const Field& field, const SampleScale& scale, bool first) {
  if (field.is_cutoff)
    return first || scale.charge_cutoff == 0 ? scale.cutoff : scale.charge_cutoff;
  if (field.for_all && !field.below.empty())
    return 0.8 * scale.cutoff;  // start of the switching range
  if (field.is_flag) return scale.flag ? 1 : 0;
  if (field.scope == Field::Scope::units) return scale.constant;
  const bool pure = field.energy == 0 && field.length == 0 && field.charge == 0;
  if (pure && field.scope == Field::Scope::style && scale.number) return scale.number;
  if (pure && field.default_value) return std::nullopt;
  if (scale.energy == 0 && !field.required_by.empty()) return 0;
  return std::pow(scale.energy, field.energy) * std::pow(scale.length, field.length);
}

/// A sampled Lennard-Jones potential, for potentials that read tables.
TabulatedPair tabulated_sample(const SampleScale& scale) {
  TabulatedPair table;
  constexpr int points = 2000;
  const double length = scale.length > 0 ? scale.length : 0.4 * scale.cutoff;
  const double inner = 0.7 * length;
  const double step = (scale.cutoff * scale.cutoff - inner * inner) / (points - 1);
  for (int k = 0; k < points; ++k) {
    const double r = k + 1 < points ? std::sqrt(inner * inner + k * step) : scale.cutoff;
    const double sixth = std::pow(length / r, 6);
    table.r.push_back(r);
    table.energy.push_back(4 * scale.energy * sixth * (sixth - 1));
    table.force.push_back(24 * scale.energy * sixth * (2 * sixth - 1) / r);
  }
  return table;
}

}  // namespace

CoefficientValues sample_coefficients(const PairPotential& potential, const SampleScale& scale) {
  CoefficientValues values;
  for (const Field& field : potential.fields())
    if (const auto value = sample(field, scale, &field == &potential.fields().front()))
      values[field.name] = *value;
  const PairPotentialPart& first = potential.parts().front();
  if (first.points > 0)
    for (const auto& [name, value] :
         tabulated_coefficients(tabulated_sample(scale), first.points, scale.cutoff))
      values[name] = value;
  return values;
}

}  // namespace tessera::md
