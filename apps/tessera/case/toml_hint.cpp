#include "apps/tessera/case/toml_hint.hpp"

#include "core/base/trimmed.hpp"
#include "core/case/value.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdlib>

namespace tessera::app {
namespace {

bool has_quotes(std::string_view text) {
  return text.find_first_of("\"'") != std::string_view::npos;
}

/// "true" or "false" for words that mean one of them in other languages.
std::string flag_of(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  constexpr std::array<std::string_view, 3> yes = {"true", "yes", "on"};
  constexpr std::array<std::string_view, 3> no = {"false", "no", "off"};
  if (std::find(yes.begin(), yes.end(), text) != yes.end()) return "true";
  if (std::find(no.begin(), no.end(), text) != no.end()) return "false";
  return {};
}

/// Elements of a list, each as TOML: strings without quotes get quotes.
std::string list_in_quotes(std::string_view list) {
  std::string out;
  for (std::size_t place = 0; place < list.size();) {
    const std::size_t end = list.find_first_of("[],", place);
    const std::string element(trimmed(list.substr(place, end - place)));
    if (!element.empty()) {
      const bool text = std::isalpha(static_cast<unsigned char>(element.front())) != 0 &&
                        element != "true" && element != "false";
      out += text ? cases::in_quotes(element) : element;
    }
    if (end == std::string_view::npos) break;
    out += list[end] == ',' ? ", " : std::string(1, list[end]);
    place = end + 1;
  }
  return out;
}

/// The correct notation, where it is short enough to be shown.
std::string shown(const std::string& right) {
  return right.size() > 80 ? "" : ", " + right;
}

/// Notation expected in place of a value; empty where the value may be right.
std::string expected_for(const std::string& value) {
  if (value.empty() || has_quotes(value) || value.find_first_of("{}=") != std::string::npos)
    return {};
  if (value.front() == '[') {
    const std::string list = list_in_quotes(value);
    return has_quotes(list) ? "expected texts in quotes" + shown(list) : "";
  }
  if (const auto number = foreign_number(value))
    return "expected a number with digits on both sides of the point, as " +
           cases::text_of(*number);
  if (const std::string flag = flag_of(value); !flag.empty())
    return flag == value ? "" : "expected true or false, here " + flag;
  if (std::isalpha(static_cast<unsigned char>(value.front())) == 0 &&
      std::string_view("/.~_").find(value.front()) == std::string_view::npos)
    return {};
  return "expected a text in quotes" + shown(cases::in_quotes(value));
}

}  // namespace

std::optional<double> foreign_number(const std::string& text) {
  const std::size_t point = text.find('.');
  const auto digit_at = [&](std::size_t place) {
    return place < text.size() && std::isdigit(static_cast<unsigned char>(text[place])) != 0;
  };
  if (point == std::string::npos || (point > 0 && digit_at(point - 1) && digit_at(point + 1)) ||
      text.find_first_not_of("0123456789.+-eE") != std::string::npos)
    return {};
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  if (end != text.c_str() + text.size() || !std::isfinite(number)) return {};
  return number;
}

std::optional<TomlHint> toml_hint(std::string_view line) {
  line = trimmed(line, " \t\r");
  if (line.empty() || line.front() == '#') return {};
  const std::size_t comment = has_quotes(line) ? std::string_view::npos : line.find('#');
  line = trimmed(line.substr(0, comment));
  if (line.front() == '[' && !has_quotes(line) && line.find('/') != std::string_view::npos)
    return TomlHint{std::string(line), {}, "expected quotes around a name with a slash"};
  const std::size_t equals = line.find('=');
  if (equals == std::string_view::npos) return {};
  const std::string key(trimmed(line.substr(0, equals)));
  const std::string value(trimmed(line.substr(equals + 1)));
  if (key.empty()) return {};
  if (!has_quotes(key) && key.find('/') != std::string::npos) {
    const std::size_t dot = key.rfind('.', key.find('/'));
    const std::size_t start = dot == std::string::npos ? 0 : dot + 1;
    return TomlHint{key, value,
                    "expected quotes around a name with a slash" +
                        shown(key.substr(0, start) + cases::in_quotes(key.substr(start)))};
  }
  const std::string expected = expected_for(value);
  if (expected.empty()) return {};
  return TomlHint{key, value, expected};
}

std::string_view line_of(std::string_view text, std::int64_t line) {
  for (; line > 1 && !text.empty(); --line) {
    const std::size_t end = text.find('\n');
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return text.substr(0, text.find('\n'));
}

}  // namespace tessera::app
