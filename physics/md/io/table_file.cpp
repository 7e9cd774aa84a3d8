#include <cmath>
#include <optional>
#include <string>
#include <tessera/core/base/input_file.hpp>
#include <tessera/core/base/shortest_number.hpp>
#include <tessera/core/base/text_scanner.hpp>
#include <tessera/md/io/table_file.hpp>
#include <vector>

namespace tessera::md {
namespace {

/// Points that the line of parameters asks for instead of the distances of the rows.
struct EvenPoints {
  bool squared;
  double low;
  double high;
};

class TableFileReader {
 public:
  TableFileReader(const std::filesystem::path& path, TableForces forces)
      : scanner_(path.string(), read_file(path), '#'), forces_(forces) {}

  TabulatedPair read(const std::string& keyword) {
    std::vector<std::string> seen;
    std::optional<TabulatedPair> found;
    while (scanner_.next_filled_line()) {
      const std::string name(scanner_.next_field());
      const std::int64_t line = scanner_.line_number();
      for (const std::string& other : seen)
        if (other == name)
          throw scanner_.error("keyword", name, "the section comes twice, expected it once");
      if (keyword.empty() && !seen.empty())
        throw scanner_.error("keyword", name,
                             "the file has several sections, expected the keyword of one");
      seen.push_back(name);
      const bool wanted = keyword.empty() || name == keyword;
      TabulatedPair table = read_section(name, line);
      if (!wanted) continue;
      if (forces_ == TableForces::checked) check_forces(name, table);
      found = std::move(table);
    }
    if (found) return *found;
    if (seen.empty()) throw scanner_.error("keyword", "", "expected a section, found none");
    throw scanner_.error(
        "keyword", keyword,
        "none of the " + std::to_string(seen.size()) + " sections of the file has this name");
  }

 private:
  TabulatedPair read_section(const std::string& name, std::int64_t line) {
    if (!scanner_.next_filled_line())
      throw scanner_.error("section", name,
                           "expected N and the number of points behind the keyword", line);
    const std::int64_t points = read_parameters();
    TabulatedPair table;
    lines_.clear();
    for (std::int64_t k = 1; k <= points; ++k) {
      if (!scanner_.next_filled_line())
        throw scanner_.error("section", name,
                             "the file ends after " + std::to_string(k - 1) + " of the " +
                                 std::to_string(points) + " rows that N announces");
      read_row(k, points, table);
    }
    return table;
  }

  void check_forces(const std::string& section, const TabulatedPair& table) const {
    const auto wrong = find_wrong_forces(table);
    if (!wrong) return;
    throw scanner_.error("force", rounded_number(table.force[wrong->point]),
                         "section " + section + ", row " + std::to_string(wrong->point + 1) + ": " +
                             text_of(*wrong, table) +
                             "; the key forces = \"file\" of a case takes them",
                         lines_[wrong->point]);
  }

  /// \returns the number of points.
  std::int64_t read_parameters() {
    std::int64_t points = 0;
    even_.reset();
    const std::int64_t most = scanner_.bytes();
    while (scanner_.fields_left() > 0) {
      const std::string name(scanner_.next_field());
      if (name == "N") {
        const std::string_view field = scanner_.next_field();
        if (!parse_number(field, points) || points < 2 || points > most)
          throw scanner_.error("N", field, "expected at least two points, and a row for each");
      } else if (name == "R" || name == "RSQ") {
        const double low = read_real(name + " inner");
        const double high = read_real(name + " outer");
        if (!(low > 0) || !(high > low))
          throw scanner_.error(name, rounded_number(low) + ' ' + rounded_number(high),
                               "expected a distance above 0, and a larger one");
        even_ = EvenPoints{name == "RSQ", low, high};
      } else if (name == "FPRIME") {
        read_real("FPRIME inner");
        read_real("FPRIME outer");
      } else {
        throw scanner_.error("parameter", name, "expected N, R, RSQ or FPRIME");
      }
    }
    if (points == 0) throw scanner_.error("N", scanner_.line(), "expected the number of points");
    return points;
  }

  void read_row(std::int64_t k, std::int64_t points, TabulatedPair& table) {
    std::int64_t number = 0;
    const std::string_view field = scanner_.next_field();
    if (!parse_number(field, number) || number != k)
      throw scanner_.error("row", field,
                           "expected row " + std::to_string(k) + " of the " +
                               std::to_string(points) + " that N announces");
    double r = read_real("r");
    if (even_) r = point(k, points);
    if (!(r > (table.r.empty() ? 0 : table.r.back())))
      throw scanner_.error(
          "r", rounded_number(r),
          "expected a distance above " + (table.r.empty() ? "0" : rounded_number(table.r.back())));
    lines_.push_back(scanner_.line_number());
    table.r.push_back(r);
    table.energy.push_back(read_real("energy"));
    table.force.push_back(read_real("force"));
    if (scanner_.fields_left() > 0)
      throw scanner_.error("row", scanner_.line(), "expected number, r, energy and force");
  }

  [[nodiscard]] double point(std::int64_t k, std::int64_t points) const {
    const auto& [squared, low, high] = *even_;
    if (k == points) return high;
    const double part = static_cast<double>(k - 1) / static_cast<double>(points - 1);
    return squared ? std::sqrt(low * low + (high * high - low * low) * part)
                   : low + (high - low) * part;
  }

  double read_real(const std::string& name) {
    const std::string_view field = scanner_.next_field();
    double value = 0;
    if (!parse_number(field, value))
      throw scanner_.error(name, field,
                           field.empty() ? "the row ends before this column" : "expected a number");
    if (!std::isfinite(value)) throw scanner_.error(name, field, "expected a finite number");
    return value;
  }

  TextScanner scanner_;
  TableForces forces_;
  std::vector<std::int64_t> lines_;  ///< of the rows of a section
  std::optional<EvenPoints> even_;
};

}  // namespace

TabulatedPair read_pair_table_file(const std::filesystem::path& path, const std::string& keyword,
                                   TableForces forces) {
  return TableFileReader(path, forces).read(keyword);
}

}  // namespace tessera::md
