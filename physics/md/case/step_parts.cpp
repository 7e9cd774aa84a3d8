#include <algorithm>
#include <tessera/core/base/error.hpp>
#include <tessera/md/case/bond_section.hpp>
#include <tessera/md/case/exclusions_section.hpp>
#include <tessera/md/case/integrator_section.hpp>
#include <tessera/md/case/step_parts.hpp>
#include <tessera/md/simulation/bond_term.hpp>
#include <tessera/md/simulation/langevin.hpp>
#include <tessera/md/simulation/velocity_verlet.hpp>
#include <utility>

namespace tessera::md {
namespace {

/// The coefficients of the case win over those of the file.
BondTermOptions bonds_with(const BondSection& section, const System& system) {
  System completed = system;
  for (const BondCoefficientEntry& entry : section.coefficients) {
    if (entry.type > system.bond_types)
      throw InputError({entry.origin.file, entry.origin.line, "bond.coefficients.type",
                        std::to_string(entry.type)},
                       "expected a bond type from 1 to " + std::to_string(system.bond_types));
    completed.bond_coefficients.push_back(
        {static_cast<std::int32_t>(entry.type - 1), {entry.k, entry.r0}});
  }
  return bonds_of(completed, section.style);
}

IntegratorRecipe integrator_of(const IntegratorSection& section) {
  if (section.style == IntegratorStyle::velocity_verlet) return velocity_verlet();
  return langevin({section.temperature.value_or(0),
                   section.friction ? *section.friction : 1 / section.relaxation_time.value_or(1),
                   section.seed});
}

}  // namespace

StepParts build_step_parts(const cases::Case& c, const System& system, PairTermOptions& pair,
                           std::vector<std::string>& warnings) {
  StepParts parts;
  parts.integrator = integrator_of(c.get<IntegratorSection>());
  const BondSection* const bond = c.find<BondSection>();
  if (bond == nullptr) {
    if (!system.bonds.empty())
      warnings.push_back(std::to_string(system.bonds.size()) +
                         " bonds of the atoms' file are left out: the case has no [bond]");
    parts.terms.push_back(pair_term(pair));
    return parts;
  }
  const ExclusionsSection& exclusions = c.get<ExclusionsSection>();
  std::array<bool, 3> excluded{};
  std::transform(exclusions.factors.begin(), exclusions.factors.end(), excluded.begin(),
                 [](double factor) { return factor == 0; });
  pair.exclusions = excluded_pairs(system.size(), system.bonds, excluded);
  parts.terms.push_back(pair_term(pair));
  parts.terms.push_back(bond_term(bonds_with(*bond, system)));
  if (exclusions.field)
    if (auto field = field_of_excluded(pair.coefficients, system, pair.exclusions))
      parts.terms.push_back(bond_term(std::move(*field)));
  return parts;
}

}  // namespace tessera::md
