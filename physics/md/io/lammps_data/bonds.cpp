#include <set>
#include <string>
#include <tessera/md/io/lammps_data/bonds.hpp>
#include <utility>

namespace tessera::md::lammps {

std::int32_t Bonds::read_type(const std::string& field_name) {
  const std::string_view field = reading_.scanner.next_field();
  const std::int32_t types = reading_.system.bond_types;
  std::int32_t type = 0;
  if (!parse_number(field, type) || type < 1 || type > types) {
    throw reading_.scanner.error(field_name, field,
                                 "expected a bond type from 1 to " + std::to_string(types));
  }
  return type - 1;
}

bool Bonds::read_coefficients() {
  const std::string section = "Bond Coeffs";
  if (!reading_.is_style(section, "harmonic")) return false;
  const TextScanner& scanner = reading_.scanner;
  std::set<std::int32_t> given;
  reading_.for_each_row(section, reading_.system.bond_types, Reading::RowStart::anything, [&] {
    BondCoefficient coefficient;
    coefficient.type = read_type(section);
    if (!given.insert(coefficient.type).second) {
      throw scanner.error(section, scanner.line(), "the type comes twice, expected it once");
    }
    coefficient.values = {reading_.read_real(section + " K"), reading_.read_real(section + " r0")};
    reading_.expect_end_of_row(section, "type K r0 (harmonic)");
    if (coefficient.values[0] < 0 || coefficient.values[1] < 0) {
      throw scanner.error(section, scanner.line(), "expected K >= 0 and r0 >= 0");
    }
    reading_.system.bond_coefficients.push_back(std::move(coefficient));
  });
  return true;
}

void Bonds::read() {
  reading_.for_each_row("Bonds", reading_.count_of("bonds"), Reading::RowStart::digit, [&] {
    const auto whole = [&](const std::string& what) {
      const std::string_view field = reading_.scanner.next_field();
      std::int64_t value = 0;
      if (!parse_number(field, value)) {
        throw reading_.scanner.error("Bonds " + what, field, "expected a whole number");
      }
      return value;
    };
    static_cast<void>(whole("id"));
    Row row;
    row.type = read_type("Bonds type");
    row.atoms = {whole("first atom"), whole("second atom")};
    reading_.expect_end_of_row("Bonds", "id type atom atom");
    row.line = reading_.scanner.line_number();
    rows_.push_back(row);
  });
}

void Bonds::assign(const IdIndex& index) {
  for (const Row& row : rows_) {
    Bond bond;
    bond.type = row.type;
    for (std::size_t end = 0; end < 2; ++end) {
      const std::int64_t place = index.find(row.atoms[end]);
      if (place < 0) {
        throw reading_.scanner.error("Bonds atom", std::to_string(row.atoms[end]),
                                     "expected the id of an atom in section Atoms", row.line);
      }
      bond.atoms[end] = static_cast<std::int32_t>(place);
    }
    if (bond.atoms[0] == bond.atoms[1]) {
      throw reading_.scanner.error("Bonds atom", std::to_string(row.atoms[0]),
                                   "expected two different atoms", row.line);
    }
    reading_.system.bonds.push_back(bond);
  }
}

}  // namespace tessera::md::lammps
