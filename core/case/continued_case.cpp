#include "core/case/continued_case.hpp"

#include "core/base/printable.hpp"
#include "core/case/case_registry.hpp"

#include <algorithm>
#include <map>

namespace tessera::cases {
namespace {

constexpr std::size_t most_differences = 10;

bool is_among(std::string_view key, std::span<const std::string_view> physical) {
  return std::any_of(physical.begin(), physical.end(), [&](std::string_view name) {
    return name.ends_with('.') ? key.starts_with(name) : key == name;
  });
}

/// Removes the first line of `text` and returns it.
std::string_view take_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return line;
}

std::map<std::string, std::string> values_of(std::string_view text) {
  constexpr std::string_view equals = " = ";
  std::map<std::string, std::string> values;
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    const std::size_t at = line.find(equals);
    if (at != std::string_view::npos)
      values[std::string(line.substr(0, at))] = line.substr(at + equals.size());
  }
  return values;
}

}  // namespace

std::string physics_of(const Case& c, std::span<const std::string_view> physical) {
  const std::string toml = case_registry().effective_toml(c);
  std::string lines;
  std::string table;
  std::map<std::string, int> elements;
  for (std::string_view rest = toml; !rest.empty();) {
    const std::string_view line = take_line(rest);
    if (line.starts_with("[[")) {
      const std::string name(line.substr(2, line.size() - 4));
      table = name + '.' + std::to_string(elements[name]++) + '.';
    } else if (line.starts_with('[')) {
      table = std::string(line.substr(1, line.size() - 2)) + '.';
    } else if (!line.empty() &&
               is_among(table + std::string(line.substr(0, line.find(' '))), physical)) {
      lines += table + std::string(line) + '\n';
    }
  }
  return lines;
}

std::vector<std::string> differences(std::string_view before, std::string_view now) {
  const std::map<std::string, std::string> old_values = values_of(before);
  const std::map<std::string, std::string> new_values = values_of(now);
  std::vector<std::string> lines;
  const auto text = [](const auto& values, const std::string& key) {
    const auto found = values.find(key);
    return found == values.end() ? std::string("not given") : printable(found->second);
  };
  const auto compare = [&](const std::string& key) {
    const std::string old_value = text(old_values, key);
    const std::string new_value = text(new_values, key);
    if (old_value != new_value)
      lines.push_back(printable(key) + " was " + old_value + ", is " + new_value + " now");
  };
  for (const auto& [key, value] : new_values)
    compare(key);
  for (const auto& [key, value] : old_values)
    if (!new_values.contains(key)) compare(key);
  if (lines.size() > most_differences) {
    const std::size_t more = lines.size() - most_differences;
    lines.resize(most_differences);
    lines.push_back("and " + std::to_string(more) + " more keys differ");
  }
  return lines;
}

}  // namespace tessera::cases
