#pragma once

// Some malformed documents run into assertions of the library; without these it reports an error.
// With NDEBUG it would turn them into promises to the compiler, which is worse.
#pragma push_macro("NDEBUG")
#undef NDEBUG
#define TOML_ASSERT(condition) static_cast<void>(0)
#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <tessera/core/base/error.hpp>
#include <vector>

#include "apps/tessera/case/case_file.hpp"

/// \file
/// Typed, checked access to a TOML document. Internal to the case reader: the only header that
/// includes the TOML library.

namespace tessera::app {

/// Parses the file and merges the overrides into it. \throws InputError
[[nodiscard]] toml::table parse_with_overrides(const std::filesystem::path& path,
                                               const std::vector<std::string>& overrides);

[[nodiscard]] Origin origin_of(const toml::node& node);

/// Short text of a value for messages; "a table" and "an array" for those.
[[nodiscard]] std::string describe(const toml::node& node);

/// An error about a node. \param field its dotted key.
[[nodiscard]] InputError node_error(const toml::node& node, const std::string& field,
                                    const std::string& message);

/// One table of the document, whose keys are all known. Every getter throws an InputError that
/// names file, line, dotted key, value and what was expected; those with a default return it when
/// the key is absent.
class TableReader {
 public:
  enum class Range { any, not_negative, positive };

  /// \param path dotted name of the table, empty for the document itself. A key that `keys_of` does
  ///        not list for it is an error that suggests the nearest.
  TableReader(const toml::table& table, std::string path);
  /// With these keys instead, where they are known only when the case is read.
  TableReader(const toml::table& table, std::string path, const std::vector<std::string>& known);

  [[nodiscard]] bool has(std::string_view key) const { return table_.contains(key); }
  [[nodiscard]] const toml::node& node(std::string_view key) const;
  [[nodiscard]] const toml::table& table() const { return table_; }
  [[nodiscard]] Origin origin() const { return origin_of(table_); }

  [[nodiscard]] std::string text(std::string_view key) const;
  [[nodiscard]] std::string text(std::string_view key, const std::string& otherwise) const;
  /// A text out of `choices`.
  [[nodiscard]] std::string choice(std::string_view key, const std::vector<std::string>& choices,
                                   const std::string& otherwise) const;
  [[nodiscard]] bool flag(std::string_view key, bool otherwise) const;
  [[nodiscard]] std::int64_t integer(std::string_view key, std::int64_t lowest) const;
  [[nodiscard]] std::int64_t integer(std::string_view key, std::int64_t lowest,
                                     std::int64_t otherwise) const;
  /// A finite number; whole numbers count as such.
  [[nodiscard]] double real(std::string_view key, Range range) const;
  [[nodiscard]] double real(std::string_view key, Range range, double otherwise) const;
  /// The table under this key; \throws when it is no table or absent.
  [[nodiscard]] const toml::table& subtable(std::string_view key) const;
  /// The array under this key, of exactly `size` elements unless that is 0.
  [[nodiscard]] const toml::array& array(std::string_view key, std::size_t size,
                                         const std::string& what) const;
  /// The tables of an array of tables; none when the key is absent.
  [[nodiscard]] std::vector<const toml::table*> tables(std::string_view key) const;

  [[nodiscard]] std::string dotted(std::string_view key) const;
  /// The error for a value that is not `what`, or for its absence.
  [[nodiscard]] InputError wrong(std::string_view key, const std::string& what) const;
  /// An error about a key that is there, in the caller's words.
  [[nodiscard]] InputError error(std::string_view key, const std::string& message) const {
    return node_error(node(key), dotted(key), message);
  }

 private:
  const toml::table& table_;
  std::string path_;
};

}  // namespace tessera::app
