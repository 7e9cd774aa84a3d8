#include "physics/md/simulation/special_term.hpp"

#include "core/base/error.hpp"
#include "physics/md/simulation/list_term.hpp"
#include "physics/md/special_force/special_force.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace tessera::md {
namespace {

SpecialTermOptions checked(SpecialTermOptions options) {
  const PairPotential potential = pair_potentials().find(options.potential);
  const std::size_t fields = special_fields(potential).size();
  const PairLists& lists = options.lists;
  if (!lists.kinds.empty() && lists.kinds.size() != lists.partners.size())
    throw ArgumentError("special_term", "lists",
                        std::to_string(lists.kinds.size()) + " kinds for " +
                            std::to_string(lists.partners.size()) + " partners");
  for (const std::vector<double>& row : options.coefficients)
    if (row.size() != fields)
      throw ArgumentError("term '" + options.name + "': " + std::to_string(row.size()) +
                          " coefficients where '" + potential.name() + "' has " +
                          std::to_string(fields));
  for (const std::int32_t kind : options.lists.kinds)
    if (kind < 0 || static_cast<std::size_t>(kind) >= options.coefficients.size())
      throw ArgumentError("term '" + options.name + "': a pair of kind " +
                          std::to_string(kind + 1) + " of " +
                          std::to_string(options.coefficients.size()));
  return options;
}

template <class P>
class SpecialTerm final : public ListTerm<SpecialForce, P> {
 public:
  using Base = ListTerm<SpecialForce, P>;
  using typename Base::Args;

  SpecialTerm(State<P>& state, const SpecialTermOptions& given)
      : SpecialTerm(checked(given), state) {}

  [[nodiscard]] std::string name() const override { return options_.name; }
  [[nodiscard]] std::string style() const override { return options_.potential; }

 private:
  SpecialTerm(SpecialTermOptions options, State<P>& state)
      : Base(state,
             {state.atoms(), std::ssize(options.lists.partners),
              static_cast<int>(options.coefficients.size()), options.potential, state.determinism}),
        offsets_(state.context, options.lists.offsets),
        partners_(state.context, options.lists.partners),
        kinds_(state.context, options.lists.kinds),
        options_(std::move(options)) {
    const PairPotential potential = pair_potentials().find(options_.potential);
    fields_ = std::ssize(special_fields(potential));
    for (const std::vector<double>& row : options_.coefficients)
      coefficients_.insert(coefficients_.end(), row.begin(), row.end());
    options_.lists = {};  // the arrays on the device are used from here on
    if (potential.reads(AtomData::charge) && !state.charges)
      throw ArgumentError("term '" + options_.name + "': '" + options_.potential +
                          "' reads charges, and the atoms have none");
  }

  [[nodiscard]] Args args(State<P>& state) override {
    Args args;
    args.positions = state.columns.rows(state.positions);
    if (state.charges) args.charges = state.columns.values(*state.charges);
    args.offsets = offsets_.view();
    args.partners = partners_.view();
    if (kinds_.size() > 0) args.kinds = kinds_.view();
    args.forces = state.columns.rows(state.forces);
    args.box = state.box();
    args.coefficients = {coefficients_.data(), {std::ssize(options_.coefficients), fields_}};
    return args;
  }
  void set_tally(Args& args, View<double, 1> tally) const override {
    args.energy = {tally.data, {1}};
    args.virial = {tally.data + 1, {6}};
  }

  Array<std::int32_t> offsets_;
  Array<std::int32_t> partners_;
  Array<std::int32_t> kinds_;
  SpecialTermOptions options_;
  std::int64_t fields_ = 0;
  std::vector<double> coefficients_;
};

}  // namespace

TermFactory special_term(SpecialTermOptions options) {
  return std::make_shared<FactoryOf<ForceTerm, SpecialTerm, SpecialTermOptions>>(
      std::move(options));
}

}  // namespace tessera::md
