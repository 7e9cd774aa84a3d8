#include "physics/md/langevin/langevin.hpp"

#include "core/base/error.hpp"
#include "core/base/shortest_number.hpp"
#include "core/state/timed_plan.hpp"
#include "physics/md/simulation/half_kicks.hpp"
#include "physics/md/simulation/langevin.hpp"
#include "physics/reduction/sum/sum.hpp"

#include <cmath>
#include <string>
#include <vector>

namespace tessera::md {
namespace {

const LangevinOptions& checked(const LangevinOptions& options) {
  const auto require = [](double value, const char* what) {
    if (!(value >= 0) || !std::isfinite(value))
      throw ArgumentError("langevin: the " + std::string(what) + " is " + rounded_number(value) +
                          ", expected a finite number not below zero");
  };
  require(options.temperature, "temperature");
  require(options.friction, "friction");
  return options;
}

/// Values of `of(mass)` by mass class; 0 for the class of frozen atoms, which the bath does not act
/// on.
template <class P, class Of>
std::vector<double> by_mass_class(const State<P>& state, const Of& of) {
  std::vector<double> values;
  for (const AtomType& type : state.description.types)
    values.push_back(of(type.mass));
  values.resize(static_cast<std::size_t>(state.mass_classes));
  return values;
}

/// Kinetic energy of all moving atoms at unit velocity.
template <class P>
double moving_half_mass(const State<P>& state) {
  const std::vector<AtomType>& types = state.description.types;
  std::vector<std::int64_t> count(types.size(), 0);
  for (const std::int32_t mass_class : state.columns.to_host(state.mass_class))
    if (static_cast<std::size_t>(mass_class) < types.size())
      ++count[static_cast<std::size_t>(mass_class)];
  double sum = 0;
  for (std::size_t type = 0; type < types.size(); ++type)
    sum += 0.5 * types[type].mass * state.units.mv2_to_energy * static_cast<double>(count[type]);
  return sum;
}

template <class P>
class LangevinIntegrator final : public HalfKicks<P> {
 public:
  LangevinIntegrator(State<P>& state, const LangevinOptions& options)
      : options_(checked(options)),
        keep_(std::exp(-options.friction * std::abs(state.clock.time_step()))),
        noise_(state.context, by_mass_class(state,
                                            [&](double mass) {
                                              return std::sqrt((1 - keep_ * keep_) *
                                                               state.units.boltzmann *
                                                               options.temperature /
                                                               (mass * state.units.mv2_to_energy));
                                            })),
        half_mass_(state.context,
                   by_mass_class(
                       state, [&](double mass) { return 0.5 * mass * state.units.mv2_to_energy; })),
        total_half_mass_(options.zero ? moving_half_mass(state) : 0),
        heat_(state.columns.template declare<double>("langevin.heat", 1,
                                                     {.saved = true, .rollback = true})),
        total_heat_(state.context, 1),
        plan_({state.atoms(), state.mass_classes}, state.context, state.determinism),
        sum_({state.atoms(), 1, 1, state.determinism}, state.context) {}

  [[nodiscard]] double degrees_of_freedom(const State<P>& state) const override {
    if (options_.zero) return Integrator<P>::degrees_of_freedom(state);
    return state.description.dimensions * static_cast<double>(state.moving_atoms());
  }

  [[nodiscard]] bool reports() const override { return true; }
  void report(State<P>& state, const ThermoRow& row, std::vector<ThermoColumn>& columns) override {
    reduction::SumArgs<double> args;
    args.values = state.columns.rows(heat_);
    args.terms.term[args.terms.count++] = {0, -1};
    args.result = total_heat_.view();
    sum_.execute(args, true);
    columns.push_back({"conserved_energy", std::string(state.units.energy),
                       row.potential_energy + row.kinetic_energy - total_heat_.to_host().front()});
  }

  [[nodiscard]] bool fill(State<P>& state, FusedStepsArgs<typename P::Storage>& steps) override {
    steps.bath = args(state);
    return true;
  }

  [[nodiscard]] std::vector<OperationTime> timings() const override { return {plan_.execution()}; }
  void reset_timings() override { plan_.reset_timings(); }

 private:
  void run(State<P>& state, IntegratePhase phase) override {
    LangevinArgs<typename P::Storage> phase_args = args(state);
    phase_args.phase = phase;
    plan_.execute(phase_args, state.timed);
  }

  [[nodiscard]] LangevinArgs<typename P::Storage> args(State<P>& state) {
    LangevinArgs<typename P::Storage> args;
    args.positions = state.columns.rows(state.positions);
    args.velocities = state.columns.rows(state.velocities);
    args.forces = state.columns.rows(state.forces);
    args.types = state.columns.values(state.mass_class);
    args.ids = state.columns.values(state.ids);
    args.force_to_accel = state.force_to_accel.view();
    args.noise = noise_.view();
    args.half_mass = half_mass_.view();
    args.heat = state.columns.values(heat_);
    args.time_step = state.clock.time_step();
    args.keep = keep_;
    args.seed = options_.seed;
    args.step = state.clock.step();
    args.total_half_mass = total_half_mass_;
    args.dimensions = state.description.dimensions;
    return args;
  }

  LangevinOptions options_;
  double keep_;  ///< factor by which friction reduces a velocity in one step
  Array<double> noise_;
  Array<double> half_mass_;
  double total_half_mass_;  ///< of all moving atoms; 0 if the noise carries momentum
  Column<double> heat_;     ///< energy taken from the bath so far, by atom
  Array<double> total_heat_;
  TimedPlan<Langevin, P> plan_;
  TimedPlan<reduction::Sum, Double> sum_;
};

}  // namespace

IntegratorFactory langevin(LangevinOptions options) {
  return std::make_shared<FactoryOf<Integrator, LangevinIntegrator, LangevinOptions>>(options);
}

}  // namespace tessera::md
