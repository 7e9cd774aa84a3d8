#include "physics/md/simulation/listed_term.hpp"

#include "core/base/error.hpp"
#include "physics/md/simulation/list_term.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace tessera::md {
namespace {

const ListedTermOptions& checked(const ListedTermOptions& options) {
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
class ListedTermOf final : public ListTerm<ListedForce, P> {
 public:
  using Base = ListTerm<ListedForce, P>;
  using typename Base::Args;

  ListedTermOf(State<P>& state, const ListedTermOptions& options)
      : Base(state, {state.atoms(), std::ssize(options.lists.kinds), checked(options).classes,
                     state.determinism}),
        offsets_(state.context, options.lists.offsets),
        kinds_(state.context, options.lists.kinds),
        places_(state.context, options.lists.places),
        partners_(state.context, options.lists.partners) {
    for (std::size_t c = 0; c < listed_classes; ++c)
      for (const std::vector<double>& row : options.coefficients[c])
        coefficients_[c].insert(coefficients_[c].end(), row.begin(), row.end());
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
      if (const ListedTypes& own = this->problem().classes[c]; own.types > 0)
        parts.push_back({listed_class[c].name, own.potential});
    return parts;
  }

 private:
  [[nodiscard]] Args args(State<P>& state) override {
    Args args;
    args.positions = state.columns.rows(state.positions);
    args.offsets = offsets_.view();
    args.kinds = kinds_.view();
    args.places = places_.view();
    args.partners = partners_.view();
    args.forces = state.columns.rows(state.forces);
    args.box = state.box();
    for (std::size_t c = 0; c < listed_classes; ++c)
      if (const std::int64_t types = this->problem().classes[c].types; types > 0)
        args.coefficients[c] = {coefficients_[c].data(),
                                {types, std::ssize(coefficients_[c]) / types}};
    return args;
  }
  void set_tally(Args& args, View<double, 1> tally) const override {
    const std::int64_t classes = this->problem().present();
    args.energy = {tally.data, {classes}, {tally_size}};
    args.virial = {tally.data + 1, {classes, 6}, {tally_size, 1}};
  }

  std::array<std::vector<double>, listed_classes> coefficients_;
  Array<std::int32_t> offsets_;
  Array<std::int32_t> kinds_;
  Array<std::int32_t> places_;
  Array<std::int32_t> partners_;
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
