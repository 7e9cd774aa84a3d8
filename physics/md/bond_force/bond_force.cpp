#include "physics/md/bond_force/bond_force.hpp"

#include "core/base/error.hpp"
#include "core/base/shortest_number.hpp"
#include "physics/md/bond_forms/harmonic.hpp"

#include <algorithm>
#include <limits>
#include <string>

namespace tessera::md {
namespace {

/// What `declare` of a form calls: here only the names count.
struct NamesOfFields {
  std::vector<std::string>& names;

  struct Any {
    Any energy(int) { return {}; }
    Any length(int) { return {}; }
    Any charge(int) { return {}; }
    Any not_negative() { return {}; }
    Any positive() { return {}; }
  };
  void is(const char*, const char*) {}
  Any has(const char* name, const char*) {
    names.emplace_back(name);
    return {};
  }
};

template <class Form>
BondForm describe(const char* name) {
  BondForm form;
  form.name = name;
  form.reads_charge = Form::reads_charge;
  NamesOfFields names{form.fields};
  Form::declare(names);
  return form;
}

}  // namespace

const std::vector<BondForm>& bond_forms() {
  static const std::vector<BondForm> all = {describe<forms::HarmonicBond>("harmonic")};
  return all;
}

std::optional<PairForm> special_form(const std::string& name) {
  constexpr std::string_view prefix = "special/";
  if (!name.starts_with(prefix)) return {};
  return pair_forms().find(name.substr(prefix.size()));
}

BondForm bond_form(const std::string& name) {
  if (const auto pair = special_form(name)) {
    BondForm form{name, {}, pair->reads_charge()};
    for (const CoefficientField& field : pair->fields())
      form.fields.push_back(field.name);
    for (const PairFormPart& part : pair->parts())
      form.fields.emplace_back(part.reads_charge ? "coulomb_factor" : "factor");
    form.fields.emplace_back("field");
    return form;
  }
  std::vector<std::string> names;
  for (const BondForm& form : bond_forms()) {
    if (form.name == name) return form;
    names.push_back(form.name);
  }
  names.emplace_back("special/" + default_pair_form());
  throw SelectionError("bond form", name, names);
}

BondForceCheck::BondForceCheck(const BondForceProblem& problem) : problem_(problem) {
  const BondForm form = bond_form(problem.form);
  fields_ = static_cast<std::int64_t>(form.fields.size());
  reads_charge_ = form.reads_charge;
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  require_count(BondForce::name, "atoms", problem.atoms, 0, most);
  require_count(BondForce::name, "entries", problem.entries, 0, most);
  require_count(BondForce::name, "kinds", problem.kinds);
}

template <class Storage>
void BondForceCheck::operator()(ArgumentCheck& check, const BondForceArgs<Storage>& args) const {
  const std::int64_t n = problem_.atoms;
  const std::int64_t entries = problem_.entries;
  check.array("positions", args.positions, {n, 3});
  if (reads_charge_) check.array("charges", args.charges, {n});
  check.array("offsets", args.offsets, {n + 1});
  check.array("partners", args.partners, {entries});
  check.optional("kinds", args.kinds, {entries});
  check.indices("offsets", args.offsets, entries + 1, true);
  check.indices("partners", args.partners, n);
  check.indices("kinds", args.kinds, problem_.kinds);
  check.require(args.kinds.given() || entries == 0 || problem_.kinds > 0, "kinds",
                "not given, and there is no kind 0");
  check.output("forces", args.forces, {n, 3});
  check.require(args.write == Write::overwrite || args.write == Write::add, "write",
                "none of overwrite, add");
  check_box(args.box);
  check.host_array("coefficients", args.coefficients, {problem_.kinds, fields_});
  check.optional_room("energy", args.energy, 1);
  check.optional_room("virial", args.virial, 6);
  check.require(args.energy.given() || !args.virial.given(), "virial",
                "given without the energy, expected both");
  check.require(problem_.by_atom || (!args.energies.given() && !args.virials.given()),
                args.energies.given() ? "energies" : "virials",
                "given, and the problem does not say by_atom");
  check.optional("energies", args.energies, {n});
  check.optional("virials", args.virials, {n, 6});
  if (!check.preparing()) return;
  for (std::int64_t kind = 0; kind < problem_.kinds; ++kind)
    for (std::int64_t f = 0; f < fields_; ++f)
      check.finite("coefficients", args.coefficients(kind, f));
}

template void BondForceCheck::operator()(ArgumentCheck&, const BondForceArgs<double>&) const;
template void BondForceCheck::operator()(ArgumentCheck&, const BondForceArgs<float>&) const;

void require_certain_images(const BondExtent& longest, const std::string& form) {
  if (longest.fraction <= longest_bond) return;
  const std::string atoms =
      "atoms " + std::to_string(longest.first) + " and " + std::to_string(longest.second);
  const std::string pair = special_form(form)
                               ? "the scaled or excluded pair of " + atoms + ", of which '" + form +
                                     "' keeps something beyond half of the box,"
                               : "the bond of " + atoms;
  throw ParticleError(
      {longest.first, longest.second},
      pair + " spans " + rounded_number(longest.fraction) +
          " of the box: near half of it the nearest image is in doubt, expected at most " +
          rounded_number(longest_bond));
}

double certain_distance(const Box& box) {
  double shortest = std::numeric_limits<double>::infinity();
  for (int d = 0; d < 3; ++d)
    if (box.periodic[d]) shortest = std::min(shortest, box.length[d]);
  return 0.5 * shortest;
}

}  // namespace tessera::md
