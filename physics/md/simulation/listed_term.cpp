#include "physics/md/simulation/listed_term.hpp"

#include "core/base/error.hpp"
#include "core/state/timed_plan.hpp"
#include "physics/md/simulation/by_atom_plan.hpp"
#include "physics/md/simulation/force_term.hpp"
#include "physics/md/simulation/named_atoms.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

namespace tessera::md {
namespace {

ListedTermOptions checked(ListedTermOptions options) {
  std::int32_t kinds = 0;
  for (std::size_t c = 0; c < listed_classes; ++c) {
    const ListedTypes& own = options.classes[c];
    const ListedPotential potential = listed_potential(static_cast<int>(c), own.potential);
    const std::string name = std::string("the ") + listed_class[c].name + " types";
    if (std::ssize(options.coefficients[c]) != own.types)
      throw ArgumentError("listed_term: coefficients of " +
                          std::to_string(options.coefficients[c].size()) + " of " + name +
                          ", expected " + std::to_string(own.types));
    for (const std::vector<double>& row : options.coefficients[c])
      if (row.size() != potential.fields.size())
        throw ArgumentError("listed_term: " + std::to_string(row.size()) + " coefficients of " +
                            name + ", where '" + potential.name + "' has " +
                            std::to_string(potential.fields.size()));
    kinds += own.types;
  }
  const ListedLists& lists = options.lists;
  const std::size_t entries = lists.kinds.size();
  if (lists.places.size() != entries || lists.partners.size() != most_partners * entries)
    throw ArgumentError("listed_term", "lists",
                        "of different lengths, expected those of listed_by_atom()");
  for (const std::int32_t kind : lists.kinds)
    if (kind < 0 || kind >= kinds)
      throw ArgumentError("listed_term: a term of kind " + std::to_string(kind + 1) + " of " +
                          std::to_string(kinds));
  return options;
}

template <class P>
class ListedTermOf final : public ForceTerm<P> {
 public:
  using Storage = typename P::Storage;

  ListedTermOf(State<P>& state, const ListedTermOptions& options)
      : classes_(checked(options).classes),
        offsets_(state.context, options.lists.offsets),
        kinds_(state.context, options.lists.kinds),
        places_(state.context, options.lists.places),
        partners_(state.context, options.lists.partners),
        problem_{state.atoms(), kinds_.size(), classes_, state.determinism},
        plan_(problem_, state.context) {
    for (std::size_t c = 0; c < listed_classes; ++c)
      for (const std::vector<double>& row : options.coefficients[c])
        coefficients_[c].insert(coefficients_[c].end(), row.begin(), row.end());
    plan_.assume_indices_valid();
  }

  [[nodiscard]] std::string name() const override { return "listed"; }
  [[nodiscard]] std::string style() const override {
    std::string all;
    for (const TermPart& part : parts())
      all += (all.empty() ? "" : ", ") + part.style;
    return all;
  }
  [[nodiscard]] std::vector<TermPart> parts() const override {
    std::vector<TermPart> parts;
    for (std::size_t c = 0; c < listed_classes; ++c)
      if (classes_[c].types > 0) parts.push_back({listed_class[c].name, classes_[c].potential});
    return parts;
  }

  [[nodiscard]] double allowed_displacement(const State<P>& state) const override {
    return plan_.plan().allowed_displacement(state.box());
  }

  void prepare(State<P>& state) override {
    with_ids(state, [&] { plan_.prepare(args(state)); });
  }

  void execute(State<P>& state, Write write, View<double, 1> tally) override {
    ListedForceArgs<Storage> a = args(state);
    a.write = write;
    if (tally.given()) {
      a.energy = {tally.data, {problem_.present()}, {tally_size}};
      a.virial = {tally.data + 1, {problem_.present(), 6}, {tally_size, 1}};
    }
    plan_.execute(a, state.timed);
  }

  [[nodiscard]] bool joins_steps() const override { return true; }
  void execute_ordered(State<P>& state, const OrderedAtoms<Storage>& atoms, Write write) override {
    ListedForceArgs<Storage> a = args(state);
    a.rows = atoms.rows;
    a.order = atoms.order;
    a.positions = atoms.positions;
    a.forces = atoms.forces;
    a.write = write;
    plan_.execute(a, state.timed);
  }

  void expect_by_atom(State<P>& state) override { by_atom_.emplace(problem_, state.context); }
  void by_atom(State<P>& state, const AtomOutputs<Storage>& out) override {
    ListedForceArgs<Storage> a = args(state);
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
  [[nodiscard]] ListedForceArgs<Storage> args(State<P>& state) {
    ListedForceArgs<Storage> args;
    args.positions = state.columns.rows(state.positions);
    args.offsets = offsets_.view();
    args.kinds = kinds_.view();
    args.places = places_.view();
    args.partners = partners_.view();
    args.forces = state.columns.rows(state.forces);
    args.box = state.box();
    for (std::size_t c = 0; c < listed_classes; ++c)
      if (const std::int64_t types = classes_[c].types; types > 0)
        args.coefficients[c] = {coefficients_[c].data(),
                                {types, std::ssize(coefficients_[c]) / types}};
    return args;
  }

  std::array<ListedTypes, listed_classes> classes_;
  std::array<std::vector<double>, listed_classes> coefficients_;
  Array<std::int32_t> offsets_;
  Array<std::int32_t> kinds_;
  Array<std::int32_t> places_;
  Array<std::int32_t> partners_;
  ListedForceProblem problem_;
  TimedPlan<ListedForce, P> plan_;
  std::optional<ByAtomPlan<ListedForce, P>> by_atom_;
};

}  // namespace

TermFactory listed_term(ListedTermOptions options) {
  return std::make_shared<FactoryOf<ForceTerm, ListedTermOf, ListedTermOptions>>(
      std::move(options));
}

ListedTermOptions bonds_of(const System& system, const std::string& potential) {
  ListedTermOptions options;
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
  std::string name = styles.empty() ? potential : "";
  for (const std::string& style : styles)
    name += (name.empty() ? "" : "+") + style;
  const ListedPotential whole = listed_potential(bond_class, name);
  if (whole.parts.size() != std::max<std::size_t>(styles.size(), 1))
    throw ArgumentError("bonds_of", "potential",
                        "'" + potential + "', expected one bond potential");
  options.classes[bond_class] = {name, system.bond_types};
  std::vector<std::vector<double>>& coefficients = options.coefficients[bond_class];
  coefficients.resize(static_cast<std::size_t>(system.bond_types));
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
    coefficients[static_cast<std::size_t>(c.type)] = whole.coefficients(part, c.values);
  }
  if (!system.ids.empty() && system.ids.size() != system.type.size())
    throw ArgumentError(
        "System", "ids",
        std::to_string(system.ids.size()) + " for " + std::to_string(system.size()) + " atoms");
  std::vector<ListedTerm> terms;
  terms.reserve(system.bonds.size());
  for (const Bond& bond : system.bonds)
    terms.push_back({bond_class, bond.type, {bond.atoms[0], bond.atoms[1]}});
  options.lists = listed_by_atom(system.size(), terms);
  const auto id = [&](std::int32_t place) {
    return std::to_string(system.ids.empty() ? place : system.ids[static_cast<std::size_t>(place)]);
  };
  for (const Bond& bond : system.bonds) {
    const bool known = bond.type >= 0 && bond.type < system.bond_types;
    if (known && !coefficients[static_cast<std::size_t>(bond.type)].empty()) continue;
    throw ParticleError({bond.atoms[0], bond.atoms[1]},
                        "the bond of atoms " + id(bond.atoms[0]) + " and " + id(bond.atoms[1]) +
                            " is of type " + std::to_string(bond.type + 1) +
                            ", which has no coefficients");
  }
  // A type without bonds may lack coefficients: its empty row is filled with zeros that no bond
  // reads.
  for (std::vector<double>& row : coefficients)
    row.resize(whole.fields.size());
  return options;
}

}  // namespace tessera::md
