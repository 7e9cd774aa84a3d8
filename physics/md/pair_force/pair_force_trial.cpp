#include "core/base/shortest_number.hpp"
#include "core/trials/comparison.hpp"
#include "core/trials/typed_trials.hpp"
#include "physics/md/atoms_source.hpp"
#include "physics/md/pair_force/gradient_check.hpp"
#include "physics/md/pair_force/pair_force.hpp"
#include "physics/md/pair_force/pair_force_cases.hpp"
#include "physics/md/pair_force/pair_force_reference.hpp"
#include "physics/md/pair_potential/pair_kernels.hpp"
#include "physics/md/step/steps_trial.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>
#include <optional>
#include <set>
#include <span>

namespace tessera::md::pair_force_trial {

/// Relative distance from the cutoff within which a pair may be counted or not.
constexpr double cutoff_margin = 4e-6;

/// Largest accepted error of the forces.
template <class P>
constexpr double tolerance_in = P::value == Precision::double_precision ? 1e-12
                                : P::value == Precision::mixed          ? 1e-5
                                                                        : 5e-6;

struct Data {
  PairForceCase system;
  double displacement_per_step = 0;  ///< of the fastest atom; 0: unknown
  bool by_atom = false;
  Determinism determinism = Determinism::none;  ///< determinism that the problem requires
  TrialMotion motion{};
  bool check_gradient = false;  ///< whether the force of the potential is compared with its energy
};

/// Displacement per step of the fastest of some ten thousand atoms of the melt, at four and a half
/// times the thermal velocity (temperature 0.72, steps of 0.005).
constexpr double melt_displacement = 0.019;

Data moving_melt(std::int64_t atoms) {
  Data data{make_shaken_melt(atoms), melt_displacement};
  const auto n = static_cast<std::int64_t>(data.system.types.size());
  data.motion = {0.005, thermal_velocities(n, std::sqrt(0.72)), {1.0}};
  return data;
}

/// Former value to which forces are added, as large as typical forces.
double former_force(const PairForceCase& system) {
  const std::vector<CoefficientField>& fields = system.coefficients.potential().fields();
  double force = 1;
  for (std::size_t f = 0; f < fields.size(); ++f) {
    const double value = system.coefficients.at(0, 0, f);
    const CoefficientField& field = fields[f];
    if (!(value > 0) || field.is_cutoff || field.for_all || field.of_table || field.charge != 0)
      continue;
    if (field.energy == 1 && field.length == 0) force *= value;
    if (field.length == 1 && field.energy == 0) force /= value;
  }
  return force;
}

/// Sums of pair potentials that contain each potential once beside a common one, and all sums that
/// were compiled.
std::vector<std::string> tried_sums() {
  const std::set<std::string> compiled = pair_kernels().potentials();
  std::vector<std::string> sums;
  for (const std::string& sum : pair_potentials().sums())
    if (sum.starts_with("lj/cut+") || sum.ends_with("+coul/cut") || compiled.contains(sum))
      sums.push_back(sum);
  return sums;
}

/// Inputs that are also tried with determinism any_order, chosen for the effects of lists, boxes,
/// units and potentials on it.
bool is_tried_in_any_order(const TrialInput& input) {
  static const std::set<std::string> chosen{"random",
                                            "melt",
                                            "two types",
                                            "two",
                                            "clustered",
                                            "unwrapped",
                                            "droplet",
                                            "three types",
                                            "long box",
                                            "cutoff of half the box",
                                            "tilted by 0.8",
                                            "sparse",
                                            "plane",
                                            "three cutoffs",
                                            "three cutoffs, tilted",
                                            "chains",
                                            "lengths of 1e-11, joules",
                                            "lengths of 1e6",
                                            "unequal grains",
                                            "unequal grains of 1e4, joules",
                                            "water lj/cut+coul/cut",
                                            "other potentials by pair of types",
                                            "water lj/cut+coul/dsf"};
  const std::string half = "half of ";
  const std::string whole =
      input.name.starts_with(half) ? input.name.substr(half.size()) : input.name;
  return chosen.contains(whole) || whole.starts_with("form ");
}

/// Half of a system, without lists of excluded pairs for ghosts.
Data half_of(Data data) {
  data.system = cut_in_half(data.system, 1, false).system;
  data.motion = {};
  data.check_gradient = false;
  return data;
}

/// Inputs with ghosts.
void add_halves(std::vector<TrialRow<Data>>& rows) {
  static const std::set<std::string> chosen{"random",
                                            "melt",
                                            "two",
                                            "at the cutoff",
                                            "on the boundary",
                                            "clustered",
                                            "slab",
                                            "droplet",
                                            "three types",
                                            "long box",
                                            "cutoff of half the box",
                                            "tilted by 0.8",
                                            "tilted, one cell",
                                            "tilted, unwrapped",
                                            "tilted melt 6912",
                                            "sparse",
                                            "sparse, tilted",
                                            "plane",
                                            "three cutoffs",
                                            "three cutoffs, open",
                                            "three cutoffs, tilted",
                                            "chains",
                                            "chains, by atom",
                                            "lengths of 1e6",
                                            "water lj/cut+coul/rf",
                                            "water lj/cut+coul/rf, by atom",
                                            "water lj/cut+coul/long, partly charged"};
  const std::size_t given = rows.size();
  for (std::size_t r = 0; r < given; ++r) {
    const std::string& name = rows[r].input.name;
    const bool not_central = name.starts_with("form ") &&
                             !pair_potentials().find(name.substr(std::strlen("form "))).central();
    if (!not_central && !chosen.contains(name)) continue;
    TrialRow<Data> row = rows[r];
    row.input.name = "half of " + name;
    std::erase_if(row.input.timed, [](std::int64_t size) { return size > 256000; });
    row.make = [make = rows[r].make](std::int64_t n) { return half_of(make(n)); };
    rows.push_back(std::move(row));
  }
  rows.push_back({{"only ghosts", {33}, {}, false}, [](std::int64_t) {
                    Data data{make_pair_force_case("33"), melt_displacement};
                    data.system.ghosts = 33;
                    return data;
                  }});
}

void add_any_order(std::vector<TrialRow<Data>>& rows) {
  const std::size_t given = rows.size();
  for (std::size_t r = 0; r < given; ++r) {
    if (!is_tried_in_any_order(rows[r].input)) continue;
    TrialRow<Data> row = rows[r];
    row.input.timed = {};
    row.input.name += " in any order";
    row.make = [make = rows[r].make](std::int64_t n) {
      Data data = make(n);
      data.determinism = Determinism::any_order;
      return data;
    };
    rows.push_back(std::move(row));
  }
}

std::vector<TrialRow<Data>> rows() {
  std::vector<TrialRow<Data>> all{
      {{"random", {0, 1, 31, 33, 1000}, {}, false},
       [](std::int64_t n) {
         const std::string size = n == 0   ? "empty"
                                  : n == 1 ? "one"
                                           : std::to_string(n) + (n == 1000 ? " random" : "");
         return Data{make_pair_force_case(size), melt_displacement};
       }},
      {{"melt", {2048, 6912}, {32000, 256000, 1048576, 4000000}},
       [](std::int64_t n) { return moving_melt(n); }},
      {{"two types", {2048}},
       [](std::int64_t n) {
         return Data{make_two_long_cutoff_types(n, false), melt_displacement};
       }},
      {{"two far-sighted", {2048}}, [](std::int64_t n) {
         return Data{make_two_long_cutoff_types(n), melt_displacement};
       }}};
  const std::pair<const char*, BallBox> balls[] = {{"ball", BallBox::fitting},
                                                   {"ball in a wide box", BallBox::wide},
                                                   {"two balls", BallBox::two_balls},
                                                   {"ball and a stray atom", BallBox::stray_atom}};
  for (const auto& [name, box] : balls)
    all.push_back({{name, {400}}, [ball_box = box](std::int64_t n) {
                     return Data{make_ball(n, ball_box), melt_displacement};
                   }});
  const std::pair<const char*, std::int64_t> fixed[] = {{"two", 2},
                                                        {"at the cutoff", 5},
                                                        {"on the boundary", 8},
                                                        {"clustered", 353},
                                                        {"unwrapped", 500},
                                                        {"slab", 400},
                                                        {"droplet", 400},
                                                        {"three types", 600},
                                                        {"an empty type", 600},
                                                        {"long box", 1440},
                                                        {"cutoff of half the box", 60},
                                                        {"two cells along x", 432},
                                                        {"far from an open box", 400},
                                                        {"tilted by 0.3", 500},
                                                        {"tilted by 0.5", 500},
                                                        {"tilted by 0.8", 500},
                                                        {"tilted by 1.7", 500},
                                                        {"tilted, one cell", 60},
                                                        {"tilted by 1.7, one cell", 60},
                                                        {"tilted, two cells", 150},
                                                        {"tilted, three cells", 350},
                                                        {"tilted, long", 500},
                                                        {"tilted slab", 400},
                                                        {"tilted sheet", 400},
                                                        {"tilted, unwrapped", 500},
                                                        {"tilted, on the boundary", 11},
                                                        {"tilted melt 6912", 6912},
                                                        {"sparse", 501},
                                                        {"sparse, open", 501},
                                                        {"sparse, tilted", 501},
                                                        {"line and sheet", 375},
                                                        {"plane", 400},
                                                        {"plane in a wide box", 400},
                                                        {"three cutoffs", 700},
                                                        {"three cutoffs, open", 700},
                                                        {"three cutoffs, tilted", 900},
                                                        {"three cutoffs, sparse", 501},
                                                        {"chains", 600},
                                                        {"in meters", 500},
                                                        {"lengths of 2000", 500},
                                                        {"lengths of 1e-4", 500},
                                                        {"lengths of 1e-11, joules", 500},
                                                        {"lengths of 1e6", 500},
                                                        {"lengths of 1e6, joules", 500},
                                                        {"unequal grains", 249},
                                                        {"unequal grains of 1e-12", 249},
                                                        {"unequal grains of 1e4, joules", 249}};
  for (const auto& [name, size] : fixed)
    all.push_back({{name, {size}, {}, false}, [text = std::string(name)](std::int64_t) {
                     return Data{make_pair_force_case(text), melt_displacement};
                   }});
  const std::pair<const char*, std::int64_t> by_atom[] = {
      {"empty", 0},    {"one", 1},
      {"33", 33},      {"1000 random", 1000},
      {"slab", 400},   {"three cutoffs, tilted", 900},
      {"chains", 600}, {"lengths of 1e6, joules", 500}};
  for (const auto& [name, size] : by_atom)
    all.push_back({{std::string(name) + ", by atom", {size}, {}, false},
                   [text = std::string(name)](std::int64_t) {
                     return Data{make_pair_force_case(text), melt_displacement, true};
                   }});
  all.push_back({{"water lj/cut+coul/rf, by atom", {375}, {}, false}, [](std::int64_t) {
                   return Data{make_water_case("lj/cut+coul/rf"), melt_displacement, true};
                 }});
  // Tests every pair potential of this process, including those of plugins, with every pair kernel.
  const PairPotentials& potentials = pair_potentials();
  std::vector<std::string> names = potentials.names();
  names.emplace_back("lj/cut+morse+coul/cut");
  for (const std::string& compiled : pair_kernels().potentials())
    if (std::count(compiled.begin(), compiled.end(), '+') > 1 && compiled != names.back())
      names.push_back(compiled);
  for (const std::string& potential : names)
    all.push_back({{"form " + potential, {300}, {}, false}, [potential](std::int64_t) {
                     Data data{make_potential_case(potential), melt_displacement};
                     data.check_gradient = true;
                     return data;
                   }});
  all.push_back({{"other potentials by pair of types", {300}, {}, false}, [](std::int64_t) {
                   return Data{make_styles_case(), melt_displacement};
                 }});
  for (const std::string& sum : tried_sums())
    all.push_back({{"water " + sum, {375}, {}, false}, [sum](std::int64_t) {
                     return Data{make_water_case(sum), melt_displacement};
                   }});
  for (const char* const sum : {"lj/cut+coul/rf", "lj/cut+coul/long"}) {
    const std::string water = "water " + std::string(sum);
    all.push_back({{water + ", unlike pairs", {375}, {}, false}, [sum](std::int64_t) {
                     return Data{make_unlike_water(sum), melt_displacement};
                   }});
    all.push_back({{water + ", partly charged", {375}, {}, false}, [sum](std::int64_t) {
                     return Data{make_partly_charged_water(sum), melt_displacement};
                   }});
  }
  add_halves(all);
  add_any_order(all);
  return all;
}

std::optional<Data> from_source(const TrialSource& source) {
  const auto* const atoms = dynamic_cast<const AtomsSource*>(&source);
  if (atoms == nullptr || atoms->pair == nullptr) return std::nullopt;
  Data data{*atoms->pair, 0};
  data.determinism = atoms->determinism;
  if (const TrialSource::Column* const velocities = source.column("velocities")) {
    if (atoms->fused_steps)
      data.motion = {atoms->time_step, velocities->values, atoms->force_to_accel};
    for (std::size_t i = 0; i + 2 < velocities->values.size(); i += 3) {
      const double* const v = &velocities->values[i];
      data.displacement_per_step = std::max(
          data.displacement_per_step, std::abs(atoms->time_step) * std::hypot(v[0], v[1], v[2]));
    }
  }
  return data;
}

template <class P>
class PairForceTrial final : public Trial<PairForce, P> {
 public:
  using Storage = typename P::Storage;
  using typename Trial<PairForce, P>::Plan;

  PairForceTrial(const Context& context, const Data& data)
      : Trial<PairForce, P>(context, static_cast<std::int64_t>(data.system.types.size())),
        system_(data.system),
        displacement_per_step_(data.displacement_per_step),
        by_atom_(data.by_atom),
        determinism_(data.determinism),
        motion_(data.motion),
        check_gradient_(data.check_gradient),
        positions_(this->template add<Storage>("positions", TrialRole::input, shape(3),
                                               data.system.positions)),
        types_(this->template add<std::int32_t>("types", TrialRole::input, shape(1),
                                                data.system.types)),
        charges_(this->template add<Storage>(
            "charges", TrialRole::input,
            TrialShape::items(data.system.charges.empty() ? 0 : this->items()),
            data.system.charges)),
        dipoles_(this->template add<Storage>(
            "dipoles", TrialRole::input,
            TrialShape::items(data.system.dipoles.empty() ? 0 : this->items(), 3),
            data.system.dipoles)),
        excluded_from_(this->template add<std::int32_t>(
            "offsets of exclusions", TrialRole::input,
            TrialShape::plain(static_cast<std::int64_t>(data.system.excluded_from.size())),
            data.system.excluded_from)),
        excluded_(this->template add<std::int32_t>(
            "excluded partners", TrialRole::input,
            TrialShape::plain(static_cast<std::int64_t>(data.system.excluded.size())),
            data.system.excluded)),
        forces_(this->template add_output<Storage>("forces", target_shape(3))),
        added_(this->template add<Storage>(
            "added forces", TrialRole::updated, target_shape(3),
            std::vector<double>(three_of_targets(), former_force(data.system)))),
        torques_(this->template add_output<Storage>("torques", torque_shape())),
        added_torques_(this->template add<Storage>(
            "added torques", TrialRole::updated, torque_shape(),
            std::vector<double>(writes_torque() ? three_of_targets() : 0,
                                former_force(data.system)))),
        energy_(this->template add_output<double>("energy", TrialShape::plain(1))),
        virial_(this->template add_output<double>("virial", TrialShape::plain(6))),
        energies_(this->template add_output<double>("energies", by_atom_shape(1))),
        virials_(this->template add_output<double>("virials", by_atom_shape(6))) {
    choose(0);
  }

  [[nodiscard]] PairForceProblem problem() override {
    PairForceProblem problem = pair_force_problem(args(), potential().name());
    problem.skin = system_.skin;
    problem.displacement = displacement_per_step_;
    problem.determinism = determinism_;
    problem.by_atom = by_atom_;
    return problem;
  }

  [[nodiscard]] PairForceArgs<Storage> args() override {
    PairForceArgs<Storage> args = common_args<Storage>();
    args.positions = positions_.template view<2>();
    args.types = types_.template view<1>();
    if (!system_.charges.empty()) args.charges = charges_.template view<1>();
    if (!system_.dipoles.empty()) args.dipoles = dipoles_.template view<2>();
    if (!system_.excluded_from.empty())
      args.exclusions = {excluded_from_.template view<1>(), excluded_.template view<1>()};
    args.forces = (added_.given() ? added_ : forces_).template view<2>();
    if (writes_torque())
      args.torques = (added_.given() ? added_torques_ : torques_).template view<2>();
    args.write = added_.given() ? Write::add : Write::overwrite;
    args.energy = energy_.template view<1>();
    args.virial = virial_.template view<1>();
    args.energies = energies_.template view<1>();
    args.virials = virials_.template view<2>();
    return args;
  }

  /// Flops of a pair within the cutoff, counted once: 8 for the distance, 12 for the force and 6
  /// for its addition.
  [[nodiscard]] Counts counts() const override {
    const auto n = static_cast<double>(this->targets());
    const double density = static_cast<double>(this->items()) / system_.box.volume();
    const double pairs = n * density * 2.0 / 3.0 * std::numbers::pi *
                         std::pow(system_.coefficients.largest_cutoff(), 3);
    return {"atoms", n, n * (6 * sizeof(Storage) + 4), pairs * 26};
  }

  /// Outputs: 0 the forces alone, as in a usual step; 1 with energy, virial and, by atom, all; 2
  /// forces added to former values; 3 energies and 4 virials of single atoms. Bits are compared for
  /// the first, which has energy and virial too where any order is required.
  [[nodiscard]] int ways() const override { return by_atom_ ? 5 : 3; }
  void choose(int way) override {
    const bool tallied = way == (determinism_ == Determinism::any_order ? 0 : 1);
    energies_.give(by_atom_ && (way == 1 || way == 3));
    virials_.give(by_atom_ && (way == 1 || way == 4));
    energy_.give(tallied);
    virial_.give(tallied);
    forces_.give(way != 2);
    added_.give(way == 2);
    torques_.give(writes_torque() && way != 2);
    added_torques_.give(writes_torque() && way == 2);
  }

  /// Moves every atom by the allowed displacement in a random direction; with any order all atoms
  /// in the same direction, because some atoms would otherwise come closer than the range of
  /// fixed-point sums allows.
  double drift(double fraction, const Plan& plan) override {
    const double reach = plan.allowed_displacement();
    if (!(reach > 0 && reach < INFINITY)) return INFINITY;
    const double steps = displacement_per_step_ > 0 ? reach / displacement_per_step_ : 1.0;
    if (fraction == 0) return steps;
    const double length = 0.999 * fraction * reach;
    if (directions_.empty()) directions_ = random_directions();
    positions_now_ = system_.positions;
    for (std::size_t first = 0; first < positions_now_.size(); first += 3)
      move_atom(first, length, fraction * reach);
    positions_.move({positions_now_.begin(), positions_now_.end()});
    // Describes the state with enough digits for any unit of length.
    state_ = std::to_string(1e12 * length / system_.box.length[0]);
    return steps;
  }

  [[nodiscard]] std::unique_ptr<TrialSteps> start_steps(Plan& plan) override {
    if (motion_.time_step == 0 || this->items() == 0) return nullptr;
    if (plan.fused_steps() == nullptr) return nullptr;
    if (!start_) start_.emplace(this->context(), motion_, system_.positions, system_.types);
    return StepsTrial<Storage, Plan>::start(*start_, plan, args());
  }

 private:
  struct Answer : CacheableReference {
    std::vector<double> forces, torques, totals = std::vector<double>(7);
    std::vector<double> energies, virials;  ///< of single atoms; below, their sums of magnitudes
    std::vector<double> energy_magnitudes, virial_magnitudes;
    PairForceDiagnostics diagnostics;

    template <class Archive>
    void share(Archive& archive) {
      archive(forces);
      archive(torques);
      archive(totals);
      archive(diagnostics.near_cutoff);
      archive(diagnostics.force_magnitude);
      archive(diagnostics.torque_magnitude);
      archive(diagnostics.energy_magnitude);
      archive(diagnostics.virial_magnitude);
      archive(energies);
      archive(virials);
      archive(energy_magnitudes);
      archive(virial_magnitudes);
    }
  };

  /// Keeps only the results of the sampled atoms, in the order of the sample.
  void keep_sample(Answer& answer) const {
    PairForceDiagnostics& diagnostics = answer.diagnostics;
    std::size_t s = 0;
    for (const std::int64_t atom : this->sampled()) {
      const auto i = static_cast<std::size_t>(atom);
      for (std::size_t d = 0; d < 3; ++d)
        for (auto* const sums : {&answer.forces, &answer.torques})
          if (!sums->empty()) (*sums)[3 * s + d] = (*sums)[3 * i + d];
      diagnostics.near_cutoff[s] = diagnostics.near_cutoff[i];
      diagnostics.force_magnitude[s] = diagnostics.force_magnitude[i];
      if (writes_torque()) diagnostics.torque_magnitude[s] = diagnostics.torque_magnitude[i];
      ++s;
    }
    const auto shorten = [](std::vector<double>& numbers, std::size_t size) {
      numbers.resize(size);
      numbers.shrink_to_fit();
    };
    shorten(answer.forces, 3 * s);
    shorten(answer.torques, writes_torque() ? 3 * s : 0);
    shorten(diagnostics.force_magnitude, s);
    shorten(diagnostics.torque_magnitude, writes_torque() ? s : 0);
    diagnostics.near_cutoff.resize(s);
    diagnostics.near_cutoff.shrink_to_fit();
  }

  /// Moves the atom with the coordinates `first` and the next two by a length in its direction. It
  /// stays where rounding to Storage would carry it further than `most`.
  void move_atom(std::size_t first, double length, double most) {
    const auto stored = [](double x) { return static_cast<double>(static_cast<Storage>(x)); };
    double distance_sq = 0;
    for (std::size_t k = first; k < first + 3; ++k) {
      positions_now_[k] += length * directions_[k];
      const double off = stored(positions_now_[k]) - stored(system_.positions[k]);
      distance_sq += off * off;
    }
    if (distance_sq > most * most)
      std::copy_n(system_.positions.begin() + static_cast<std::ptrdiff_t>(first), 3,
                  positions_now_.begin() + static_cast<std::ptrdiff_t>(first));
  }

  [[nodiscard]] std::vector<double> random_directions() const {
    RandomSequence random(1967);
    std::vector<double> all;
    all.reserve(system_.positions.size());
    for (std::int64_t i = 0; i < this->items(); ++i) {
      const double z = 2 * random.uniform() - 1;
      const double angle = 2 * std::numbers::pi * random.uniform();
      const double across = std::sqrt(1 - z * z);
      all.insert(all.end(), {across * std::cos(angle), across * std::sin(angle), z});
      if (determinism_ == Determinism::any_order && i > 0)
        std::copy_n(all.begin(), 3, all.end() - 3);
    }
    return all;
  }

  [[nodiscard]] TrialShape shape(std::int64_t columns) const {
    return TrialShape::items(this->items(), columns);
  }
  [[nodiscard]] std::int64_t targets() const override { return system_.targets(); }
  [[nodiscard]] std::size_t three_of_targets() const {
    return static_cast<std::size_t>(3 * system_.targets());
  }
  [[nodiscard]] TrialShape target_shape(std::int64_t columns) const {
    return TrialShape::items(system_.targets(), columns);
  }
  [[nodiscard]] bool writes_torque() const { return potential().writes(AtomSum::torque); }
  [[nodiscard]] TrialShape torque_shape() const {
    return TrialShape::items(writes_torque() ? system_.targets() : 0, 3);
  }
  [[nodiscard]] TrialShape by_atom_shape(std::int64_t columns) const {
    return TrialShape::items(by_atom_ ? system_.targets() : 0, columns);
  }

  template <class T>
  [[nodiscard]] PairForceArgs<T> common_args() const {
    PairForceArgs<T> args;
    args.box = system_.box;
    args.coefficients = system_.coefficients.view();
    if (system_.ghosts > 0) args.owned = system_.targets();
    args.largest_charge = system_.largest_charge;
    std::copy_n(system_.lowest, 3, args.lowest);
    return args;
  }

  /// Results for positions as rounded to single, if the trial is in single; mixed is compared with
  /// unrounded positions, which it stores.
  [[nodiscard]] Answer oracle() const {
    const std::vector<double> positions(positions_.source().begin(), positions_.source().end());
    const std::int64_t n = this->items();
    const std::int64_t targets = system_.targets();
    Answer answer;
    answer.forces.resize(three_of_targets());
    PairForceArgs<double> args = common_args<double>();
    args.positions = {positions.data(), {n, 3}};
    args.types = {system_.types.data(), {n}};
    args.forces = {answer.forces.data(), {targets, 3}};
    args.energy = {answer.totals.data(), {1}};
    args.virial = {answer.totals.data() + 1, {6}};
    if (!system_.charges.empty()) args.charges = {system_.charges.data(), {n}};
    if (!system_.dipoles.empty()) args.dipoles = {system_.dipoles.data(), {n, 3}};
    if (writes_torque()) {
      answer.torques.resize(three_of_targets());
      args.torques = {answer.torques.data(), {targets, 3}};
    }
    if (!system_.excluded_from.empty())
      args.exclusions = {
          {system_.excluded_from.data(), {n + 1}},
          {system_.excluded.data(), {static_cast<std::int64_t>(system_.excluded.size())}}};
    if (by_atom_) {
      answer.energies.resize(static_cast<std::size_t>(targets));
      answer.virials.resize(static_cast<std::size_t>(6 * targets));
      args.energies = {answer.energies.data(), {targets}};
      args.virials = {answer.virials.data(), {targets, 6}};
    }
    answer.diagnostics.margin = cutoff_margin;
    if (!this->sampled().empty()) answer.diagnostics.only = &this->sampled();
    pair_force_oracle(args, potential().name(), PairSearch::automatic, &answer.diagnostics);
    answer.diagnostics.only = nullptr;  // `only` does not outlive the trial
    for (const AtomSums& sums : answer.diagnostics.by_atom) {
      answer.energy_magnitudes.push_back(sums.energy);
      answer.virial_magnitudes.insert(answer.virial_magnitudes.end(), sums.virial.begin(),
                                      sums.virial.end());
    }
    if (!this->sampled().empty()) keep_sample(answer);
    return answer;
  }

  [[nodiscard]] Verdict compare() override {
    std::string state = positions_.is_moved() ? "moved by " + state_ : std::string("as given");
    if (!this->sampled().empty()) state += ", " + std::to_string(this->sampled().size()) + " atoms";
    const auto expected = this->template answer<Answer>(state, [&] { return oracle(); });
    const PairForceDiagnostics& diagnostics = expected->diagnostics;
    const double tolerance = tolerance_in<P>;
    if (check_gradient_)
      if (const auto wrong = find_wrong_force(system_.coefficients))
        return Verdict::failure("the " + wrong->quantity + " of " + potential().name() +
                                " at the distance " + shortest_number(wrong->distance) + " is " +
                                shortest_number(wrong->force) + ", and -dE/dr of its energy " +
                                shortest_number(wrong->slope));
    if (energy_.given() && this->sampled().empty()) {
      std::vector<double> totals = energy_.values();
      totals.insert(totals.end(), virial_.values().begin(), virial_.values().end());
      std::vector<double> magnitudes{diagnostics.energy_magnitude};
      magnitudes.insert(magnitudes.end(), diagnostics.virial_magnitude.begin(),
                        diagnostics.virial_magnitude.end());
      const double error = summed_error<double>(totals, expected->totals, magnitudes);
      if (!(error <= 10 * tolerance))
        return Verdict::measured(error, 10 * tolerance, "energy and virial");
    }
    if (energies_.given() && this->sampled().empty()) {
      const double error = atom_error(energies_.values(), expected->energies,
                                      expected->energy_magnitudes, diagnostics.near_cutoff);
      if (!(error <= 10 * tolerance))
        return Verdict::measured(error, 10 * tolerance, "energies of single atoms");
    }
    if (virials_.given() && this->sampled().empty()) {
      const double error = atom_error(virials_.values(), expected->virials,
                                      expected->virial_magnitudes, diagnostics.near_cutoff);
      if (!(error <= 10 * tolerance))
        return Verdict::measured(error, 10 * tolerance, "virials of single atoms");
    }
    const bool add = added_.given();
    if (writes_torque()) {
      const double error = sum_error(add ? added_torques_ : torques_, expected->torques,
                                     diagnostics.torque_magnitude, diagnostics.near_cutoff);
      if (!(error <= tolerance)) return Verdict::measured(error, tolerance, "rms of the torques");
    }
    return Verdict::measured(sum_error(add ? added_ : forces_, expected->forces,
                                       diagnostics.force_magnitude, diagnostics.near_cutoff),
                             tolerance, "rms of the forces");
  }

  /// Error in the measure of sum_error().
  [[nodiscard]] static double atom_error(std::span<const double> values,
                                         const std::vector<double>& expected,
                                         const std::vector<double>& magnitudes,
                                         const std::vector<char>& near_cutoff) {
    double difference = 0;
    double magnitude = 0;
    double largest = 0;
    for (std::size_t k = 0; k < expected.size(); ++k) {
      if (!std::isfinite(values[k])) return INFINITY;
      if (near_cutoff[k * near_cutoff.size() / expected.size()] != 0) continue;
      const double wrong = values[k] - expected[k];
      difference += wrong * wrong;
      magnitude += magnitudes[k] * magnitudes[k];
      largest = std::fmax(largest, summed_error(values[k], expected[k], magnitudes[k]));
    }
    const double rms = magnitude > 0 ? std::sqrt(difference / magnitude) : std::sqrt(difference);
    return std::fmax(rms, largest / 20);
  }

  /// Root mean square of the differences over that of the summed magnitudes; or a twentieth of the
  /// largest difference over the magnitude of its atom if that is more, so that an error of a
  /// single atom is not averaged away.
  /// \param sums forces or torques, three for each atom.
  [[nodiscard]] double sum_error(const TrialArray<Storage>& sums,
                                 const std::vector<double>& expected,
                                 const std::vector<double>& magnitudes,
                                 const std::vector<char>& near_cutoff) const {
    const double former = added_.given() ? former_force(system_) : 0.0;
    double difference = 0;
    double magnitude = 0;
    double largest = 0;
    // Compares component `at` of the sums with component k of the answer.
    const auto look = [&](std::size_t at, std::size_t k) {
      const auto value = static_cast<double>(sums.values()[at]);
      if (!std::isfinite(value)) {
        largest = INFINITY;
        return;
      }
      if (near_cutoff[k / 3] != 0) return;
      const double wrong = value - static_cast<double>(static_cast<Storage>(former)) - expected[k];
      const double summed = magnitudes[k / 3] + former;
      difference += wrong * wrong;
      magnitude += summed * summed / 3;
      largest = std::fmax(largest, summed > 0 ? std::abs(wrong) / summed : std::abs(wrong));
    };
    if (this->sampled().empty())
      for (std::size_t k = 0; k < expected.size(); ++k)
        look(k, k);
    for (std::size_t s = 0; s < this->sampled().size(); ++s)
      for (std::size_t d = 0; d < 3; ++d)
        look(static_cast<std::size_t>(this->sampled()[s]) * 3 + d, 3 * s + d);
    const double rms = magnitude > 0 ? std::sqrt(difference / magnitude) : std::sqrt(difference);
    return std::fmax(rms, largest / 20);
  }

  /// Renumbers the exclusions, which name atoms by row, after the atoms were reordered.
  void reordered() override {
    if (system_.excluded_from.empty()) return;
    const std::vector<std::int32_t> place = this->positions_of_items();
    std::vector<std::int32_t> offsets{0};
    std::vector<std::int32_t> partners;
    for (std::int64_t p = 0; p < this->items(); ++p) {
      const auto item = static_cast<std::size_t>(this->item_at(p));
      for (auto e = system_.excluded_from[item]; e < system_.excluded_from[item + 1]; ++e)
        partners.push_back(
            place[static_cast<std::size_t>(system_.excluded[static_cast<std::size_t>(e)])]);
      offsets.push_back(static_cast<std::int32_t>(partners.size()));
    }
    excluded_from_.move(std::move(offsets));
    excluded_.move(std::move(partners));
  }

  [[nodiscard]] const PairPotential& potential() const { return system_.coefficients.potential(); }

  PairForceCase system_;
  double displacement_per_step_;
  bool by_atom_;
  Determinism determinism_;
  TrialMotion motion_;
  bool check_gradient_;
  std::optional<StepsStart<Storage>> start_;  ///< of the fused steps
  TrialArray<Storage>& positions_;
  TrialArray<std::int32_t>& types_;
  TrialArray<Storage>& charges_;
  TrialArray<Storage>& dipoles_;
  TrialArray<std::int32_t>& excluded_from_;
  TrialArray<std::int32_t>& excluded_;
  TrialArray<Storage>& forces_;
  TrialArray<Storage>& added_;
  TrialArray<Storage>& torques_;
  TrialArray<Storage>& added_torques_;
  TrialArray<double>& energy_;
  TrialArray<double>& virial_;
  TrialArray<double>& energies_;
  TrialArray<double>& virials_;
  std::vector<double> directions_;  ///< unit vectors, one for each atom
  std::vector<double> positions_now_;
  std::string state_;
};

/// Error: root mean square of the differences over that of the summed magnitudes of the pair forces
/// of an atom, or a twentieth of the largest difference over the magnitude of its atom if that is
/// more. Atoms with a partner within 4e-6 of the cutoff are left out. Energy and virial are checked
/// separately, relative to the magnitudes of their terms; energies and virials of single atoms in
/// the measure of the forces.
std::unique_ptr<Trials> make() {
  return std::make_unique<TypedTrials<PairForce, PairForceTrial, Data>>(rows(), from_source);
}

}  // namespace tessera::md::pair_force_trial
