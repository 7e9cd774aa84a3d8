#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <map>
#include <set>
#include <tessera/core/base/input_file.hpp>
#include <tessera/md/io/box_placement.hpp>
#include <tessera/md/io/id_index.hpp>
#include <tessera/md/io/lammps_data.hpp>
#include <tessera/md/io/lammps_header.hpp>
#include <tessera/md/io/number_text.hpp>
#include <tessera/md/io/text_scanner.hpp>
#include <utility>
#include <vector>

namespace tessera::md {
namespace {

constexpr std::array all_styles = {AtomStyle::atomic, AtomStyle::charge, AtomStyle::full};

std::vector<std::string> style_names() {
  std::vector<std::string> names;
  for (const AtomStyle style : all_styles)
    names.emplace_back(name(style));
  return names;
}

int column_count(AtomStyle style) {
  return 5 + static_cast<int>(style);
}

std::string columns(AtomStyle style) {
  switch (style) {
    case AtomStyle::atomic:
      return "id type x y z";
    case AtomStyle::charge:
      return "id type q x y z";
    case AtomStyle::full:
      return "id molecule type q x y z";
  }
  return "";
}

const std::vector<std::string> sections_read = {
    "Masses", "Atom Type Labels", "Pair Coeffs", "PairIJ Coeffs",
    "Atoms",  "Velocities",       "Bond Coeffs", "Bonds"};

// Sections that are skipped whose rows are counted in the header, with the keyword of the count.
const std::map<std::string, std::string, std::less<>> sections_counted = {
    {"Angles", "angles"}, {"Dihedrals", "dihedrals"}, {"Impropers", "impropers"}};

const std::vector<std::string> sections_skipped = {"Angle Coeffs",
                                                   "Dihedral Coeffs",
                                                   "Improper Coeffs",
                                                   "BondBond Coeffs",
                                                   "BondAngle Coeffs",
                                                   "MiddleBondTorsion Coeffs",
                                                   "EndBondTorsion Coeffs",
                                                   "AngleTorsion Coeffs",
                                                   "AngleAngleTorsion Coeffs",
                                                   "BondBond13 Coeffs",
                                                   "AngleAngle Coeffs",
                                                   "Bond Type Labels",
                                                   "Angle Type Labels",
                                                   "Dihedral Type Labels",
                                                   "Improper Type Labels",
                                                   "CMAP",
                                                   "Ellipsoids",
                                                   "Lines",
                                                   "Triangles",
                                                   "Bodies"};

const std::vector<std::string>& all_sections() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list = sections_read;
    for (const auto& [section, count] : sections_counted)
      list.push_back(section);
    list.insert(list.end(), sections_skipped.begin(), sections_skipped.end());
    return list;
  }();
  return names;
}

bool is_section(std::string_view line) {
  const auto& names = all_sections();
  return std::find(names.begin(), names.end(), line) != names.end();
}

bool starts_with_letter(std::string_view text) {
  return !text.empty() && std::isalpha(static_cast<unsigned char>(text.front()));
}

/// A line of words alone. In a section that is skipped it is taken for the next section keyword;
/// rows of such a section have numbers in them.
bool words_only(std::string_view line) {
  return std::all_of(line.begin(), line.end(),
                     [](unsigned char c) { return std::isalpha(c) || std::isspace(c); });
}

/// "lj/cut" and its accelerated variants ("lj/cut/omp") have the same columns.
bool is_lj_cut(std::string_view style) {
  static const std::set<std::string_view> names = {
      "lj/cut",     "lj/cut/omp",   "lj/cut/opt",     "lj/cut/kk",
      "lj/cut/gpu", "lj/cut/intel", "lj/cut/kk/host", "lj/cut/kk/device"};
  return names.contains(style.substr(0, style.find(' ')));
}

class DataFileReader {
 public:
  DataFileReader(const std::filesystem::path& path, const LammpsDataOptions& options,
                 ReadReport& report)
      : scanner_(path.string(), read_file(path), '#'), options_(options), report_(report) {}

  System read() {
    header_ = read_lammps_header(scanner_, options_.periodic);
    note_units();
    system_.box = header_.box;
    system_.types.resize(static_cast<std::size_t>(header_.atom_types));
    system_.bond_types = static_cast<std::int32_t>(count_of("bond types"));
    bool more = header_.more;
    while (more)
      more = read_section();
    finish();
    return std::move(system_);
  }

 private:
  /// Reads the section whose keyword is the current line. \returns whether the scanner stands on
  /// another line afterwards.
  bool read_section() {
    const std::string section(scanner_.line());
    if (!is_section(section)) throw not_a_section(section);
    if (!seen_.insert(section).second) {
      throw scanner_.error(section, "", "the section comes twice, expected it once");
    }
    if (section == "Masses") {
      read_masses();
    } else if (section == "Atom Type Labels") {
      read_labels();
    } else if (section == "Pair Coeffs") {
      if (!coefficients_are_readable(section)) return skip(section);
      read_pair_coefficients(section, header_.atom_types, false);
    } else if (section == "PairIJ Coeffs") {
      if (!coefficients_are_readable(section)) return skip(section);
      const std::int64_t types = header_.atom_types;
      read_pair_coefficients(section, types * (types + 1) / 2, true);
    } else if (section == "Atoms") {
      read_atoms();
    } else if (section == "Velocities") {
      read_velocities();
    } else if (section == "Bond Coeffs") {
      if (!is_style(section, "harmonic")) return skip(section);
      read_bond_coefficients();
    } else if (section == "Bonds") {
      read_bonds();
    } else {
      return skip(section);
    }
    last_section_ = section;
    return scanner_.next_filled_line();
  }

  InputError not_a_section(const std::string& line) const {
    if (starts_with_letter(line)) {
      const std::string guess = nearest(line, all_sections());
      return scanner_.error(
          "section", line,
          "unknown section" + (guess.empty() ? "" : ", did you mean '" + guess + "'?"));
    }
    return scanner_.error(last_section_, line,
                          "expected the next section: there are more rows than the " +
                              std::to_string(last_count_) + " that the header announces");
  }

  /// Calls `row` for each of the `count` lines of a section, with its first field ahead.
  template <typename Row>
  void for_each_row(const std::string& section, std::int64_t count, bool rows_start_with_digit,
                    Row&& row) {
    last_count_ = count;
    for (std::int64_t i = 0; i < count; ++i) {
      if (!scanner_.next_filled_line()) {
        throw scanner_.error(section, "",
                             "the file ends after " + std::to_string(i) + " of the " +
                                 std::to_string(count) + " rows that the header announces");
      }
      if (rows_start_with_digit ? starts_with_letter(scanner_.line())
                                : is_section(scanner_.line())) {
        throw scanner_.error(section, scanner_.line(),
                             "expected " + std::to_string(count) +
                                 " rows as the header announces, found " + std::to_string(i));
      }
      row();
    }
  }

  bool skip(const std::string& section) {
    const auto counted = sections_counted.find(section);
    std::int64_t rows = 0;
    bool more = false;
    while ((more = scanner_.next_filled_line())) {
      if (is_section(scanner_.line()) || words_only(scanner_.line())) break;
      ++rows;
    }
    if (counted != sections_counted.end()) {
      const std::int64_t expected = count_of(counted->second);
      if (rows != expected) {
        throw scanner_.error(section, more ? scanner_.line() : std::string_view(),
                             (more ? "expected " : "the file is truncated: expected ") +
                                 std::to_string(expected) +
                                 " rows as the header announces, found " + std::to_string(rows));
      }
    }
    report_.ignored.push_back(section + " (" + std::to_string(rows) + " rows)");
    last_section_ = section;
    last_count_ = rows;
    return more;
  }

  std::int32_t read_type(const std::string& field_name) {
    const std::string_view field = scanner_.next_field();
    std::int32_t type = 0;
    if (starts_with_letter(field)) {
      const auto label = labels_.find(field);
      if (label != labels_.end()) return label->second;
      throw scanner_.error(field_name, field, "expected a type number or one of the type labels");
    }
    if (!parse_number(field, type) || type < 1 || type > header_.atom_types) {
      throw scanner_.error(field_name, field,
                           "expected a type from 1 to " + std::to_string(header_.atom_types));
    }
    return type - 1;
  }

  double read_real(const std::string& field_name) {
    const std::string_view field = scanner_.next_field();
    double value = 0;
    if (!parse_number(field, value)) {
      throw scanner_.error(field_name, field,
                           field.empty() ? "the row ends before this column" : "expected a number");
    }
    if (!std::isfinite(value)) throw scanner_.error(field_name, field, "expected a finite number");
    return value;
  }

  void expect_end_of_row(const std::string& section, const std::string& expected_columns) {
    const std::string_view field = scanner_.next_field();
    if (!field.empty()) {
      throw scanner_.error(section, field, "expected no more columns than " + expected_columns);
    }
  }

  void read_labels() {
    std::set<std::int32_t> given;
    for_each_row("Atom Type Labels", header_.atom_types, false, [&] {
      const std::int32_t type = read_type("Atom Type Labels");
      const std::string label(scanner_.next_field());
      if (!starts_with_letter(label) || !labels_.emplace(label, type).second ||
          !given.insert(type).second) {
        throw scanner_.error("Atom Type Labels", label,
                             "expected one label for each type, each starting with a letter and "
                             "given once");
      }
      system_.types[static_cast<std::size_t>(type)].name = label;
    });
  }

  void read_masses() {
    mass_comments_.resize(system_.types.size());
    std::set<std::int32_t> given;
    for_each_row("Masses", header_.atom_types, false, [&] {
      const std::int32_t type = read_type("Masses");
      const std::string field_name = "mass of type " + std::to_string(type + 1);
      if (!given.insert(type).second) {
        throw scanner_.error(field_name, "", "the type comes twice, expected it once");
      }
      const double mass = read_real(field_name);
      if (!(mass > 0)) {
        scanner_.rewind_line();
        scanner_.next_field();
        throw scanner_.error(field_name, scanner_.next_field(),
                             "expected a mass greater than zero");
      }
      expect_end_of_row("Masses", "type mass");
      system_.types[static_cast<std::size_t>(type)].mass = mass;
      mass_comments_[static_cast<std::size_t>(type)] = std::string(scanner_.comment());
    });
  }

  bool coefficients_are_readable(const std::string& section) {
    return is_lj_cut(scanner_.comment()) || is_style(section, "lj/cut");
  }

  /// Whether the section is of this style, or does not say; else a warning tells that it is
  /// skipped.
  bool is_style(const std::string& section, const std::string& known) {
    const std::string style(scanner_.comment());
    if (style.empty() || style == known) return true;
    report_.warnings.push_back(scanner_.file() + ":" + std::to_string(scanner_.line_number()) +
                               ": " + section + " of style '" + style +
                               "' are ignored, only those of " + known + " are read");
    return false;
  }

  [[nodiscard]] std::int64_t count_of(std::string_view keyword) const {
    const auto found = header_.counts.find(keyword);
    return found == header_.counts.end() ? 0 : found->second;
  }

  std::int32_t read_bond_type(const std::string& field_name) {
    const std::string_view field = scanner_.next_field();
    std::int32_t type = 0;
    if (!parse_number(field, type) || type < 1 || type > system_.bond_types) {
      throw scanner_.error(field_name, field,
                           "expected a bond type from 1 to " + std::to_string(system_.bond_types));
    }
    return type - 1;
  }

  void read_bond_coefficients() {
    const std::string section = "Bond Coeffs";
    std::set<std::int32_t> given;
    for_each_row(section, system_.bond_types, false, [&] {
      BondCoefficient coefficient;
      coefficient.type = read_bond_type(section);
      if (!given.insert(coefficient.type).second) {
        throw scanner_.error(section, scanner_.line(), "the type comes twice, expected it once");
      }
      coefficient.values = {read_real(section + " K"), read_real(section + " r0")};
      expect_end_of_row(section, "type K r0 (harmonic)");
      if (coefficient.values[0] < 0 || coefficient.values[1] < 0) {
        throw scanner_.error(section, scanner_.line(), "expected K >= 0 and r0 >= 0");
      }
      system_.bond_coefficients.push_back(std::move(coefficient));
    });
  }

  /// Atoms stay ids until all sections are read.
  void read_bonds() {
    for_each_row("Bonds", count_of("bonds"), true, [&] {
      const auto whole = [&](const std::string& what) {
        const std::string_view field = scanner_.next_field();
        std::int64_t value = 0;
        if (!parse_number(field, value)) {
          throw scanner_.error("Bonds " + what, field, "expected a whole number");
        }
        return value;
      };
      static_cast<void>(whole("id"));
      BondRow row;
      row.type = read_bond_type("Bonds type");
      row.atoms = {whole("first atom"), whole("second atom")};
      expect_end_of_row("Bonds", "id type atom atom");
      row.line = scanner_.line_number();
      bond_rows_.push_back(row);
    });
  }

  void assign_bonds(const IdIndex& index) {
    for (const BondRow& row : bond_rows_) {
      Bond bond;
      bond.type = row.type;
      for (std::size_t end = 0; end < 2; ++end) {
        const std::int64_t place = index.find(row.atoms[end]);
        if (place < 0) {
          throw scanner_.error("Bonds atom", std::to_string(row.atoms[end]),
                               "expected the id of an atom in section Atoms", row.line);
        }
        bond.atoms[end] = static_cast<std::int32_t>(place);
      }
      if (bond.atoms[0] == bond.atoms[1]) {
        throw scanner_.error("Bonds atom", std::to_string(row.atoms[0]),
                             "expected two different atoms", row.line);
      }
      system_.bonds.push_back(bond);
    }
  }

  void read_pair_coefficients(const std::string& section, std::int64_t rows, bool both_types) {
    std::set<std::pair<int, int>> given;
    for_each_row(section, rows, false, [&] {
      PairCoefficient coefficient;
      coefficient.type_i = read_type(section);
      coefficient.type_j = both_types ? read_type(section) : coefficient.type_i;
      if (!given.insert(std::minmax(coefficient.type_i, coefficient.type_j)).second) {
        throw scanner_.error(section, scanner_.line(), "the pair comes twice, expected it once");
      }
      const double epsilon = coefficient.values["epsilon"] = read_real(section + " epsilon");
      const double sigma = coefficient.values["sigma"] = read_real(section + " sigma");
      double cutoff = 1;
      if (scanner_.fields_left() > 0)
        cutoff = coefficient.values["cutoff"] = read_real(section + " cutoff");
      expect_end_of_row(section, both_types ? "type type epsilon sigma cutoff (lj/cut)"
                                            : "type epsilon sigma cutoff (lj/cut)");
      if (epsilon < 0 || sigma < 0 || (sigma == 0 && epsilon != 0) || cutoff <= 0) {
        throw scanner_.error(section, scanner_.line(),
                             "expected epsilon >= 0, sigma > 0 and a cutoff > 0 where given");
      }
      system_.pair_coefficients.push_back(coefficient);
    });
  }

  AtomStyle find_atom_style() {
    const std::string_view comment = scanner_.comment();
    const std::string stated(comment.substr(0, comment.find_first_of(" \t")));
    if (stated.empty()) {
      if (options_.atom_style) return *options_.atom_style;
      throw style_missing();
    }
    for (const AtomStyle style : all_styles) {
      if (name(style) != stated) continue;
      if (options_.atom_style && *options_.atom_style != style) {
        throw scanner_.error("Atoms", stated,
                             "the file states another atom_style than the " +
                                 std::string(name(*options_.atom_style)) + " that was asked for");
      }
      return style;
    }
    throw scanner_.error("Atoms", stated, "expected one of the atom styles atomic, charge, full");
  }

  InputError style_missing() {
    const std::int64_t line = scanner_.line_number();
    std::string hint;
    if (scanner_.next_filled_line()) {
      const int found = scanner_.fields_left();
      for (const AtomStyle style : all_styles) {
        if (found != column_count(style) && found != column_count(style) + 3) continue;
        hint = "; its " + std::to_string(found) + " columns fit " + std::string(name(style)) +
               " (" + columns(style) + ")";
      }
    }
    return scanner_.error("Atoms", "",
                          "the section does not state its style: give atom_style = \"atomic\", "
                          "\"charge\" or \"full\", or write it as a comment, 'Atoms # atomic'" +
                              hint,
                          line);
  }

  void read_atoms() {
    const AtomStyle style = find_atom_style();
    // A header can announce more than a file of this length can hold.
    const auto rows = static_cast<std::size_t>(std::min<std::int64_t>(header_.atoms, 1 << 24));
    system_.ids.reserve(rows);
    system_.type.reserve(rows);
    system_.positions.reserve(rows);
    system_.images.reserve(rows);
    atom_lines_.reserve(rows);
    if (style != AtomStyle::atomic) system_.charges.reserve(rows);
    if (style == AtomStyle::full) system_.molecules.reserve(rows);
    for_each_row("Atoms", header_.atoms, true, [&] { read_atom(style); });
  }

  void read_atom(AtomStyle style) {
    std::int64_t id = 0;
    const std::string_view id_field = scanner_.next_field();
    if (!parse_number(id_field, id) || id < 1) {
      throw scanner_.error("Atoms id", id_field, "expected a whole number from 1 up");
    }
    if (style == AtomStyle::full) {
      std::int64_t molecule = 0;
      const std::string_view field = scanner_.next_field();
      if (!parse_number(field, molecule)) {
        throw bad_atom_field("molecule", id, field, "expected a whole number", style);
      }
      system_.molecules.push_back(molecule);
    }
    std::int32_t type = 0;
    const std::string_view type_field = scanner_.next_field();
    if (!parse_number(type_field, type) || type < 1 || type > header_.atom_types) {
      const auto label = labels_.find(type_field);
      if (label == labels_.end()) {
        throw bad_atom_field("type", id, type_field,
                             "expected a type from 1 to " + std::to_string(header_.atom_types),
                             style);
      }
      type = label->second + 1;
    }
    if (style != AtomStyle::atomic) system_.charges.push_back(read_atom_real("q", id, style));
    std::array<double, 3> position;
    std::array<std::int32_t, 3> image = {0, 0, 0};
    static const std::array<std::string, 3> axes = {"x", "y", "z"};
    for (std::size_t d = 0; d < 3; ++d)
      position[d] = read_atom_real(axes[d], id, style);
    std::string_view field = scanner_.next_field();
    if (!field.empty()) {
      for (std::size_t d = 0; d < 3; ++d) {
        if (!parse_number(field, image[d])) {
          throw bad_atom_field("image flag " + axes[d], id, field, "expected a whole number",
                               style);
        }
        field = scanner_.next_field();
      }
      if (!field.empty()) throw wrong_columns(style);
    }
    place(id, position, image);
    system_.ids.push_back(id);
    system_.type.push_back(type - 1);
    system_.positions.push_back(position);
    system_.images.push_back(image);
    atom_lines_.push_back(scanner_.line_number());
  }

  double read_atom_real(const std::string& column, std::int64_t id, AtomStyle style) {
    const std::string_view field = scanner_.next_field();
    double value = 0;
    if (!parse_number(field, value)) {
      throw bad_atom_field(column, id, field, "expected a number", style);
    }
    if (!std::isfinite(value)) {
      throw bad_atom_field(column, id, field, "expected a finite number", style);
    }
    return value;
  }

  InputError bad_atom_field(const std::string& column, std::int64_t id, std::string_view value,
                            const std::string& expected, AtomStyle style) {
    if (value.empty()) return wrong_columns(style);
    return scanner_.error(column + " of atom " + std::to_string(id), value, expected);
  }

  InputError wrong_columns(AtomStyle style) {
    scanner_.rewind_line();
    const int count = column_count(style);
    return scanner_.error("Atoms", scanner_.line(),
                          "expected " + std::to_string(count) + " columns (" + columns(style) +
                              ") or " + std::to_string(count + 3) +
                              " with image flags for atom_style " + std::string(name(style)) +
                              ", found " + std::to_string(scanner_.fields_left()));
  }

  void place(std::int64_t id, std::array<double, 3>& position, std::array<std::int32_t, 3>& image) {
    const PlacementResult result = place_in_box(header_.box, position, image);
    if (result.placement == Placement::inside) return;
    const int axis = result.axis;
    const std::string range = range_text(header_.box, axis);
    const std::string expected =
        result.placement == Placement::outside
            ? "expected a position inside the box " + range +
                  ", which is not periodic in this direction"
            : "expected a position within 1e9 box lengths of the box " + range;
    throw scanner_.error(std::string(1, axis_name(axis)) + " of atom " + std::to_string(id),
                         shortest_number(position[static_cast<std::size_t>(axis)]), expected);
  }

  void read_velocities() {
    const auto rows = static_cast<std::size_t>(std::min<std::int64_t>(header_.atoms, 1 << 24));
    velocity_ids_.reserve(rows);
    velocities_.reserve(rows);
    velocity_lines_.reserve(rows);
    static const std::array<std::string, 3> names = {"vx", "vy", "vz"};
    for_each_row("Velocities", header_.atoms, true, [&] {
      const std::string_view id_field = scanner_.next_field();
      std::int64_t id = 0;
      if (!parse_number(id_field, id)) {
        throw scanner_.error("Velocities id", id_field, "expected the id of an atom");
      }
      std::array<double, 3> velocity;
      for (std::size_t d = 0; d < 3; ++d) {
        const std::string_view field = scanner_.next_field();
        if (!parse_number(field, velocity[d]) || !std::isfinite(velocity[d])) {
          throw scanner_.error(names[d] + " of atom " + std::to_string(id), field,
                               "expected a finite number");
        }
      }
      expect_end_of_row("Velocities", "id vx vy vz");
      velocity_ids_.push_back(id);
      velocities_.push_back(velocity);
      velocity_lines_.push_back(scanner_.line_number());
    });
  }

  void note_units() {
    const std::string key = "units = ";
    const std::size_t start = header_.title.find(key);
    if (start == std::string::npos) return;
    const std::string rest = header_.title.substr(start + key.size());
    report_.units = rest.substr(0, rest.find_first_of(" ,;\t"));
  }

  void finish() {
    const auto require = [&](const std::string& section, bool needed) {
      if (!needed || seen_.contains(section)) return;
      throw scanner_.error(section, "",
                           "the file ends without this section, expected it because of the header");
    };
    require("Masses", header_.atom_types > 0);
    require("Atoms", header_.atoms > 0);
    require("Bonds", count_of("bonds") > 0);
    for (const auto& [section, keyword] : sections_counted)
      require(section, count_of(keyword) > 0);
    const IdIndex index(system_.ids);
    if (const auto twice = index.duplicate()) {
      const auto first = static_cast<std::size_t>(twice->first);
      const auto second = static_cast<std::size_t>(twice->second);
      throw scanner_.error(
          "Atoms id", std::to_string(system_.ids[second]),
          "expected each id once, it is also on line " + std::to_string(atom_lines_[first]),
          atom_lines_[second]);
    }
    assign_velocities(index);
    assign_bonds(index);
    name_types();
    for (const std::string& section : report_.ignored) {
      report_.warnings.push_back(scanner_.file() + ": section " + section +
                                 " is ignored: no operation uses it");
    }
  }

  void assign_velocities(const IdIndex& index) {
    if (!seen_.contains("Velocities") || velocities_.empty()) return;
    if (velocity_ids_ == system_.ids) {
      system_.velocities = std::move(velocities_);
      return;
    }
    system_.velocities.resize(system_.ids.size());
    std::vector<std::int64_t> line_of(system_.ids.size(), 0);
    for (std::size_t i = 0; i < velocity_ids_.size(); ++i) {
      const std::int64_t place = index.find(velocity_ids_[i]);
      const std::string id = std::to_string(velocity_ids_[i]);
      if (place < 0) {
        throw scanner_.error("Velocities id", id, "expected the id of an atom in section Atoms",
                             velocity_lines_[i]);
      }
      const auto atom = static_cast<std::size_t>(place);
      if (line_of[atom] > 0) throw velocity_twice(i, line_of[atom]);
      line_of[atom] = velocity_lines_[i];
      system_.velocities[atom] = velocities_[i];
    }
  }

  InputError velocity_twice(std::size_t row, std::int64_t first_line) const {
    // As many rows as atoms and one id twice: another atom has none.
    std::set<std::int64_t> given(velocity_ids_.begin(), velocity_ids_.end());
    const auto without = std::find_if(system_.ids.begin(), system_.ids.end(),
                                      [&](std::int64_t id) { return !given.contains(id); });
    return scanner_.error("Velocities id", std::to_string(velocity_ids_[row]),
                          "expected each atom once, it is also on line " +
                              std::to_string(first_line) + "; atom " + std::to_string(*without) +
                              " has no velocity",
                          velocity_lines_[row]);
  }

  void name_types() {
    if (!labels_.empty()) return;
    const std::set<std::string> different(mass_comments_.begin(), mass_comments_.end());
    const bool usable =
        different.size() == mass_comments_.size() &&
        std::all_of(different.begin(), different.end(), [](const auto& comment) {
          return starts_with_letter(comment) && comment.find_first_of(" \t") == std::string::npos;
        });
    for (std::size_t i = 0; i < system_.types.size(); ++i) {
      system_.types[i].name = usable ? mass_comments_[i] : std::to_string(i + 1);
    }
  }

  struct BondRow {
    std::array<std::int64_t, 2> atoms{};  ///< ids
    std::int32_t type = 0;
    std::int64_t line = 0;
  };

  TextScanner scanner_;
  const LammpsDataOptions& options_;
  ReadReport& report_;
  LammpsHeader header_;
  System system_;
  std::set<std::string> seen_;
  std::string last_section_;
  std::int64_t last_count_ = 0;
  std::map<std::string, std::int32_t, std::less<>> labels_;
  std::vector<std::string> mass_comments_;
  std::vector<std::int64_t> atom_lines_;
  std::vector<std::int64_t> velocity_ids_;
  std::vector<std::array<double, 3>> velocities_;
  std::vector<std::int64_t> velocity_lines_;
  std::vector<BondRow> bond_rows_;
};

}  // namespace

std::string_view name(AtomStyle style) {
  switch (style) {
    case AtomStyle::atomic:
      return "atomic";
    case AtomStyle::charge:
      return "charge";
    case AtomStyle::full:
      return "full";
  }
  return "unknown";
}

AtomStyle atom_style_from_name(std::string_view text) {
  for (const AtomStyle style : all_styles) {
    if (name(style) == text) return style;
  }
  throw SelectionError("atom style", std::string(text), style_names());
}

System read_lammps_data(const std::filesystem::path& path, const LammpsDataOptions& options,
                        ReadReport* report) {
  ReadReport unused;
  return DataFileReader(path, options, report ? *report : unused).read();
}

}  // namespace tessera::md
