#include "physics/md/listed_force/listed_force.hpp"

#include "core/base/error.hpp"
#include "physics/md/owned_rows.hpp"

#include <limits>
#include <string>

namespace tessera::md {

ProblemKey problem_key(const ListedForceProblem& problem) {
  ProblemKey key{problem.atoms, {}, {}};
  for (std::size_t c = 0; c < listed_classes; ++c)
    if (problem.classes[c].types > 0)
      key.kinds[listed_class[c].name] = problem.classes[c].potential;
  if (problem.by_atom) key.kinds["outputs"] = "forces, energies by atom";
  return key;
}

ListedForceCheck::ListedForceCheck(const ListedForceProblem& problem) : problem_(problem) {
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  require_count(ListedForce::name, "atoms", problem.atoms, 0, most);
  require_count(ListedForce::name, "entries", problem.entries, 0, most);
  for (std::size_t c = 0; c < listed_classes; ++c) {
    const std::string name = listed_class[c].name;
    require_count(ListedForce::name, (name + " types").c_str(), problem.classes[c].types, 0, most);
    const ListedPotential potential =
        listed_potential(static_cast<int>(c), problem.classes[c].potential);
    fields_[c] = std::ssize(potential.fields);
    if (problem.classes[c].types > 0 && potential.parts.empty())
      throw ArgumentError(
          std::string(ListedForce::name), name + " potential",
          "not given, and there are " + std::to_string(problem.classes[c].types) + " types");
  }
}

template <class Storage>
void ListedForceCheck::operator()(ArgumentCheck& check,
                                  const ListedForceArgs<Storage>& args) const {
  check_owned(check, args.owned, problem_.atoms);
  for_each_argument(check, args);
  check_box(args.box);
  check.require(args.energy.given() || !args.virial.given(), "virial",
                "given without the energy, expected both");
  check.require(problem_.by_atom || (!args.energies.given() && !args.virials.given()),
                args.energies.given() ? "energies" : "virials",
                "given, and the problem does not say by_atom");
  if (!check.preparing()) return;
  for (std::size_t c = 0; c < listed_classes; ++c)
    for (std::int64_t type = 0; type < problem_.classes[c].types; ++type)
      for (std::int64_t f = 0; f < fields_[c]; ++f)
        check.finite(listed_class[c].coefficients, args.coefficients[c](type, f));
}

template void ListedForceCheck::operator()(ArgumentCheck&, const ListedForceArgs<double>&) const;
template void ListedForceCheck::operator()(ArgumentCheck&, const ListedForceArgs<float>&) const;

}  // namespace tessera::md
