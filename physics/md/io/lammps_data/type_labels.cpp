#include "physics/md/io/lammps_data/type_labels.hpp"

#include <cctype>
#include <set>

namespace tessera::md::lammps {
namespace {

/// In LAMMPS a label does not begin with a digit or '*'; "-5" and "nan" are labels.
bool may_be_label(std::string_view text) {
  return !text.empty() && text.front() != '*' &&
         !std::isdigit(static_cast<unsigned char>(text.front()));
}

}  // namespace

TypeLabels::TypeLabels(Reading& reading, const std::string& kind)
    : reading_(reading), kind_(kind) {}

std::optional<std::int32_t> TypeLabels::find(std::string_view field) const {
  if (const auto label = types_.find(field); label != types_.end()) return label->second;
  std::int32_t type = 0;
  const bool fits = parse_number(field, type) && type >= 1 && type <= count();
  return fits ? std::optional(type - 1) : std::nullopt;
}

std::string TypeLabels::expected(std::string_view field) const {
  double number = 0;
  if (may_be_label(field) && !parse_number(field, number))
    return types_.empty() ? "expected a number: no section gives labels to the " + kind_ + " types"
                          : "expected a type number or one of the type labels";
  return "expected " + std::string(kind_ == "atom" ? "a type" : "a " + kind_ + " type") +
         " from 1 to " + std::to_string(count());
}

std::int32_t TypeLabels::read_type(const std::string& field_name) {
  const std::string_view field = reading_.scanner.next_field();
  if (const auto type = find(field)) return *type;
  throw reading_.scanner.error(field_name, field, expected(field));
}

void TypeLabels::read() {
  const std::string section = std::string(reading_.scanner.line());
  std::set<std::int32_t> given;
  reading_.for_each_row(section, Reading::RowStart::anything, [&] {
    const std::int32_t type = read_type(section);
    const std::string label(reading_.scanner.next_field());
    if (!may_be_label(label) || !types_.emplace(label, type).second || !given.insert(type).second) {
      throw reading_.scanner.error(
          section, label,
          "expected one label for each type, which does not begin with a digit, and each once");
    }
    reading_.expect_end_of_row(section, "type label");
  });
}

}  // namespace tessera::md::lammps
