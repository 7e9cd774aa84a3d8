#include "physics/md/bond_force/bond_force.hpp"

#include "core/base/error.hpp"
#include "core/base/shortest_number.hpp"
#include "physics/md/bond_force/bond_potential.hpp"

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
  const std::int64_t n = problem_.atoms;
  const std::int64_t entries = problem_.entries;
  const std::int64_t owned = args.owned.value_or(n);
  check.require(owned >= 0 && owned <= n, "owned", [&] {
    return std::to_string(owned) + ", expected 0 to " + std::to_string(n) + ", the number of rows";
  });
  check.as_prepared("owned", owned);
  check.array("positions", args.positions, {n, 3});
  if ((reads_ & AtomData::charge) != 0) check.array("charges", args.charges, {n});
  check.array("offsets", args.offsets, {n + 1});
  check.array("partners", args.partners, {entries});
  check.optional("kinds", args.kinds, {entries});
  check.indices("offsets", args.offsets, entries + 1, true);
  check.indices("partners", args.partners, n);
  check.indices("kinds", args.kinds, problem_.kinds);
  check.require(args.kinds.given() || entries == 0 || problem_.kinds > 0, "kinds",
                "not given, and there is no kind 0");
  check.output("forces", args.forces, {owned, 3});
  check.require(args.write == Write::overwrite || args.write == Write::add, "write",
                "none of overwrite, add");
  check_box(args.box);
  check.host_array("coefficients", args.coefficients, {problem_.kinds, fields_});
  check.optional_at_least("energy", args.energy, 1);
  check.optional_at_least("virial", args.virial, 6);
  check.require(args.energy.given() || !args.virial.given(), "virial",
                "given without the energy, expected both");
  check.require(problem_.by_atom || (!args.energies.given() && !args.virials.given()),
                args.energies.given() ? "energies" : "virials",
                "given, and the problem does not say by_atom");
  check.optional("energies", args.energies, {owned});
  check.optional("virials", args.virials, {owned, 6});
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
