#ifndef TESSERA_CORE_PARAMETERS_TUNING_PARAMETER_HPP
#define TESSERA_CORE_PARAMETERS_TUNING_PARAMETER_HPP

#include "core/base/error.hpp"
#include "core/memory/device.hpp"
#include "core/parameters/compiled.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <variant>
#include <vector>

/// \file
/// Tuning parameters of an implementation as a plain aggregate with names and allowed values. core
/// derives listing, parsing and enumeration from `tuning_parameters()`; a kernel reads the members.
///
///     enum class Order { rows, tiles };
///     constexpr std::string_view parameter_name(Order o) {
///       return o == Order::rows ? "rows" : "tiles";
///     }
///     using Width = Compiled<4, 8>;
///
///     struct Parameters {
///       int block_size = 128;
///       double skin = 0.3;
///       bool sorted = true;
///       Order order = Order::rows;
///       int width = 8;
///       static constexpr auto tuning_parameters() {
///         return std::tuple{
///             TuningParameter{"block_size", &Parameters::block_size, std::array{64, 128, 256}},
///             TuningParameter{"skin", &Parameters::skin, std::array{0.2, 0.3, 0.4}},
///             TuningParameter{"sorted", &Parameters::sorted, std::array{false, true}},
///             TuningParameter{"order", &Parameters::order, std::array{Order::rows, Order::tiles}},
///             TuningParameter{"width", &Parameters::width, Width{}}};
///       }
///     };
///
/// A list with rules (ParameterRules) is returned as
/// `TuningParameters{std::tuple{...}, ParameterRules<Parameters>{.refusal =
/// &Parameters::refusal}}`.
///
/// Conditions that depend on the problem belong in the plan's own can_run(problem, context,
/// parameters) (core/operations/implementation.hpp). Values of types other than numbers and flags
/// are names: the type has a function parameter_name() next to it.

namespace tessera {

/// Reason why something cannot be done; absent when it can.
using Refusal = std::optional<std::string>;

/// One parameter of the aggregate: its name, the member and the values that a tuner should try. A
/// user may set other numbers where refusal() allows them. `Compiled` values and names are limited
/// to the list.
template <class Parameters, class T, class Values>
struct TuningParameter {
  using Member = T Parameters::*;

  const char* name;
  Member member;
  Values values;
  const char* former_name;  ///< accepted with a warning; "" for none

  constexpr TuningParameter(const char* n, Member m, Values v, const char* former = "")
      : name(n), member(m), values(v), former_name(former) {}
};

// A deduction guide, because the constructor takes the alias Member. With the type spelled out,
// nvcc adds parentheses to it, about which gcc warns.
template <class Parameters, class T, class Values>
TuningParameter(const char*, T Parameters::*, Values, const char* = "")
    -> TuningParameter<Parameters, T, Values>;

/// Rules for the parameters as a whole: members of the aggregate that core calls.
template <class Parameters>
struct ParameterRules {
  /// Reason why a combination is invalid for every problem and device; absent when it is valid.
  Refusal (Parameters::*refusal)() const = nullptr;
  /// A copy in which each parameter that has no effect beside the others has its value of
  /// Parameters{}. Tuners skip a combination that differs from it. Needs operator==, which may be
  /// defaulted.
  Parameters (Parameters::*canonical)() const = nullptr;
  /// The best values for a device, with their evidence (default_row() below).
  Parameters (*defaults)(const DeviceProperties&) = nullptr;
};

/// A list of parameters with rules.
template <class Parameters, class... Parameter>
struct TuningParameters {
  std::tuple<Parameter...> list;
  ParameterRules<Parameters> rules;
};

template <class Parameters, class... Parameter>
TuningParameters(std::tuple<Parameter...>, ParameterRules<Parameters>)
    -> TuningParameters<Parameters, Parameter...>;

/// An integer, a decimal number, a flag, or a name.
using ParameterValue = std::variant<std::int64_t, double, bool, std::string>;

/// Values by name, from a user or a tuning record. Absent names keep their defaults.
using ParameterValues = std::map<std::string, ParameterValue>;

enum class ParameterKind { integer, decimal, flag, name };

/// Description of a parameter for listings.
struct ParameterInfo {
  std::string name;
  ParameterValue default_value;
  std::vector<ParameterValue> values;
  ParameterKind kind = ParameterKind::integer;
  bool closed = false;        ///< no other values are allowed
  std::string former_name{};  ///< accepted with a warning; empty for none
};

/// Whether `given` is the name of a parameter, or its former name. Warns once a process of each
/// former name.
[[nodiscard]] bool is_name_of(const std::string& name, const std::string& former_name,
                              const std::string& given);
[[nodiscard]] inline bool is_name_of(const ParameterInfo& parameter, const std::string& given) {
  return is_name_of(parameter.name, parameter.former_name, given);
}

/// `values` with the current names of parameters in place of former names.
[[nodiscard]] ParameterValues with_current_names(const std::vector<ParameterInfo>& parameters,
                                                 const ParameterValues& values);

/// Text of a value as in a case file: names in quotes.
[[nodiscard]] std::string to_string(const ParameterValue& value);

/// Parses true, false, an integer, a decimal number, or else a name.
/// \throws InputError when `text` is empty.
[[nodiscard]] ParameterValue parameter_value_from_text(const std::string& name,
                                                       const std::string& text);

/// Converts a value to the kind of the parameter. An integer is accepted for a decimal parameter;
/// other kinds have to match.
/// \throws InputError with the expectation and the closest allowed name.
[[nodiscard]] ParameterValue checked_parameter_value(const ParameterInfo& parameter,
                                                     const ParameterValue& value);

/// Parameters of an implementation that has none.
struct NoParameters {
  static constexpr auto tuning_parameters() { return std::tuple{}; }
};

/// Defaults for a kind of device, with their evidence.
template <class Parameters>
struct DefaultRow {
  const char* architecture;  ///< as in DeviceProperties, for example "sm_90"; "" for all others
  Parameters parameters;
  const char* evidence;  ///< the measurement, and where it is documented
};

/// The row for the architecture of a device, or else the row for all others.
template <class Rows>
[[nodiscard]] constexpr auto default_row(const Rows& rows, const std::string& architecture) {
  auto found = std::remove_cvref_t<decltype(rows[0])>{};
  for (const auto& row : rows)
    if (row.architecture == architecture) return row;
  for (const auto& row : rows)
    if (*row.architecture == '\0') found = row;
  return found;
}

namespace detail {

template <class... Parameter>
[[nodiscard]] constexpr const auto& list_of(const std::tuple<Parameter...>& list) {
  return list;
}
template <class Parameters, class... Parameter>
[[nodiscard]] constexpr const auto& list_of(const TuningParameters<Parameters, Parameter...>& all) {
  return all.list;
}

template <class Parameters, class... Parameter>
[[nodiscard]] constexpr ParameterRules<Parameters> rules_in(const std::tuple<Parameter...>&) {
  return {};
}
template <class Parameters, class... Parameter>
[[nodiscard]] constexpr ParameterRules<Parameters> rules_in(
    const TuningParameters<Parameters, Parameter...>& all) {
  return all.rules;
}

template <class T>
inline constexpr ParameterKind kind_of = std::is_same_v<T, bool>       ? ParameterKind::flag
                                         : std::is_integral_v<T>       ? ParameterKind::integer
                                         : std::is_floating_point_v<T> ? ParameterKind::decimal
                                                                       : ParameterKind::name;

template <class T>
[[nodiscard]] ParameterValue as_parameter_value(const T& value) {
  if constexpr (kind_of<T> == ParameterKind::flag)
    return value;
  else if constexpr (kind_of<T> == ParameterKind::integer)
    return static_cast<std::int64_t>(value);
  else if constexpr (kind_of<T> == ParameterKind::decimal)
    return static_cast<double>(value);
  else
    return std::string(parameter_name(value));
}

template <class Parameters, class T, class Values>
[[nodiscard]] ParameterInfo describe(const TuningParameter<Parameters, T, Values>& parameter,
                                     const Parameters& defaults) {
  ParameterInfo info{parameter.name,
                     as_parameter_value(defaults.*parameter.member),
                     {},
                     kind_of<T>,
                     kind_of<T> == ParameterKind::name || is_compiled<Values>,
                     parameter.former_name};
  for (const auto& value : parameter.values)
    info.values.push_back(as_parameter_value(static_cast<T>(value)));
  return info;
}

/// \throws InputError
template <class Parameters, class T, class Values>
void assign(const TuningParameter<Parameters, T, Values>& parameter, Parameters& parameters,
            const ParameterValue& given) {
  const ParameterInfo info = describe(parameter, parameters);
  const ParameterValue value = checked_parameter_value(info, given);
  if constexpr (kind_of<T> == ParameterKind::name) {
    for (const auto& candidate : parameter.values)
      if (std::get<std::string>(value) == parameter_name(candidate))
        parameters.*parameter.member = candidate;
  } else if constexpr (kind_of<T> == ParameterKind::integer) {
    const auto integer = std::get<std::int64_t>(value);
    if (integer < std::int64_t{std::numeric_limits<T>::lowest()} ||
        integer > std::int64_t{std::numeric_limits<T>::max()})
      throw InputError({{}, 0, info.name, to_string(value)}, "expected a smaller integer");
    parameters.*parameter.member = static_cast<T>(integer);
  } else if constexpr (kind_of<T> == ParameterKind::decimal) {
    parameters.*parameter.member = static_cast<T>(std::get<double>(value));
  } else {
    parameters.*parameter.member = std::get<bool>(value);
  }
}

}  // namespace detail

/// The rules that `Parameters::tuning_parameters()` names.
template <class Parameters>
[[nodiscard]] constexpr ParameterRules<Parameters> parameter_rules() {
  constexpr ParameterRules<Parameters> rules =
      detail::rules_in<Parameters>(Parameters::tuning_parameters());
  static_assert(
      rules.refusal != nullptr || !requires { &Parameters::refusal; },
      "tuning_parameters() has to name refusal() among its ParameterRules");
  static_assert(
      rules.canonical != nullptr || !requires { &Parameters::canonical; },
      "tuning_parameters() has to name canonical() among its ParameterRules");
  static_assert(
      rules.defaults != nullptr || !requires { &Parameters::defaults; },
      "tuning_parameters() has to name defaults() among its ParameterRules");
  return rules;
}

/// The parameters with the defaults for a device.
template <class Parameters>
[[nodiscard]] Parameters default_parameters([[maybe_unused]] const DeviceProperties& device) {
  constexpr auto defaults = parameter_rules<Parameters>().defaults;
  if constexpr (defaults != nullptr)
    return defaults(device);
  else
    return Parameters{};
}

/// Whether every value that differs from its value in Parameters{} has an effect.
template <class Parameters>
[[nodiscard]] bool is_canonical_combination([[maybe_unused]] const Parameters& parameters) {
  constexpr auto canonical = parameter_rules<Parameters>().canonical;
  if constexpr (canonical != nullptr)
    return (parameters.*canonical)() == parameters;
  else
    return true;
}

template <class Parameters>
[[nodiscard]] std::vector<ParameterInfo> describe_parameters(const Parameters& defaults = {}) {
  std::vector<ParameterInfo> infos;
  std::apply(
      [&](const auto&... parameter) {
        (infos.push_back(detail::describe(parameter, defaults)), ...);
      },
      detail::list_of(Parameters::tuning_parameters()));
  return infos;
}

/// The aggregate with the given values in place of its defaults.
/// \throws SelectionError for an unknown name, InputError when a value has the wrong type or
/// refusal() excludes the combination.
template <class Parameters>
[[nodiscard]] Parameters make_parameters(const ParameterValues& values,
                                         const Parameters& defaults = {}) {
  Parameters parameters = defaults;
  for (const auto& [name, value] : values) {
    bool found = false;
    std::apply(
        [&, &wanted = name, &given = value](const auto&... parameter) {
          ((is_name_of(parameter.name, parameter.former_name, wanted)
                ? (detail::assign(parameter, parameters, given), found = true)
                : false),
           ...);
        },
        detail::list_of(Parameters::tuning_parameters()));
    if (found) continue;
    std::vector<std::string> names;
    for (const ParameterInfo& info : describe_parameters<Parameters>())
      names.push_back(info.name);
    throw SelectionError("parameter", name, names);
  }
  constexpr auto refusal = parameter_rules<Parameters>().refusal;
  if constexpr (refusal != nullptr) {
    if (const Refusal reason = (parameters.*refusal)()) {
      std::string text;
      for (const auto& [name, value] : values)
        text += (text.empty() ? "" : ", ") + name + "=" + to_string(value);
      throw InputError({{}, 0, "parameters", text}, "expected " + *reason);
    }
  }
  return parameters;
}

}  // namespace tessera

#endif  // TESSERA_CORE_PARAMETERS_TUNING_PARAMETER_HPP
