#ifndef TESSERA_CORE_CASE_VALUE_HPP
#define TESSERA_CORE_CASE_VALUE_HPP

#include "core/base/error.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

/// \file
/// What a case file says, as a tree of plain values that know where they were written. Whoever
/// parses a format (apps parse TOML) makes one; reading it needs no parser.

namespace tessera::cases {

/// Where a value was written, for messages about it that come later than reading.
struct Origin {
  std::string file;  ///< as given on the command line; or an option: "--set key=value"
  std::int64_t line = 0;
  std::string folder = {};  ///< that paths in the value are relative to; empty: the current one

  // Two cases are equal when they say the same, wherever they say it.
  friend bool operator==(const Origin&, const Origin&) { return true; }
};

/// A file that a case names.
struct GivenPath {
  std::string text = {};            ///< as written; empty: none
  std::filesystem::path path = {};  ///< as it can be opened: beside the case file that has it, or,
                                    ///< from the command line, in the current folder

  GivenPath() = default;
  GivenPath(std::string written, const Origin& origin);

  [[nodiscard]] bool empty() const { return text.empty(); }
  // As for origins: what was written counts.
  friend bool operator==(const GivenPath& a, const GivenPath& b) { return a.text == b.text; }
};

struct Value {
  using Table = std::map<std::string, Value>;
  using Array = std::vector<Value>;
  /// Something that no field takes, such as a date.
  struct Foreign {
    std::string description;
  };

  std::variant<Table, Array, std::int64_t, double, bool, std::string, Foreign> content;
  Origin origin;

  /// Null when it is of another type; whole numbers and other numbers are different types.
  template <class T>
  [[nodiscard]] const T* as() const {
    return std::get_if<T>(&content);
  }
};

/// Short text of a value for messages: "a table" and "an array of 3" for those.
[[nodiscard]] std::string describe(const Value& value);

/// An error about a value. \param field its dotted key.
[[nodiscard]] InputError error_at(const Value& value, const std::string& field,
                                  const std::string& message);

/// A number that reads back to the same bits, with a point or exponent that tells it from a whole
/// one.
[[nodiscard]] std::string text_of(double number);
/// In quotes, with what needs it escaped.
[[nodiscard]] std::string in_quotes(std::string_view text);
/// "a, b, c"
[[nodiscard]] std::string list_of(const std::vector<std::string>& names);
/// ", did you mean 'b'?" or nothing.
[[nodiscard]] std::string suggestion(const std::string& text,
                                     const std::vector<std::string>& candidates);

}  // namespace tessera::cases

#endif  // TESSERA_CORE_CASE_VALUE_HPP
