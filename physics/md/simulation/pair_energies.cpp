#include "physics/md/simulation/pair_energies.hpp"

#include "core/base/error.hpp"
#include "core/state/timed_plan.hpp"
#include "physics/md/pair_force/pair_force.hpp"
#include "physics/md/pair_potential/pair_table.hpp"
#include "physics/md/simulation/named_atoms.hpp"
#include "physics/md/simulation/observable.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace tessera::md {
namespace {

/// One plan serves all parts: it is prepared with the coefficients of each part in turn, and
/// executes once after each prepare().
template <class P>
class PairEnergies final : public Observable<P> {
 public:
  using Storage = typename P::Storage;

  PairEnergies(State<P>& state, const PairEnergiesOptions& options)
      : options_(options),
        offsets_(state.context, options.exclusions.offsets),
        partners_(state.context, options.exclusions.partners),
        classes_(state.context, options.classes),
        energies_(state.context, std::ssize(options.parts)) {
    require_rows(state);
    options_.exclusions = {};  // the arrays on the device are used from here on
    options_.classes = {};
    const auto furthest = std::max_element(
        options_.parts.begin(), options_.parts.end(), [](const auto& a, const auto& b) {
          return a.coefficients.largest_cutoff() < b.coefficients.largest_cutoff();
        });
    if (furthest == options_.parts.end() || !(furthest->coefficients.largest_cutoff() > 0)) return;
    plan_.emplace(problem_for(state, furthest->coefficients), state.context);
    plan_->assume_indices_valid();
    forces_ = Array<Storage>(state.context, 3 * state.atoms());
  }

  void report(State<P>& state, std::vector<ThermoColumn>& columns) override {
    energies_.fill_bytes(0);
    for (std::size_t k = 0; k < options_.parts.size(); ++k) {
      const CoefficientTable& coefficients = options_.parts[k].coefficients;
      if (!(coefficients.largest_cutoff() > 0)) continue;
      PairForceArgs<Storage> args;
      args.positions = state.columns.rows(state.positions);
      args.types = classes_.size() > 0 ? classes_.view() : state.columns.values(state.type);
      args.forces = forces_.rows(3);
      args.box = state.box();
      if (state.charges) args.charges = state.columns.values(*state.charges);
      if (partners_.size() > 0) args.exclusions = {offsets_.view(), partners_.view()};
      args.coefficients = coefficients.view();
      args.energy = {energies_.data() + k, {1}};
      with_ids(state, [&] {
        plan_->prepare(args);
        plan_->execute(args, true);
      });
    }
    const std::vector<double> energies = energies_.to_host();
    for (std::size_t k = 0; k < energies.size(); ++k)
      columns.push_back({options_.parts[k].column, std::string(state.units.energy), energies[k]});
  }

  [[nodiscard]] std::vector<OperationTime> timings() const override {
    if (!plan_) return {};
    OperationTime execution = plan_->execution();
    OperationTime preparation = plan_->preparation();
    execution.operation = std::string(PairForce::name) + " (energies of parts)";
    preparation.operation = std::string(PairForce::name) + " (prepare energies of parts)";
    return {execution, preparation};
  }
  void reset_timings() override {
    if (plan_) plan_->reset_timings();
  }

 private:
  void require_rows(const State<P>& state) const {
    const auto refuse = [](const char* name, const std::string& text) {
      throw ArgumentError("pair_energies", name, text);
    };
    const auto types = static_cast<int>(state.description.types.size());
    if (!options_.classes.empty() && std::ssize(options_.classes) != state.atoms())
      refuse("classes", std::to_string(options_.classes.size()) + " for " +
                            std::to_string(state.atoms()) + " atoms");
    int rows = types;
    for (const PairEnergyPart& part : options_.parts) {
      if (&part == &options_.parts.front() && !options_.classes.empty())
        rows = part.coefficients.types();
      if (part.coefficients.types() != rows)
        refuse("parts", std::to_string(part.coefficients.types()) + " rows in '" + part.column +
                            "', expected " + std::to_string(rows));
      if (part.coefficients.potential().name() !=
          options_.parts.front().coefficients.potential().name())
        refuse("parts", "forms differ");
    }
    for (const std::int32_t row : options_.classes)
      if (row < 0 || row >= rows)
        refuse("classes", std::to_string(row) + " of " + std::to_string(rows));
  }

  [[nodiscard]] PairForceProblem problem_for(const State<P>& state,
                                             const CoefficientTable& furthest) const {
    PairForceProblem problem;
    problem.atoms = state.atoms();
    problem.types = furthest.types();
    problem.cutoff = furthest.largest_cutoff();
    // No atom moves between prepare and execute, so that the skin only has to cover rounding.
    problem.skin = 0.01 * problem.cutoff;
    problem.potential = furthest.potential().name();
    problem.exclusions = partners_.size() > 0;
    problem.box = state.box();
    for (const PairEnergyPart& part : options_.parts) {
      const double shortest =
          shortest_length(part.coefficients.potential(), part.coefficients.view());
      if (shortest > 0 && (problem.shortest == 0 || shortest < problem.shortest))
        problem.shortest = shortest;
    }
    problem.tallied = true;
    problem.determinism = state.determinism;
    return problem;
  }

  PairEnergiesOptions options_;
  Array<std::int32_t> offsets_;  ///< of the exclusions in partners_
  Array<std::int32_t> partners_;
  Array<std::int32_t> classes_;  ///< of the atoms; empty: the types are the classes
  Array<double> energies_;
  Array<Storage> forces_;  ///< scratch
  std::optional<TimedPlan<PairForce, P>> plan_;
};

}  // namespace

ObservableFactory pair_energies(PairEnergiesOptions options) {
  return std::make_shared<FactoryOf<Observable, PairEnergies, PairEnergiesOptions>>(
      std::move(options));
}

}  // namespace tessera::md
