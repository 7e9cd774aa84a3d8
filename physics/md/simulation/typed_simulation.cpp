#include <cmath>
#include <string>
#include <tessera/md/coincident_atoms.hpp>
#include <tessera/md/simulation/typed_simulation.hpp>
#include <utility>

namespace tessera::md {
namespace {

constexpr std::int64_t energy_at = 0;
constexpr std::int64_t virial_at = 1;
constexpr std::int64_t kinetic_at = 7;
constexpr std::int64_t totals_count = 16;

/// Every so many steps one waits for a GPU to take times.
constexpr std::int64_t sample_interval = 64;

template <class Storage>
std::vector<Storage> flat(const std::vector<std::array<double, 3>>& rows, std::int64_t atoms) {
  std::vector<Storage> values;
  values.reserve(static_cast<std::size_t>(3 * atoms));
  for (const auto& row : rows)
    for (const double x : row)
      values.push_back(static_cast<Storage>(x));
  values.resize(static_cast<std::size_t>(3 * atoms));
  return values;
}

std::vector<std::int32_t> flat_images(const System& system) {
  std::vector<std::int32_t> values;
  for (const auto& row : system.images)
    values.insert(values.end(), row.begin(), row.end());
  values.resize(static_cast<std::size_t>(3 * system.size()));
  return values;
}

std::vector<double> masses_of(const System& system) {
  std::vector<double> masses;
  for (const AtomType& type : system.types)
    masses.push_back(type.mass);
  return masses;
}

std::vector<double> force_to_accel(const System& system, const Units& units) {
  std::vector<double> factors;
  for (const AtomType& type : system.types)
    factors.push_back(units.force_to_accel / type.mass);
  return factors;
}

PairForceProblem force_problem(const System& system, const CoefficientTable& coefficients,
                               const SimulationOptions& options) {
  PairForceProblem problem;
  problem.atoms = system.size();
  problem.types = static_cast<int>(system.types.size());
  problem.cutoff = coefficients.largest_cutoff();
  problem.skin = options.skin;
  problem.form = coefficients.form().name();
  problem.box = system.box;
  return problem;
}

/// Squares and products for the kinetic tensor, then the columns for the momentum.
reduction::SumTerms velocity_terms() {
  reduction::SumTerms terms;
  for (const auto& [a, b] :
       {std::pair{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}, {0, -1}, {1, -1}, {2, -1}})
    terms.term[terms.count++] = {static_cast<std::int16_t>(a), static_cast<std::int16_t>(b)};
  return terms;
}

void check_system(const System& system, const CoefficientTable& coefficients) {
  const auto types = system.types.size();
  if (types == 0) throw ArgumentError("a simulation needs at least one atom type");
  if (static_cast<std::size_t>(coefficients.types()) != types)
    throw ArgumentError("pair coefficients of " + std::to_string(coefficients.types()) +
                        " types for atoms of " + std::to_string(types));
  if (coefficients.form().reads_charge() && system.charges.size() != system.positions.size())
    throw ArgumentError("the pair form " + coefficients.form().name() +
                        " reads charges, which the atoms do not have");
  if (!(coefficients.largest_cutoff() > 0))
    throw ArgumentError("the cutoff is not greater than zero");
  for (std::size_t i = 0; i < system.positions.size(); ++i) {
    for (std::size_t d = 0; d < 3; ++d) {
      const double x = system.positions[i][d];
      const std::string who =
          "atom " +
          std::to_string(system.ids.empty() ? static_cast<std::int64_t>(i) : system.ids[i]);
      if (!std::isfinite(x))
        throw ParticleError({static_cast<std::int64_t>(i)},
                            "the position of " + who + " is not finite");
      const double low = system.box.lower[d];
      if (!system.box.periodic[d] && (x < low || x > low + system.box.length[d]))
        throw ParticleError({static_cast<std::int64_t>(i)},
                            who + " is outside of the box along " + "xyz"[d] +
                                ", which is not periodic: " + std::to_string(x));
    }
    const std::int32_t type = system.type[i];
    if (type < 0 || static_cast<std::size_t>(type) >= types)
      throw ParticleError({static_cast<std::int64_t>(i)},
                          "atom " + std::to_string(i) + " has type " + std::to_string(type + 1) +
                              " of " + std::to_string(types));
  }
}

const System& checked(const System& system, const CoefficientTable& coefficients) {
  check_system(system, coefficients);
  return system;
}

}  // namespace

template <class P>
TypedSimulation<P>::TypedSimulation(const Context& context, const System& system,
                                    CoefficientTable coefficients, const Units& units,
                                    const SimulationOptions& options)
    : context_(context),
      units_(units),
      options_(options),
      atoms_(checked(system, coefficients)),
      box_(system.box),
      built_box_(system.box),
      coefficients_(std::move(coefficients)),
      cutoff_(coefficients_.largest_cutoff()),
      positions_(context, flat<Storage>(system.positions, system.size())),
      velocities_(context, flat<Storage>(system.velocities, system.size())),
      forces_(context, 3 * system.size()),
      types_(context, system.type),
      charges_(context, std::vector<Storage>(system.charges.begin(), system.charges.end())),
      images_(context, flat_images(system)),
      masses_(context, masses_of(system)),
      force_to_accel_(context, force_to_accel(system, units)),
      built_positions_(context, 3 * system.size()),
      built_velocities_(context, 3 * system.size()),
      built_images_(context, 3 * system.size()),
      totals_(context, totals_count),
      displacement_result_(context, 1),
      pair_force_(force_problem(system, coefficients_, options), context),
      integrate_({system.size(), static_cast<int>(system.types.size())}, context),
      displacement_({system.size()}, context),
      wrap_({system.size()}, context),
      sum_({system.size(), 3, velocity_terms().count}, context),
      build_timer_("md/pair_force (prepare)", pair_force_.timer.total().choice) {
  build();
  compute_forces(true);
}

template <class P>
PairForceArgs<typename P::Storage> TypedSimulation<P>::force_args(bool with_energy) {
  PairForceArgs<Storage> args;
  args.positions = positions_.rows(3);
  args.types = types_.view();
  args.forces = forces_.rows(3);
  args.box = box_;
  if (charges_.size() > 0) args.charges = charges_.view();
  args.coefficients = coefficients_.view();
  if (with_energy) {
    args.energy = {totals_.data() + energy_at, {1}};
    args.virial = {totals_.data() + virial_at, {6}};
  }
  return args;
}

template <class P>
bool TypedSimulation<P>::sampled() const {
  if (context_.memory() == MemorySpace::host || options_.exact_timings) return true;
  return steps_ % sample_interval == sample_interval - 1;
}

template <class P>
void TypedSimulation<P>::integrate(IntegratePhase phase) {
  integrate_.timer.time(context_, sampled(), [&] {
    integrate_.plan->execute({positions_.rows(3), velocities_.rows(3), forces_.rows(3),
                              types_.view(), force_to_accel_.view(), options_.time_step, phase});
  });
}

template <class P>
void TypedSimulation<P>::compute_forces(bool with_energy) {
  pair_force_.timer.time(context_, sampled(), [&] {
    naming_ids(atoms_.ids, [&] { pair_force_.plan->execute(force_args(with_energy)); });
  });
  energy_is_current_ = with_energy;
}

template <class P>
void TypedSimulation<P>::build() {
  wrap_.timer.time(context_, true, [&] {
    wrap_.plan->execute({positions_.rows(3), images_.rows(3), box_});
  });
  Device& device = *context_.device;
  if (positions_.size() > 0) {
    device.copy(built_positions_.data(), positions_.data(), positions_.bytes(), context_.stream);
    device.copy(built_velocities_.data(), velocities_.data(), velocities_.bytes(), context_.stream);
    device.copy(built_images_.data(), images_.data(), images_.bytes(), context_.stream);
  }
  // Rebuilds are rare and wait for the device anyway, so all of them are timed.
  build_timer_.time(context_, true, [&] {
    naming_ids(atoms_.ids, [&] { pair_force_.plan->prepare(force_args(false)); });
  });
  built_box_ = box_;
  built_step_ = steps_;
  built_mid_step_ = false;
  former_displacement_ = 0;
  ++rebuilds_;
}

template <class P>
bool TypedSimulation<P>::needs_build() {
  const bool scheduled =
      options_.rebuild_every > 0 && steps_ - built_step_ >= options_.rebuild_every;
  if (options_.rebuild_every > 0 && !scheduled) return false;
  if (positions_.size() == 0) return false;
  displacement_.timer.time(context_, sampled(), [&] {
    displacement_.plan->execute(
        {positions_.rows(3), built_positions_.rows(3), displacement_result_.view()});
  });
  DisplacementResult worst;
  displacement_result_.copy_to({&worst, 1});
  // Between two checks lies one step, or one interval: nothing sound moves by a cutoff in a step.
  const double steps_between = scheduled ? static_cast<double>(options_.rebuild_every) : 1.0;
  if (!(worst.largest - former_displacement_ < cutoff_ * steps_between)) stop_blown_up(worst);
  former_displacement_ = worst.largest;
  if (scheduled) return true;
  const double allowed =
      pair_force_.plan->allowed_displacement() - box_displacement(box_, built_box_);
  return worst.largest > allowed;
}

template <class P>
void TypedSimulation<P>::stop_blown_up(const DisplacementResult& worst) {
  const std::int64_t step = steps_ + 1;
  const auto atom = static_cast<std::size_t>(worst.atom);
  const std::int64_t id = atoms_.ids.empty() ? worst.atom : atoms_.ids[atom];
  Device& device = *context_.device;
  device.copy(positions_.data(), built_positions_.data(), positions_.bytes(), context_.stream);
  device.copy(velocities_.data(), built_velocities_.data(), velocities_.bytes(), context_.stream);
  device.copy(images_.data(), built_images_.data(), images_.bytes(), context_.stream);
  box_ = built_box_;
  steps_ = built_step_;
  compute_forces(true);
  if (built_mid_step_) integrate(IntegratePhase::close);
  throw BlowUpError(
      step, id,
      "atom " + std::to_string(id) +
          (std::isfinite(worst.largest) ? " moved " + std::to_string(worst.largest) + " in one step"
                                        : " has a position that is not finite") +
          "; the time step " + std::to_string(options_.time_step) +
          " is too long for these forces (state put back to step " + std::to_string(steps_) + ")");
}

template <class P>
void TypedSimulation<P>::build_if_needed() {
  if (!needs_build()) return;
  ++steps_;  // the state that is built on belongs to the step that is under way
  build();
  --steps_;
  built_mid_step_ = true;
}

template <class P>
void TypedSimulation<P>::advance(std::int64_t steps) {
  for (std::int64_t step = 0; step < steps; ++step) {
    integrate(step == 0 ? IntegratePhase::open : IntegratePhase::close_and_open);
    build_if_needed();
    compute_forces(step + 1 == steps);
    ++steps_;
  }
  if (steps > 0) integrate(IntegratePhase::close);
}

template <class P>
ThermoRow TypedSimulation<P>::thermo() {
  if (!energy_is_current_) compute_forces(true);
  reduction::SumArgs<Storage> args;
  args.values = velocities_.rows(3);
  args.weights = masses_.view();
  args.weight_class = types_.view();
  args.terms = velocity_terms();
  args.result = {totals_.data() + kinetic_at, {args.terms.count}};
  sum_.timer.time(context_, true, [&] { sum_.plan->execute(args); });
  const std::vector<double> totals = totals_.to_host();
  ThermoSums sums;
  sums.potential_energy = totals[energy_at];
  for (std::size_t c = 0; c < 6; ++c) {
    sums.virial[c] = totals[virial_at + c];
    sums.kinetic[c] = totals[kinetic_at + c];
  }
  for (std::size_t d = 0; d < 3; ++d)
    sums.momentum[d] = totals[kinetic_at + 6 + d];
  ThermoRow row = thermo_row(sums, atoms_.size(), box_.volume(), units_);
  row.step = steps_;
  row.time = static_cast<double>(steps_) * options_.time_step;
  return row;
}

template <class P>
void TypedSimulation<P>::rebuild() {
  build();
  compute_forces(true);
}

template <class P>
void TypedSimulation<P>::set_box(const Box& box) {
  for (int d = 0; d < 3; ++d)
    if (box.periodic[d] != box_.periodic[d])
      throw ArgumentError("a direction cannot become periodic, or cease to be, during a run");
  box_ = box;
  energy_is_current_ = false;
}

template <class P>
System TypedSimulation<P>::system() const {
  System system = atoms_;
  const std::vector<Storage> positions = positions_.to_host();
  const std::vector<Storage> velocities = velocities_.to_host();
  const std::vector<std::int32_t> images = images_.to_host();
  const auto atoms = static_cast<std::size_t>(atoms_.size());
  system.box = box_;
  system.velocities.resize(atoms);
  system.images.resize(atoms);
  for (std::size_t i = 0; i < atoms; ++i)
    for (std::size_t d = 0; d < 3; ++d) {
      system.positions[i][d] = static_cast<double>(positions[3 * i + d]);
      system.velocities[i][d] = static_cast<double>(velocities[3 * i + d]);
      system.images[i][d] = images[3 * i + d];
    }
  return system;
}

template <class P>
std::vector<std::array<double, 3>> TypedSimulation<P>::forces() const {
  const std::vector<Storage> forces = forces_.to_host();
  std::vector<std::array<double, 3>> rows(static_cast<std::size_t>(atoms_.size()));
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t d = 0; d < 3; ++d)
      rows[i][d] = static_cast<double>(forces[3 * i + d]);
  return rows;
}

template <class P>
std::vector<OperationTime> TypedSimulation<P>::timings() const {
  return {pair_force_.timer.total(),   build_timer_.total(), integrate_.timer.total(),
          displacement_.timer.total(), wrap_.timer.total(),  sum_.timer.total()};
}

template <class P>
void TypedSimulation<P>::reset_timings() {
  pair_force_.timer.reset();
  build_timer_.reset();
  integrate_.timer.reset();
  displacement_.timer.reset();
  wrap_.timer.reset();
  sum_.timer.reset();
}

template class TypedSimulation<Double>;
template class TypedSimulation<Mixed>;
template class TypedSimulation<Single>;

}  // namespace tessera::md
