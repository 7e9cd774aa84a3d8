#include <algorithm>
#include <set>
#include <tessera/md/io/lammps_data/types.hpp>

namespace tessera::md::lammps {

std::optional<std::int32_t> AtomTypes::find(std::string_view field) const {
  std::int32_t type = 0;
  if (parse_number(field, type))
    return type >= 1 && type <= reading_.header.atom_types ? std::optional(type - 1) : std::nullopt;
  const auto label = labels_.find(field);
  return label != labels_.end() ? std::optional(label->second) : std::nullopt;
}

std::int32_t AtomTypes::read_type(const std::string& field_name) {
  const std::string_view field = reading_.scanner.next_field();
  if (const auto type = find(field)) return *type;
  throw reading_.scanner.error(
      field_name, field,
      starts_with_letter(field)
          ? "expected a type number or one of the type labels"
          : "expected a type from 1 to " + std::to_string(reading_.header.atom_types));
}

void AtomTypes::read_labels() {
  std::set<std::int32_t> given;
  const std::string section = "Atom Type Labels";
  reading_.for_each_row(section, reading_.header.atom_types, Reading::RowStart::anything, [&] {
    const std::int32_t type = read_type(section);
    const std::string label(reading_.scanner.next_field());
    if (!starts_with_letter(label) || !labels_.emplace(label, type).second ||
        !given.insert(type).second) {
      throw reading_.scanner.error(
          section, label,
          "expected one label for each type, each starting with a letter and given once");
    }
    reading_.system.types[static_cast<std::size_t>(type)].name = label;
  });
}

void AtomTypes::read_masses() {
  TextScanner& scanner = reading_.scanner;
  mass_comments_.resize(reading_.system.types.size());
  std::set<std::int32_t> given;
  reading_.for_each_row("Masses", reading_.header.atom_types, Reading::RowStart::anything, [&] {
    const std::int32_t type = read_type("Masses");
    const std::string field_name = "mass of type " + std::to_string(type + 1);
    if (!given.insert(type).second) {
      throw scanner.error(field_name, "", "the type comes twice, expected it once");
    }
    const double mass = reading_.read_real(field_name);
    if (!(mass > 0)) {
      scanner.rewind_line();
      scanner.next_field();
      throw scanner.error(field_name, scanner.next_field(), "expected a mass greater than zero");
    }
    reading_.expect_end_of_row("Masses", "type mass");
    reading_.system.types[static_cast<std::size_t>(type)].mass = mass;
    mass_comments_[static_cast<std::size_t>(type)] = std::string(scanner.comment());
  });
}

void AtomTypes::set_names() {
  if (!labels_.empty()) return;
  const std::set<std::string> different(mass_comments_.begin(), mass_comments_.end());
  const bool usable =
      different.size() == mass_comments_.size() &&
      std::all_of(different.begin(), different.end(), [](const auto& comment) {
        return starts_with_letter(comment) && comment.find_first_of(" \t") == std::string::npos;
      });
  std::vector<AtomType>& types = reading_.system.types;
  for (std::size_t i = 0; i < types.size(); ++i)
    types[i].name = usable ? mass_comments_[i] : std::to_string(i + 1);
}

}  // namespace tessera::md::lammps
