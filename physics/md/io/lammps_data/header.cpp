#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <optional>
#include <tessera/core/base/shortest_number.hpp>
#include <tessera/md/io/lammps_data/header.hpp>
#include <vector>

namespace tessera::md::lammps {
namespace {

const std::vector<std::string> count_keywords = {"atoms",
                                                 "atom types",
                                                 "bonds",
                                                 "bond types",
                                                 "angles",
                                                 "angle types",
                                                 "dihedrals",
                                                 "dihedral types",
                                                 "impropers",
                                                 "improper types",
                                                 "crossterms",
                                                 "ellipsoids",
                                                 "lines",
                                                 "triangles",
                                                 "bodies",
                                                 "extra bond per atom",
                                                 "extra angle per atom",
                                                 "extra dihedral per atom",
                                                 "extra improper per atom",
                                                 "extra special per atom"};
const std::array<std::string, 3> bound_keywords = {"xlo xhi", "ylo yhi", "zlo zhi"};
const std::string tilt_keyword = "xy xz yz";
const std::vector<std::string> general_keywords = {"avec", "bvec", "cvec", "abc origin"};
const std::vector<std::string> body_keywords = {"ellipsoids", "lines", "triangles", "bodies"};

bool contains(const std::vector<std::string>& list, std::string_view text) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

struct HeaderLine {
  std::vector<std::string_view> numbers;
  std::string keyword;  // its words joined by single blanks
};

bool looks_like_number(std::string_view field) {
  double value = 0;
  return parse_number(field, value);
}

HeaderLine split(TextScanner& scanner) {
  HeaderLine parts;
  for (auto field = scanner.next_field(); !field.empty(); field = scanner.next_field()) {
    if (parts.keyword.empty() && looks_like_number(field)) {
      parts.numbers.push_back(field);
    } else {
      parts.keyword += (parts.keyword.empty() ? "" : " ") + std::string(field);
    }
  }
  return parts;
}

std::int64_t read_count(const TextScanner& scanner, const HeaderLine& parts) {
  std::int64_t count = 0;
  if (parts.numbers.size() != 1 || !parse_number(parts.numbers[0], count) || count < 0) {
    throw scanner.error(parts.keyword, parts.numbers.empty() ? "" : parts.numbers[0],
                        "expected one whole number from 0 up");
  }
  return count;
}

void read_bounds(const TextScanner& scanner, const HeaderLine& parts, int axis, Box& box) {
  double low = 0;
  double high = 0;
  if (parts.numbers.size() != 2 || !parse_number(parts.numbers[0], low) ||
      !parse_number(parts.numbers[1], high) || !std::isfinite(high - low) || !(low < high)) {
    throw scanner.error(parts.keyword, scanner.line(),
                        "expected two finite numbers, the second greater than the first");
  }
  box.lower[axis] = low;
  box.length[axis] = high - low;
}

void read_tilts(const TextScanner& scanner, const HeaderLine& parts, Box& box) {
  bool right = parts.numbers.size() == 3;
  for (std::size_t t = 0; right && t < 3; ++t)
    right = parse_number(parts.numbers[t], box.tilt[t]) && std::isfinite(box.tilt[t]);
  if (!right) throw scanner.error(parts.keyword, scanner.line(), "expected three finite numbers");
}

InputError unknown_header_line(const TextScanner& scanner, const std::string& keyword) {
  std::vector<std::string> all = count_keywords;
  all.insert(all.end(), bound_keywords.begin(), bound_keywords.end());
  all.push_back(tilt_keyword);
  const std::string guess = nearest(keyword, all);
  return scanner.error(
      "header line", scanner.line(),
      "unknown keyword" + (guess.empty() ? "" : ", did you mean '" + guess + "'?"));
}

}  // namespace

Header read_header(TextScanner& scanner, std::array<bool, 3> periodic) {
  Header header;
  if (!scanner.next_line()) throw scanner.error("", "", "the file is empty");
  header.title = std::string(scanner.line());
  if (!scanner.comment().empty()) header.title += "# " + std::string(scanner.comment());
  std::copy(periodic.begin(), periodic.end(), header.box.periodic);

  std::optional<std::int64_t> atoms;
  std::optional<std::int64_t> types;
  std::array<bool, 3> bounds = {};
  std::int64_t tilt_line = 0;
  std::string tilt_text;
  while (scanner.next_filled_line()) {
    if (std::isalpha(static_cast<unsigned char>(scanner.line().front()))) {
      header.more = true;
      break;
    }
    const HeaderLine parts = split(scanner);
    const auto bound = std::find(bound_keywords.begin(), bound_keywords.end(), parts.keyword);
    if (bound != bound_keywords.end()) {
      const auto axis = bound - bound_keywords.begin();
      read_bounds(scanner, parts, static_cast<int>(axis), header.box);
      bounds[static_cast<std::size_t>(axis)] = true;
    } else if (parts.keyword == tilt_keyword) {
      read_tilts(scanner, parts, header.box);
      tilt_line = scanner.line_number();
      tilt_text = std::string(scanner.line());
    } else if (contains(general_keywords, parts.keyword)) {
      throw scanner.error(parts.keyword, "",
                          "general triclinic boxes are not supported, expected a box given by "
                          "xlo xhi, ylo yhi, zlo zhi and, where it is tilted, xy xz yz (LAMMPS "
                          "writes that with 'write_data FILE' without 'triclinic/general')");
    } else if (!contains(count_keywords, parts.keyword)) {
      throw unknown_header_line(scanner, parts.keyword);
    } else {
      const std::int64_t count = read_count(scanner, parts);
      if (contains(body_keywords, parts.keyword) && count > 0) {
        throw scanner.error(parts.keyword, parts.numbers[0],
                            "particles with a shape are not supported, expected point particles");
      }
      if (parts.keyword == "atoms") {
        atoms = count;
      } else if (parts.keyword == "atom types") {
        if (count > std::numeric_limits<std::int32_t>::max()) {
          throw scanner.error(parts.keyword, parts.numbers[0], "expected less than 2^31");
        }
        types = count;
        header.atom_types_line = scanner.line_number();
      } else {
        header.counts[parts.keyword] = count;
      }
    }
  }
  const auto require = [&](bool present, const std::string& example) {
    if (present) return;
    throw scanner.error("header", "",
                        "expected a line '" + example +
                            "' before the first section (the first line of a data file is a title "
                            "and never read)");
  };
  require(atoms.has_value(), "<count> atoms");
  require(types.has_value(), "<count> atom types");
  for (std::size_t axis = 0; axis < 3; ++axis) {
    require(bounds[axis], "<low> <high> " + bound_keywords[axis]);
  }
  // The bounds may come after the tilts.
  if (const auto fault = find_fault(header.box)) {
    if (fault->field.starts_with("tilt"))
      throw scanner.error(tilt_keyword, tilt_text, fault->field + ": " + fault->expected,
                          tilt_line);
    throw scanner.error(fault->field, shortest_number(fault->value), fault->expected);
  }
  header.atoms = *atoms;
  header.atom_types = static_cast<std::int32_t>(*types);
  return header;
}

}  // namespace tessera::md::lammps
