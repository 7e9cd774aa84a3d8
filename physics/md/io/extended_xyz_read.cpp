#include "core/base/input_file.hpp"
#include "core/base/shortest_number.hpp"
#include "core/base/text_scanner.hpp"
#include "physics/md/io/box_placement.hpp"
#include "physics/md/io/elements.hpp"
#include "physics/md/io/extended_xyz.hpp"
#include "physics/md/io/extended_xyz_comment.hpp"
#include "physics/md/io/id_index.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace tessera::md {
namespace {

class FrameReader {
 public:
  FrameReader(const std::filesystem::path& path, const ExtendedXyzOptions& options,
              ReadReport& report)
      : scanner_(path.string(), read_file(path), '\0'), options_(options), report_(report) {}

  System read() {
    go_to_frame(options_.frame.value_or(-1) < 0 ? last_frame() : *options_.frame);
    comment_ = read_xyz_comment(scanner_);
    if (options_.periodic) {
      std::copy(options_.periodic->begin(), options_.periodic->end(), comment_.box.periodic);
    }
    require_vectors();
    require_sound(comment_.box, "Lattice");
    system_.box = comment_.box;
    system_.types = options_.types;
    note_ignored_columns();
    const std::int64_t first_row = scanner_.line_number() + 1;
    with_momenta_ = has(XyzColumn::momentum) && !has(XyzColumn::velocity);
    for (std::int64_t i = 0; i < atoms_; ++i) {
      expect_row(i);
      read_row(i);
    }
    span_atoms();
    expect_end_of_frame();
    warn_of_masses();
    if (!has(XyzColumn::id)) {
      for (std::int64_t i = 0; i < atoms_; ++i)
        system_.ids.push_back(i + 1);
    } else if (const auto twice = IdIndex(system_.ids).duplicate()) {
      throw scanner_.error(
          "id", std::to_string(system_.ids[static_cast<std::size_t>(twice->second)]),
          "expected each id once, it is also on line " + std::to_string(first_row + twice->first),
          first_row + twice->second);
    }
    return std::move(system_);
  }

 private:
  [[nodiscard]] bool has(XyzColumn column) const {
    return std::any_of(comment_.properties.begin(), comment_.properties.end(),
                       [&](const XyzProperty& p) { return p.column == column; });
  }

  /// Reads the count line of the next frame and moves to its comment line; false at the end.
  bool next_frame() {
    if (!scanner_.next_filled_line()) return false;
    if (!parse_number(scanner_.line(), atoms_) || atoms_ < 0) {
      throw scanner_.error("number of atoms", scanner_.line().substr(0, 40),
                           "expected a whole number from 0 up on the first line of a frame");
    }
    if (!scanner_.next_line()) {
      throw scanner_.error("comment line", "", "the file ends after the number of atoms");
    }
    return true;
  }

  void expect_row(std::int64_t row) {
    if (scanner_.next_line()) return;
    throw scanner_.error("atoms", "",
                         "the file ends after " + std::to_string(row) + " of the " +
                             std::to_string(atoms_) + " atoms of this frame");
  }

  /// Throws if another row follows, because it would be an atom beyond the stated number.
  void expect_end_of_frame() {
    std::int64_t count = 0;
    if (!scanner_.next_filled_line() || parse_number(scanner_.line(), count)) return;
    throw scanner_.error("atoms", scanner_.line(),
                         "expected the number of atoms of a next frame or the end of the file: "
                         "there are more rows than the " +
                             std::to_string(atoms_) + " atoms of this frame");
  }

  void skip_rows() {
    for (std::int64_t i = 0; i < atoms_; ++i)
      expect_row(i);
  }

  std::int64_t last_frame() {
    std::int64_t frames = 0;
    while (next_frame()) {
      skip_rows();
      ++frames;
    }
    scanner_.restart();
    if (frames > 1 && !options_.frame)
      report_.warnings.push_back(scanner_.file() + ": the last of " + std::to_string(frames) +
                                 " frames is read; `frame` selects another");
    return std::max<std::int64_t>(frames - 1, 0);
  }

  void go_to_frame(std::int64_t wanted) {
    for (std::int64_t frame = 0;; ++frame) {
      if (!next_frame()) {
        if (frame == 0) throw scanner_.error("", "", "the file is empty");
        throw scanner_.error("frame", std::to_string(wanted),
                             "the file has " + std::to_string(frame) +
                                 " frames, expected one of them, counted from 0");
      }
      if (frame == wanted) return;
      skip_rows();
    }
  }

  void require_sound(const Box& box, const char* field) const {
    if (const auto fault = find_fault(box))
      throw scanner_.error(field, shortest_number(fault->value),
                           fault->field + ": " + fault->expected);
  }

  /// Throws if the file lacks the vector of a periodic direction.
  void require_vectors() const {
    for (int d = 0; d < 3; ++d) {
      if (comment_.has_vector[static_cast<std::size_t>(d)] || !comment_.box.periodic[d]) continue;
      throw scanner_.error("Lattice", "",
                           std::string("no vector ") + "abc"[d] +
                               " on the comment line of the frame, and " + axis_name(d) +
                               " is periodic: expected Lattice=\"lx 0 0 xy ly 0 xz yz lz\", or "
                               "pbc=\"F F F\" where there is no cell");
    }
  }

  /// In directions without a vector, sets the box to the range of the atoms, at least 1 long.
  void span_atoms() {
    std::string axes;
    for (int axis = 0; axis < 3; ++axis) {
      const auto d = static_cast<std::size_t>(axis);
      if (comment_.has_vector[d]) continue;
      if (axis < options_.dimensions)
        axes += std::string(axes.empty() ? "" : ", ") + axis_name(axis);
      if (system_.positions.empty()) continue;
      const auto [least, largest] =
          std::minmax_element(system_.positions.begin(), system_.positions.end(),
                              [d](const auto& a, const auto& b) { return a[d] < b[d]; });
      double low = (*least)[d];
      double high = (*largest)[d];
      if (high - low < 1) {
        const double middle = low + 0.5 * (high - low);
        low = middle - 0.5;
        high = middle + 0.5;
      }
      system_.box.lower[axis] = low;
      system_.box.length[axis] = high - low;
    }
    require_sound(system_.box, "pos");
    if (axes.empty()) return;
    report_.warnings.push_back(scanner_.file() + ": no cell along " + axes +
                               ": not periodic there, the box ends at the outermost atoms; "
                               "pressures are over its " +
                               (options_.dimensions == 2 ? "area" : "volume"));
  }

  void note_ignored_columns() {
    static const std::set<std::string> results = {"energies", "force", "forces", "stress_volume"};
    for (const XyzProperty& property : comment_.properties) {
      if (property.column != XyzColumn::ignored || results.contains(property.name)) continue;
      report_.ignored.push_back("column " + property.name);
      report_.warnings.push_back(scanner_.file() + ":" + std::to_string(scanner_.line_number()) +
                                 ": column " + property.name + " is ignored");
    }
  }

  void read_row(std::int64_t row) {
    std::array<double, 3> position = {0, 0, 0};
    std::array<double, 3> momentum = {0, 0, 0};
    std::array<std::int32_t, 3> image = {0, 0, 0};
    std::optional<double> mass;
    for (const XyzProperty& property : comment_.properties) {
      switch (property.column) {
        case XyzColumn::species:
          system_.type.push_back(read_species(row));
          break;
        case XyzColumn::position:
          position = read_vector("pos", row);
          break;
        case XyzColumn::velocity:
          system_.velocities.push_back(read_vector("velo", row));
          break;
        case XyzColumn::charge:
          system_.charges.push_back(read_real("charge", row));
          break;
        case XyzColumn::momentum:
          momentum = read_vector("momenta", row);
          break;
        case XyzColumn::mass:
          mass = read_mass(row);
          break;
        case XyzColumn::image:
          image = read_image(row);
          break;
        case XyzColumn::id:
          read_id(row);
          break;
        case XyzColumn::ignored:
          for (int i = 0; i < property.count; ++i)
            take_field(row);
          break;
      }
    }
    if (scanner_.fields_left() > 0) throw wrong_columns(row);
    const auto type = static_cast<std::size_t>(system_.type.back());
    if (mass) take_mass(row, type, *mass);
    if (with_momenta_) {
      const double unit = options_.ase_velocity / (mass ? *mass : system_.types[type].mass);
      for (double& p : momentum)
        p *= unit;
      if (!std::all_of(momentum.begin(), momentum.end(), [](double v) { return std::isfinite(v); }))
        throw bad_field("momenta", row, "", "expected a velocity that is a finite number");
      system_.velocities.push_back(momentum);
    }
    place(row, position, image);
  }

  double read_mass(std::int64_t row) {
    const double mass = read_real("mass", row);
    if (!(mass > 0))
      throw bad_field("mass", row, shortest_number(mass), "expected a mass greater than zero");
    return mass;
  }

  std::array<std::int32_t, 3> read_image(std::int64_t row) {
    std::array<std::int32_t, 3> image;
    for (std::int32_t& flag : image) {
      const std::string_view field = take_field(row);
      if (!parse_number(field, flag))
        throw bad_field("images", row, field, "expected a whole number of 32 bits");
    }
    return image;
  }

  /// Sets the mass of a type, of which there is only one: that of the case, else that of its first
  /// atom.
  void take_mass(std::int64_t row, std::size_t type, double mass) {
    double& of_type = system_.types[type].mass;
    if (!options_.types.empty()) {
      if (mass != of_type && !other_masses_.contains(type)) other_masses_[type] = mass;
      return;
    }
    if (masses_given_.insert(type).second) of_type = mass;
    if (mass == of_type) return;
    throw bad_field("mass", row, shortest_number(mass),
                    "expected " + shortest_number(of_type) + ", the mass of the first atom of " +
                        system_.types[type].name + ": a type has one mass");
  }

  void warn_of_masses() {
    for (const auto& [type, mass] : other_masses_)
      report_.warnings.push_back(scanner_.file() + ": " + system_.types[type].name +
                                 " has the mass " + shortest_number(mass) +
                                 " there, the case has " +
                                 shortest_number(system_.types[type].mass) + ", which is used");
  }

  std::string_view take_field(std::int64_t row) {
    const std::string_view field = scanner_.next_field();
    if (field.empty()) throw wrong_columns(row);
    return field;
  }

  InputError wrong_columns(std::int64_t row) {
    int expected = 0;
    for (const XyzProperty& property : comment_.properties)
      expected += property.count;
    scanner_.rewind_line();
    return scanner_.error("atom " + std::to_string(row + 1), scanner_.line().substr(0, 80),
                          "expected " + std::to_string(expected) +
                              " columns as Properties announces, found " +
                              std::to_string(scanner_.fields_left()));
  }

  InputError bad_field(const std::string& column, std::int64_t row, std::string_view value,
                       const std::string& expected) const {
    return scanner_.error(column + " of atom " + std::to_string(row + 1), value, expected);
  }

  double read_real(const std::string& column, std::int64_t row) {
    const std::string_view field = take_field(row);
    double value = 0;
    if (!parse_number(field, value)) throw bad_field(column, row, field, "expected a number");
    if (!std::isfinite(value)) throw bad_field(column, row, field, "expected a finite number");
    return value;
  }

  std::array<double, 3> read_vector(const std::string& column, std::int64_t row) {
    static const std::array<std::string, 3> axes = {" x", " y", " z"};
    std::array<double, 3> vector;
    for (std::size_t d = 0; d < 3; ++d)
      vector[d] = read_real(column + axes[d], row);
    return vector;
  }

  void read_id(std::int64_t row) {
    const std::string_view field = take_field(row);
    std::int64_t id = 0;
    if (!parse_number(field, id)) throw bad_field("id", row, field, "expected a whole number");
    system_.ids.push_back(id);
  }

  std::int32_t read_species(std::int64_t row) {
    const std::string_view field = take_field(row);
    // Neighboring rows mostly have the same species.
    if (field == last_species_) return last_type_;
    const auto renamed = comment_.type_names.find(field);
    const std::string name(renamed == comment_.type_names.end() ? field : renamed->second);
    const auto known = std::find_if(system_.types.begin(), system_.types.end(),
                                    [&](const AtomType& type) { return type.name == name; });
    last_type_ = static_cast<std::int32_t>(known - system_.types.begin());
    if (known == system_.types.end()) add_type(name, row);
    last_species_ = std::string(field);
    return last_type_;
  }

  void add_type(const std::string& name, std::int64_t row) {
    if (!options_.types.empty()) {
      std::vector<std::string> names;
      for (const AtomType& type : options_.types)
        names.push_back(type.name);
      const std::string guess = nearest(name, names);
      throw bad_field("species", row, name,
                      "expected one of the types of the case" +
                          (guess.empty() ? "" : ", did you mean '" + guess + "'?"));
    }
    double mass = 1;
    if (options_.element_masses) {
      const std::optional<double> known = element_mass(name);
      if (!known && !has(XyzColumn::mass)) {
        throw bad_field("species", row, name,
                        "its mass is not known, expected a chemical element or a type with its "
                        "mass in the case");
      }
      mass = known.value_or(mass);
    }
    system_.types.push_back({name, mass});
  }

  void place(std::int64_t row, std::array<double, 3>& position,
             std::array<std::int32_t, 3>& image) {
    const PlacementResult result = wrap_into_box(system_.box, position, image);
    // Accepts atoms outside of the box in directions that are not periodic, because runs write such
    // frames.
    if (result.placement != Placement::inside && result.placement != Placement::outside) {
      const auto axis = static_cast<std::size_t>(result.axis);
      throw bad_field(std::string("pos ") + axis_name(result.axis), row,
                      shortest_number(position[axis]),
                      "expected a position within 1e9 box lengths of the box " +
                          range_text(system_.box, result.axis));
    }
    system_.positions.push_back(position);
    system_.images.push_back(image);
  }

  TextScanner scanner_;
  const ExtendedXyzOptions& options_;
  ReadReport& report_;
  XyzComment comment_;
  System system_;
  std::int64_t atoms_ = 0;
  std::string last_species_;
  std::int32_t last_type_ = 0;
  bool with_momenta_ = false;
  std::set<std::size_t> masses_given_;          // types whose mass came from the column
  std::map<std::size_t, double> other_masses_;  // of types for which the case has another mass
};

}  // namespace

System read_extended_xyz(const std::filesystem::path& path, const ExtendedXyzOptions& options,
                         ReadReport* report) {
  ReadReport unused;
  return FrameReader(path, options, report ? *report : unused).read();
}

}  // namespace tessera::md
