#include "core/parameters/tuning_parameter.hpp"

#include "core/base/logging.hpp"
#include "core/base/shortest_number.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <mutex>
#include <set>

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
std::string expectation(const ParameterInfo& parameter, const ParameterValue& given) {
  if (parameter.closed) {
    std::string text = "expected one of ";
    std::vector<std::string> names;
    for (const ParameterValue& value : parameter.values) {
      text += (names.empty() ? "" : ", ") + to_string(value);
      names.push_back(std::holds_alternative<std::string>(value) ? std::get<std::string>(value)
                                                                 : to_string(value));
    }
    const auto* const name = std::get_if<std::string>(&given);
    const std::string guess = name == nullptr ? "" : nearest(*name, names);
    return text + (guess.empty() ? "" : "; did you mean '" + guess + "'?");
  }
  switch (parameter.kind) {
    case ParameterKind::integer:
      return "expected an integer";
    case ParameterKind::decimal:
      return "expected a finite number";
    case ParameterKind::flag:
      return "expected true or false";
    case ParameterKind::name:
      break;
  }
  return "expected a name";
}

}  // namespace

std::string to_string(const ParameterValue& value) {
  if (const auto* const flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (const auto* const integer = std::get_if<std::int64_t>(&value))
    return std::to_string(*integer);
  if (const auto* const real = std::get_if<double>(&value)) return shortest_number(*real);
  return '"' + std::get<std::string>(value) + '"';
}

ParameterValue parameter_value_from_text(const std::string& name, const std::string& text) {
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

bool is_name_of(const std::string& name, const std::string& former_name, const std::string& given) {
  if (given == name) return true;
  if (given.empty() || given != former_name) return false;
  static std::mutex mutex;
  static std::set<std::string> warned;
  const std::lock_guard lock(mutex);
  if (warned.insert(given).second)
    log_warning("the parameter '" + given + "' is called '" + name + "' now");
  return true;
}

ParameterValues with_current_names(const std::vector<ParameterInfo>& parameters,
                                   const ParameterValues& values) {
  ParameterValues current;
  for (const auto& [given, value] : values) {
    std::string name = given;
    for (const ParameterInfo& parameter : parameters)
      if (is_name_of(parameter, given)) name = parameter.name;
    current[name] = value;
  }
  return current;
}

ParameterValue checked_parameter_value(const ParameterInfo& parameter,
                                       const ParameterValue& given) {
  ParameterValue value = given;
  if (const auto* const integer = std::get_if<std::int64_t>(&given);
      integer != nullptr && parameter.kind == ParameterKind::decimal)
    value = static_cast<double>(*integer);
  const bool right = std::visit(
      [&](const auto& held) {
        using T = std::remove_cvref_t<decltype(held)>;
        if constexpr (std::is_same_v<T, double>)
          return parameter.kind == ParameterKind::decimal && std::isfinite(held);
        else if constexpr (std::is_same_v<T, std::string>)
          return parameter.kind == ParameterKind::name;
        else
          return detail::kind_of<T> == parameter.kind;
      },
      value);
  const bool allowed =
      !parameter.closed ||
      std::find(parameter.values.begin(), parameter.values.end(), value) != parameter.values.end();
  if (!right || !allowed)
    throw InputError({{}, 0, parameter.name, to_string(given)}, expectation(parameter, given));
  return value;
}

}  // namespace tessera
