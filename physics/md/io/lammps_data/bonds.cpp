#include "physics/md/io/lammps_data/bonds.hpp"

#include "physics/md/io/lammps_data/coefficient_rows.hpp"
#include "physics/md/listed_force/listed_potential.hpp"

#include <set>
#include <string>
#include <utility>
#include <vector>

namespace tessera::md::lammps {

void Bonds::read_coefficients() {
  const std::string section = "Bond Coeffs";
  const TextScanner& scanner = reading_.scanner;
  std::set<std::int32_t> given;
  std::vector<std::string> styles;
  for (const ListedPotentialPart& part : listed_potentials(bond_class))
    styles.push_back(part.name);
  CoefficientRows rows(reading_, section,
                       {styles, reading_.options.bond_potential, reading_.options.own_bonds, true});
  std::int32_t type = 0;
  const auto types = [&] { type = types_.read_type(section); };
  const auto values = [&](const std::string& style) {
    if (!given.insert(type).second)
      throw scanner.error(section, scanner.line(), "the type occurs twice, expected it once");
    BondCoefficient coefficient{type, {}, style == "harmonic" ? std::string() : style};
    const ListedPotential potential = listed_potential(bond_class, style);
    std::string columns = "type";
    for (const CoefficientField& field : potential.parts.front().fields) {
      coefficient.values.push_back(reading_.read_real(section + " " + field.name));
      columns += " " + field.name;
      if (const auto wrong = out_of_range(field, coefficient.values.back()))
        throw scanner.error(section, scanner.line(), field.name + ": " + *wrong);
    }
    reading_.expect_end_of_row(section, columns + " (" + style + ")");
    reading_.system.bond_coefficients.push_back(std::move(coefficient));
  };
  if (!rows.read(types, values)) reading_.system.bond_coefficients.clear();
}

void Bonds::read() {
  reading_.for_each_row("Bonds", Reading::RowStart::digit, [&] {
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
    row.type = types_.read_type("Bonds type");
    row.atoms = {whole("first atom"), whole("second atom")};
    reading_.expect_end_of_row("Bonds", "id type atom atom");
    row.line = reading_.scanner.line_number();
    rows_.push_back(row);
  });
}

void Bonds::assign(const IdIndex& index) {
  std::vector<std::string>& labels = reading_.system.bond_labels;
  labels.resize(types_.by_label().size());
  for (const auto& [label, type] : types_.by_label())
    labels[static_cast<std::size_t>(type)] = label;
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
