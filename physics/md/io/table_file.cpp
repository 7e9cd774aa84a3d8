#include "physics/md/io/table_file.hpp"

#include "core/base/input_file.hpp"
#include "core/base/shortest_number.hpp"
#include "core/base/text_scanner.hpp"
#include "physics/md/io/bitmap_distances.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tessera::md {
namespace {

/// The keyword R, RSQ or BITMAP of the line of parameters, and the two distances after it.
struct GivenDistances {
  std::string name;
  double low;
  double high;
};

/// A row of a section: its number and its line in the file.
struct TableRow {
  std::int64_t number;
  std::int64_t line;
};

/// Largest accepted relative error of a distance of a bitmap, for files with few digits.
constexpr double most_rounding = 1e-3;

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
          throw scanner_.error("keyword", name, "the section occurs twice, expected it once");
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
    rows_.clear();
    for (std::int64_t k = 1; k <= points; ++k) {
      if (!scanner_.next_filled_line())
        throw scanner_.error("section", name,
                             "the file ends after " + std::to_string(k - 1) + " of the " +
                                 std::to_string(points) + " rows that N announces");
      read_row(k, points, table);
    }
    return bitmapped() ? in_order(table) : table;
  }

  void check_forces(const std::string& section, const TabulatedPair& table) const {
    const auto wrong = find_wrong_forces(table);
    if (!wrong) return;
    throw scanner_.error(
        "force", rounded_number(table.force[wrong->point]),
        "section " + section + ", row " + std::to_string(rows_[wrong->point].number) + ": " +
            text_of(*wrong, table) + "; the key forces = \"file\" of a case accepts them",
        rows_[wrong->point].line);
  }

  /// \returns the number of points.
  std::int64_t read_parameters() {
    std::int64_t points = 0;
    given_.reset();
    const std::int64_t most = scanner_.bytes();
    while (scanner_.fields_left() > 0) {
      const std::string name(scanner_.next_field());
      if (name == "N") {
        const std::string_view field = scanner_.next_field();
        if (!parse_number(field, points) || points < 2 || points > most)
          throw scanner_.error("N", field, "expected at least two points, and a row for each");
      } else if (name == "R" || name == "RSQ" || name == "BITMAP") {
        const double low = read_real(name + " inner");
        const double high = read_real(name + " outer");
        if (!(low > 0) || !(high > low))
          throw scanner_.error(name, rounded_number(low) + ' ' + rounded_number(high),
                               "expected a distance above 0, and a larger one");
        given_ = GivenDistances{name, low, high};
      } else if (name == "FPRIME") {
        read_real("FPRIME inner");
        read_real("FPRIME outer");
      } else {
        throw scanner_.error("parameter", name, "expected N, R, RSQ, BITMAP or FPRIME");
      }
    }
    if (points == 0) throw scanner_.error("N", scanner_.line(), "expected the number of points");
    if (bitmapped()) {
      bitmap_ = bitmap_distances(given_->low, given_->high, points);
      if (bitmap_.empty())
        throw scanner_.error("N", std::to_string(points),
                             "expected a power of two, as many as a bitmap of r^2 in single "
                             "precision has with 3 to 23 bits of the mantissa");
    }
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
    if (bitmapped())
      r = bitmap_distance(k, r);
    else if (given_)
      r = point(k, points);
    if (!bitmapped() && !(r > (table.r.empty() ? 0 : table.r.back())))
      throw scanner_.error(
          "r", rounded_number(r),
          "expected a distance above " + (table.r.empty() ? "0" : rounded_number(table.r.back())));
    rows_.push_back({k, scanner_.line_number()});
    table.r.push_back(r);
    table.energy.push_back(read_real("energy"));
    table.force.push_back(read_real("force"));
    if (scanner_.fields_left() > 0)
      throw scanner_.error("row", scanner_.line(), "expected number, r, energy and force");
  }

  [[nodiscard]] double point(std::int64_t k, std::int64_t points) const {
    const auto& [name, low, high] = *given_;
    if (k == points) return high;
    const double part = static_cast<double>(k - 1) / static_cast<double>(points - 1);
    return name == "RSQ" ? std::sqrt(low * low + (high * high - low * low) * part)
                         : low + (high - low) * part;
  }

  [[nodiscard]] bool bitmapped() const { return given_ && given_->name == "BITMAP"; }

  /// The distance of row `k`, from 1, which the file states as `r`.
  /// \throws InputError if `r` differs from it.
  [[nodiscard]] double bitmap_distance(std::int64_t k, double r) const {
    const double distance = bitmap_[static_cast<std::size_t>(k - 1)];
    if (std::abs(r - distance) <= most_rounding * distance) return distance;
    throw scanner_.error(
        "r", rounded_number(r),
        "expected the distance of this row of the bitmap, " + rounded_number(distance));
  }

  /// The rows of a bitmapped table sorted by distance, up to the end of the table.
  TabulatedPair in_order(const TabulatedPair& table) {
    std::vector<std::size_t> order(table.r.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return table.r[a] < table.r[b]; });
    TabulatedPair sorted;
    std::vector<TableRow> rows;
    for (const std::size_t k : order) {
      if (sorted.r.size() >= 2 && sorted.r.back() >= given_->high) break;
      sorted.r.push_back(table.r[k]);
      sorted.energy.push_back(table.energy[k]);
      sorted.force.push_back(table.force[k]);
      rows.push_back(rows_[k]);
    }
    rows_ = std::move(rows);
    end_at(given_->high, sorted);
    return sorted;
  }

  /// Moves the last point to `end`, because a bitmap has no row there: E and F/r are extrapolated
  /// linearly in r^2 from the last two points, as in LAMMPS.
  void end_at(double end, TabulatedPair& table) const {
    const std::size_t b = table.r.size() - 1, a = b - 1;
    const auto squared = [](double r) { return r * r; };
    const double part =
        (squared(end) - squared(table.r[a])) / (squared(table.r[b]) - squared(table.r[a]));
    const double energy = std::lerp(table.energy[a], table.energy[b], part);
    const double force =
        end * std::lerp(table.force[a] / table.r[a], table.force[b] / table.r[b], part);
    if (!std::isfinite(energy) || !std::isfinite(force))
      throw scanner_.error("BITMAP", rounded_number(end),
                           "expected energies and forces that go on to there as finite numbers",
                           rows_[b].line);
    const std::size_t points = table.r[b] < end ? b + 1 : b;
    for (auto* const values : {&table.r, &table.energy, &table.force})
      values->resize(points);
    table.r.push_back(end);
    table.energy.push_back(energy);
    table.force.push_back(force);
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
  std::vector<TableRow> rows_;  ///< rows of a section, in the order of the points of its table
  std::optional<GivenDistances> given_;
  std::vector<double> bitmap_;  ///< distances of the rows
};

}  // namespace

TabulatedPair read_pair_table_file(const std::filesystem::path& path, const std::string& keyword,
                                   TableForces forces) {
  return TableFileReader(path, forces).read(keyword);
}

}  // namespace tessera::md
