#ifndef TESSERA_CORE_CASE_REFERENCE_HPP
#define TESSERA_CORE_CASE_REFERENCE_HPP

#include <string>
#include <vector>

/// \file
/// What the keys of a table are, as data and as a table of the documentation.

namespace tessera::cases {

struct FieldInfo;

struct TableInfo {
  std::string path;  ///< dotted, empty for the document
  std::string when;  ///< the variant, as in `style = "..."`; empty when there is one only
  std::vector<FieldInfo> fields;
};

struct FieldInfo {
  std::string name;
  std::string type;
  std::string unit;
  std::string fallback;  ///< default as it is shown
  std::string meaning;
  std::vector<TableInfo> tables = {};  ///< of a field that holds tables; one for each variant
};

/// One table and, behind it, those of its fields: what a page shows for them, by dotted path.
struct ReferenceTable {
  std::string path;
  std::string markdown;
};
[[nodiscard]] std::vector<ReferenceTable> reference_tables(const TableInfo& table);

}  // namespace tessera::cases

#endif  // TESSERA_CORE_CASE_REFERENCE_HPP
