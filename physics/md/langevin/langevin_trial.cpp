#include "core/trials/typed_trials.hpp"
#include "physics/md/integrate/moving_atoms_trial.hpp"
#include "physics/md/langevin/langevin.hpp"
#include "physics/md/langevin/langevin_reference.hpp"

#include <cmath>
#include <limits>

namespace tessera::md::langevin_trial {

struct Data {
  IntegratePhase phase = IntegratePhase::open;
  double keep = 0.9;
  MovingAtoms atoms;
  std::vector<std::int64_t> ids;
  std::vector<double> heat;
  std::vector<double> force_to_accel = {1.0, 0.25};
  std::vector<double> noise = {0.5, 0.25};
  std::vector<double> half_mass = {0.5, 2.0};
  double time_step = 0.005;
  bool zero = false;  ///< whether the noise carries no momentum
  int dimensions = 3;
};

Data random_atoms(std::int64_t atoms, IntegratePhase phase, double keep) {
  RandomSequence random(13 + static_cast<std::uint64_t>(atoms));
  Data data{phase, keep, random_moving_atoms(atoms, 2, random), {}, {}};
  for (std::int64_t i = 0; i < atoms; ++i) {
    data.ids.push_back(static_cast<std::int64_t>(random() >> 2));
    data.heat.push_back(random.uniform(-0.5, 0.5));
  }
  return data;
}

/// A liquid in which the mass of an atom is 6.6e-26 (kg), its diameter `length`, and energies are
/// in joules.
Data in_units(std::int64_t atoms, double length) {
  constexpr double energy = 1.6e-21;
  constexpr double mass = 6.6e-26;
  const double time = length * std::sqrt(mass / energy);
  Data data = random_atoms(atoms, IntegratePhase::close_and_open, 0.99);
  data.atoms = md::in_units(std::move(data.atoms), length, time, energy / length);
  data.time_step *= time;
  for (std::size_t type = 0; type < 2; ++type) {
    data.force_to_accel[type] /= mass;
    data.noise[type] *= length / time;
    data.half_mass[type] *= mass;
  }
  for (double& heat : data.heat)
    heat *= energy;
  return data;
}

std::vector<TrialRow<Data>> rows() {
  const auto row = [](TrialInput input, IntegratePhase phase, double keep) {
    return TrialRow<Data>{std::move(input),
                          [=](std::int64_t n) { return random_atoms(n, phase, keep); }};
  };
  const auto zero = [](TrialInput input, IntegratePhase phase, double length, int dimensions = 3) {
    return TrialRow<Data>{std::move(input), [=](std::int64_t n) {
                            Data data =
                                length == 1 ? random_atoms(n, phase, 0.9) : in_units(n, length);
                            data.zero = true;
                            data.dimensions = dimensions;
                            return data;
                          }};
  };
  return {
      row({"close and open", {0, 1, 33, 100003}, {32000, 256000, 1000000}},
          IntegratePhase::close_and_open, 0.99),
      row({"open", {1000}}, IntegratePhase::open, 0.9),
      row({"close", {31}}, IntegratePhase::close, 0.9),
      row({"without friction", {1000}}, IntegratePhase::open, 1),
      row({"nothing but noise", {1000}}, IntegratePhase::open, 0),
      zero({"zero noise", {0, 1, 33, 10007}}, IntegratePhase::close_and_open, 1),
      zero({"zero noise, open", {1000}}, IntegratePhase::open, 1),
      zero({"zero noise, close", {31}}, IntegratePhase::close, 1),
      zero({"zero noise, joules", {1000}}, IntegratePhase::close_and_open, 1e-11),
      zero({"zero noise, two dimensions", {1000}}, IntegratePhase::open, 1, 2),
      {{"two dimensions", {1000}},
       [](std::int64_t n) {
         Data data = random_atoms(n, IntegratePhase::open, 0.9);
         data.dimensions = 2;
         return data;
       }},
      {{"lengths of 1e-11, joules", {1000}}, [](std::int64_t n) { return in_units(n, 1e-11); }},
      {{"lengths of 1e6, joules", {1000}}, [](std::int64_t n) { return in_units(n, 1e6); }},
  };
}

template <class P>
class LangevinTrial final : public MovingAtomsTrial<Langevin, P> {
 public:
  using Base = MovingAtomsTrial<Langevin, P>;
  using typename Base::Storage;

  LangevinTrial(const Context& context, const Data& data)
      : Base(context, data.atoms, data.force_to_accel),
        data_(data),
        ids_(this->template add<std::int64_t>("ids", TrialRole::input, this->shape(1), data.ids)),
        noise_(this->by_type("noise", data.noise)),
        half_mass_(this->by_type("half_mass", data.half_mass)),
        heat_(this->template add<double>("heat", TrialRole::updated, this->shape(1), data.heat)) {}

  [[nodiscard]] LangevinArgs<Storage> args() override {
    return common_args(this->arguments(this->problem()));
  }
  [[nodiscard]] Counts counts() const override {
    const auto n = static_cast<double>(this->items());
    return {"atoms", n, n * (15 * sizeof(Storage) + 4 + 8 + 16), n * 150};
  }

  /// Ways: with the heat, as in a usual step, and without.
  [[nodiscard]] int ways() const override { return 2; }
  void choose(int way) override { heat_.give(way == 0); }

 private:
  using Base::force_to_accel_;
  using Base::forces_;
  using Base::positions_;
  using Base::types_;
  using Base::velocities_;

  struct Answer : Base::Moved {
    std::vector<double> heat, heat_magnitudes;
  };

  template <class T>
  [[nodiscard]] LangevinArgs<T> common_args(LangevinArgs<T> args = {}) const {
    args.time_step = data_.time_step;
    args.keep = data_.keep;
    args.seed = 0x123456789abcdef;
    args.step = (std::int64_t{1} << 40) + 7;
    args.phase = data_.phase;
    args.dimensions = data_.dimensions;
    if (data_.zero)
      for (const std::int32_t type : data_.atoms.types)
        args.total_half_mass += data_.half_mass[static_cast<std::size_t>(type)];
    return args;
  }

  [[nodiscard]] Answer oracle() {
    const std::int64_t n = this->items();
    Answer a;
    a.positions.assign(positions_.source().begin(), positions_.source().end());
    a.velocities.assign(velocities_.source().begin(), velocities_.source().end());
    a.heat = heat_.source();
    const std::vector<double> forces(forces_.source().begin(), forces_.source().end());
    // Bounds the noise by six standard deviations, which it does not exceed in practice.
    for (std::size_t c = 0; c < forces.size(); ++c) {
      const auto type = static_cast<std::size_t>(types_.source()[c / 3]);
      a.velocity_magnitudes.push_back(std::abs(a.velocities[c]) + 6 * data_.noise[type] +
                                      data_.time_step * data_.force_to_accel[type] *
                                          std::abs(forces[c]));
      a.position_magnitudes.push_back(std::abs(a.positions[c]) +
                                      data_.time_step * a.velocity_magnitudes[c]);
      if (c % 3 == 0) a.heat_magnitudes.push_back(std::abs(a.heat[c / 3]));
      a.heat_magnitudes[c / 3] +=
          2 * data_.half_mass[type] * a.velocity_magnitudes[c] * a.velocity_magnitudes[c];
    }
    LangevinArgs<double> args = common_args<double>();
    args.positions = {a.positions.data(), {n, 3}};
    args.velocities = {a.velocities.data(), {n, 3}};
    args.forces = {forces.data(), {n, 3}};
    args.types = {types_.source().data(), {n}};
    args.ids = {ids_.source().data(), {n}};
    args.force_to_accel = {data_.force_to_accel.data(), {this->problem().types}};
    args.noise = {data_.noise.data(), {this->problem().types}};
    args.half_mass = {data_.half_mass.data(), {this->problem().types}};
    args.heat = {a.heat.data(), {n}};
    langevin_reference<double>(this->problem(), args);
    return a;
  }

  [[nodiscard]] Verdict compare() override {
    const auto expected = this->template answer<Answer>({}, [&] { return oracle(); });
    double error = this->error_of(*expected);
    if (heat_.given())
      error = std::fmax(
          error, summed_error<double>(heat_.values(), expected->heat, expected->heat_magnitudes));
    return Verdict::measured(error, 8 * double{std::numeric_limits<Storage>::epsilon()},
                             "positions, velocities and heat");
  }

  Data data_;
  TrialArray<std::int64_t>& ids_;
  TrialArray<double>& noise_;
  TrialArray<double>& half_mass_;
  TrialArray<double>& heat_;
};

/// Trials of md/langevin. Error: the largest error of positions, velocities and heat over the
/// summed magnitudes of their terms.
std::unique_ptr<Trials> make() {
  return std::make_unique<TypedTrials<Langevin, LangevinTrial, Data>>(rows());
}

}  // namespace tessera::md::langevin_trial
