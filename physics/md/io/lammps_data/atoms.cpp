#include <cmath>
#include <tessera/core/base/shortest_number.hpp>
#include <tessera/md/io/box_placement.hpp>
#include <tessera/md/io/lammps_data/atom_style.hpp>
#include <tessera/md/io/lammps_data/atoms.hpp>

namespace tessera::md::lammps {

AtomStyle Atoms::find_style() {
  const TextScanner& scanner = reading_.scanner;
  const std::string_view comment = scanner.comment();
  const std::string stated(comment.substr(0, comment.find_first_of(" \t")));
  if (stated.empty()) {
    if (asked_) return *asked_;
    throw style_missing();
  }
  for (const AtomStyle style : all_styles) {
    if (name(style) != stated) continue;
    if (asked_ && *asked_ != style) {
      throw scanner.error("Atoms", stated,
                          "the file states another atom_style than the " +
                              std::string(name(*asked_)) + " that was asked for");
    }
    return style;
  }
  throw scanner.error("Atoms", stated, "expected one of the atom styles atomic, charge, full");
}

InputError Atoms::style_missing() {
  TextScanner& scanner = reading_.scanner;
  const std::int64_t line = scanner.line_number();
  std::string hint;
  if (scanner.next_filled_line()) {
    const int found = scanner.fields_left();
    for (const AtomStyle style : all_styles) {
      if (found != column_count(style) && found != column_count(style) + 3) continue;
      hint = "; its " + std::to_string(found) + " columns fit " + std::string(name(style)) + " (" +
             columns(style) + ")";
    }
  }
  return scanner.error("Atoms", "",
                       "the section does not state its style: give atom_style = \"atomic\", "
                       "\"charge\" or \"full\", or write it as a comment, 'Atoms # atomic'" +
                           hint,
                       line);
}

void Atoms::read() {
  style_ = find_style();
  System& system = reading_.system;
  const std::size_t rows = reading_.rows_to_reserve();
  system.ids.reserve(rows);
  system.type.reserve(rows);
  system.positions.reserve(rows);
  system.images.reserve(rows);
  lines_.reserve(rows);
  if (style_ != AtomStyle::atomic) system.charges.reserve(rows);
  if (style_ == AtomStyle::full) system.molecules.reserve(rows);
  reading_.for_each_row("Atoms", reading_.header.atoms, Reading::RowStart::digit,
                        [&] { read_atom(); });
}

void Atoms::read_atom() {
  TextScanner& scanner = reading_.scanner;
  System& system = reading_.system;
  std::int64_t id = 0;
  const std::string_view id_field = scanner.next_field();
  if (!parse_number(id_field, id) || id < 1) {
    throw scanner.error("Atoms id", id_field, "expected a whole number from 1 up");
  }
  if (style_ == AtomStyle::full) {
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
    throw bad_field("type", id, type_field,
                    "expected a type from 1 to " + std::to_string(reading_.header.atom_types));
  }
  if (style_ != AtomStyle::atomic) system.charges.push_back(read_coordinate("q", id));
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
  const PlacementResult result = place_in_box(box, position, image);
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
