#include "physics/md/pair_potential/coefficient_field.hpp"

#include "core/base/shortest_number.hpp"

#include <cmath>

namespace tessera::md {

std::string unit_text(const CoefficientField& field) {
  std::string above;
  std::string below;
  const auto put = [&](int exponent, const char* name) {
    if (exponent == 0) return;
    std::string& text = exponent > 0 ? above : below;
    if (!text.empty()) text += ' ';
    text += name;
    if (std::abs(exponent) > 1) text += "^" + std::to_string(std::abs(exponent));
  };
  put(field.energy, "energy");
  put(field.length, "length");
  put(field.charge, "charge");
  if (field.is_angle) return "degree";
  if (below.empty()) return above;
  return (above.empty() ? "1" : above) + "/" + below;
}

std::optional<std::string> out_of_range(const CoefficientField& field, double value) {
  if (!std::isfinite(value)) return "expected a finite number";
  if (field.is_flag && value != 0 && value != 1) return "expected true or false";
  switch (field.range) {
    case CoefficientField::Range::any:
      return {};
    case CoefficientField::Range::not_negative:
      if (value < 0) return "expected a number not below zero";
      return {};
    case CoefficientField::Range::positive:
      if (!(value > 0)) return "expected a number greater than zero";
      return {};
  }
  return {};
}

std::optional<std::string> contradicts(
    const CoefficientField& field, double value,
    const std::function<double(const std::string& name)>& other) {
  if (!field.required_by.empty() && !(value > 0) && other(field.required_by) != 0)
    return "expected a number greater than zero where " + field.required_by + " is not zero";
  if (field.below.empty()) return {};
  const double limit = other(field.below);
  if (limit != 0 && !(value < limit))
    return "expected a number below " + field.below + " = " + rounded_number(limit);
  return {};
}

}  // namespace tessera::md
