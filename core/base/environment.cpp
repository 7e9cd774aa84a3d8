#include "core/base/environment.hpp"

#include "core/base/error.hpp"
#include "core/base/trimmed.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>

namespace tessera {
namespace {

std::optional<std::int64_t> integer_of(std::string_view text, std::int64_t least,
                                       std::int64_t most) {
  text = trimmed(text);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < least || value > most)
    return std::nullopt;
  return value;
}

std::string range_text(std::int64_t least, std::int64_t most) {
  return std::to_string(least) + " to " + std::to_string(most);
}

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

}  // namespace

void refuse_environment(const char* name, const std::string& expected) {
  const char* const text = std::getenv(name);
  const std::string value = text == nullptr ? "" : text;
  // InputError leaves an empty value out of its message.
  throw InputError(
      {{}, 0, std::string("environment variable ") + name, value.empty() ? "''" : value},
      "expected " + expected);
}

std::optional<std::int64_t> environment_integer(const char* name, std::int64_t least,
                                                std::int64_t most) {
  const char* const text = std::getenv(name);
  if (text == nullptr) return std::nullopt;
  const auto value = integer_of(text, least, most);
  if (!value) refuse_environment(name, "a whole number, " + range_text(least, most));
  return value;
}

void check_environment_word(const char* name, std::initializer_list<std::string_view> words) {
  const char* const text = std::getenv(name);
  if (text == nullptr) return;
  const std::string_view value(text);
  std::string list;
  for (const std::string_view word : words) {
    if (std::equal(value.begin(), value.end(), word.begin(), word.end(),
                   [](char a, char b) { return lower(a) == b; }))
      return;
    list += (list.empty() ? "" : ", ") + std::string(word);
  }
  refuse_environment(name, "one of " + list);
}

void check_environment_list(const char* name, std::int64_t least, std::int64_t most) {
  const char* const text = std::getenv(name);
  if (text == nullptr) return;
  std::string_view rest(text);
  while (true) {
    const std::size_t comma = rest.find(',');
    if (!integer_of(rest.substr(0, comma), least, most))
      refuse_environment(name,
                         "whole numbers with commas between them, each " + range_text(least, most));
    if (comma == std::string_view::npos) return;
    rest.remove_prefix(comma + 1);
  }
}

}  // namespace tessera
