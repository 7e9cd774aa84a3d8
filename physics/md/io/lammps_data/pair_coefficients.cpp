#include "physics/md/io/lammps_data/pair_coefficients.hpp"

#include "physics/md/io/lammps_data/coefficient_rows.hpp"
#include "physics/md/pair_potential/pair_potential.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

namespace tessera::md::lammps {
namespace {

const std::map<std::string, PairColumns, std::less<>>& known_styles() {
  static const std::vector<std::string> lj = {"epsilon", "sigma"};
  static const std::vector<std::string> buck = {"a", "rho", "c"};
  static const std::vector<std::string> own = {"cutoff"};
  static const std::vector<std::string> both = {"cutoff", "coulomb_cutoff"};
  static const std::map<std::string, PairColumns, std::less<>> styles = {
      {"lj/cut", {"lj/cut", lj, own}},
      {"lj/cut/coul/cut", {"lj/cut+coul/cut", lj, both}},
      {"lj/cut/coul/dsf", {"lj/cut+coul/dsf", lj, own}},
      {"lj/cut/coul/long", {"lj/cut+coul/long", lj, own}},
      {"lj/gromacs", {"lj/gromacs", lj, {"switch", "cutoff"}, true}},
      {"lj/smooth/linear", {"lj/smooth/linear", lj, own}},
      {"mie/cut", {"mie/cut", {"epsilon", "sigma", "repulsive", "attractive"}, own}},
      {"buck", {"buck", buck, own}},
      {"buck/coul/cut", {"buck+coul/cut", buck, both}},
      {"buck/coul/long", {"buck+coul/long", buck, own}},
      {"morse", {"morse", {"d0", "alpha", "r0"}, own}},
      {"yukawa", {"yukawa", {"a"}, own}}};
  return styles;
}

/// The style of rows that state none: the one that belongs to `potential`, because LAMMPS reads
/// such rows as those of its pair_style.
std::string style_of_potential(const std::string& potential) {
  for (const auto& [name, columns] : known_styles())
    if (columns.potential == potential) return name;
  return "lj/cut";
}

std::string list_of_columns(const PairColumns& columns, bool both_types, std::string_view style) {
  std::string text = both_types ? "type type" : "type";
  for (const auto* const names : {&columns.required, &columns.optional})
    for (const std::string& name : *names)
      text += " " + name;
  return text + " (" + std::string(style) + ")";
}

/// Reads the numbers of one row.
std::map<std::string, double> read_values(Reading& reading, const std::string& section,
                                          const PairColumns& columns, bool both_types,
                                          std::string_view style) {
  TextScanner& scanner = reading.scanner;
  const PairPotential potential = pair_potentials().find(columns.potential);
  std::map<std::string, double> values;
  const auto read = [&](const std::string& name) {
    values[name] = reading.read_real(section + " " + name);
  };
  for (const std::string& name : columns.required)
    read(name);
  for (const std::string& name : columns.optional)
    if (scanner.fields_left() > 0) read(name);
  reading.expect_end_of_row(section, list_of_columns(columns, both_types, style));
  const std::size_t given = values.size() - columns.required.size();
  if (columns.all_or_none && given > 0 && given < columns.optional.size())
    throw scanner.error(section, scanner.line(),
                        "expected " + list_of_columns(columns, both_types, style) +
                            ", the last of them all or none");
  // A single cutoff is the cutoff of the charges too.
  if (given == 1 && columns.optional.size() == 2) values[columns.optional[1]] = values["cutoff"];
  for (const auto& [name, value] : values) {
    const CoefficientField& field = potential.fields()[potential.field(name)];
    auto wrong = out_of_range(field, value);
    if (field.is_cutoff && !(value > 0)) wrong = "expected a length greater than zero";
    if (!wrong)
      wrong = contradicts(field, value, [&](const std::string& other) { return values.at(other); });
    if (wrong) throw scanner.error(section, scanner.line(), name + ": " + *wrong);
  }
  return values;
}

}  // namespace

std::optional<std::pair<std::string, PairColumns>> style_of(
    const std::vector<PairCoefficient>& coefficients) {
  const auto holds = [](const PairColumns& columns, const PairCoefficient& coefficient) {
    std::size_t found = 0;
    for (const std::string& column : columns.required)
      found += coefficient.values.count(column);
    if (found < columns.required.size()) return false;
    // Optional columns can be omitted only from the end of the row.
    std::size_t last = 0;
    while (last < columns.optional.size() && coefficient.values.contains(columns.optional[last]))
      ++last;
    if (columns.all_or_none && last > 0 && last < columns.optional.size()) return false;
    return found + last == coefficient.values.size();
  };
  for (const auto& [name, columns] : known_styles())
    if (std::all_of(coefficients.begin(), coefficients.end(),
                    [&, &of_style = columns](const auto& c) { return holds(of_style, c); }))
      return std::pair{name, columns};
  return {};
}

void read_pair_coefficients(Reading& reading, AtomTypes& types, const std::string& section) {
  const TextScanner& scanner = reading.scanner;
  CoefficientRows::Styles styles{
      {}, style_of_potential(reading.options.pair_potential), reading.options.own_pairs};
  for (const auto& [name, columns] : known_styles())
    styles.known.push_back(name);
  CoefficientRows rows(reading, section, std::move(styles));
  const bool both_types = section == "PairIJ Coeffs";
  std::set<std::pair<int, int>> given;
  std::vector<PairCoefficient> found;
  const auto take_types = [&] {
    PairCoefficient& coefficient = found.emplace_back();
    coefficient.type_i = types.read_type(section);
    coefficient.type_j = both_types ? types.read_type(section) : coefficient.type_i;
  };
  const auto take_values = [&](const std::string& style) {
    PairCoefficient& coefficient = found.back();
    if (!given.insert(std::minmax(coefficient.type_i, coefficient.type_j)).second)
      throw scanner.error(section, scanner.line(), "the pair occurs twice, expected it once");
    coefficient.values = read_values(reading, section, known_styles().at(style), both_types, style);
  };
  if (!rows.read(take_types, take_values)) return;
  auto& all = reading.system.pair_coefficients;
  all.insert(all.end(), found.begin(), found.end());
}

}  // namespace tessera::md::lammps
