#include "core/parameters/knobs.hpp"

#include "core/base/shortest_number.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace tessera {
namespace {

template <class T>
std::optional<T> parsed(const std::string& text) {
  T value{};
  const char* const end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, value);
  if (result.ec != std::errc{} || result.ptr != end) return {};
  return value;
}

/// Describes the values that a parameter accepts; suggests the name closest to `given`.
std::string expectation(const KnobInfo& knob, const KnobValue& given) {
  if (knob.closed) {
    std::string text = "expected one of ";
    std::vector<std::string> names;
    for (const KnobValue& value : knob.values) {
      text += (names.empty() ? "" : ", ") + to_string(value);
      names.push_back(std::holds_alternative<std::string>(value) ? std::get<std::string>(value)
                                                                 : to_string(value));
    }
    const auto* const name = std::get_if<std::string>(&given);
    const std::string guess = name == nullptr ? "" : nearest(*name, names);
    return text + (guess.empty() ? "" : "; did you mean '" + guess + "'?");
  }
  switch (knob.kind) {
    case KnobKind::integer:
      return "expected an integer";
    case KnobKind::decimal:
      return "expected a finite number";
    case KnobKind::flag:
      return "expected true or false";
    case KnobKind::name:
      break;
  }
  return "expected a name";
}

}  // namespace

std::string to_string(const KnobValue& value) {
  if (const auto* const flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (const auto* const integer = std::get_if<std::int64_t>(&value))
    return std::to_string(*integer);
  if (const auto* const real = std::get_if<double>(&value)) return shortest_number(*real);
  return '"' + std::get<std::string>(value) + '"';
}

KnobValue knob_value_from_text(const std::string& name, const std::string& text) {
  if (text.empty())
    throw InputError({{}, 0, name, {}}, "expected a number, true or false, or a name");
  if (text == "true") return true;
  if (text == "false") return false;
  if (const auto integer = parsed<std::int64_t>(text)) return *integer;
  if (const auto real = parsed<double>(text)) return *real;
  if (text.size() > 1 && text.front() == '"' && text.back() == '"')
    return text.substr(1, text.size() - 2);
  return text;
}

KnobValue checked_knob_value(const KnobInfo& knob, const KnobValue& given) {
  KnobValue value = given;
  if (const auto* const integer = std::get_if<std::int64_t>(&given);
      integer != nullptr && knob.kind == KnobKind::decimal)
    value = static_cast<double>(*integer);
  const bool right = std::visit(
      [&](const auto& held) {
        using T = std::remove_cvref_t<decltype(held)>;
        if constexpr (std::is_same_v<T, double>)
          return knob.kind == KnobKind::decimal && std::isfinite(held);
        else if constexpr (std::is_same_v<T, std::string>)
          return knob.kind == KnobKind::name;
        else
          return detail::kind_of<T> == knob.kind;
      },
      value);
  const bool allowed =
      !knob.closed || std::find(knob.values.begin(), knob.values.end(), value) != knob.values.end();
  if (!right || !allowed)
    throw InputError({{}, 0, knob.name, to_string(given)}, expectation(knob, given));
  return value;
}

}  // namespace tessera
