#include "physics/pic/io/bunch_table.hpp"

#include "core/base/input_file.hpp"
#include "core/base/text_scanner.hpp"
#include "core/operations/argument_check.hpp"
#include "physics/pic/io/fixed_time.hpp"
#include "physics/pic/io/longitudinal_names.hpp"
#include "physics/pic/reference_check.hpp"

#include <cmath>
#include <span>
#include <string>

namespace tessera::pic {
namespace {

constexpr int weight_column = 6;
constexpr int id_column = 7;

struct Unit {
  std::string_view name;
  double factor;
};
constexpr Unit lengths[] = {{"m", 1}, {"mm", 1e-3}, {"um", 1e-6}};
constexpr Unit slopes[] = {{"1", 1}, {"rad", 1}, {"mrad", 1e-3}};
constexpr Unit unit_of_numbers[] = {{"1", 1}};

/// A known kind of column: its name, the coordinate that it contains, and its units.
struct Kind {
  std::string_view name;
  int column;  ///< index of a coordinate, or weight_column or id_column
  std::span<const Unit> units;
};

constexpr Kind transverse[] = {{"x", 0, lengths},
                               {"px", 1, slopes},
                               {"y", 2, lengths},
                               {"py", 3, slopes},
                               {"weight", weight_column, {}},
                               {"id", id_column, {}}};

class TableReader {
 public:
  explicit TableReader(const std::filesystem::path& path)
      : scanner_(path.string(), read_file(path), '#') {}

  [[nodiscard]] LongitudinalCoordinates coordinates() const { return found_->coordinates; }

  void read_header() {
    if (!scanner_.next_filled_line())
      throw scanner_.error("", "", "the file is empty, expected a line that names the columns");
    for (const std::string_view field : fields())
      columns_.push_back(column(field));
    for (const Kind& kind : transverse)
      if (kind.column < weight_column) require(kind.name);
    if (found_ == nullptr) require("cdt");
    require(found_->place);
    require(found_->momentum);
  }

  /// \param convert convert(t, Longitudinal&) converts to the requested convention; it returns
  /// false if that is impossible.
  template <class Convert>
  BunchRows read_rows(const Convert& convert) {
    BunchRows rows;
    while (scanner_.next_filled_line()) {
      const std::vector<std::string_view> values = fields();
      if (values.size() != columns_.size())
        throw scanner_.error("", std::to_string(values.size()) + " fields",
                             "expected " + std::to_string(columns_.size()) +
                                 ", as in the line that names the columns");
      double c[6] = {};
      for (std::size_t k = 0; k < values.size(); ++k) {
        const Column& column = columns_[k];
        if (column.place == id_column)
          rows.ids.push_back(id(values[k]));
        else if (column.place == weight_column)
          rows.weights.push_back(number(column, values[k]));
        else
          c[column.place] = number(column, values[k]) * column.factor;
      }
      Longitudinal l{c[4], c[5]};
      if (!convert(c[1] * c[1] + c[3] * c[3], l))
        throw scanner_.error(found_->momentum, scanner_.line(),
                             "expected a particle with a momentum forward");
      c[4] = l.place;
      c[5] = l.momentum;
      rows.coordinates.insert(rows.coordinates.end(), c, c + 6);
    }
    return rows;
  }

 private:
  struct Column {
    std::string name;
    int place;
    double factor;
  };

  [[nodiscard]] std::vector<std::string_view> fields() const {
    std::vector<std::string_view> fields;
    std::string_view rest = scanner_.line();
    for (std::size_t comma; (comma = rest.find(',')) != std::string_view::npos;
         rest.remove_prefix(comma + 1))
      fields.push_back(trim(rest.substr(0, comma)));
    fields.push_back(trim(rest));
    return fields;
  }

  /// The column that the text "name [unit]" describes.
  Column column(std::string_view field) {
    const std::size_t bracket = field.find('[');
    const std::string name(trim(field.substr(0, bracket)));
    std::string_view unit;
    if (bracket != std::string_view::npos) {
      unit = field.substr(bracket + 1);
      if (!unit.ends_with(']'))
        throw scanner_.error(name, field, "expected a unit in brackets, as in x [m]");
      unit = trim(unit.substr(0, unit.size() - 1));
    }
    const Kind kind = kind_of(name);
    for (const Column& other : columns_)
      if (other.place == kind.column)
        throw scanner_.error(name, field, "expected each column once, there is " + other.name);
    if (kind.units.empty()) {
      if (!unit.empty()) throw scanner_.error(name, field, "expected no unit");
      return {name, kind.column, 1};
    }
    std::string known;
    for (const Unit& candidate : kind.units) {
      if (unit == candidate.name) return {name, kind.column, candidate.factor};
      known += (known.empty() ? "" : ", ") + std::string(candidate.name);
    }
    throw scanner_.error(name, unit, "expected a unit, one of: " + known);
  }

  Kind kind_of(const std::string& name) {
    std::vector<std::string> known;
    for (const Kind& kind : transverse) {
      if (kind.name == name) return kind;
      known.emplace_back(kind.name);
    }
    for (const LongitudinalNames& names : longitudinal_names) {
      if (name == names.place || name == names.momentum) {
        if (found_ != nullptr && found_ != &names)
          throw scanner_.error(name, "",
                               "expected " + std::string(found_->place) + " and " +
                                   found_->momentum + ", which are of one convention");
        found_ = &names;
        if (name == names.place) return {names.place, 4, lengths};
        return {names.momentum, 5, unit_of_numbers};
      }
      known.emplace_back(names.place);
      known.emplace_back(names.momentum);
    }
    const std::string near = nearest(name, known);
    throw scanner_.error(name, "",
                         "expected the name of a column: x, px, y, py, cdt and dpop (or zeta and "
                         "ptau, or t and pt), weight, id" +
                             (near.empty() ? "" : "; did you mean " + near + "?"));
  }

  void require(std::string_view name) const {
    for (const Column& column : columns_)
      if (column.name == name) return;
    throw scanner_.error(std::string(name), "",
                         "there is no such column, expected x, px, y, py and two of one "
                         "longitudinal convention");
  }

  [[nodiscard]] double number(const Column& column, std::string_view text) const {
    double value = 0;
    if (!parse_number(text, value) || !std::isfinite(value))
      throw scanner_.error(column.name, text, "expected a finite number");
    return value;
  }

  [[nodiscard]] std::int64_t id(std::string_view text) const {
    std::int64_t value = 0;
    if (!parse_number(text, value)) throw scanner_.error("id", text, "expected a whole number");
    return value;
  }

  TextScanner scanner_;
  std::vector<Column> columns_;
  const LongitudinalNames* found_ = nullptr;
};

}  // namespace

BunchRows read_bunch_table(const std::filesystem::path& path, const ReferenceParticle& reference,
                           LongitudinalCoordinates accelerator) {
  check_reference(ArgumentCheck("read_bunch_table"), reference);
  TableReader reader(path);
  reader.read_header();
  const FrameNumbers frame(reference);
  return reader.read_rows([&](double t, Longitudinal& l) {
    return change_convention(frame, reader.coordinates(), accelerator, t, l);
  });
}

}  // namespace tessera::pic
