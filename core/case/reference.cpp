#include "core/case/reference.hpp"

#include <algorithm>

namespace tessera::cases {
namespace {

/// A cell of a Markdown table. Escapes bars, which would end the cell.
std::string cell(const std::string& text) {
  std::string out;
  for (const char c : text)
    out += c == '|' ? "\\|" : std::string(1, c);
  return out.empty() ? " " : " " + out + " ";
}

std::string markdown(const TableInfo& table) {
  std::string text = "| key | type | unit | default | meaning |\n|---|---|---|---|---|\n";
  for (const FieldInfo& field : table.fields) {
    text += "|" + cell("`" + field.name + "`") + "|" + cell(field.type) + "|" + cell(field.unit) +
            "|" + cell(field.fallback) + "|" + cell(field.meaning) + "|\n";
  }
  return text;
}

void append(const TableInfo& table, std::vector<ReferenceTable>& out) {
  auto at = std::find_if(out.begin(), out.end(),
                         [&](const ReferenceTable& present) { return present.path == table.path; });
  if (at == out.end()) at = out.insert(at, {table.path, ""});
  std::string& text = at->markdown;
  if (!table.when.empty()) text += (text.empty() ? "With `" : "\nWith `") + table.when + "`:\n\n";
  text += markdown(table);
  for (const FieldInfo& field : table.fields)
    for (const TableInfo& inner : field.tables)
      append(inner, out);
}

}  // namespace

std::vector<ReferenceTable> reference_tables(const TableInfo& table) {
  std::vector<ReferenceTable> tables;
  append(table, tables);
  return tables;
}

}  // namespace tessera::cases
