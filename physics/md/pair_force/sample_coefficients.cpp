#include <cmath>
#include <tessera/md/pair_force/sample_coefficients.hpp>

namespace tessera::md {
namespace {

using Field = CoefficientField;

std::optional<double> sample(const Field& field, const SampleScale& scale, bool first) {
  if (field.is_cutoff)
    return first || scale.charge_cutoff == 0 ? scale.cutoff : scale.charge_cutoff;
  if (field.for_all && !field.below.empty()) return 0.8 * scale.cutoff;  // begins to switch off
  if (field.is_flag) return scale.flag ? 1 : 0;
  if (field.scope == Field::Scope::units) return scale.constant;
  const bool pure = field.energy == 0 && field.length == 0 && field.charge == 0;
  if (pure && field.scope == Field::Scope::style && scale.number) return scale.number;
  if (pure && field.default_value) return std::nullopt;
  if (scale.energy == 0 && !field.required_by.empty()) return 0;
  return std::pow(scale.energy, field.energy) * std::pow(scale.length, field.length);
}

}  // namespace

CoefficientValues sample_coefficients(const PairForm& form, const SampleScale& scale) {
  CoefficientValues values;
  for (const Field& field : form.fields())
    if (const auto value = sample(field, scale, &field == &form.fields().front()))
      values[field.name] = *value;
  return values;
}

}  // namespace tessera::md
