#ifndef TESSERA_CORE_PARAMETERS_KNOBS_HPP
#define TESSERA_CORE_PARAMETERS_KNOBS_HPP

#include "core/base/error.hpp"
#include "core/memory/device.hpp"
#include "core/parameters/compiled.hpp"

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
/// derives listing, parsing and enumeration from `knobs()`; the kernel reads the members.
///
///     enum class Order { rows, tiles };
///     constexpr std::string_view knob_name(Order o) {
///       return o == Order::rows ? "rows" : "tiles";
///     }
///     using Width = Compiled<4, 8>;
///
///     struct ListPolicy {
///       int block_size = 128;
///       double skin = 0.3;
///       bool sorted = true;
///       Order order = Order::rows;
///       int width = 8;
///       static constexpr auto knobs() {
///         return std::tuple{Knob{"block_size", &ListPolicy::block_size, std::array{64, 128, 256}},
///                           Knob{"skin", &ListPolicy::skin, std::array{0.2, 0.3, 0.4}},
///                           Knob{"sorted", &ListPolicy::sorted, std::array{false, true}},
///                           Knob{"order", &ListPolicy::order,
///                                std::array{Order::rows, Order::tiles}},
///                           Knob{"width", &ListPolicy::width, Width{}}};
///       }
///       // Combinations that are invalid for every problem and device; absent when valid.
///       // Optional.
///       [[nodiscard]] Refusal refusal() const;
///       // A copy in which each parameter without effect has its value of ListPolicy{}. A policy
///       // that differs from its settled() is no separate candidate for a tuner. Optional; needs
///       // operator==, which may be defaulted.
///       [[nodiscard]] ListPolicy settled() const;
///       friend bool operator==(const ListPolicy&, const ListPolicy&) = default;
///       // The best values for a device, with their evidence (default_row() below). Optional.
///       static ListPolicy defaults(const DeviceProperties&);
///     };
///
/// Conditions that depend on the problem belong in the plan's own can_run(problem, context,
/// policy) (core/operations/implementation.hpp). Values of types other than numbers and flags are
/// names: the type has a function knob_name() next to it.

namespace tessera {

/// Reason why something cannot be done; absent when it can.
using Refusal = std::optional<std::string>;

/// One parameter of the aggregate: its name, the member and the values that a tuner should try. A
/// user may set other numbers where the policy allows them. `Compiled` values and names are limited
/// to the list.
template <class Policy, class T, class Values>
struct Knob {
  using Member = T Policy::*;

  const char* name;
  Member member;
  Values values;

  constexpr Knob(const char* n, Member m, Values v) : name(n), member(m), values(v) {}
};

// nvcc writes the member type with parentheses, for which gcc warns; the alias in the class avoids
// this.
template <class Policy, class T, class Values>
Knob(const char*, T Policy::*, Values) -> Knob<Policy, T, Values>;

/// An integer, a decimal number, a flag, or a name.
using KnobValue = std::variant<std::int64_t, double, bool, std::string>;

/// Values by name, from a user or a tuning record. Absent names keep their defaults.
using KnobValues = std::map<std::string, KnobValue>;

enum class KnobKind { integer, decimal, flag, name };

/// Description of a parameter for listings.
struct KnobInfo {
  std::string name;
  KnobValue default_value;
  std::vector<KnobValue> values;
  KnobKind kind = KnobKind::integer;
  bool closed = false;  ///< no other values are allowed
};

/// Text of a value as in a case file: names in quotes.
[[nodiscard]] std::string to_string(const KnobValue& value);

/// Parses true, false, an integer, a decimal number, or else a name.
/// \throws InputError when `text` is empty.
[[nodiscard]] KnobValue knob_value_from_text(const std::string& name, const std::string& text);

/// Converts a value to the kind of the parameter. An integer is accepted for a decimal parameter;
/// other kinds have to match.
/// \throws InputError with the expectation and the closest allowed name.
[[nodiscard]] KnobValue checked_knob_value(const KnobInfo& knob, const KnobValue& value);

/// Policy of an implementation without tuning parameters.
struct NoPolicy {
  static constexpr auto knobs() { return std::tuple{}; }
};

/// Defaults for a kind of device, with their evidence.
template <class Policy>
struct DefaultRow {
  const char* architecture;  ///< as in DeviceProperties, for example "sm_90"; "" for all others
  Policy policy;
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

template <class T>
inline constexpr KnobKind kind_of = std::is_same_v<T, bool>       ? KnobKind::flag
                                    : std::is_integral_v<T>       ? KnobKind::integer
                                    : std::is_floating_point_v<T> ? KnobKind::decimal
                                                                  : KnobKind::name;

template <class T>
[[nodiscard]] KnobValue as_knob_value(const T& value) {
  if constexpr (kind_of<T> == KnobKind::flag)
    return value;
  else if constexpr (kind_of<T> == KnobKind::integer)
    return static_cast<std::int64_t>(value);
  else if constexpr (kind_of<T> == KnobKind::decimal)
    return static_cast<double>(value);
  else
    return std::string(knob_name(value));
}

template <class Policy, class T, class Values>
[[nodiscard]] KnobInfo describe(const Knob<Policy, T, Values>& knob, const Policy& defaults) {
  KnobInfo info{knob.name,
                as_knob_value(defaults.*knob.member),
                {},
                kind_of<T>,
                kind_of<T> == KnobKind::name || is_compiled<Values>};
  for (const auto& value : knob.values)
    info.values.push_back(as_knob_value(static_cast<T>(value)));
  return info;
}

/// \throws InputError
template <class Policy, class T, class Values>
void assign(const Knob<Policy, T, Values>& knob, Policy& policy, const KnobValue& given) {
  const KnobInfo info = describe(knob, policy);
  const KnobValue value = checked_knob_value(info, given);
  if constexpr (kind_of<T> == KnobKind::name) {
    for (const auto& candidate : knob.values)
      if (std::get<std::string>(value) == knob_name(candidate)) policy.*knob.member = candidate;
  } else if constexpr (kind_of<T> == KnobKind::integer) {
    const auto integer = std::get<std::int64_t>(value);
    if (integer < std::int64_t{std::numeric_limits<T>::lowest()} ||
        integer > std::int64_t{std::numeric_limits<T>::max()})
      throw InputError({{}, 0, info.name, to_string(value)}, "expected a smaller integer");
    policy.*knob.member = static_cast<T>(integer);
  } else if constexpr (kind_of<T> == KnobKind::decimal) {
    policy.*knob.member = static_cast<T>(std::get<double>(value));
  } else {
    policy.*knob.member = std::get<bool>(value);
  }
}

}  // namespace detail

/// The policy with the defaults for a device.
template <class Policy>
[[nodiscard]] Policy default_policy([[maybe_unused]] const DeviceProperties& device) {
  if constexpr (requires { Policy::defaults(device); })
    return Policy::defaults(device);
  else
    return Policy{};
}

template <class Policy>
[[nodiscard]] std::vector<KnobInfo> describe_knobs(const Policy& defaults = {}) {
  std::vector<KnobInfo> infos;
  std::apply([&](const auto&... knob) { (infos.push_back(detail::describe(knob, defaults)), ...); },
             Policy::knobs());
  return infos;
}

/// The aggregate with the given values in place of its defaults.
/// \throws SelectionError for an unknown name, InputError when a value has the wrong type or the
/// policy refuses the combination.
template <class Policy>
[[nodiscard]] Policy make_policy(const KnobValues& values, const Policy& defaults = {}) {
  Policy policy = defaults;
  for (const auto& [name, value] : values) {
    bool found = false;
    std::apply(
        [&, &wanted = name, &given = value](const auto&... knob) {
          ((wanted == knob.name ? (detail::assign(knob, policy, given), found = true) : false),
           ...);
        },
        Policy::knobs());
    if (found) continue;
    std::vector<std::string> names;
    for (const KnobInfo& info : describe_knobs<Policy>())
      names.push_back(info.name);
    throw SelectionError("parameter", name, names);
  }
  if constexpr (requires { policy.refusal(); }) {
    if (const Refusal reason = policy.refusal()) {
      std::string text;
      for (const auto& [name, value] : values)
        text += (text.empty() ? "" : ", ") + name + "=" + to_string(value);
      throw InputError({{}, 0, "parameters", text}, "expected " + *reason);
    }
  }
  return policy;
}

}  // namespace tessera

#endif  // TESSERA_CORE_PARAMETERS_KNOBS_HPP
