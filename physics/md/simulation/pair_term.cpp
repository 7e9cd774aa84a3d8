#include <algorithm>
#include <string>
#include <tessera/core/base/error.hpp>
#include <tessera/core/state/stage.hpp>
#include <tessera/md/displacement/displacement.hpp>
#include <tessera/md/pair_force/pair_force.hpp>
#include <tessera/md/simulation/force_term.hpp>
#include <tessera/md/simulation/named_atoms.hpp>
#include <tessera/md/simulation/pair_term.hpp>
#include <utility>

namespace tessera::md {
namespace {

double largest_cutoff(const std::vector<LennardJones>& coefficients) {
  double cutoff = 0;
  for (const LennardJones& lj : coefficients)
    cutoff = std::max(cutoff, lj.cutoff);
  return cutoff;
}

const PairTermOptions& checked(const PairTermOptions& options, std::size_t types) {
  if (options.coefficients.size() != types * types)
    throw ArgumentError(std::to_string(options.coefficients.size()) + " pair coefficients for " +
                        std::to_string(types) + " types, expected types x types");
  if (!(largest_cutoff(options.coefficients) > 0))
    throw ArgumentError("the cutoff is not greater than zero");
  return options;
}

template <class P>
PairForceProblem problem_of(const State<P>& state, const PairTermOptions& options) {
  PairForceProblem problem;
  problem.atoms = state.atoms();
  problem.types = static_cast<int>(state.description.types.size());
  problem.cutoff = largest_cutoff(options.coefficients);
  problem.skin = options.skin;
  problem.box = state.box();
  return problem;
}

template <class P>
class PairTerm final : public ForceTerm<P> {
 public:
  using Storage = typename P::Storage;

  PairTerm(State<P>& state, const PairTermOptions& options)
      : options_(checked(options, state.description.types.size())),
        prepared_box_(state.box()),
        stage_(problem_of(state, options_), state.context) {}

  [[nodiscard]] std::string name() const override { return "pair"; }
  [[nodiscard]] std::string style() const override { return options_.form; }

  [[nodiscard]] double allowed_displacement(const State<P>& state) const override {
    return stage_.plan().allowed_displacement() - box_displacement(state.box(), prepared_box_);
  }
  [[nodiscard]] double longest_step() const override {
    return largest_cutoff(options_.coefficients);
  }

  void prepare(State<P>& state) override {
    with_ids(state, [&] { stage_.prepare(args(state)); });
    prepared_box_ = state.box();
  }

  void execute(State<P>& state, Write write, View<double, 1> tally) override {
    PairForceArgs<Storage> a = args(state);
    if (write == Write::add) throw ArgumentError("md/pair_force has to be the first term");
    if (tally.given()) {
      a.energy = {tally.data, {1}};
      a.virial = {tally.data + 1, {6}};
    }
    with_ids(state, [&] { stage_.execute(a, state.timed); });
  }

  [[nodiscard]] std::vector<OperationTime> timings() const override {
    return {stage_.execution(), stage_.preparation()};
  }
  void reset_timings() override { stage_.reset_timings(); }
  [[nodiscard]] double skin() const override { return 2 * stage_.plan().allowed_displacement(); }
  [[nodiscard]] double neighbors_per_atom() const override {
    return stage_.plan().neighbors_per_atom();
  }

 private:
  [[nodiscard]] PairForceArgs<Storage> args(State<P>& state) const {
    PairForceArgs<Storage> args;
    args.positions = state.columns.rows(state.positions);
    args.types = state.columns.values(state.type);
    args.forces = state.columns.rows(state.forces);
    args.box = state.box();
    const auto types = static_cast<std::int64_t>(state.description.types.size());
    args.coefficients = {options_.coefficients.data(), {types, types}};
    return args;
  }

  PairTermOptions options_;
  Box prepared_box_;
  Stage<PairForce, P> stage_;
};

}  // namespace

TermRecipe pair_term(PairTermOptions options) {
  return std::make_shared<RecipeOf<ForceTerm, PairTerm, PairTermOptions>>(std::move(options));
}

}  // namespace tessera::md
