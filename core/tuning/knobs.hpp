#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tessera/core/base/error.hpp>
#include <tuple>
#include <type_traits>
#include <variant>
#include <vector>

/// \file
/// Parameters of an implementation as a plain aggregate with names and allowed values. From
/// `knobs()` core derives listing, parsing and enumeration; the kernel reads the members.
///
///     struct ListPolicy {
///       int block_size = 128;
///       double skin = 0.3;
///       static constexpr auto knobs() {
///         return std::tuple{Knob{"block_size", &ListPolicy::block_size, std::array{64, 128, 256}},
///                           Knob{"skin", &ListPolicy::skin, std::array{0.2, 0.3, 0.4}}};
///       }
///       [[nodiscard]] bool valid() const { return block_size > 0 && skin >= 0; }
///     };

namespace tessera {

/// One parameter of the aggregate: its name, the member and the values that a tuner should try.
/// A user may set other values; the policy's `valid()` decides.
template <class Policy, class T, class Values>
struct Knob {
  using Member = T Policy::*;

  const char* name;
  Member member;
  Values values;

  constexpr Knob(const char* n, Member m, Values v) : name(n), member(m), values(v) {}
};

// nvcc writes the member type with parentheses that gcc warns of, hence the alias in the class.
template <class Policy, class T, class Values>
Knob(const char*, T Policy::*, Values) -> Knob<Policy, T, Values>;

using KnobValue = std::variant<std::int64_t, double>;

/// Values by name, as a user or a tuning record gives them. Absent names keep their defaults.
using KnobValues = std::map<std::string, KnobValue>;
using Parameters = KnobValues;

/// A knob for listings.
struct KnobInfo {
  std::string name;
  KnobValue default_value;
  std::vector<KnobValue> values;
};

[[nodiscard]] std::string to_string(const KnobValue& value);

/// Parses an integer or a decimal number.
/// \throws InputError when `text` is neither.
[[nodiscard]] KnobValue knob_value_from_text(const std::string& name, const std::string& text);

/// Policy of an implementation without parameters.
struct NoPolicy {
  static constexpr auto knobs() { return std::tuple{}; }
  [[nodiscard]] bool valid() const { return true; }
};

namespace detail {

template <class T>
[[nodiscard]] KnobValue as_knob_value(T value) {
  if constexpr (std::is_floating_point_v<T>)
    return static_cast<double>(value);
  else
    return static_cast<std::int64_t>(value);
}

}  // namespace detail

template <class Policy>
[[nodiscard]] std::vector<KnobInfo> describe_knobs() {
  std::vector<KnobInfo> infos;
  const Policy defaults;
  std::apply(
      [&](const auto&... knob) {
        (
            [&] {
              KnobInfo info{knob.name, detail::as_knob_value(defaults.*knob.member), {}};
              for (const auto value : knob.values)
                info.values.push_back(detail::as_knob_value(value));
              infos.push_back(std::move(info));
            }(),
            ...);
      },
      Policy::knobs());
  return infos;
}

/// The aggregate with the given values in place of its defaults.
/// \throws SelectionError for an unknown name, InputError when a value has the wrong type or the
/// policy calls the combination invalid.
template <class Policy>
[[nodiscard]] Policy make_policy(const Parameters& parameters) {
  Policy policy;
  std::vector<std::string> names;
  for (const KnobInfo& info : describe_knobs<Policy>())
    names.push_back(info.name);
  for (const auto& [name, value] : parameters) {
    bool found = false;
    std::apply(
        [&](const auto&... knob) {
          (
              [&] {
                if (name != knob.name) return;
                found = true;
                using T = std::remove_cvref_t<decltype(policy.*knob.member)>;
                if constexpr (std::is_floating_point_v<T>) {
                  policy.*knob.member = std::visit([](auto v) { return static_cast<T>(v); }, value);
                } else {
                  if (!std::holds_alternative<std::int64_t>(value))
                    throw InputError({{}, 0, name, to_string(value)}, "expected an integer");
                  policy.*knob.member = static_cast<T>(std::get<std::int64_t>(value));
                }
              }(),
              ...);
        },
        Policy::knobs());
    if (!found) throw SelectionError("parameter", name, names);
  }
  if (!policy.valid()) {
    std::string text;
    for (const auto& [name, value] : parameters)
      text += (text.empty() ? "" : ", ") + name + "=" + to_string(value);
    throw InputError({{}, 0, "parameters", text}, "these values are not allowed together");
  }
  return policy;
}

}  // namespace tessera
