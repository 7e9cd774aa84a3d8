#include "physics/md/io/lammps_data/types.hpp"

#include "core/base/shortest_number.hpp"

#include <algorithm>
#include <set>

namespace tessera::md::lammps {
namespace {

constexpr std::size_t most_names = 20;  // in a message

}  // namespace

void AtomTypes::read_masses() {
  TextScanner& scanner = reading_.scanner;
  has_mass_.resize(reading_.system.types.size());
  mass_comments_.resize(reading_.system.types.size());
  reading_.for_each_row("Masses", Reading::RowStart::anything, [&] {
    const auto type = static_cast<std::size_t>(read_type("Masses"));
    const std::string field_name = "mass of type " + std::to_string(type + 1);
    if (has_mass_[type]) {
      throw scanner.error(field_name, "", "the type occurs twice, expected it once");
    }
    const double mass = reading_.read_real(field_name);
    if (!(mass > 0)) {
      scanner.rewind_line();
      scanner.next_field();
      throw scanner.error(field_name, scanner.next_field(), "expected a mass greater than zero");
    }
    reading_.expect_end_of_row("Masses", "type mass");
    reading_.system.types[type].mass = mass;
    has_mass_[type] = true;
    mass_comments_[type] = std::string(scanner.comment());
  });
}

std::size_t AtomTypes::type_of(const std::string& name) const {
  const std::vector<AtomType>& types = reading_.system.types;
  const auto named = std::find_if(types.begin(), types.end(),
                                  [&](const AtomType& type) { return type.name == name; });
  if (named != types.end()) return static_cast<std::size_t>(named - types.begin());
  if (const auto type = labels_.find(name)) return static_cast<std::size_t>(*type);
  std::string names;
  for (std::size_t i = 0; i < types.size() && i < most_names; ++i)
    names += (i == 0 ? "" : ", ") + types[i].name;
  if (types.size() > most_names) names += ", ...";
  throw InputError(
      {reading_.scanner.file(), 0, "type", name},
      "a mass is given for it, and the file has no such type, expected one of " + names);
}

void AtomTypes::take_masses() {
  std::vector<AtomType>& types = reading_.system.types;
  const std::string& file = reading_.scanner.file();
  has_mass_.resize(types.size());
  for (const AtomType& given : reading_.options.masses) {
    const std::size_t i = type_of(given.name);
    if (has_mass_[i] && types[i].mass != given.mass)
      reading_.report.warnings.push_back(file + ": type " + types[i].name + " has the mass " +
                                         shortest_number(types[i].mass) + " there, the case has " +
                                         shortest_number(given.mass) + ", which is used");
    types[i].mass = given.mass;
    has_mass_[i] = true;
  }
  const auto without = std::find(has_mass_.begin(), has_mass_.end(), false);
  if (without == has_mass_.end()) return;
  const std::string& name = types[static_cast<std::size_t>(without - has_mass_.begin())].name;
  throw InputError({file, 0, "mass of type " + name, ""},
                   "the file has no section Masses, expected the mass in the case: "
                   "[[system.type]] with name = \"" +
                       name + "\" and its mass");
}

void AtomTypes::complete() {
  set_names();
  take_masses();
}

void AtomTypes::set_names() {
  std::vector<AtomType>& types = reading_.system.types;
  for (std::size_t i = 0; i < types.size(); ++i)
    types[i].name = std::to_string(i + 1);
  const std::set<std::string> different(mass_comments_.begin(), mass_comments_.end());
  const bool usable =
      different.size() == types.size() &&
      std::all_of(different.begin(), different.end(), [](const auto& comment) {
        return starts_with_letter(comment) && comment.find_first_of(" \t") == std::string::npos;
      });
  for (std::size_t i = 0; usable && i < types.size(); ++i)
    types[i].name = mass_comments_[i];
  for (const auto& [label, type] : labels_.by_label())
    types[static_cast<std::size_t>(type)].name = label;
}

}  // namespace tessera::md::lammps
