#include "core/case/table_view.hpp"

#include <algorithm>
#include <utility>

namespace tessera::cases {

TableView::TableView(const Value& table, std::string path)
    : table_(&table), path_(std::move(path)) {}

const Value::Table& TableView::entries() const {
  return *table_->as<Value::Table>();
}

const Value* TableView::find(std::string_view key) const {
  const auto found = entries().find(std::string(key));
  return found == entries().end() ? nullptr : &found->second;
}

std::string TableView::dotted(std::string_view key) const {
  return (path_.empty() ? "" : path_ + ".") + std::string(key);
}

TableView TableView::table(std::string_view key) const {
  const Value* const found = find(key);
  if (found == nullptr || found->as<Value::Table>() == nullptr)
    throw wrong(key, "a table [" + dotted(key) + "]");
  return {*found, dotted(key)};
}

std::vector<TableView> TableView::tables(std::string_view key) const {
  std::vector<TableView> list;
  const Value* const found = find(key);
  if (found == nullptr) return list;
  const std::string what = "tables, each under [[" + dotted(key) + "]]";
  const auto* const array = found->as<Value::Array>();
  if (array == nullptr) throw wrong(key, what);
  for (const Value& element : *array) {
    if (element.as<Value::Table>() == nullptr)
      throw error_at(element, dotted(key), "expected " + what);
    list.emplace_back(element, dotted(key));
  }
  return list;
}

void TableView::refuse_unknown(const std::vector<std::string>& known) const {
  for (const auto& [key, value] : entries()) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    const std::string guess = suggestion(key, known);
    throw InputError(
        {value.origin.file, value.origin.line, dotted(key), ""},
        "unknown key" + (guess.empty() ? ", expected one of " + list_of(known) : guess));
  }
}

InputError TableView::wrong(std::string_view key, const std::string& what) const {
  return error(key, (has(key) ? "expected " : "missing key, expected ") + what);
}

InputError TableView::error(std::string_view key, const std::string& message) const {
  if (const Value* const value = find(key)) return error_at(*value, dotted(key), message);
  // The document itself has no line number.
  return {{origin().file, path_.empty() ? 0 : origin().line, dotted(key), ""}, message};
}

}  // namespace tessera::cases
