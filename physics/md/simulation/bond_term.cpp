#include "physics/md/simulation/bond_term.hpp"

#include "core/base/error.hpp"
#include "core/state/timed_plan.hpp"
#include "physics/md/bond_force/bond_force.hpp"
#include "physics/md/bond_force/bond_potential.hpp"
#include "physics/md/simulation/by_atom_plan.hpp"
#include "physics/md/simulation/force_term.hpp"
#include "physics/md/simulation/named_atoms.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace tessera::md {
namespace {

BondTermOptions checked(BondTermOptions options) {
  const BondPotential potential = bond_potential(options.potential);
  const PairLists& lists = options.lists;
  if (!lists.kinds.empty() && lists.kinds.size() != lists.partners.size())
    throw ArgumentError("bond_term", "lists",
                        std::to_string(lists.kinds.size()) + " kinds for " +
                            std::to_string(lists.partners.size()) + " partners");
  for (const std::vector<double>& row : options.coefficients)
    if (row.size() != potential.fields.size())
      throw ArgumentError("term '" + options.name + "': " + std::to_string(row.size()) +
                          " coefficients where '" + potential.name + "' has " +
                          std::to_string(potential.fields.size()));
  for (const std::int32_t kind : options.lists.kinds)
    if (kind < 0 || static_cast<std::size_t>(kind) >= options.coefficients.size())
      throw ArgumentError("term '" + options.name + "': a pair of kind " +
                          std::to_string(kind + 1) + " of " +
                          std::to_string(options.coefficients.size()));
  return options;
}

template <class P>
class BondTerm final : public ForceTerm<P> {
 public:
  using Storage = typename P::Storage;

  BondTerm(State<P>& state, const BondTermOptions& options)
      : options_(checked(options)),
        fields_(static_cast<std::int64_t>(bond_potential(options_.potential).fields.size())),
        offsets_(state.context, options_.lists.offsets),
        partners_(state.context, options_.lists.partners),
        kinds_(state.context, options_.lists.kinds),
        problem_{state.atoms(), partners_.size(), static_cast<int>(options_.coefficients.size()),
                 options_.potential, state.determinism},
        plan_(problem_, state.context) {
    for (const std::vector<double>& row : options_.coefficients)
      coefficients_.insert(coefficients_.end(), row.begin(), row.end());
    options_.lists = {};  // the arrays on the device are used from here on
    plan_.assume_indices_valid();
    if ((bond_potential(options_.potential).reads & AtomData::charge) != 0 && !state.charges)
      throw ArgumentError("term '" + options_.name + "': '" + options_.potential +
                          "' reads charges, and the atoms have none");
  }

  [[nodiscard]] std::string name() const override { return options_.name; }
  [[nodiscard]] std::string style() const override { return options_.potential; }

  [[nodiscard]] double allowed_displacement(const State<P>& state) const override {
    return plan_.plan().allowed_displacement(state.box());
  }

  void prepare(State<P>& state) override {
    with_ids(state, [&] { plan_.prepare(args(state)); });
  }

  void execute(State<P>& state, Write write, View<double, 1> tally) override {
    BondForceArgs<Storage> a = args(state);
    a.write = write;
    if (tally.given()) {
      a.energy = {tally.data, {1}};
      a.virial = {tally.data + 1, {6}};
    }
    plan_.execute(a, state.timed);
  }

  [[nodiscard]] bool joins_steps() const override { return true; }
  void execute_ordered(State<P>& state, const OrderedAtoms<Storage>& atoms, Write write) override {
    BondForceArgs<Storage> a = args(state);
    a.rows = atoms.rows;
    a.order = atoms.order;
    a.positions = atoms.positions;
    a.forces = atoms.forces;
    a.write = write;
    plan_.execute(a, state.timed);
  }

  void expect_by_atom(State<P>& state) override { by_atom_.emplace(problem_, state.context); }
  void by_atom(State<P>& state, const AtomOutputs<Storage>& out) override {
    BondForceArgs<Storage> a = args(state);
    a.forces = out.forces;
    a.energies = out.energies;
    a.virials = out.virials;
    with_ids(state, [&] { by_atom_->run(a); });
  }

  [[nodiscard]] std::vector<OperationTime> timings() const override {
    std::vector<OperationTime> times = {plan_.execution(), plan_.preparation()};
    if (by_atom_) by_atom_->add_timings(times);
    return times;
  }
  void reset_timings() override {
    plan_.reset_timings();
    if (by_atom_) by_atom_->reset_timings();
  }

 private:
  [[nodiscard]] BondForceArgs<Storage> args(State<P>& state) {
    BondForceArgs<Storage> args;
    args.positions = state.columns.rows(state.positions);
    if (state.charges) args.charges = state.columns.values(*state.charges);
    args.offsets = offsets_.view();
    args.partners = partners_.view();
    if (kinds_.size() > 0) args.kinds = kinds_.view();
    args.forces = state.columns.rows(state.forces);
    args.box = state.box();
    args.coefficients = {coefficients_.data(),
                         {static_cast<std::int64_t>(options_.coefficients.size()), fields_}};
    return args;
  }

  BondTermOptions options_;
  std::int64_t fields_;
  std::vector<double> coefficients_;
  Array<std::int32_t> offsets_;
  Array<std::int32_t> partners_;
  Array<std::int32_t> kinds_;
  BondForceProblem problem_;
  TimedPlan<BondForce, P> plan_;
  std::optional<ByAtomPlan<BondForce, P>> by_atom_;
};

}  // namespace

TermFactory bond_term(BondTermOptions options) {
  return std::make_shared<FactoryOf<ForceTerm, BondTerm, BondTermOptions>>(std::move(options));
}

BondTermOptions bonds_of(const System& system, const std::string& potential) {
  BondTermOptions options;
  if (system.bond_types < 0)
    throw ArgumentError("System", "bond_types",
                        std::to_string(system.bond_types) + ", expected 0 or more");
  // The later of two rows for a type counts.
  std::vector<const BondCoefficient*> of_type(static_cast<std::size_t>(system.bond_types));
  for (const BondCoefficient& c : system.bond_coefficients) {
    if (c.type < 0 || c.type >= system.bond_types)
      throw ArgumentError(
          "System", "bond_coefficients",
          "of type " + std::to_string(c.type) + " of " + std::to_string(system.bond_types));
    of_type[static_cast<std::size_t>(c.type)] = &c;
  }
  std::vector<std::string> styles;
  const auto style_of = [&](const BondCoefficient& c) {
    return c.style.empty() ? potential : c.style;
  };
  for (const BondCoefficient* const c : of_type)
    if (c != nullptr && std::find(styles.begin(), styles.end(), style_of(*c)) == styles.end())
      styles.push_back(style_of(*c));
  options.potential = styles.empty() ? potential : "";
  for (const std::string& style : styles)
    options.potential += (options.potential.empty() ? "" : "+") + style;
  const BondPotential whole = bond_potential(options.potential);
  if (whole.parts.size() != std::max<std::size_t>(styles.size(), 1))
    throw ArgumentError("bonds_of", "potential",
                        "'" + potential + "', expected one bond potential");
  options.coefficients.resize(static_cast<std::size_t>(system.bond_types));
  for (const BondCoefficient* const given : of_type) {
    if (given == nullptr) continue;
    const BondCoefficient& c = *given;
    const auto part = static_cast<std::size_t>(
        std::find(styles.begin(), styles.end(), style_of(c)) - styles.begin());
    const std::size_t fields = whole.parts[part].fields.size();
    if (c.values.size() != fields)
      throw ArgumentError("System", "bond_coefficients",
                          std::to_string(c.values.size()) + " numbers for type " +
                              std::to_string(c.type) + " of " + std::to_string(system.bond_types) +
                              ", where '" + style_of(c) + "' has " + std::to_string(fields));
    options.coefficients[static_cast<std::size_t>(c.type)] = whole.coefficients(part, c.values);
  }
  if (!system.ids.empty() && system.ids.size() != system.type.size())
    throw ArgumentError(
        "System", "ids",
        std::to_string(system.ids.size()) + " for " + std::to_string(system.size()) + " atoms");
  options.lists = bonds_by_atom(system.size(), system.bonds);
  const auto id = [&](std::int32_t place) {
    return std::to_string(system.ids.empty() ? place : system.ids[static_cast<std::size_t>(place)]);
  };
  for (const Bond& bond : system.bonds) {
    const bool known = bond.type >= 0 && bond.type < system.bond_types;
    if (known && !options.coefficients[static_cast<std::size_t>(bond.type)].empty()) continue;
    throw ParticleError({bond.atoms[0], bond.atoms[1]},
                        "the bond of atoms " + id(bond.atoms[0]) + " and " + id(bond.atoms[1]) +
                            " is of type " + std::to_string(bond.type + 1) +
                            ", which has no coefficients");
  }
  // A type without bonds may lack coefficients: its empty row is filled with zeros that no bond
  // reads.
  for (std::vector<double>& row : options.coefficients)
    row.resize(whole.fields.size());
  return options;
}

}  // namespace tessera::md
