#ifndef TESSERA_CORE_CASE_REFERENCE_HPP
#define TESSERA_CORE_CASE_REFERENCE_HPP

#include <string>
#include <vector>

/// \file
/// Description of the keys of a table, as data and as a Markdown table for the documentation.

namespace tessera::cases {

struct FieldInfo;

struct TableInfo {
  std::string path;  ///< dotted name, empty for the document
  std::string when;  ///< condition of a variant, such as `style = "..."`; empty: no variants
  std::vector<FieldInfo> fields;
};

struct FieldInfo {
  std::string name;
  std::string type;
  std::string unit;
  std::string fallback;  ///< default as shown in the documentation
  std::string meaning;
  std::vector<TableInfo> tables = {};  ///< inner tables of the field, one for each variant
};

/// Documentation of one table, as Markdown, with the dotted path of that table. reference_tables()
/// lists a table before the tables of its fields.
struct ReferenceTable {
  std::string path;
  std::string markdown;
};
[[nodiscard]] std::vector<ReferenceTable> reference_tables(const TableInfo& table);

}  // namespace tessera::cases

#endif  // TESSERA_CORE_CASE_REFERENCE_HPP
