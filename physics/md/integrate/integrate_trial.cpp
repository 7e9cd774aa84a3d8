#include <algorithm>
#include <cmath>
#include <limits>
#include <tessera/core/base/random.hpp>
#include <tessera/core/operations/comparison.hpp>
#include <tessera/core/operations/typed_trials.hpp>
#include <tessera/md/atoms_source.hpp>
#include <tessera/md/integrate/integrate.hpp>
#include <tessera/md/integrate/integrate_reference.hpp>

namespace tessera::md {
namespace {

struct Data {
  std::vector<double> positions, velocities, forces;
  std::vector<std::int32_t> types;
  std::vector<double> force_to_accel;
  double time_step = 0.005;
  IntegratePhase phase = IntegratePhase::open;
};

Data random_atoms(std::int64_t atoms, IntegratePhase phase, double time_step) {
  Data data{{}, {}, {}, {}, {1.0, 0.25}, time_step, phase};
  RandomSequence random(11 + static_cast<unsigned>(atoms));
  const auto uniform = [&] { return random.uniform(-0.5, 0.5); };
  for (std::int64_t i = 0; i < 3 * atoms; ++i) {
    data.positions.push_back(50 * uniform());
    data.velocities.push_back(4 * uniform());
    data.forces.push_back(200 * uniform());
  }
  for (std::int64_t i = 0; i < atoms; ++i)
    data.types.push_back(static_cast<std::int32_t>(random() % data.force_to_accel.size()));
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
  };
}

std::optional<Data> from_source(const TrialSource& source) {
  const auto* const atoms = dynamic_cast<const AtomsSource*>(&source);
  if (atoms == nullptr || source.column("velocities") == nullptr) return std::nullopt;
  Data data{atoms->positions(),
            source.column("velocities")->values,
            {},
            atoms->types,
            atoms->force_to_accel,
            atoms->time_step,
            IntegratePhase::close_and_open};
  // Of the size that forces in a liquid have: one length unit in a hundred steps, from rest.
  RandomSequence random(17);
  const double step = atoms->time_step != 0 ? atoms->time_step : 1.0;
  for (std::size_t i = 0; i < data.positions.size(); ++i) {
    const double accel = random.uniform(-0.5, 0.5) * 4e-4 / (step * step);
    data.forces.push_back(accel / data.force_to_accel[static_cast<std::size_t>(data.types[i / 3])]);
  }
  return data;
}

template <class P>
class IntegrateTrial final : public Trial<Integrate, P> {
 public:
  using Storage = typename P::Storage;

  IntegrateTrial(const Context& context, const Data& data)
      : Trial<Integrate, P>(context, static_cast<std::int64_t>(data.types.size())),
        time_step_(data.time_step),
        phase_(data.phase),
        positions_(
            this->template add<Storage>("positions", TrialRole::updated, shape(3), data.positions)),
        velocities_(this->template add<Storage>("velocities", TrialRole::updated, shape(3),
                                                data.velocities)),
        forces_(this->template add<Storage>("forces", TrialRole::input, shape(3), data.forces)),
        types_(this->template add<std::int32_t>("types", TrialRole::input, shape(1), data.types)),
        force_to_accel_(this->template add<double>(
            "force_to_accel", TrialRole::input,
            TrialShape::plain(static_cast<std::int64_t>(data.force_to_accel.size())),
            data.force_to_accel)) {}

  [[nodiscard]] IntegrateProblem problem() override {
    return {this->items(), static_cast<int>(force_to_accel_.source().size())};
  }
  [[nodiscard]] IntegrateArgs<Storage> args() override {
    return {positions_.template view<2>(),
            velocities_.template view<2>(),
            forces_.template view<2>(),
            types_.template view<1>(),
            force_to_accel_.template view<1>(),
            time_step_,
            phase_};
  }
  [[nodiscard]] Counts counts() const override {
    const auto n = static_cast<double>(this->items());
    return {"atoms", n, n * (15 * sizeof(Storage) + 4), n * 12};
  }

 private:
  struct Answer {
    std::vector<double> positions, velocities, position_magnitudes, velocity_magnitudes;
  };

  [[nodiscard]] TrialShape shape(std::int64_t columns) const {
    return TrialShape::items(this->items(), columns);
  }

  [[nodiscard]] Verdict compare() override {
    const auto expected = this->template answer<Answer>({}, [&] { return oracle(); });
    const double error = std::fmax(summed_error<Storage>(positions_.values(), expected->positions,
                                                         expected->position_magnitudes),
                                   summed_error<Storage>(velocities_.values(), expected->velocities,
                                                         expected->velocity_magnitudes));
    // A handful of roundings, each of half an epsilon of the magnitudes at most.
    return Verdict::measured(error, 4 * double{std::numeric_limits<Storage>::epsilon()},
                             "positions and velocities");
  }

  [[nodiscard]] Answer oracle() {
    const auto numbers = [](const auto& values, bool magnitudes) {
      std::vector<double> all(values.begin(), values.end());
      if (magnitudes)
        for (double& v : all)
          v = std::abs(v);
      return all;
    };
    const auto advance = [&](bool magnitudes) {
      Answer answer{numbers(positions_.source(), magnitudes),
                    numbers(velocities_.source(), magnitudes),
                    {},
                    {}};
      const std::vector<double> forces = numbers(forces_.source(), magnitudes);
      const std::int64_t n = this->items();
      integrate_reference<double>(problem(), {{answer.positions.data(), {n, 3}},
                                              {answer.velocities.data(), {n, 3}},
                                              {forces.data(), {n, 3}},
                                              {types_.source().data(), {n}},
                                              {force_to_accel_.source().data(), {problem().types}},
                                              magnitudes ? std::abs(time_step_) : time_step_,
                                              phase_});
      return answer;
    };
    Answer answer = advance(false);
    Answer magnitudes = advance(true);
    answer.position_magnitudes = std::move(magnitudes.positions);
    answer.velocity_magnitudes = std::move(magnitudes.velocities);
    return answer;
  }

  double time_step_;
  IntegratePhase phase_;
  TrialArray<Storage>& positions_;
  TrialArray<Storage>& velocities_;
  TrialArray<Storage>& forces_;
  TrialArray<std::int32_t>& types_;
  TrialArray<double>& force_to_accel_;
};

}  // namespace

/// Trials of md/integrate. Error: largest difference of a position or velocity component over the
/// summed magnitudes of its terms (|v|, |kick|; |r|, |drift|).
std::unique_ptr<Trials> make_integrate_trials() {
  return std::make_unique<TypedTrials<Integrate, IntegrateTrial, Data>>(rows(), from_source);
}

}  // namespace tessera::md
