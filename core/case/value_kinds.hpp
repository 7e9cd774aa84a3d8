#ifndef TESSERA_CORE_CASE_VALUE_KINDS_HPP
#define TESSERA_CORE_CASE_VALUE_KINDS_HPP

#include "core/case/range.hpp"
#include "core/case/value.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

/// \file
/// Kinds of values, which define how a value is read, written and described. A kind has
///
///     using Type;
///     // Null, or the offending value.
///     const Value* read(const Value&, const Range&, Type& out) const;
///     std::string write(const Type&) const;                 // as TOML; empty: omit the key
///     std::string expected(const Range&, bool many) const;  // "a whole number from 0 up"
///     std::string column(const Range&, bool many) const;    // the same for the documentation
///     std::string hint(const Value&) const;                 // suggestion for a wrong value

namespace tessera::cases {

struct NoHint {
  [[nodiscard]] static std::string hint(const Value&) { return ""; }
};

struct RealKind : NoHint {
  using Type = double;
  [[nodiscard]] static const Value* read(const Value& value, const Range& range, double& out) {
    if (const auto* real = value.as<double>())
      out = *real;
    else if (const auto* integer = value.as<std::int64_t>())
      out = static_cast<double>(*integer);
    else
      return &value;
    return std::isfinite(out) && range.contains(out) ? nullptr : &value;
  }
  [[nodiscard]] static std::string write(double value) { return text_of(value); }
  [[nodiscard]] static std::string expected(const Range& range, bool many) {
    return (many ? "finite numbers" : "a finite number") + range_of_reals(range);
  }
  [[nodiscard]] static std::string column(const Range& range, bool many) {
    return (many ? "numbers" : "number") + range_in_table(range);
  }
};

template <class Integer>
struct IntegerKind : NoHint {
  using Type = Integer;
  [[nodiscard]] static Range within(Range range) {
    if (std::is_unsigned_v<Integer>) range.lowest = std::max(range.lowest, 0.0);
    return range;
  }
  [[nodiscard]] static const Value* read(const Value& value, const Range& range, Integer& out) {
    const auto* const integer = value.as<std::int64_t>();
    if (integer == nullptr || !within(range).contains(static_cast<double>(*integer))) return &value;
    if (!std::in_range<Integer>(*integer)) return &value;
    out = static_cast<Integer>(*integer);
    return nullptr;
  }
  [[nodiscard]] static std::string write(Integer value) { return std::to_string(value); }
  [[nodiscard]] static std::string expected(const Range& range, bool many) {
    return (many ? "whole numbers" : "a whole number") + range_of_integers(within(range));
  }
  [[nodiscard]] static std::string column(const Range& range, bool many) {
    return (many ? "whole numbers" : "whole number") + range_in_table(within(range));
  }
};

struct FlagKind : NoHint {
  using Type = bool;
  [[nodiscard]] static const Value* read(const Value& value, const Range&, bool& out) {
    const auto* const flag = value.as<bool>();
    if (flag == nullptr) return &value;
    out = *flag;
    return nullptr;
  }
  [[nodiscard]] static std::string write(bool value) { return value ? "true" : "false"; }
  [[nodiscard]] static std::string expected(const Range&, bool many) {
    return many ? "of true or false" : "true or false";
  }
  [[nodiscard]] static std::string column(const Range& range, bool many) {
    return expected(range, many);
  }
};

/// A text, which a case may not leave empty: an empty string in the program stands for no value.
struct TextKind : NoHint {
  using Type = std::string;
  [[nodiscard]] static const Value* read(const Value& value, const Range&, std::string& out) {
    const auto* const text = value.as<std::string>();
    if (text == nullptr || text->empty()) return &value;
    out = *text;
    return nullptr;
  }
  [[nodiscard]] static std::string write(const std::string& value) {
    return value.empty() ? "" : in_quotes(value);
  }
  [[nodiscard]] static std::string expected(const Range&, bool many) {
    return many ? "texts in quotes" : "a text in quotes";
  }
  [[nodiscard]] static std::string column(const Range&, bool many) {
    return many ? "texts" : "text";
  }
};

/// The path of an input file, relative to the location of the value.
struct PathKind : TextKind {
  using Type = GivenPath;
  [[nodiscard]] static const Value* read(const Value& value, const Range& range, GivenPath& out) {
    std::string text;
    if (const Value* const wrong = TextKind::read(value, range, text)) return wrong;
    out = GivenPath(std::move(text), value.origin);
    return nullptr;
  }
  [[nodiscard]] static std::string write(const GivenPath& value) {
    return TextKind::write(value.text);
  }
};

/// One value of a list: of texts, or of enumerators that `name(value)` names.
template <class T>
struct ChoiceKind {
  using Type = T;
  std::vector<T> choices;

  [[nodiscard]] static std::string text(const T& choice) {
    if constexpr (std::is_same_v<T, std::string>)
      return choice;
    else
      return std::string(name(choice));
  }
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> list;
    for (const T& choice : choices)
      list.push_back(text(choice));
    return list;
  }
  [[nodiscard]] const Value* read(const Value& value, const Range&, T& out) const {
    const auto* const given = value.as<std::string>();
    if (given == nullptr) return &value;
    for (const T& choice : choices) {
      if (text(choice) != *given) continue;
      out = choice;
      return nullptr;
    }
    return &value;
  }
  [[nodiscard]] std::string write(const T& value) const { return in_quotes(text(value)); }
  [[nodiscard]] std::string expected(const Range&, bool) const {
    return "one of " + list_of(names());
  }
  [[nodiscard]] std::string column(const Range&, bool) const {
    std::string list;
    for (const std::string& choice : names())
      list += (list.empty() ? "`\"" : ", `\"") + choice + "\"`";
    return list;
  }
  [[nodiscard]] std::string hint(const Value& value) const {
    const auto* const given = value.as<std::string>();
    return given == nullptr ? "" : suggestion(*given, names());
  }
};

/// Several values of one kind: `size` of them, or any number where `size` is 0.
template <class Kind, class Container, std::size_t size>
struct ManyKind {
  using Type = Container;
  Kind kind{};

  [[nodiscard]] const Value* read(const Value& value, const Range& range, Container& out) const {
    const auto* const array = value.as<Value::Array>();
    if (array == nullptr || (size > 0 && array->size() != size)) return &value;
    if constexpr (size == 0) out.resize(array->size());
    for (std::size_t i = 0; i < array->size(); ++i)
      if (const Value* const wrong = kind.read((*array)[i], range, out[i])) return wrong;
    return nullptr;
  }
  [[nodiscard]] std::string write(const Container& values) const {
    std::string text;
    for (const auto& value : values)
      text += (text.empty() ? "" : ", ") + kind.write(value);
    return size == 0 && text.empty() ? "" : '[' + text + ']';
  }
  [[nodiscard]] std::string expected(const Range& range, bool) const {
    constexpr std::array words = {"a list of", "1", "two", "three", "4", "5", "six"};
    return (size < words.size() ? words[size] : std::to_string(size)) +
           (" " + kind.expected(range, true));
  }
  [[nodiscard]] std::string column(const Range& range, bool) const {
    return (size == 0 ? "" : std::to_string(size) + ' ') + kind.column(range, true);
  }
  [[nodiscard]] std::string hint(const Value& value) const { return kind.hint(value); }
};

/// The default kind for a type of member.
template <class T>
struct KindOf;
template <>
struct KindOf<double> : std::type_identity<RealKind> {};
template <>
struct KindOf<bool> : std::type_identity<FlagKind> {};
template <>
struct KindOf<std::string> : std::type_identity<TextKind> {};
template <>
struct KindOf<GivenPath> : std::type_identity<PathKind> {};
template <class T>
requires std::is_integral_v<T>
struct KindOf<T> : std::type_identity<IntegerKind<T>> {
};
template <class T, std::size_t n>
struct KindOf<std::array<T, n>>
    : std::type_identity<ManyKind<typename KindOf<T>::type, std::array<T, n>, n>> {};
template <class T>
struct KindOf<std::vector<T>>
    : std::type_identity<ManyKind<typename KindOf<T>::type, std::vector<T>, 0>> {};
template <class T>
struct KindOf<std::optional<T>> : KindOf<T> {};

}  // namespace tessera::cases

#endif  // TESSERA_CORE_CASE_VALUE_KINDS_HPP
