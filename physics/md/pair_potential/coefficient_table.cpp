#include "physics/md/pair_potential/coefficient_table.hpp"

#include "core/base/error.hpp"
#include "core/base/shortest_number.hpp"
#include "physics/md/pair_potential/pair_table.hpp"

#include <algorithm>

namespace tessera::md {
CoefficientTable::CoefficientTable(PairPotential potential, int types)
    : potential_(std::move(potential)), types_(types) {
  constexpr int most = 1 << 14;
  if (types < 0 || types > most)
    throw ArgumentError("CoefficientTable", "types",
                        std::to_string(types) + ", expected 0 to " + std::to_string(most));
  for (int pair = 0; pair < types * types; ++pair)
    for (const CoefficientField& field : potential_.fields())
      values_.push_back(
          field.scope == CoefficientField::Scope::units ? 1.0 : field.default_value.value_or(0.0));
}

void CoefficientTable::set_all(const CoefficientValues& values) {
  for (int i = 0; i < types_; ++i)
    for (int j = i; j < types_; ++j)
      set(i, j, values);
}

void CoefficientTable::set(int i, int j, const CoefficientValues& values) {
  for (const auto& [name, value] : values)
    set(i, j, potential_.field(name), value);
}

void CoefficientTable::set(int i, int j, std::size_t field, double value) {
  const std::size_t there = place(i, j, field);
  if (const auto wrong = out_of_range(potential_.fields()[field], value))
    throw ArgumentError(potential_.name() + ": " + potential_.fields()[field].name + " = " +
                        rounded_number(value) + ": " + *wrong);
  values_[there] = value;
  values_[place(j, i, field)] = value;
}

void CoefficientTable::refuse_place(int i, int j, std::size_t field) const {
  const bool known = field < potential_.fields().size();
  throw ArgumentError(
      "CoefficientTable", known ? "types" : "field",
      known ? std::to_string(i) + " and " + std::to_string(j) + " of " + std::to_string(types_)
            : std::to_string(field) + " of " + std::to_string(potential_.fields().size()));
}

double CoefficientTable::largest_cutoff() const {
  return types_ == 0 ? 0 : md::largest_cutoff(potential_, view());
}

View<const double, 3> CoefficientTable::view() const {
  return {values_.data(), {types_, types_, static_cast<std::int64_t>(potential_.fields().size())}};
}

void check_coefficients(const PairPotential& potential, View<const double, 3> coefficients) {
  const std::vector<CoefficientField>& fields = potential.fields();
  for (std::int64_t a = 0; a < coefficients.extent(0); ++a)
    for (std::int64_t b = 0; b < coefficients.extent(1); ++b)
      for (std::size_t f = 0; f < fields.size(); ++f) {
        const auto column = static_cast<std::int64_t>(f);
        const double value = coefficients(a, b, column);
        std::optional<std::string> wrong = out_of_range(fields[f], value);
        if (!wrong && value != coefficients(b, a, column))
          wrong = "expected the same value for the types the other way round";
        const auto of_same_pair = [&](const std::string& other) {
          return coefficients(a, b, static_cast<std::int64_t>(potential.field(other)));
        };
        if (!wrong) wrong = contradicts(fields[f], value, of_same_pair);
        if (wrong)
          throw ArgumentError(potential.name() + ", types " + std::to_string(a + 1) + " and " +
                              std::to_string(b + 1) + ": " + fields[f].name + " = " +
                              rounded_number(value) + ": " + *wrong);
      }
}

}  // namespace tessera::md
