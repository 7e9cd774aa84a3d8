#include "physics/md/io/lammps_data/atoms.hpp"

#include "core/base/shortest_number.hpp"
#include "physics/md/io/box_placement.hpp"
#include "physics/md/io/lammps_data/atom_style.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace tessera::md::lammps {

AtomStyle Atoms::find_style() {
  const std::string words(reading_.scanner.comment());
  const std::string stated(plain_style(words));
  const auto known = std::find_if(all_styles.begin(), all_styles.end(),
                                  [&](AtomStyle style) { return name(style) == stated; });
  if (!asked_) {
    if (known != all_styles.end()) return *known;
    if (!is_richer_style(stated)) throw style_missing();
    throw reading_.scanner.error("Atoms", stated,
                                 "atoms of this style have more than a position, a type, a charge "
                                 "and a molecule, expected one of the atom styles " +
                                     names_of({all_styles.begin(), all_styles.end()}));
  }
  const bool fits = known != all_styles.end() && same_columns(*asked_, *known);
  if (words.empty() || fits) return *asked_;
  const bool another = known != all_styles.end() || is_richer_style(stated);
  reading_.warn_here("'" + words + "' behind Atoms " +
                     (another ? "is another atom style than the " + std::string(name(*asked_)) +
                                    " that was asked for"
                              : "begins with no atom style") +
                     ", the columns are taken as those of " + std::string(name(*asked_)) + " (" +
                     columns(*asked_) + ")");
  return *asked_;
}

InputError Atoms::style_missing() {
  TextScanner& scanner = reading_.scanner;
  const std::int64_t line = scanner.line_number();
  const std::string words(scanner.comment());
  std::vector<AtomStyle> fitting = styles_for(reading_.header);
  int found = 0;
  for (std::int64_t row = 0; row < reading_.header.atoms && scanner.next_filled_line(); ++row) {
    if (starts_with_letter(scanner.line())) break;
    if (row == 0) found = scanner.fields_left();
    std::erase_if(fitting, [&](AtomStyle style) { return !fits(style); });
  }
  std::string hint;
  for (std::size_t k = 0; k < fitting.size(); ++k) {
    // Styles with the same columns are adjacent in the list.
    if (k > 0 && same_columns(fitting[k - 1], fitting[k])) hint.resize(hint.rfind(" ("));
    hint += std::string(k == 0 ? "" : " or ") + std::string(name(fitting[k])) + " (" +
            columns(fitting[k]) + ")";
  }
  if (hint.empty()) hint = "none of them";
  hint = found == 0 ? "" : "; its " + std::to_string(found) + " columns fit " + hint;
  return scanner.error("Atoms", words,
                       "the section does not state its style, expected atom_style = one of " +
                           names_of({all_styles.begin(), all_styles.end()}) +
                           ", or a comment that names it, 'Atoms # full'" + hint,
                       line);
}

bool Atoms::fits(AtomStyle style) {
  TextScanner& scanner = reading_.scanner;
  scanner.rewind_line();
  const int surplus = scanner.fields_left() - column_count(style);
  if (surplus != 0 && surplus != 3) return false;
  std::int64_t whole = 0;
  double number = 0;
  if (!parse_number(scanner.next_field(), whole)) return false;
  if (has_molecule(style) && !parse_number(scanner.next_field(), whole)) return false;
  if (!types_.find(scanner.next_field())) return false;
  for (int k = has_charge(style) ? 4 : 3; k > 0; --k)
    if (!parse_number(scanner.next_field(), number)) return false;
  for (int k = 0; k < surplus; ++k)
    if (!parse_number(scanner.next_field(), whole)) return false;
  return true;
}

void Atoms::read() {
  style_ = find_style();
  const std::string unknown = unknown_to(style_, reading_.header);
  if (!unknown.empty())
    throw reading_.scanner.error(
        "atom_style", name(style_),
        "the header announces " + std::to_string(reading_.header.count_of(unknown)) + " " +
            unknown + ", which atoms of this style cannot have, expected one of " +
            names_of(styles_for(reading_.header)));
  System& system = reading_.system;
  const std::size_t rows = reading_.rows_to_reserve();
  system.ids.reserve(rows);
  system.type.reserve(rows);
  system.positions.reserve(rows);
  system.images.reserve(rows);
  lines_.reserve(rows);
  if (has_charge(style_)) system.charges.reserve(rows);
  if (has_molecule(style_)) system.molecules.reserve(rows);
  reading_.for_each_row("Atoms", Reading::RowStart::digit, [&] { read_atom(); });
}

void Atoms::read_atom() {
  TextScanner& scanner = reading_.scanner;
  System& system = reading_.system;
  std::int64_t id = 0;
  const std::string_view id_field = scanner.next_field();
  if (!parse_number(id_field, id) || id < 1) {
    throw scanner.error("Atoms id", id_field, "expected a whole number from 1 up");
  }
  if (has_molecule(style_)) {
    std::int64_t molecule = 0;
    const std::string_view field = scanner.next_field();
    if (!parse_number(field, molecule)) {
      throw bad_field("molecule", id, field, "expected a whole number");
    }
    system.molecules.push_back(molecule);
  }
  const std::string_view type_field = scanner.next_field();
  const std::optional<std::int32_t> type = types_.find(type_field);
  if (!type) {
    throw bad_field("type", id, type_field, types_.expected(type_field));
  }
  if (has_charge(style_)) system.charges.push_back(read_coordinate("q", id));
  std::array<double, 3> position;
  std::array<std::int32_t, 3> image = {0, 0, 0};
  static const std::array<std::string, 3> axes = {"x", "y", "z"};
  for (std::size_t d = 0; d < 3; ++d)
    position[d] = read_coordinate(axes[d], id);
  std::string_view field = scanner.next_field();
  if (!field.empty()) {
    for (std::size_t d = 0; d < 3; ++d) {
      if (!parse_number(field, image[d])) {
        throw bad_field("image flag " + axes[d], id, field, "expected a whole number");
      }
      field = scanner.next_field();
    }
    if (!field.empty()) throw wrong_columns();
  }
  if (reading_.header.turn) position = reading_.header.turn->about(reading_.header.box, position);
  place(id, position, image);
  system.ids.push_back(id);
  system.type.push_back(*type);
  system.positions.push_back(position);
  system.images.push_back(image);
  lines_.push_back(scanner.line_number());
}

double Atoms::read_coordinate(const std::string& column, std::int64_t id) {
  const std::string_view field = reading_.scanner.next_field();
  double value = 0;
  if (!parse_number(field, value)) throw bad_field(column, id, field, "expected a number");
  if (!std::isfinite(value)) throw bad_field(column, id, field, "expected a finite number");
  return value;
}

InputError Atoms::bad_field(const std::string& column, std::int64_t id, std::string_view value,
                            const std::string& expected) {
  if (value.empty()) return wrong_columns();
  return reading_.scanner.error(column + " of atom " + std::to_string(id), value, expected);
}

InputError Atoms::wrong_columns() {
  TextScanner& scanner = reading_.scanner;
  scanner.rewind_line();
  const int count = column_count(style_);
  return scanner.error("Atoms", scanner.line(),
                       "expected " + std::to_string(count) + " columns (" + columns(style_) +
                           ") or " + std::to_string(count + 3) +
                           " with image flags for atom_style " + std::string(name(style_)) +
                           ", found " + std::to_string(scanner.fields_left()));
}

void Atoms::place(std::int64_t id, std::array<double, 3>& position,
                  std::array<std::int32_t, 3>& image) const {
  const Box& box = reading_.header.box;
  const PlacementResult result = wrap_into_box(box, position, image);
  if (result.placement == Placement::inside) return;
  const int axis = result.axis;
  const std::string range = range_text(box, axis);
  const std::string expected =
      result.placement == Placement::outside
          ? "expected a position inside the box " + range +
                ", which is not periodic in this direction"
          : "expected a position within 1e9 box lengths of the box " + range;
  throw reading_.scanner.error(std::string(1, axis_name(axis)) + " of atom " + std::to_string(id),
                               shortest_number(position[static_cast<std::size_t>(axis)]), expected);
}

IdIndex Atoms::index() const {
  const std::vector<std::int64_t>& ids = reading_.system.ids;
  IdIndex index(ids);
  if (const auto twice = index.duplicate()) {
    const auto first = static_cast<std::size_t>(twice->first);
    const auto second = static_cast<std::size_t>(twice->second);
    throw reading_.scanner.error(
        "Atoms id", std::to_string(ids[second]),
        "expected each id once, it is also on line " + std::to_string(lines_[first]),
        lines_[second]);
  }
  return index;
}

}  // namespace tessera::md::lammps
