#ifndef TESSERA_CORE_CASE_TABLE_VIEW_HPP
#define TESSERA_CORE_CASE_TABLE_VIEW_HPP

#include "core/case/value.hpp"

#include <string>
#include <string_view>
#include <vector>

/// \file
/// One table of a case during reading, with errors that name the location.

namespace tessera::cases {

class TableView {
 public:
  /// \param path dotted name of the table, empty for the document itself.
  TableView(const Value& table, std::string path);

  [[nodiscard]] const Value* find(std::string_view key) const;
  [[nodiscard]] bool has(std::string_view key) const { return find(key) != nullptr; }
  [[nodiscard]] const Value::Table& entries() const;
  [[nodiscard]] const Origin& origin() const { return table_->origin; }
  [[nodiscard]] std::string dotted(std::string_view key) const;

  /// The table under this key. \throws InputError when the value is absent or no table.
  [[nodiscard]] TableView table(std::string_view key) const;
  /// The tables of an array of tables; empty when the key is absent. \throws InputError
  [[nodiscard]] std::vector<TableView> tables(std::string_view key) const;

  /// \throws InputError for a key that is not in `known`, with the closest known key.
  void refuse_unknown(const std::vector<std::string>& known) const;

  /// Error for a value that is not `what`, or for its absence.
  [[nodiscard]] InputError wrong(std::string_view key, const std::string& what) const;
  /// Error about a key, with the caller's message.
  [[nodiscard]] InputError error(std::string_view key, const std::string& message) const;

 private:
  const Value* table_;
  std::string path_;
};

}  // namespace tessera::cases

#endif  // TESSERA_CORE_CASE_TABLE_VIEW_HPP
