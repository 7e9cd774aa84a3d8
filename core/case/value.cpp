#include "core/case/value.hpp"

#include "core/base/shortest_number.hpp"

#include <array>
#include <cstdio>
#include <utility>

namespace tessera::cases {

GivenPath::GivenPath(std::string written, const Origin& origin)
    : text(std::move(written)),
      path((std::filesystem::path(origin.folder) / text).lexically_normal()) {}

std::string describe(const Value& value) {
  if (const auto* text = value.as<std::string>()) return '"' + *text + '"';
  if (const auto* integer = value.as<std::int64_t>()) return std::to_string(*integer);
  if (const auto* real = value.as<double>()) return text_of(*real);
  if (const auto* flag = value.as<bool>()) return *flag ? "true" : "false";
  if (const auto* array = value.as<Value::Array>())
    return "an array of " + std::to_string(array->size());
  if (const auto* foreign = value.as<Value::Foreign>()) return foreign->description;
  return "a table";
}

InputError error_at(const Value& value, const std::string& field, const std::string& message) {
  return {{value.origin.file, value.origin.line, field, describe(value)}, message};
}

std::string text_of(double number) {
  const std::string text = shortest_number(number);
  return text.find_first_of(".en") == std::string::npos ? text + ".0" : text;
}

std::string in_quotes(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      std::array<char, 8> escape;
      std::snprintf(escape.data(), escape.size(), "\\u%04X", static_cast<unsigned>(c));
      out += escape.data();
    } else {
      out += c;
    }
  }
  return out + '"';
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

}  // namespace tessera::cases
