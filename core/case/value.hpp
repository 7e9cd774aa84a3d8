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
/// The contents of a case file as a tree of plain values with their locations. The parser of a file
/// format (apps has one for TOML) builds the tree; code that reads it depends on no parser.

namespace tessera::cases {

/// Location of a value, for messages after parsing.
struct Origin {
  std::string file;  ///< path as given on the command line, or an option: "--set key=value"
  std::int64_t line = 0;
  std::string folder = {};  ///< base of relative paths in the value; empty: the current folder

  // Equality of cases compares contents, not locations.
  friend bool operator==(const Origin&, const Origin&) { return true; }
};

/// A file that a case names.
struct GivenPath {
  std::string text = {};            ///< text as written; empty: no file
  std::filesystem::path path = {};  ///< path to open: relative to the folder of the case file, or,
                                    ///< for a value from the command line, to the current folder

  GivenPath() = default;
  GivenPath(std::string written, const Origin& origin);

  [[nodiscard]] bool empty() const { return text.empty(); }
  // Compares the text as written, since locations do not matter.
  friend bool operator==(const GivenPath& a, const GivenPath& b) { return a.text == b.text; }
};

struct Value {
  using Table = std::map<std::string, Value>;
  using Array = std::vector<Value>;
  /// A value that no field accepts, such as a date.
  struct Foreign {
    std::string description;
  };

  std::variant<Table, Array, std::int64_t, double, bool, std::string, Foreign> content;
  Origin origin;

  /// Null when the value has another type. Integers and reals are different types.
  template <class T>
  [[nodiscard]] const T* as() const {
    return std::get_if<T>(&content);
  }
};

/// Short text of a value for messages; "a table" and "an array of 3" for tables and arrays.
[[nodiscard]] std::string describe(const Value& value);

/// Error about a value. \param field dotted key of the value.
[[nodiscard]] InputError error_at(const Value& value, const std::string& field,
                                  const std::string& message);

/// Text that reads back to the same bits, with a decimal point or exponent that distinguishes it
/// from an integer.
[[nodiscard]] std::string text_of(double number);
/// The text in quotes, escaped where needed.
[[nodiscard]] std::string in_quotes(std::string_view text);
/// "a, b, c"
[[nodiscard]] std::string list_of(const std::vector<std::string>& names);
/// ", did you mean 'b'?" or nothing.
[[nodiscard]] std::string suggestion(const std::string& text,
                                     const std::vector<std::string>& candidates);

}  // namespace tessera::cases

#endif  // TESSERA_CORE_CASE_VALUE_HPP
