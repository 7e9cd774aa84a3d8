#include "physics/md/special_force/special_force.hpp"

#include "core/base/error.hpp"
#include "physics/md/owned_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace tessera::md {
SpecialForceCheck::SpecialForceCheck(const SpecialForceProblem& problem) : problem_(problem) {
  const PairPotential potential = pair_potentials().find(problem.potential);
  fields_ = std::ssize(special_fields(potential));
  reads_ = potential.reads();
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  require_count(SpecialForce::name, "atoms", problem.atoms, 0, most);
  require_count(SpecialForce::name, "entries", problem.entries, 0, most);
  require_count(SpecialForce::name, "kinds", problem.kinds);
}

template <class Storage>
void SpecialForceCheck::operator()(ArgumentCheck& check,
                                   const SpecialForceArgs<Storage>& args) const {
  check_owned(check, args.owned, problem_.atoms);
  for_each_argument(check, args);
  check.require(args.kinds.given() || problem_.entries == 0 || problem_.kinds > 0, "kinds",
                "not given, and there is no kind 0");
  check_box(args.box);
  check.require(args.energy.given() || !args.virial.given(), "virial",
                "given without the energy, expected both");
  check.require(problem_.by_atom || (!args.energies.given() && !args.virials.given()),
                args.energies.given() ? "energies" : "virials",
                "given, and the problem does not say by_atom");
  if (!(args.largest_charge >= 0) || !std::isfinite(args.largest_charge))
    check.refuse_number("largest_charge", args.largest_charge, "expected a number not below zero");
  if (!check.preparing()) return;
  for (std::int64_t kind = 0; kind < problem_.kinds; ++kind)
    for (std::int64_t f = 0; f < fields_; ++f)
      check.finite("coefficients", args.coefficients(kind, f));
}

template void SpecialForceCheck::operator()(ArgumentCheck&, const SpecialForceArgs<double>&) const;
template void SpecialForceCheck::operator()(ArgumentCheck&, const SpecialForceArgs<float>&) const;

std::vector<std::string> special_fields(const PairPotential& potential) {
  std::vector<std::string> fields;
  for (const CoefficientField& field : potential.fields())
    fields.push_back(field.name);
  for (std::size_t p = 0; p < potential.parts().size(); ++p) {
    const bool charges = potential.parts().size() == 1 && potential.reads(AtomData::charge);
    fields.push_back((charges ? "coulomb_" : potential.prefix(p)) + "factor");
  }
  fields.emplace_back("field");
  return fields;
}

}  // namespace tessera::md
