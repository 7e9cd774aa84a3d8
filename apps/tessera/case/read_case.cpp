#include "apps/tessera/case/read_case.hpp"

#include "apps/tessera/case/nesting.hpp"
#include "apps/tessera/case/not_a_case.hpp"
#include "apps/tessera/case/set_option.hpp"
#include "apps/tessera/case/toml_hint.hpp"

// Some malformed documents violate assertions of toml++. If these do nothing, the parser then
// reports an error. NDEBUG is undefined here, because with it toml++ turns its assertions into
// assumptions for the compiler.
#pragma push_macro("NDEBUG")
#undef NDEBUG
#define TOML_ASSERT(condition) static_cast<void>(0)
#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")

#include "core/base/error.hpp"
#include "core/base/input_file.hpp"
#include "core/base/printable.hpp"
#include "core/case/case_registry.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>
#include <string_view>
#include <utility>

namespace tessera::app {
namespace {

using cases::Value;

bool is_option(std::string_view source) {
  return source.starts_with(override_prefix) || source.starts_with(precision_prefix);
}

Value value_of(const toml::node& node) {
  Value value;
  const toml::source_region& source = node.source();
  if (source.path) value.origin.file = *source.path;
  if (!is_option(value.origin.file)) {
    value.origin.line = source.begin.line;
    value.origin.folder = std::filesystem::path(value.origin.file).parent_path().string();
  }
  if (const auto* table = node.as_table()) {
    Value::Table& entries = value.content.emplace<Value::Table>();
    for (const auto& [key, entry] : *table)
      entries.emplace(key.str(), value_of(entry));
  } else if (const auto* array = node.as_array()) {
    Value::Array& elements = value.content.emplace<Value::Array>();
    for (const toml::node& element : *array)
      elements.push_back(value_of(element));
  } else if (const auto* integer = node.as_integer()) {
    value.content = integer->get();
  } else if (const auto* real = node.as_floating_point()) {
    value.content = real->get();
  } else if (const auto* flag = node.as_boolean()) {
    value.content = flag->get();
  } else if (const auto* text = node.as_string()) {
    value.content = text->get();
  } else {
    value.content = Value::Foreign{"a date or time"};
  }
  return value;
}

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

/// Applies `changes`, whose keys are indices of elements ("coefficients.0.epsilon"), to an array.
void merge_elements(toml::array& base, toml::table&& changes, const std::string& path) {
  for (auto&& [key, value] : changes) {
    std::size_t index = base.size();
    const std::string_view digits = key.str();
    std::from_chars(digits.data(), digits.data() + digits.size(), index);
    const std::string field = path + "." + std::string(digits);
    if (index >= base.size()) {
      throw cases::error_at(
          value_of(value), field,
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

/// Applies `changes` to `base`. Moves nodes, because a copy loses its position in the source.
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
      value.visit([&base, name = key.str()](auto&& concrete) {
        base.insert_or_assign(name, std::move(concrete));
      });
    }
  }
}

/// \param source name of the document in errors.
toml::table parse(const std::string& text, const std::string& source, bool is_file) {
  if (const auto line = line_nested_too_deep(text))
    throw InputError({source, is_file ? *line : 0, "", ""},
                     "expected at most " + std::to_string(deepest_nesting) +
                         " parts in a key, and as many nested brackets");
  return toml::parse(text, source);
}

toml::table parse_override(const std::string& text) {
  const std::string source = printable(std::string(override_prefix) + text);
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw InputError({"--set", 0, "", text}, "expected key=value");
  }
  try {
    return parse(text, source, false);
  } catch (const toml::parse_error& error) {
    std::string value = text.substr(equals + 1);
    const std::size_t start = value.find_first_not_of(" \t");
    value = start == std::string::npos ? "" : value.substr(start);
    if (is_plain_word(value) && !foreign_number(value)) {
      try {
        return toml::parse(text.substr(0, equals + 1) + "\"" + value + "\"", source);
      } catch (const toml::parse_error&) {
        // The error is in the key; the first error describes it.
      }
    }
    const std::optional<TomlHint> hint = toml_hint(text);
    throw InputError(
        {"--set", 0, text.substr(0, equals), value},
        hint ? hint->expected
             : "expected a TOML key and value (" + std::string(error.description()) + ")");
  }
}

toml::table parse_precision(const std::string& name) {
  return parse("precision = " + cases::in_quotes(printable(name)),
               printable(std::string(precision_prefix) + name), false);
}

/// \param text contents of a file that is not TOML.
void refuse_another_kind(const std::filesystem::path& path, const std::string& text) {
  if (const std::string other = other_than_a_case(path, text); !other.empty())
    throw InputError({path.string(), 0, "", ""}, other);
}

}  // namespace

cases::Case read_case(const std::filesystem::path& path, const std::vector<std::string>& overrides,
                      const std::string& precision) {
  if (std::error_code ignored; std::filesystem::is_directory(path, ignored))
    throw InputError({path.string(), 0, "", ""}, folder_for_a_case(path));
  const std::string text = read_file(path);
  toml::table document;
  try {
    document = parse(text, path.string(), true);
  } catch (const toml::parse_error& error) {
    refuse_another_kind(path, text);
    const std::int64_t line = error.source().begin.line;
    if (const std::optional<TomlHint> hint = toml_hint(line_of(text, line)))
      throw InputError({path.string(), line, hint->key, hint->value}, hint->expected);
    throw InputError({path.string(), line, "", ""},
                     "malformed TOML: " + std::string(error.description()));
  } catch (const InputError&) {
    refuse_another_kind(path, text);
    throw;
  }
  for (const std::string& change : overrides)
    merge(document, parse_override(change), "");
  if (!precision.empty()) merge(document, parse_precision(precision), "");
  return cases::case_registry().read(value_of(document), path);
}

}  // namespace tessera::app
