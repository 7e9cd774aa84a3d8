#include "physics/md/io/extended_xyz_comment.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>
#include <span>
#include <utility>

namespace tessera::md {
namespace {

bool is_blank(char c) {
  return std::isspace(static_cast<unsigned char>(c)) != 0;
}

std::string lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

/// The value that starts at `place`, which advances past it: bare up to a blank, or in quotes or
/// brackets.
std::string take_value(const TextScanner& scanner, std::string_view line, std::size_t& place) {
  const auto unfinished = [&](char close) {
    return scanner.error("comment line", line.substr(0, 60),
                         std::string("expected a closing ") + close);
  };
  std::string value;
  const char open = place < line.size() ? line[place] : ' ';
  if (open == '"' || open == '\'') {
    for (++place; place < line.size() && line[place] != open; ++place) {
      if (line[place] == '\\' && place + 1 < line.size()) ++place;
      value += line[place];
    }
    if (place == line.size()) throw unfinished(open);
    ++place;
  } else if (open == '{' || open == '[') {
    const char close = open == '{' ? '}' : ']';
    int depth = 0;
    do {
      if (place == line.size()) throw unfinished(close);
      if (line[place] == open) ++depth;
      if (line[place] == close) --depth;
      value += line[place++];
    } while (depth > 0);
  } else {
    while (place < line.size() && !is_blank(line[place]))
      value += line[place++];
  }
  return value;
}

/// Pairs of a lower-case key and its value; a key without value has the value "T".
std::map<std::string, std::string> split_pairs(const TextScanner& scanner) {
  const std::string_view line = scanner.line();
  std::map<std::string, std::string> pairs;
  std::size_t place = 0;
  while (true) {
    while (place < line.size() && is_blank(line[place]))
      ++place;
    if (place == line.size()) return pairs;
    std::string key;
    if (line[place] == '"' || line[place] == '\'') {
      key = take_value(scanner, line, place);
    } else {
      while (place < line.size() && !is_blank(line[place]) && line[place] != '=') {
        key += line[place++];
      }
    }
    std::string value = "T";
    if (place < line.size() && line[place] == '=') value = take_value(scanner, line, ++place);
    pairs[lower_case(key)] = value;
  }
}

/// Fields separated by blanks, commas or brackets.
std::vector<std::string> list_fields(const std::string& value) {
  std::vector<std::string> fields(1);
  for (const char c : value) {
    if (is_blank(c) || std::string_view(",[]{}").find(c) != std::string_view::npos) {
      if (!fields.back().empty()) fields.emplace_back();
    } else {
      fields.back() += c;
    }
  }
  if (fields.back().empty()) fields.pop_back();
  return fields;
}

std::vector<double> read_numbers(const TextScanner& scanner, const std::string& key,
                                 const std::string& value, std::size_t count) {
  std::vector<double> numbers;
  for (const std::string& field : list_fields(value)) {
    double number = 0;
    if (parse_number(field, number) && std::isfinite(number)) numbers.push_back(number);
  }
  if (numbers.size() != count || list_fields(value).size() != count) {
    throw scanner.error(key, value, "expected " + std::to_string(count) + " finite numbers");
  }
  return numbers;
}

/// Sets components to zero that only rounding has left in a rotated cell.
void clean_lattice(std::vector<double>& lattice) {
  constexpr double rounding = 1e-12;
  double largest = 0;
  for (const double x : lattice)
    largest = std::max(largest, std::abs(x));
  for (std::size_t i = 0; i < lattice.size(); ++i)
    if (i % 4 != 0 && std::abs(lattice[i]) <= rounding * largest) lattice[i] = 0;
}

/// Reads the vectors of the cell; a vector of zeros counts as missing.
void read_lattice(const TextScanner& scanner, const std::string& value, XyzComment& comment) {
  std::vector<double> lattice = read_numbers(scanner, "Lattice", value, 9);
  clean_lattice(lattice);
  const auto a = std::span(lattice).subspan<0, 3>();
  const auto b = std::span(lattice).subspan<3, 3>();
  const auto c = std::span(lattice).subspan<6, 3>();
  if (a[1] != 0 || a[2] != 0 || b[2] != 0) {
    throw scanner.error(
        "Lattice", value,
        "expected a along x and b in the x-y plane: \"lx 0 0 xy ly 0 xz yz lz\"; "
        "rotate the cell (and positions, velocities, forces) to this orientation first");
  }
  for (std::size_t d = 0; d < 3; ++d) {
    const auto vector = std::span(lattice).subspan(3 * d, 3);
    if (std::all_of(vector.begin(), vector.end(), [](double x) { return x == 0; })) continue;
    if (!(vector[d] > 0))
      throw scanner.error("Lattice", value, "expected lx, ly and lz greater than zero");
    comment.box.length[d] = vector[d];
    comment.has_vector[d] = true;
  }
  Box& box = comment.box;
  box.tilt[0] = b[0];
  box.tilt[1] = c[0];
  box.tilt[2] = c[1];
}

void read_periodicity(const TextScanner& scanner, const std::string& value, Box& box) {
  const std::vector<std::string> fields = list_fields(value);
  const auto as_flag = [](const std::string& field) -> std::optional<bool> {
    const std::string text = lower_case(field);
    if (text == "t" || text == "true" || text == "1") return true;
    if (text == "f" || text == "false" || text == "0") return false;
    return std::nullopt;
  };
  for (std::size_t d = 0; d < 3; ++d) {
    const auto flag = fields.size() == 3 ? as_flag(fields[d]) : std::nullopt;
    if (!flag) throw scanner.error("pbc", value, "expected three of T or F");
    box.periodic[d] = *flag;
  }
}

XyzColumn column_from_name(const std::string& name) {
  static const std::map<std::string, XyzColumn> names = {{"species", XyzColumn::species},
                                                         {"type", XyzColumn::species},
                                                         {"pos", XyzColumn::position},
                                                         {"position", XyzColumn::position},
                                                         {"positions", XyzColumn::position},
                                                         {"velo", XyzColumn::velocity},
                                                         {"vel", XyzColumn::velocity},
                                                         {"velocity", XyzColumn::velocity},
                                                         {"velocities", XyzColumn::velocity},
                                                         {"id", XyzColumn::id},
                                                         {"charge", XyzColumn::charge},
                                                         {"charges", XyzColumn::charge},
                                                         {"initial_charges", XyzColumn::charge},
                                                         {"momenta", XyzColumn::momentum},
                                                         {"momentum", XyzColumn::momentum},
                                                         {"mass", XyzColumn::mass},
                                                         {"masses", XyzColumn::mass},
                                                         {"images", XyzColumn::image}};
  const auto found = names.find(name);
  return found == names.end() ? XyzColumn::ignored : found->second;
}

struct ColumnPotential {
  std::string kinds;  // kinds that the file may state
  int count = 1;
};

ColumnPotential potential_of(XyzColumn column) {
  switch (column) {
    case XyzColumn::species:
      return {"SI", 1};
    case XyzColumn::position:
      return {"R", 3};
    case XyzColumn::velocity:
    case XyzColumn::momentum:
      return {"R", 3};
    case XyzColumn::mass:
      return {"RI", 1};
    case XyzColumn::image:
      return {"I", 3};
    case XyzColumn::id:
      return {"I", 1};
    case XyzColumn::charge:
      return {"RI", 1};
    case XyzColumn::ignored:
      break;
  }
  return {"SIRL", 0};
}

std::vector<XyzProperty> read_properties(const TextScanner& scanner, const std::string& value) {
  const std::string expected = "expected Properties=name:kind:count:..., as in species:S:1:pos:R:3";
  std::vector<std::string> parts(1);
  for (const char c : value) {
    if (c == ':') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  if (parts.size() % 3 != 0) throw scanner.error("Properties", value, expected);

  std::vector<XyzProperty> properties;
  const bool has_species =
      value.starts_with("species:") || value.find(":species:") != std::string::npos;
  for (std::size_t i = 0; i < parts.size(); i += 3) {
    XyzProperty property;
    property.name = parts[i];
    if (!parse_number(parts[i + 2], property.count) || property.count < 1 ||
        parts[i + 1].size() != 1) {
      throw scanner.error("Properties", value, expected);
    }
    property.column = column_from_name(property.name);
    if (property.name == "type" && has_species) property.column = XyzColumn::ignored;
    const ColumnPotential potential = potential_of(property.column);
    if (potential.kinds.find(parts[i + 1]) == std::string::npos ||
        (potential.count > 0 && property.count != potential.count)) {
      throw scanner.error("Properties", property.name + ":" + parts[i + 1] + ":" + parts[i + 2],
                          "expected " + property.name + ":" + potential.kinds.front() + ":" +
                              std::to_string(std::max(potential.count, 1)));
    }
    const bool twice = std::any_of(properties.begin(), properties.end(), [&](const auto& other) {
      return property.column != XyzColumn::ignored && other.column == property.column;
    });
    if (twice) throw scanner.error("Properties", value, "expected " + property.name + " once");
    properties.push_back(std::move(property));
  }
  for (const XyzColumn needed : {XyzColumn::species, XyzColumn::position}) {
    const bool there = std::any_of(properties.begin(), properties.end(),
                                   [&](const auto& p) { return p.column == needed; });
    if (!there) throw scanner.error("Properties", value, "expected the columns species and pos");
  }
  return properties;
}

}  // namespace

XyzComment read_xyz_comment(const TextScanner& scanner) {
  const std::map<std::string, std::string> pairs = split_pairs(scanner);
  XyzComment comment;
  if (const auto lattice = pairs.find("lattice"); lattice != pairs.end())
    read_lattice(scanner, lattice->second, comment);
  std::copy(comment.has_vector.begin(), comment.has_vector.end(), comment.box.periodic);
  if (const auto pbc = pairs.find("pbc"); pbc != pairs.end()) {
    read_periodicity(scanner, pbc->second, comment.box);
  }
  if (const auto origin = pairs.find("origin"); origin != pairs.end()) {
    const std::vector<double> numbers = read_numbers(scanner, "Origin", origin->second, 3);
    std::copy(numbers.begin(), numbers.end(), comment.box.lower);
  }
  const auto properties = pairs.find("properties");
  comment.properties = read_properties(
      scanner, properties == pairs.end() ? "species:S:1:pos:R:3" : properties->second);
  if (const auto names = pairs.find("type_names"); names != pairs.end()) {
    for (const std::string& field : list_fields(names->second)) {
      const std::size_t equals = field.find('=');
      if (equals == std::string::npos) {
        throw scanner.error("type_names", names->second, "expected species=name for each");
      }
      comment.type_names[field.substr(0, equals)] = field.substr(equals + 1);
    }
  }
  return comment;
}

}  // namespace tessera::md
