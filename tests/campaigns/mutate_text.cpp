#include "tests/campaigns/mutate.hpp"

#include <algorithm>

namespace tessera::campaign {
namespace {

const std::vector<std::string> telling_values = {"0",
                                                 "-1",
                                                 "1",
                                                 "-0.0",
                                                 "-7",
                                                 "2",
                                                 "3",
                                                 "1e308",
                                                 "-1e308",
                                                 "1e-320",
                                                 "1e400",
                                                 "nan",
                                                 "inf",
                                                 "-inf",
                                                 "NaN",
                                                 "2147483647",
                                                 "2147483648",
                                                 "-2147483649",
                                                 "4294967296",
                                                 "9223372036854775807",
                                                 "9223372036854775808",
                                                 "18446744073709551616",
                                                 "1e10",
                                                 "0x10",
                                                 "1_000",
                                                 "1e",
                                                 ".",
                                                 "+",
                                                 "-",
                                                 "+-1",
                                                 "1.2.3",
                                                 "1d0",
                                                 "true",
                                                 "false",
                                                 "\"\"",
                                                 "''",
                                                 "[]",
                                                 "{}",
                                                 "[1, 2]",
                                                 "{a = 1}",
                                                 "1979-05-27",
                                                 "T",
                                                 "F",
                                                 "\"x\"",
                                                 "Ar",
                                                 "\x1b[31m",
                                                 "\xff\xfe",
                                                 "\xe2\x80\xae",
                                                 "#",
                                                 "=",
                                                 ":",
                                                 "\"",
                                                 std::string(1, '\0'),
                                                 std::string(300, '9'),
                                                 std::string(5000, 'x'),
                                                 std::string(100, '['),
                                                 std::string(100, '{') + "a",
                                                 "0." + std::string(400, '0') + "1"};

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/// Start and end of the first field that ends after a position. Separators are those of all
/// formats.
std::pair<std::size_t, std::size_t> field_at(const std::string& text, std::size_t place) {
  constexpr std::string_view separators = " \t\n\r,=\"[]{}:'";
  const auto separates = [&](char c) { return separators.find(c) != std::string_view::npos; };
  while (place < text.size() && separates(text[place]))
    ++place;
  std::size_t first = place;
  while (first > 0 && !separates(text[first - 1]))
    --first;
  std::size_t last = place;
  while (last < text.size() && !separates(text[last]))
    ++last;
  return {first, last};
}

std::pair<std::size_t, std::size_t> line_at(const std::string& text, std::size_t place) {
  const std::size_t before = place == 0 ? std::string::npos : text.rfind('\n', place - 1);
  const std::size_t first = before == std::string::npos ? 0 : before + 1;
  const std::size_t end = text.find('\n', place);
  return {first, end == std::string::npos ? text.size() : end + 1};
}

void change(std::string& text, const std::vector<std::string>& samples, Dice& dice) {
  const std::size_t place = dice.below(text.size());
  const auto cut = [&](std::pair<std::size_t, std::size_t> range) {
    return text.substr(range.first, range.second - range.first);
  };
  const auto replace = [&](std::pair<std::size_t, std::size_t> range, const std::string& by) {
    text.replace(range.first, range.second - range.first, by);
  };
  switch (dice.below(14)) {
    case 0:
      if (!text.empty()) text[place] = static_cast<char>(text[place] ^ (1 << dice.below(8)));
      break;
    case 1:
      text.insert(place, 1, static_cast<char>(dice.below(256)));
      break;
    case 2:
      text.erase(place, 1 + dice.below(4));
      break;
    case 3:
    case 4:
    case 5:
      replace(field_at(text, place), dice.one_of(telling_values));
      break;
    case 6:
      replace(field_at(text, place), cut(field_at(text, dice.below(text.size()))));
      break;
    case 7:
      replace(field_at(text, place), "");
      break;
    case 8:
      replace(line_at(text, place), "");
      break;
    case 9: {
      const std::string line = cut(line_at(text, place));
      text.insert(line_at(text, dice.below(text.size())).first, line);
      break;
    }
    case 10: {
      const std::string& other = dice.one_of(samples);
      const std::size_t start = dice.below(other.size());
      text.insert(place, other.substr(start, dice.below(400)));
      break;
    }
    case 11:
      text.resize(place);
      break;
    case 12: {
      std::size_t blank = place;
      while (blank < text.size() && !is_blank(text[blank]))
        ++blank;
      text.insert(blank, " " + dice.one_of(telling_values));
      break;
    }
    default: {
      const std::string digit(1, static_cast<char>('0' + dice.below(10)));
      replace({place, std::min(place + 1, text.size())}, digit);
      break;
    }
  }
}

}  // namespace

Dice::Dice(std::uint64_t seed, std::uint64_t index) {
  std::seed_seq mixed = {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32),
                         static_cast<std::uint32_t>(index),
                         static_cast<std::uint32_t>(index >> 32)};
  engine_.seed(mixed);
}

std::string mutate_text(const std::vector<std::string>& samples, Dice& dice) {
  std::string text = dice.one_of(samples);
  for (std::size_t changes = number_of_changes(dice); changes > 0; --changes)
    change(text, samples, dice);
  return text;
}

}  // namespace tessera::campaign
