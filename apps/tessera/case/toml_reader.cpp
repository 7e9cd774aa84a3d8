#include "apps/tessera/case/toml_reader.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <tessera/core/base/error.hpp>
#include <tessera/core/base/input_file.hpp>
#include <tessera/md/io/number_text.hpp>
#include <utility>

#include "apps/tessera/case/case_keys.hpp"

namespace tessera::app {
namespace {

constexpr std::string_view override_prefix = "--set ";

bool is_index(std::string_view key) {
  return !key.empty() &&
         std::all_of(key.begin(), key.end(), [](unsigned char c) { return std::isdigit(c); });
}

bool only_indices(const toml::table& table) {
  return !table.empty() && std::all_of(table.begin(), table.end(), [](const auto& entry) {
    return is_index(entry.first.str());
  });
}

void merge(toml::table& base, toml::table&& changes, const std::string& path);

/// Applies changes of single elements, as in "coefficients.0.epsilon".
void merge_elements(toml::array& base, toml::table&& changes, const std::string& path) {
  for (auto&& [key, value] : changes) {
    std::size_t index = base.size();
    const std::string_view digits = key.str();
    std::from_chars(digits.data(), digits.data() + digits.size(), index);
    const std::string field = path + "." + std::string(digits);
    if (index >= base.size()) {
      throw node_error(
          value, field,
          "expected an index below " + std::to_string(base.size()) + ", the length of the array");
    }
    if (base[index].is_table() && value.is_table()) {
      merge(*base[index].as_table(), std::move(*value.as_table()), field);
    } else {
      value.visit([&](auto&& concrete) {
        base.replace(base.cbegin() + static_cast<std::ptrdiff_t>(index), std::move(concrete));
      });
    }
  }
}

/// Nodes are moved, not copied: a copy forgets where it was written.
void merge(toml::table& base, toml::table&& changes, const std::string& path) {
  for (auto&& [key, value] : changes) {
    toml::node* present = base.get(key.str());
    const std::string field = (path.empty() ? "" : path + ".") + std::string(key.str());
    if (present && present->is_table() && value.is_table()) {
      merge(*present->as_table(), std::move(*value.as_table()), field);
    } else if (present && present->is_array() && value.is_table() &&
               only_indices(*value.as_table())) {
      merge_elements(*present->as_array(), std::move(*value.as_table()), field);
    } else {
      value.visit([&](auto&& concrete) { base.insert_or_assign(key.str(), std::move(concrete)); });
    }
  }
}

bool is_plain_word(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isalnum(c) || c == '_' || c == '-' || c == '.' || c == '/' || c == '+';
  });
}

toml::table parse_override(const std::string& text) {
  const std::string source = std::string(override_prefix) + text;
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw InputError({"--set", 0, "", text}, "expected key=value");
  }
  try {
    return toml::parse(text, source);
  } catch (const toml::parse_error& error) {
    std::string value = text.substr(equals + 1);
    const std::size_t start = value.find_first_not_of(" \t");
    value = start == std::string::npos ? "" : value.substr(start);
    if (is_plain_word(value)) {
      try {
        return toml::parse(text.substr(0, equals + 1) + "\"" + value + "\"", source);
      } catch (const toml::parse_error&) {
        // The key is at fault; the first error says how.
      }
    }
    throw InputError({"--set", 0, text.substr(0, equals), value},
                     "expected a TOML key and value (" + std::string(error.description()) + ")");
  }
}

std::string list_of(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names)
    text += (text.empty() ? "" : ", ") + name;
  return text;
}

std::string suggestion(const std::string& text, const std::vector<std::string>& candidates) {
  const std::string guess = nearest(text, candidates);
  return guess.empty() ? "" : ", did you mean '" + guess + "'?";
}

std::string range_text(TableReader::Range range) {
  switch (range) {
    case TableReader::Range::any:
      return "a finite number";
    case TableReader::Range::not_negative:
      return "a finite number of zero or more";
    case TableReader::Range::positive:
      return "a finite number greater than zero";
  }
  return "";
}

}  // namespace

toml::table parse_with_overrides(const std::filesystem::path& path,
                                 const std::vector<std::string>& overrides) {
  const std::string text = read_file(path);
  toml::table document;
  try {
    document = toml::parse(text, path.string());
  } catch (const toml::parse_error& error) {
    throw InputError({path.string(), error.source().begin.line, "", ""},
                     "malformed TOML: " + std::string(error.description()));
  }
  for (const std::string& change : overrides)
    merge(document, parse_override(change), "");
  return document;
}

Origin origin_of(const toml::node& node) {
  const toml::source_region& source = node.source();
  Origin origin;
  if (source.path) origin.file = *source.path;
  if (!origin.file.starts_with(override_prefix)) origin.line = source.begin.line;
  return origin;
}

std::string describe(const toml::node& node) {
  if (const auto* text = node.as_string()) return "\"" + text->get() + "\"";
  if (const auto* integer = node.as_integer()) return std::to_string(integer->get());
  if (const auto* real = node.as_floating_point()) {
    const std::string text = md::shortest_number(real->get());
    return text.find_first_of(".en") == std::string::npos ? text + ".0" : text;
  }
  if (const auto* flag = node.as_boolean()) return flag->get() ? "true" : "false";
  if (node.is_table()) return "a table";
  if (node.is_array()) return "an array of " + std::to_string(node.as_array()->size());
  return "a date or time";
}

InputError node_error(const toml::node& node, const std::string& field,
                      const std::string& message) {
  const Origin origin = origin_of(node);
  return {{origin.file, origin.line, field, describe(node)}, message};
}

TableReader::TableReader(const toml::table& table, std::string path)
    : TableReader(table, path, keys_of(path)) {}

TableReader::TableReader(const toml::table& table, std::string path,
                         const std::vector<std::string>& known)
    : table_(table), path_(std::move(path)) {
  for (const auto& [key, value] : table_) {
    const std::string name(key.str());
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    const Origin origin = origin_of(value);
    const std::string guess = suggestion(name, known);
    throw InputError(
        {origin.file, origin.line, dotted(name), ""},
        "unknown key" + (guess.empty() ? ", expected one of " + list_of(known) : guess));
  }
}

const toml::node& TableReader::node(std::string_view key) const {
  return *table_.get(key);
}

std::string TableReader::dotted(std::string_view key) const {
  return path_.empty() ? std::string(key) : path_ + "." + std::string(key);
}

InputError TableReader::wrong(std::string_view key, const std::string& what) const {
  if (has(key)) return error(key, "expected " + what);
  Origin origin = this->origin();
  // The document itself has no line of its own.
  if (path_.empty()) origin.line = 0;
  return {{origin.file, origin.line, dotted(key), ""}, "missing key, expected " + what};
}

std::string TableReader::text(std::string_view key) const {
  const auto value = has(key) ? node(key).value_exact<std::string>() : std::nullopt;
  if (!value || value->empty()) throw wrong(key, "a text in quotes");
  return *value;
}

std::string TableReader::text(std::string_view key, const std::string& otherwise) const {
  return has(key) ? text(key) : otherwise;
}

std::string TableReader::choice(std::string_view key, const std::vector<std::string>& choices,
                                const std::string& otherwise) const {
  if (!has(key)) return otherwise;
  const auto value = node(key).value_exact<std::string>();
  if (value && std::find(choices.begin(), choices.end(), *value) != choices.end()) return *value;
  throw wrong(key, "one of " + list_of(choices) + suggestion(value.value_or(""), choices));
}

bool TableReader::flag(std::string_view key, bool otherwise) const {
  if (!has(key)) return otherwise;
  const auto value = node(key).value_exact<bool>();
  if (!value) throw wrong(key, "true or false");
  return *value;
}

std::int64_t TableReader::integer(std::string_view key, std::int64_t lowest) const {
  const auto value = has(key) ? node(key).value_exact<std::int64_t>() : std::nullopt;
  if (!value || *value < lowest) {
    throw wrong(key, "a whole number from " + std::to_string(lowest) + " up");
  }
  return *value;
}

std::int64_t TableReader::integer(std::string_view key, std::int64_t lowest,
                                  std::int64_t otherwise) const {
  return has(key) ? integer(key, lowest) : otherwise;
}

double TableReader::real(std::string_view key, Range range) const {
  if (!has(key)) throw wrong(key, range_text(range));
  const toml::node& found = node(key);
  std::optional<double> value;
  if (found.is_number()) value = found.value<double>();
  const bool valid =
      value && std::isfinite(*value) &&
      (range == Range::any || *value > 0 || (range == Range::not_negative && *value == 0));
  if (!valid) throw wrong(key, range_text(range));
  return *value;
}

double TableReader::real(std::string_view key, Range range, double otherwise) const {
  return has(key) ? real(key, range) : otherwise;
}

const toml::table& TableReader::subtable(std::string_view key) const {
  const toml::table* found = has(key) ? node(key).as_table() : nullptr;
  if (!found) throw wrong(key, "a table [" + dotted(key) + "]");
  return *found;
}

const toml::array& TableReader::array(std::string_view key, std::size_t size,
                                      const std::string& what) const {
  const toml::array* found = has(key) ? node(key).as_array() : nullptr;
  if (!found || (size > 0 && found->size() != size)) {
    throw wrong(key, what);
  }
  return *found;
}

std::vector<const toml::table*> TableReader::tables(std::string_view key) const {
  std::vector<const toml::table*> list;
  if (!has(key)) return list;
  const std::string what = "tables, each under [[" + dotted(key) + "]]";
  for (const toml::node& element : array(key, 0, what)) {
    const toml::table* table = element.as_table();
    if (!table) throw node_error(element, dotted(key), "expected " + what);
    list.push_back(table);
  }
  return list;
}

}  // namespace tessera::app
