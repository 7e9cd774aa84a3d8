#include "physics/md/simulation/special_term.hpp"

#include "core/base/error.hpp"
#include "core/state/timed_plan.hpp"
#include "physics/md/simulation/by_atom_plan.hpp"
#include "physics/md/simulation/force_term.hpp"
#include "physics/md/simulation/named_atoms.hpp"
#include "physics/md/special_force/special_force.hpp"

#include <algorithm>
#include <optional>
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
class SpecialTerm final : public ForceTerm<P> {
 public:
  using Storage = typename P::Storage;

  SpecialTerm(State<P>& state, const SpecialTermOptions& options)
      : options_(checked(options)),
        fields_(std::ssize(special_fields(pair_potentials().find(options_.potential)))),
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
    if (pair_potentials().find(options_.potential).reads(AtomData::charge) && !state.charges)
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
    SpecialForceArgs<Storage> a = args(state);
    a.write = write;
    if (tally.given()) {
      a.energy = {tally.data, {1}};
      a.virial = {tally.data + 1, {6}};
    }
    plan_.execute(a, state.timed);
  }

  [[nodiscard]] bool joins_steps() const override { return true; }
  void execute_ordered(State<P>& state, const OrderedAtoms<Storage>& atoms, Write write) override {
    SpecialForceArgs<Storage> a = args(state);
    a.rows = atoms.rows;
    a.order = atoms.order;
    a.positions = atoms.positions;
    a.forces = atoms.forces;
    a.write = write;
    plan_.execute(a, state.timed);
  }

  void expect_by_atom(State<P>& state) override { by_atom_.emplace(problem_, state.context); }
  void by_atom(State<P>& state, const AtomOutputs<Storage>& out) override {
    SpecialForceArgs<Storage> a = args(state);
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
  [[nodiscard]] SpecialForceArgs<Storage> args(State<P>& state) {
    SpecialForceArgs<Storage> args;
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

  SpecialTermOptions options_;
  std::int64_t fields_;
  std::vector<double> coefficients_;
  Array<std::int32_t> offsets_;
  Array<std::int32_t> partners_;
  Array<std::int32_t> kinds_;
  SpecialForceProblem problem_;
  TimedPlan<SpecialForce, P> plan_;
  std::optional<ByAtomPlan<SpecialForce, P>> by_atom_;
};

}  // namespace

TermFactory special_term(SpecialTermOptions options) {
  return std::make_shared<FactoryOf<ForceTerm, SpecialTerm, SpecialTermOptions>>(
      std::move(options));
}

}  // namespace tessera::md
