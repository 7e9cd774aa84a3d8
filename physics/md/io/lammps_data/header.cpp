#include "physics/md/io/lammps_data/header.hpp"

#include "core/base/shortest_number.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <utility>
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
const std::array<std::string, 4> general_keywords = {"avec", "bvec", "cvec", "abc origin"};
const std::vector<std::string> body_keywords = {"ellipsoids", "lines", "triangles", "bodies"};

template <class List>
bool contains(const List& list, std::string_view text) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

struct HeaderLine {
  std::vector<std::string_view> numbers;
  std::string keyword;  // words joined by single blanks
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

std::array<double, 3> read_three(const TextScanner& scanner, const HeaderLine& parts) {
  std::array<double, 3> numbers = {};
  bool right = parts.numbers.size() == 3;
  for (std::size_t k = 0; right && k < 3; ++k)
    right = parse_number(parts.numbers[k], numbers[k]) && std::isfinite(numbers[k]);
  if (!right) throw scanner.error(parts.keyword, scanner.line(), "expected three finite numbers");
  return numbers;
}

std::vector<std::string> all_keywords() {
  std::vector<std::string> all = count_keywords;
  all.insert(all.end(), bound_keywords.begin(), bound_keywords.end());
  all.push_back(tilt_keyword);
  all.insert(all.end(), general_keywords.begin(), general_keywords.end());
  return all;
}

InputError unknown_header_line(const TextScanner& scanner, const std::string& keyword) {
  const std::string guess = nearest(keyword, all_keywords());
  return scanner.error(
      "header line", scanner.line(),
      "unknown keyword" + (guess.empty() ? "" : ", did you mean '" + guess + "'?"));
}

/// Reads lines up to the first one that starts with a letter.
class HeaderReader {
 public:
  HeaderReader(TextScanner& scanner, std::array<bool, 3> periodic,
               std::vector<std::string>& warnings)
      : scanner_(scanner), warnings_(warnings) {
    std::copy(periodic.begin(), periodic.end(), header_.box.periodic);
  }

  Header read() {
    if (!scanner_.next_line()) throw scanner_.error("", "", "the file is empty");
    header_.title = std::string(scanner_.line());
    if (!scanner_.comment().empty()) header_.title += "# " + std::string(scanner_.comment());
    while (scanner_.next_filled_line()) {
      scanner_.cut_comment();
      header_.more = std::isalpha(static_cast<unsigned char>(scanner_.line().front())) != 0;
      if (header_.more) break;
      read_line(split(scanner_));
    }
    require(header_.counts.contains("atoms"), "<count> atoms");
    require(header_.counts.contains("atom types"), "<count> atom types");
    if (vectors_.empty())
      complete_bounds();
    else
      take_general_box();
    // Checks the box at the end, because the bounds may come after the tilts.
    if (const auto fault = find_fault(header_.box)) {
      const std::string expected = fault->field + ": " + fault->expected;
      if (shape_.line > 0 && fault->field.starts_with("tilt"))
        throw scanner_.error(shape_.keyword, shape_.text, expected, shape_.line);
      throw scanner_.error(fault->field, shortest_number(fault->value), fault->expected);
    }
    header_.atoms = header_.count_of("atoms");
    header_.atom_types = static_cast<std::int32_t>(header_.count_of("atom types"));
    return std::move(header_);
  }

 private:
  void read_line(HeaderLine parts) {
    drop_words_behind(parts.keyword);
    const auto bound = std::find(bound_keywords.begin(), bound_keywords.end(), parts.keyword);
    if (bound != bound_keywords.end()) {
      const auto axis = bound - bound_keywords.begin();
      read_bounds(scanner_, parts, static_cast<int>(axis), header_.box);
      bounds_[static_cast<std::size_t>(axis)] = true;
    } else if (parts.keyword == tilt_keyword) {
      const std::array<double, 3> tilts = read_three(scanner_, parts);
      std::copy(tilts.begin(), tilts.end(), header_.box.tilt);
      shape_ = {parts.keyword, std::string(scanner_.line()), scanner_.line_number()};
    } else if (contains(general_keywords, parts.keyword)) {
      const std::array<double, 3> v = read_three(scanner_, parts);
      vectors_[parts.keyword] = {v[0], v[1], v[2]};
      shape_ = {parts.keyword, std::string(scanner_.line()), scanner_.line_number()};
    } else if (contains(count_keywords, parts.keyword)) {
      take_count(parts);
    } else {
      throw unknown_header_line(scanner_, parts.keyword);
    }
  }

  /// Drops words after a keyword, as LAMMPS does.
  void drop_words_behind(std::string& line) {
    for (const std::string& keyword : all_keywords()) {
      if (!line.starts_with(keyword + ' ')) continue;
      warnings_.push_back(scanner_.file() + ":" + std::to_string(scanner_.line_number()) + ": '" +
                          line.substr(keyword.size() + 1) + "' behind " + keyword + " is ignored");
      line = keyword;
      return;
    }
  }

  void take_count(const HeaderLine& parts) {
    const std::int64_t count = read_count(scanner_, parts);
    if (contains(body_keywords, parts.keyword) && count > 0) {
      throw scanner_.error(parts.keyword, parts.numbers[0],
                           "particles with a shape are not supported, expected point particles");
    }
    if (parts.keyword == "atom types") {
      if (count > std::numeric_limits<std::int32_t>::max()) {
        throw scanner_.error(parts.keyword, parts.numbers[0], "expected less than 2^31");
      }
      header_.atom_types_line = scanner_.line_number();
    }
    header_.counts[parts.keyword] = count;
  }

  void require(bool present, const std::string& example) const {
    if (present) return;
    throw scanner_.error("header", "",
                         "expected a line '" + example +
                             "' before the first section (the first line of a data file is a title "
                             "and never read)");
  }

  void complete_bounds() {
    require(bounds_[0] || bounds_[1] || bounds_[2], "<low> <high> " + bound_keywords[0]);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (bounds_[axis]) continue;
      header_.box.lower[axis] = -0.5;
      header_.box.length[axis] = 1;
      warnings_.push_back(scanner_.file() + ": the header has no " + bound_keywords[axis] +
                          ": they are taken as -0.5 and 0.5, as LAMMPS does");
    }
  }

  void take_general_box() {
    const auto refuse = [&](const std::string& expected) {
      return scanner_.error(shape_.keyword, shape_.text, expected, shape_.line);
    };
    if (bounds_[0] || bounds_[1] || bounds_[2])
      throw refuse("expected either vectors (avec, bvec, cvec) or bounds (xlo xhi, ...), not both");
    for (std::size_t k = 0; k < 3; ++k)
      if (!vectors_.contains(general_keywords[k]))
        throw refuse("expected avec, bvec and cvec where there is one of them");
    const Vec3<double> origin = vectors_["abc origin"];
    header_.box.lower[0] = origin.x;
    header_.box.lower[1] = origin.y;
    header_.box.lower[2] = origin.z;
    header_.turn =
        take_vectors({vectors_["avec"], vectors_["bvec"], vectors_["cvec"]}, header_.box);
    if (!header_.turn) throw refuse("expected right-handed vectors that span a volume");
  }

  /// A line of the file, for messages.
  struct Place {
    std::string keyword;
    std::string text;
    std::int64_t line = 0;
  };

  TextScanner& scanner_;
  std::vector<std::string>& warnings_;
  Header header_;
  std::array<bool, 3> bounds_ = {};
  std::map<std::string, Vec3<double>> vectors_;
  Place shape_;  ///< line of the tilts or vectors
};

}  // namespace

std::int64_t Header::count_of(std::string_view keyword) const {
  const auto found = counts.find(keyword);
  return found == counts.end() ? 0 : found->second;
}

Header read_header(TextScanner& scanner, std::array<bool, 3> periodic,
                   std::vector<std::string>& warnings) {
  return HeaderReader(scanner, periodic, warnings).read();
}

}  // namespace tessera::md::lammps
