#include "physics/md/case/simulation_parts.hpp"

#include "core/base/error.hpp"
#include "core/base/shortest_number.hpp"
#include "physics/md/case/bond_section.hpp"
#include "physics/md/case/build_pair_table.hpp"
#include "physics/md/case/exclusions_section.hpp"
#include "physics/md/case/group_pairs.hpp"
#include "physics/md/case/integrator_section.hpp"
#include "physics/md/case/pair_section.hpp"
#include "physics/md/io/id_index.hpp"
#include "physics/md/simulation/constant_term.hpp"
#include "physics/md/simulation/langevin.hpp"
#include "physics/md/simulation/listed_term.hpp"
#include "physics/md/simulation/pair_energies.hpp"
#include "physics/md/simulation/special_pairs.hpp"
#include "physics/md/simulation/special_term.hpp"
#include "physics/md/simulation/velocity_verlet.hpp"

#include <array>
#include <cmath>
#include <utility>

namespace tessera::md {
namespace {

/// Options of the term of bonds; coefficients of the case take precedence over those of the file.
ListedTermOptions bonds_with(const BondSection& section, const System& system) {
  System completed = system;
  for (const BondCoefficientEntry& entry : section.coefficients) {
    const std::int32_t type = resolve_type(entry.type, system.bond_types, system.bond_labels,
                                           entry.origin, "bond.coefficients.type");
    const std::string style = entry.style.value_or(section.style);
    BondCoefficient coefficient{type, {}, style};
    const ListedPotential potential = listed_potential(bond_class, style);
    for (const CoefficientField& field : potential.parts.front().fields)
      coefficient.values.push_back(entry.values.at(field.name));
    completed.bond_coefficients.push_back(std::move(coefficient));
  }
  return bonds_of(completed, "harmonic");
}

/// Options of special pairs.
/// \throws InputError for a listed pair with an atom that does not exist.
SpecialPairsOptions special_options(const cases::Case& c, const System& system, bool bonded) {
  const ExclusionsSection& section = c.get<ExclusionsSection>();
  SpecialPairsOptions options;
  const std::array<double, 3> coulomb = section.coulomb_factors.value_or(section.factors);
  for (std::size_t apart = 0; apart < 3; ++apart)
    options.factors[apart] =
        bonded ? PairFactors{section.factors[apart], coulomb[apart]} : PairFactors{};
  options.field = section.field;
  options.by_angles = section.angle;
  options.by_dihedrals = section.dihedral;
  if (bonded) options.third = build_pair_table_14(c, system);
  if (section.pairs.empty()) return options;
  const IdIndex index(system.ids);
  for (const ListedPairEntry& entry : section.pairs) {
    ListedPair& listed = options.listed.emplace_back();
    listed.factors = {entry.factor, entry.coulomb_factor.value_or(entry.factor)};
    for (std::size_t end = 0; end < 2; ++end) {
      const std::int64_t place = index.find(entry.atoms[end]);
      if (place < 0)
        throw InputError({entry.origin.file, entry.origin.line, "exclusions.pairs.atoms",
                          std::to_string(entry.atoms[end])},
                         "no atom has this id");
      listed.atoms[end] = static_cast<std::int32_t>(place);
    }
  }
  return options;
}

IntegratorFactory integrator_of(const IntegratorSection& section) {
  if (section.style == IntegratorStyle::velocity_verlet) return velocity_verlet();
  return langevin({section.temperature.value_or(0),
                   section.friction ? *section.friction : 1 / section.relaxation_time.value_or(1),
                   section.seed, section.zero});
}

/// The tail correction as a term.
/// \throws InputError if the case requests a tail correction that is not available.
TermFactory tail_term(const cases::Case& c, const CoefficientTable& pair, const System& system) {
  const PairSection& section = c.get<PairSection>();
  const auto refuse = [&](const std::string& why) {
    return InputError({section.origin.file, section.origin.line, "pair.tail", "true"}, why);
  };
  if (system.dimensions != 3) throw refuse("expected three dimensions");
  for (const bool periodic : system.box.periodic)
    if (!periodic) throw refuse("expected a box that is periodic in every direction");
  try {
    return constant_term(tail_of(pair, system));
  } catch (const ArgumentError& error) {
    throw refuse(error.what());
  }
}

void warn_of_no_relations(const ExclusionsSection& section, const System& system,
                          std::vector<std::string>& warnings) {
  if (section.angle && system.angles.empty() && system.dihedrals.empty())
    warnings.emplace_back(
        "exclusions.angle: the atoms' file has no angles and no dihedrals, so no atoms count as "
        "two "
        "bonds apart");
  if (section.dihedral && system.dihedrals.empty())
    warnings.emplace_back(
        "exclusions.dihedral: the atoms' file has no dihedrals, so no atoms count as three bonds "
        "apart");
}

void warn_of_foreign_coefficients(const PairPotential& potential, const System& system,
                                  std::vector<std::string>& warnings) {
  const std::string name = foreign_coefficient(potential, system);
  if (!name.empty())
    warnings.push_back("pair coefficients of the atoms' file are left out: they have '" + name +
                       "', which the style of the case, '" + potential.name() + "', has not");
}

/// Adds warnings about limitations of the pair potential.
void warn_of_what_lacks(const PairPotential& potential, const System& system,
                        std::vector<std::string>& warnings) {
  for (const PairPotentialPart& part : potential.parts()) {
    if (part.lacks.empty()) continue;
    warnings.push_back("'" + part.name + "': " + part.lacks);
    double sum = 0;
    double magnitude = 0;
    for (const double charge : system.charges) {
      sum += charge;
      magnitude += std::abs(charge);
    }
    if (std::abs(sum) > 1e-9 * magnitude)
      warnings.push_back("the charges add up to " + rounded_number(sum) + ": '" + part.name +
                         "' supposes that they add up to 0");
  }
}

}  // namespace

SimulationParts build_simulation_parts(const cases::Case& c, const System& system,
                                       const Groups& groups, PairTermOptions& pair,
                                       std::vector<std::string>& warnings) {
  SimulationParts parts;
  parts.integrator = integrator_of(c.get<IntegratorSection>());
  const BondSection* const bond = c.find<BondSection>();
  if (bond == nullptr && !system.bonds.empty())
    warnings.push_back(std::to_string(system.bonds.size()) +
                       " bonds of the atoms' file are left out: the case has no [bond]");
  warn_of_no_relations(c.get<ExclusionsSection>(), system, warnings);
  warn_of_foreign_coefficients(pair.coefficients.potential(), system, warnings);
  warn_of_what_lacks(pair.coefficients.potential(), system, warnings);
  SpecialPairs special =
      special_pairs(pair.coefficients, system, special_options(c, system, bond != nullptr));
  if (!special.excluded.partners.empty()) pair.exclusions = std::move(special.excluded);
  if (special.term) special.term->lists = without_excluded(groups, system, special.term->lists);
  // Makes terms that need coefficients by type, which `pair` no longer has once groups exclude
  // pairs.
  std::vector<TermFactory> constants;
  if (c.get<PairSection>().tail) constants.push_back(tail_term(c, pair.coefficients, system));
  const ConstantTermOptions self = charge_self_energy(pair.coefficients, system);
  if (self.energy != 0) constants.push_back(constant_term(self));
  if (!groups.energies.empty())
    parts.observables.push_back(pair_energies(group_energies(c, groups, system, pair)));
  exclude_pairs(c, groups, system, pair);
  parts.terms.push_back(pair_term(pair));
  if (bond != nullptr && bond->style != "none")
    parts.terms.push_back(listed_term(bonds_with(*bond, system)));
  if (special.term && !special.term->lists.partners.empty())
    parts.terms.push_back(special_term(std::move(*special.term)));
  parts.terms.insert(parts.terms.end(), constants.begin(), constants.end());
  return parts;
}

}  // namespace tessera::md
