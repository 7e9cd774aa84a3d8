#include "physics/md/simulation/pair_term.hpp"

#include "core/base/error.hpp"
#include "core/base/logging.hpp"
#include "core/state/timed_plan.hpp"
#include "physics/md/pair_force/pair_force.hpp"
#include "physics/md/pair_potential/pair_table.hpp"
#include "physics/md/simulation/by_atom_plan.hpp"
#include "physics/md/simulation/force_term.hpp"
#include "physics/md/simulation/named_atoms.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <optional>
#include <string>
#include <utility>

namespace tessera::md {
namespace {

/// Checks that the plan cannot make, because it sees only the arrays on the device.
template <class P>
const PairTermOptions& checked(const State<P>& state, const PairTermOptions& options) {
  const auto refuse = [](const char* name, const std::string& text) {
    throw ArgumentError("pair_term", name, text);
  };
  const std::size_t types = state.description.types.size();
  const int rows = options.coefficients.types();
  if (options.classes.empty() && static_cast<std::size_t>(rows) != types)
    refuse("coefficients",
           std::to_string(rows) + " types, expected those of the atoms, " + std::to_string(types));
  if (!options.classes.empty() && std::ssize(options.classes) != state.atoms())
    refuse("classes", std::to_string(options.classes.size()) + " for " +
                          std::to_string(state.atoms()) + " atoms");
  for (const std::int32_t row : options.classes)
    if (row < 0 || row >= rows)
      refuse("classes", std::to_string(row) + " of " + std::to_string(rows));
  if (options.coefficients.potential().reads(AtomData::charge) && !state.charges)
    refuse("coefficients", "the potential " + options.coefficients.potential().name() +
                               " reads charges, which the atoms do not have");
  if (!(options.coefficients.largest_cutoff() > 0))
    refuse("coefficients", "the cutoff is not greater than zero");
  const auto offsets = static_cast<std::int64_t>(options.exclusions.offsets.size());
  if (!options.exclusions.partners.empty() && offsets != state.atoms() + 1)
    refuse("exclusions", std::to_string(offsets) + " offsets, expected one more than the " +
                             std::to_string(state.atoms()) + " atoms");
  return options;
}

/// Distance that the fastest atom moves in one step at present velocities; 0 if that is not finite.
template <class P>
double fastest_step(const State<P>& state) {
  const auto velocities = state.columns.to_host(state.velocities);
  double largest = 0;
  for (std::size_t i = 0; i + 2 < velocities.size(); i += 3) {
    double square = 0;
    for (std::size_t d = 0; d < 3; ++d)
      square += std::pow(static_cast<double>(velocities[i + d]), 2);
    largest = std::max(largest, square);
  }
  const double step = std::sqrt(largest) * std::abs(state.clock.time_step());
  return std::isfinite(step) ? step : 0;
}

template <class P>
PairForceProblem problem_of(const State<P>& state, const PairTermOptions& options) {
  PairForceProblem problem;
  problem.atoms = state.atoms();
  problem.types = options.coefficients.types();
  problem.cutoff = options.coefficients.largest_cutoff();
  problem.skin = options.skin;
  problem.potential = options.coefficients.potential().name();
  problem.exclusions = !options.exclusions.partners.empty();
  problem.box = state.box();
  problem.shortest = shortest_length(options.coefficients.potential(), options.coefficients.view());
  problem.displacement = fastest_step(state);
  problem.determinism = state.determinism;
  return problem;
}

/// Largest magnitude of the coordinate along direction `d` of any point of the box.
double largest_coordinate(const Box& box, int d) {
  double low = box.lower[d];
  double high = box.lower[d] + box.length[d];
  const auto add = [&](double tilt) { (tilt < 0 ? low : high) += tilt; };
  if (d == 0) add(box.tilt[0]);
  if (d <= 1) add(box.tilt[d + 1]);
  return std::max(std::abs(low), std::abs(high));
}

/// Logs a warning, or throws RefusalError, if single precision resolves positions too coarsely.
/// Rounding of positions dominates the error of the forces: in a Lennard-Jones melt the relative
/// error is about 4 times the spacing of floats at the largest coordinate, over the shortest length
/// of the coefficients. Above a tenth the run is refused.
template <class P>
void judge_resolution(const State<P>& state, const PairTermOptions& options) {
  if constexpr (P::value == Precision::single) {
    const Box& box = state.box();
    const std::vector<float> positions = state.columns.to_host(state.positions);
    double largest = 0;
    for (std::size_t i = 0; i < positions.size(); ++i)
      if (!box.periodic[i % 3])
        largest = std::max(largest, std::abs(static_cast<double>(positions[i])));
    for (int d = 0; d < 3; ++d)
      if (box.periodic[d]) largest = std::max(largest, largest_coordinate(box, d));
    const double spacing = largest * double{std::numeric_limits<float>::epsilon()};
    // Potentials without a length besides the cutoff: cutoffs are typically a few such lengths.
    const CoefficientTable& table = options.coefficients;
    const double length = shortest_length(table.potential(), table.view());
    const double shortest = length > 0 ? length : 0.4 * table.largest_cutoff();
    const double error = 4 * spacing / shortest;
    if (!(error > 1e-3)) return;
    const auto rounded = [](double x) {
      char text[32];
      std::snprintf(text, sizeof text, "%.2g", x);
      return std::string(text);
    };
    const std::string text = "positions up to " + rounded(largest) + " have a resolution of " +
                             rounded(spacing) + ", forces vary over lengths of " +
                             rounded(shortest) + " and have errors of about " +
                             rounded(100 * error) + " %; use mixed or double precision";
    if (error > 0.1) throw RefusalError("md/pair_force in single", text);
    log_warning("in single precision " + text);
  }
}

template <class P>
class PairTerm final : public ForceTerm<P> {
 public:
  using Storage = typename P::Storage;

  PairTerm(State<P>& state, const PairTermOptions& options)
      : options_(checked(state, options)),
        offsets_(state.context, options_.exclusions.offsets),
        partners_(state.context, options_.exclusions.partners),
        classes_(state.context, options_.classes),
        plan_(problem_of(state, options_), state.context) {
    judge_resolution(state, options_);
    judged_ = state.box();
    options_.classes = {};         // the arrays on the device are used from here on
    plan_.assume_indices_valid();  // sorting moves the rows of types but changes no value
  }

  [[nodiscard]] std::string name() const override { return "pair"; }
  [[nodiscard]] std::string style() const override {
    return options_.coefficients.potential().name();
  }

  [[nodiscard]] double allowed_displacement(const State<P>& state) const override {
    return plan_.plan().allowed_displacement(state.box());
  }
  [[nodiscard]] Refusal refuse(const Box& box) const override {
    return refuse_small_box(box, options_.coefficients.largest_cutoff());
  }
  [[nodiscard]] double longest_step() const override {
    return options_.coefficients.largest_cutoff();
  }

  void prepare(State<P>& state) override {
    // In a smaller box the floats of positions are no coarser than before.
    if (is_larger(state.box())) {
      judge_resolution(state, options_);
      judged_ = state.box();
    }
    with_ids(state, [&] { plan_.prepare(args(state)); });
  }

  void execute(State<P>& state, Write write, View<double, 1> tally) override {
    PairForceArgs<Storage> a = args(state);
    a.write = write;
    if (tally.given()) {
      a.energy = {tally.data, {1}};
      a.virial = {tally.data + 1, {6}};
    }
    with_ids(state, [&] { plan_.execute(a, state.timed); });
  }

  void expect_by_atom(State<P>& state) override {
    PairForceProblem problem = problem_of(state, options_);
    // Covers rounding: no atom moves between prepare and execute.
    problem.skin = 0.01 * problem.cutoff;
    by_atom_.emplace(problem, state.context);
  }
  void by_atom(State<P>& state, const AtomOutputs<Storage>& out) override {
    PairForceArgs<Storage> a = args(state);
    a.forces = out.forces;
    a.energies = out.energies;
    a.virials = out.virials;
    with_ids(state, [&] { by_atom_->run(a); });
  }

  [[nodiscard]] bool makes_steps() const override { return true; }
  [[nodiscard]] FusedSteps<Storage>* fused_steps(const State<P>&) override {
    return dynamic_cast<FusedSteps<Storage>*>(plan_.plan().fused_steps());
  }
  void fill(State<P>& state, FusedStepsArgs<Storage>& steps) override {
    const PairForceArgs<Storage> pairs = args(state);
    steps.types = pairs.types;
    steps.charges = pairs.charges;
  }
  void count_steps(std::int64_t steps, double seconds) override {
    fused_steps_ += steps;
    step_seconds_ += seconds;
  }

  [[nodiscard]] std::vector<OperationTime> timings() const override {
    std::vector<OperationTime> times = {plan_.execution(), plan_.preparation()};
    if (fused_steps_ > 0) {
      OperationTime steps = times.front();
      steps.operation += " (fused steps)";
      steps.calls = fused_steps_;
      steps.seconds = step_seconds_;
      times.push_back(std::move(steps));
    }
    if (by_atom_) by_atom_->add_timings(times);
    return times;
  }
  void reset_timings() override {
    plan_.reset_timings();
    if (by_atom_) by_atom_->reset_timings();
    fused_steps_ = 0;
    step_seconds_ = 0;
  }
  [[nodiscard]] double skin() const override { return 2 * plan_.plan().allowed_displacement(); }
  [[nodiscard]] double neighbors_per_atom() const override {
    return plan_.plan().neighbors_per_atom();
  }

 private:
  [[nodiscard]] PairForceArgs<Storage> args(State<P>& state) {
    PairForceArgs<Storage> args;
    args.positions = state.columns.rows(state.positions);
    args.types = classes_.size() > 0 ? classes_.view() : state.columns.values(state.type);
    args.forces = state.columns.rows(state.forces);
    args.box = state.box();
    if (state.charges) args.charges = state.columns.values(*state.charges);
    if (partners_.size() > 0) args.exclusions = {offsets_.view(), partners_.view()};
    args.coefficients = options_.coefficients.view();
    return args;
  }

  [[nodiscard]] bool is_larger(const Box& box) const {
    for (int d = 0; d < 3; ++d)
      if (largest_coordinate(box, d) > 1.5 * largest_coordinate(judged_, d)) return true;
    return false;
  }

  PairTermOptions options_;
  Box judged_;                   ///< last box for which judge_resolution() ran
  Array<std::int32_t> offsets_;  ///< of the exclusions in partners_
  Array<std::int32_t> partners_;
  Array<std::int32_t> classes_;  ///< of the atoms; empty: the types are the classes
  TimedPlan<PairForce, P> plan_;
  std::optional<ByAtomPlan<PairForce, P>> by_atom_;
  std::int64_t fused_steps_ = 0;
  double step_seconds_ = 0;
};

}  // namespace

TermFactory pair_term(PairTermOptions options) {
  return std::make_shared<FactoryOf<ForceTerm, PairTerm, PairTermOptions>>(std::move(options));
}

}  // namespace tessera::md
