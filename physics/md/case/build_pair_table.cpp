#include "physics/md/case/build_pair_table.hpp"

#include "core/base/error.hpp"
#include "core/base/physical_memory.hpp"
#include "core/base/shortest_number.hpp"
#include "physics/md/case/pair_section.hpp"
#include "physics/md/case/styles_of_pairs.hpp"
#include "physics/md/case/units_section.hpp"
#include "physics/md/io/table_file.hpp"
#include "physics/md/pair_potential/pair_potential.hpp"
#include "physics/md/pair_potential/tabulated_pair.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>

namespace tessera::md {
namespace {

std::vector<std::string> names_of(const std::vector<AtomType>& types) {
  std::vector<std::string> names;
  for (const AtomType& type : types)
    names.push_back(type.name);
  return names;
}

/// Coefficients of pairs of types, and the potential of each.
struct GivenPairs {
  std::vector<PairCoefficient> coefficients;
  std::vector<const PairPotential*> potentials;
};

void add(const std::vector<CoefficientEntry>& entries, const std::string& key, const System& system,
         const StylesOfPairs& styles, GivenPairs& given) {
  const std::vector<std::string> names = names_of(system.types);
  for (const CoefficientEntry& entry : entries) {
    const auto type = [&](const TypeReference& reference) {
      return resolve_type(reference, std::ssize(names), names, entry.origin,
                          "pair." + key + ".types");
    };
    given.coefficients.push_back({type(entry.types[0]), type(entry.types[1]), entry.values});
    given.potentials.push_back(&styles.of(entry));
  }
}

/// A table that the case names for a pair of types.
struct GivenTable {
  TabulatedPair table;
  double cutoff;
};
/// Key: the two types, the lower first.
using GivenTables = std::map<std::pair<int, int>, GivenTable>;

/// Reads the tables of the entries, and sets their cutoffs and first distances in `given`.
void read_tables(const cases::Case& c, const std::vector<CoefficientEntry>& entries,
                 std::vector<PairCoefficient>::iterator given, GivenTables& tables) {
  for (const CoefficientEntry& entry : entries) {
    if (entry.file.path.empty()) {
      ++given;
      continue;
    }
    GivenTable read{read_pair_table_file(entry.file.path, entry.keyword, entry.forces), 0};
    const double asked = entry.value("cutoff").value_or(c.get<PairSection>().cutoff);
    read.cutoff = std::min(asked, read.table.r.back());
    if (!(read.cutoff > read.table.r.front()))
      throw InputError(
          {entry.origin.file, entry.origin.line, "pair.coefficients.cutoff", rounded_number(asked)},
          "expected more than the first distance of the table, " +
              rounded_number(read.table.r.front()));
    given->values["cutoff"] = read.cutoff;
    given->values["inner"] = read.table.r.front();
    tables[std::minmax(given->type_i, given->type_j)] = std::move(read);
    ++given;
  }
}

/// \param own pairs of types with a style that is not that of the section.
void require_all_tables(const PairSection& pair, const System& system, const GivenTables& tables,
                        const std::set<std::pair<int, int>>& own) {
  const int count = static_cast<int>(system.types.size());
  for (int i = 0; i < count; ++i)
    for (int j = i; j < count; ++j)
      if (!tables.contains({i, j}) && !own.contains({i, j}))
        throw InputError({pair.origin.file, pair.origin.line, "pair.coefficients", ""},
                         "no table for types " + system.types[static_cast<std::size_t>(i)].name +
                             " and " + system.types[static_cast<std::size_t>(j)].name +
                             ", expected one for each pair of types: tables do not mix");
}

void require_atom_data(const PairSection& pair, const PairPotential& potential,
                       const System& system) {
  const auto refuse = [&](const char* what) {
    throw InputError(
        {pair.origin.file, pair.origin.line, "pair.style", cases::in_quotes(pair.style)},
        "'" + potential.name() + "' reads " + what + ", which the atoms do not have");
  };
  if (potential.reads(AtomData::charge) && system.charges.size() != system.positions.size())
    refuse("charges");
  if (potential.reads(AtomData::dipole)) refuse("dipoles");
}

/// \param near whether coefficients for pairs three bonds apart take precedence
CoefficientTable table_of(const cases::Case& c, const System& system, bool near) {
  const PairSection& pair = c.get<PairSection>();
  const StylesOfPairs styles(pair);
  const PairPotential& potential = styles.potential();
  require_atom_data(pair, potential, system);
  GivenPairs pairs;
  std::vector<PairCoefficient>& given = pairs.coefficients;
  const std::string foreign = foreign_coefficient(styles.usual(), system);
  if (foreign.empty()) given = system.pair_coefficients;
  const auto of_file = std::ssize(given);
  pairs.potentials.assign(given.size(), &styles.usual());
  add(pair.coefficients, "coefficients", system, styles, pairs);
  if (styles.differ()) styles.require_one_each(pair.coefficients, given, system.types);
  if (near) add(pair.coefficients_14, "coefficients_14", system, styles, pairs);
  GivenTables tables;
  if (potential.parts().front().points > 0) {
    const auto own = given.begin() + of_file;
    read_tables(c, pair.coefficients, own, tables);
    if (near) read_tables(c, pair.coefficients_14, own + std::ssize(pair.coefficients), tables);
    if (styles.usual().parts().front().points > 0) {
      std::set<std::pair<int, int>> own_style;
      for (std::size_t k = 0; k < given.size(); ++k)
        if (pairs.potentials[k] != &styles.usual())
          own_style.insert(std::minmax(given[k].type_i, given[k].type_j));
      require_all_tables(pair, system, tables, own_style);
    }
  }
  if (styles.differ())
    for (std::size_t k = 0; k < given.size(); ++k) {
      CoefficientValues values = given[k].values;
      if (pairs.potentials[k] == &styles.usual())
        values.insert(pair.settings.begin(), pair.settings.end());
      given[k].values = styles.in_sum(*pairs.potentials[k], values, pair.cutoff);
    }
  const double numbers = static_cast<double>(system.types.size()) *
                         static_cast<double>(system.types.size() * (potential.fields().size() + 1));
  if (numbers * sizeof(double) > static_cast<double>(physical_memory_bytes()))
    throw InputError({pair.origin.file, pair.origin.line, "pair.coefficients", ""},
                     "a table for each pair of " + std::to_string(system.types.size()) +
                         " types of atoms exceeds the memory of this machine");
  CoefficientValues for_all = pair.settings;
  for_all["cutoff"] = pair.cutoff;
  if (styles.differ()) for_all = styles.in_sum(styles.usual(), for_all, pair.cutoff);
  for (const CoefficientField& field : potential.fields())
    if (field.scope == CoefficientField::Scope::units)
      for_all[field.name] = units_of(c).coulomb_constant;
  try {
    CoefficientTable table = mix_coefficients(pair.mixing, potential, system.types, given, for_all);
    for (const auto& [types, given_table] : tables)
      set_tabulated(table, types.first, types.second, given_table.table, given_table.cutoff,
                    TableForces::file);  // reading the file has checked the forces
    return table;
  } catch (const Error& error) {
    std::string text = error.what();
    if (!foreign.empty())
      text += "; those of the atoms' file are of another style: they have '" + foreign + "'";
    throw InputError({pair.origin.file, pair.origin.line, "pair.coefficients", ""}, text);
  }
}

}  // namespace

std::string foreign_coefficient(const PairPotential& potential, const System& system) {
  for (const PairCoefficient& c : system.pair_coefficients)
    for (const auto& [name, value] : c.values) {
      const auto has_name = [&own = name](const CoefficientField& field) {
        return field.name == own;
      };
      if (std::none_of(potential.fields().begin(), potential.fields().end(), has_name)) return name;
    }
  return {};
}

CoefficientTable build_pair_table(const cases::Case& c, const System& system) {
  return table_of(c, system, false);
}

std::optional<CoefficientTable> build_pair_table_14(const cases::Case& c, const System& system) {
  if (c.get<PairSection>().coefficients_14.empty()) return {};
  return table_of(c, system, true);
}

}  // namespace tessera::md
