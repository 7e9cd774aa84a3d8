#include "core/trials/typed_trials.hpp"
#include "physics/md/atoms_source.hpp"
#include "physics/md/integrate/integrate.hpp"
#include "physics/md/integrate/integrate_reference.hpp"
#include "physics/md/integrate/moving_atoms_trial.hpp"

#include <cmath>
#include <limits>

namespace tessera::md::integrate_trial {

struct Data {
  MovingAtoms atoms;
  std::vector<double> force_to_accel;
  double time_step = 0.005;
  IntegratePhase phase = IntegratePhase::open;
};

Data random_atoms(std::int64_t atoms, IntegratePhase phase, double time_step) {
  RandomSequence random(11 + static_cast<std::uint64_t>(atoms));
  return {random_moving_atoms(atoms, 2, random), {1.0, 0.25}, time_step, phase};
}

/// A liquid in which the mass of an atom is 6.6e-26 (kg), its diameter `length`, and energies are
/// in joules.
Data in_units(std::int64_t atoms, double length) {
  constexpr double energy = 1.6e-21;
  constexpr double mass = 6.6e-26;
  const double time = length * std::sqrt(mass / energy);
  Data data = random_atoms(atoms, IntegratePhase::close_and_open, 0.005 * time);
  data.atoms = md::in_units(std::move(data.atoms), length, time, energy / length);
  for (double& accel : data.force_to_accel)
    accel /= mass;
  return data;
}

std::vector<TrialRow<Data>> rows() {
  const auto row = [](TrialInput input, IntegratePhase phase, double time_step) {
    return TrialRow<Data>{std::move(input),
                          [=](std::int64_t n) { return random_atoms(n, phase, time_step); }};
  };
  return {
      row({"open", {0, 1, 33, 100003}, {32000, 256000, 1000000, 4000000}}, IntegratePhase::open,
          0.005),
      row({"close", {31}}, IntegratePhase::close, 0.005),
      row({"close and open", {1000}}, IntegratePhase::close_and_open, 0.005),
      row({"backwards", {1000}}, IntegratePhase::close_and_open, -0.005),
      {{"lengths of 1e-11, joules", {1000}}, [](std::int64_t n) { return in_units(n, 1e-11); }},
      {{"lengths of 1e6, joules", {1000}}, [](std::int64_t n) { return in_units(n, 1e6); }},
  };
}

std::optional<Data> from_source(const TrialSource& source) {
  const auto* const atoms = dynamic_cast<const AtomsSource*>(&source);
  if (atoms == nullptr || source.column("velocities") == nullptr) return std::nullopt;
  Data data{{atoms->positions(), source.column("velocities")->values, {}, atoms->types},
            atoms->force_to_accel,
            atoms->time_step,
            IntegratePhase::close_and_open};
  // Forces as large as in a liquid: from rest, an atom moves by about one unit of length in a
  // hundred steps.
  RandomSequence random(17);
  const double step = atoms->time_step != 0 ? atoms->time_step : 1.0;
  for (const std::int32_t type : atoms->types)
    for (int d = 0; d < 3; ++d) {
      const double accel = random.uniform(-0.5, 0.5) * 4e-4 / (step * step);
      data.atoms.forces.push_back(accel / data.force_to_accel[static_cast<std::size_t>(type)]);
    }
  return data;
}

template <class P>
class IntegrateTrial final : public MovingAtomsTrial<Integrate, P> {
 public:
  using Base = MovingAtomsTrial<Integrate, P>;
  using typename Base::Storage;

  IntegrateTrial(const Context& context, const Data& data)
      : Base(context, data.atoms, data.force_to_accel),
        time_step_(data.time_step),
        phase_(data.phase) {}

  [[nodiscard]] IntegrateArgs<Storage> args() override {
    IntegrateArgs<Storage> args = this->arguments(this->problem());
    args.time_step = time_step_;
    args.phase = phase_;
    return args;
  }
  [[nodiscard]] Counts counts() const override {
    const auto n = static_cast<double>(this->items());
    return {"atoms", n, n * (15 * sizeof(Storage) + 4), n * 12};
  }

 private:
  using Base::force_to_accel_;
  using Base::forces_;
  using Base::positions_;
  using Base::types_;
  using Base::velocities_;
  using typename Base::Moved;

  [[nodiscard]] Verdict compare() override {
    const auto expected = this->template answer<Moved>({}, [&] { return oracle(); });
    // Tolerance for some roundings, each of at most half an epsilon of the magnitudes.
    return Verdict::measured(this->error_of(*expected),
                             4 * double{std::numeric_limits<Storage>::epsilon()},
                             "positions and velocities");
  }

  [[nodiscard]] Moved oracle() {
    const auto numbers = [](const auto& values, bool magnitudes) {
      std::vector<double> all(values.begin(), values.end());
      if (magnitudes)
        for (double& v : all)
          v = std::abs(v);
      return all;
    };
    const auto advance = [&](bool magnitudes) {
      Moved answer{numbers(positions_.source(), magnitudes),
                   numbers(velocities_.source(), magnitudes),
                   {},
                   {}};
      const std::vector<double> forces = numbers(forces_.source(), magnitudes);
      const std::int64_t n = this->items();
      integrate_reference<double>(this->problem(),
                                  {{answer.positions.data(), {n, 3}},
                                   {answer.velocities.data(), {n, 3}},
                                   {forces.data(), {n, 3}},
                                   {types_.source().data(), {n}},
                                   {force_to_accel_.source().data(), {this->problem().types}},
                                   magnitudes ? std::abs(time_step_) : time_step_,
                                   phase_});
      return answer;
    };
    Moved answer = advance(false);
    Moved magnitudes = advance(true);
    answer.position_magnitudes = std::move(magnitudes.positions);
    answer.velocity_magnitudes = std::move(magnitudes.velocities);
    return answer;
  }

  double time_step_;
  IntegratePhase phase_;
};

/// Trials of md/integrate. Error: largest difference of a position or velocity component over the
/// summed magnitudes of its terms (|v|, |kick|; |r|, |drift|).
std::unique_ptr<Trials> make() {
  return std::make_unique<TypedTrials<Integrate, IntegrateTrial, Data>>(rows(), from_source);
}

}  // namespace tessera::md::integrate_trial
