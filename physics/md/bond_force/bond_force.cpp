#include "physics/md/bond_force/bond_force.hpp"

#include "core/base/error.hpp"
#include "core/base/shortest_number.hpp"
#include "physics/md/bond_force/bond_potential.hpp"
#include "physics/md/owned_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace tessera::md {
BondForceCheck::BondForceCheck(const BondForceProblem& problem) : problem_(problem) {
  const BondPotential potential = bond_potential(problem.potential);
  fields_ = static_cast<std::int64_t>(potential.fields.size());
  reads_ = potential.reads;
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  require_count(BondForce::name, "atoms", problem.atoms, 0, most);
  require_count(BondForce::name, "entries", problem.entries, 0, most);
  require_count(BondForce::name, "kinds", problem.kinds);
}

template <class Storage>
void BondForceCheck::operator()(ArgumentCheck& check, const BondForceArgs<Storage>& args) const {
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

template void BondForceCheck::operator()(ArgumentCheck&, const BondForceArgs<double>&) const;
template void BondForceCheck::operator()(ArgumentCheck&, const BondForceArgs<float>&) const;

void require_certain_images(const BondExtent& longest, const std::string& potential) {
  if (longest.fraction <= longest_bond) return;
  const std::string atoms =
      "atoms " + std::to_string(longest.first) + " and " + std::to_string(longest.second);
  const std::string pair = special_potential(potential)
                               ? "the scaled or excluded pair of " + atoms + ", of which '" +
                                     potential + "' keeps something beyond half of the box,"
                               : "the bond of " + atoms;
  throw ParticleError({longest.first, longest.second},
                      pair + " spans " + rounded_number(longest.fraction) +
                          " of the box: close to half of the box the nearest image is ambiguous, "
                          "expected at most " +
                          rounded_number(longest_bond));
}

double certain_distance(const Box& box) {
  double shortest = std::numeric_limits<double>::infinity();
  for (int d = 0; d < 3; ++d)
    if (box.periodic[d]) shortest = std::min(shortest, box.length[d]);
  return 0.5 * shortest;
}

}  // namespace tessera::md
