#include <algorithm>
#include <string>
#include <tessera/core/base/error.hpp>
#include <tessera/core/base/shortest_number.hpp>
#include <tessera/md/bond_force/bond_force.hpp>
#include <tessera/md/bond_forms/coul_rf_excluded.hpp>
#include <tessera/md/bond_forms/harmonic.hpp>

namespace tessera::md {
namespace {

void require(bool holds, const std::string& message) {
  if (!holds) throw ArgumentError("md/bond_force: " + message);
}

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
  static const std::vector<BondForm> all = {describe<forms::HarmonicBond>("harmonic"),
                                            describe<forms::CoulRfExcluded>("coul/rf/excluded")};
  return all;
}

const BondForm& bond_form(const std::string& name) {
  std::vector<std::string> names;
  for (const BondForm& form : bond_forms()) {
    if (form.name == name) return form;
    names.push_back(form.name);
  }
  throw SelectionError("bond form", name, names);
}

template <class Storage>
void check_bond_force(const BondForceProblem& problem, const BondForceArgs<Storage>& args) {
  const BondForm& form = bond_form(problem.form);
  const std::int64_t n = problem.atoms;
  require(args.positions.extent(0) == n && args.positions.extent(1) == 3,
          "positions must be atoms x 3");
  require(args.forces.extent(0) == n && args.forces.extent(1) == 3, "forces must be atoms x 3");
  require(args.offsets.extent(0) == n + 1,
          "offsets must have one element more than there are atoms");
  require(args.partners.extent(0) == problem.entries, "partners must have one element an entry");
  require(!args.kinds.given() || args.kinds.extent(0) == problem.entries,
          "kinds must have one element an entry");
  require(!form.reads_charge || args.charges.extent(0) == n,
          "the form '" + form.name + "' reads charges, and there are none");
  require(args.coefficients.extent(0) == problem.kinds &&
              args.coefficients.extent(1) == static_cast<std::int64_t>(form.fields.size()),
          "coefficients must be kinds x fields of '" + form.name + "'");
  require(!args.energy.given() || args.energy.extent(0) >= 1, "energy must have one element");
  require(!args.virial.given() || args.virial.extent(0) >= 6, "virial must have six elements");
}

void require_short_bonds(const BondExtent& longest) {
  if (longest.fraction <= longest_bond) return;
  throw ParticleError(
      {longest.first, longest.second},
      "the bond of atoms " + std::to_string(longest.first) + " and " +
          std::to_string(longest.second) + " spans " + rounded_number(longest.fraction) +
          " of the box: near half of it the nearest image is in doubt, expected at most " +
          rounded_number(longest_bond));
}

template void check_bond_force<double>(const BondForceProblem&, const BondForceArgs<double>&);
template void check_bond_force<float>(const BondForceProblem&, const BondForceArgs<float>&);

}  // namespace tessera::md
