#include "core/trials/comparison.hpp"
#include "core/trials/typed_trials.hpp"
#include "physics/md/atoms_source.hpp"
#include "physics/md/displacement/displacement.hpp"
#include "physics/md/displacement/displacement_reference.hpp"

#include <cmath>
#include <limits>
#include <string>

namespace tessera::md::displacement_trial {

struct Data {
  std::vector<double> positions, reference;
};

/// Atoms with displacements of up to `step` along each axis; a nonzero `odd` replaces one
/// coordinate.
Data moved(std::int64_t atoms, double step, double odd) {
  Data data;
  RandomSequence random(7 + static_cast<unsigned>(atoms));
  const auto uniform = [&] { return random.uniform(); };
  for (std::int64_t i = 0; i < 3 * atoms; ++i) {
    data.reference.push_back(100 * uniform());
    data.positions.push_back(data.reference.back() + step * uniform());
  }
  if (odd != 0 && !data.positions.empty()) data.positions[data.positions.size() / 2] = odd;
  return data;
}

std::vector<TrialRow<Data>> rows() {
  const auto row = [](TrialInput input, double step, double odd) {
    return TrialRow<Data>{std::move(input), [=](std::int64_t n) { return moved(n, step, odd); }};
  };
  return {
      row({"random", {0, 1, 31, 33, 1000, 100003}, {32000, 256000, 1000000, 4000000}}, 0.3, 0),
      row({"not moved", {100}}, 0, 0),
      row({"NaN", {1000}}, 0.3, std::numeric_limits<double>::quiet_NaN()),
      row({"infinity", {1000}}, 0.3, -std::numeric_limits<double>::infinity()),
  };
}

/// The atoms of a run, displaced by one time step.
std::optional<Data> from_source(const TrialSource& source) {
  const auto* const atoms = dynamic_cast<const AtomsSource*>(&source);
  const TrialSource::Column* const velocities = source.column("velocities");
  if (atoms == nullptr || velocities == nullptr) return std::nullopt;
  Data data{atoms->positions(), atoms->positions()};
  for (std::size_t i = 0; i < data.positions.size(); ++i)
    data.positions[i] += atoms->time_step * velocities->values[i];
  return data;
}

template <class P>
class DisplacementTrial final : public Trial<Displacement, P> {
 public:
  using Storage = typename P::Storage;

  DisplacementTrial(const Context& context, const Data& data)
      : Trial<Displacement, P>(context, static_cast<std::int64_t>(data.positions.size() / 3)),
        positions_(this->template array<Storage>("positions", data.positions)),
        reference_(this->template array<Storage>("reference", data.reference)),
        result_(this->template plain_array<DisplacementResult>("result")) {}

  [[nodiscard]] DisplacementProblem problem() override { return {this->items()}; }
  [[nodiscard]] DisplacementArgs<Storage> args() override { return this->arguments(problem()); }
  [[nodiscard]] Counts counts() const override {
    const auto n = static_cast<double>(this->items());
    return {"atoms", n, n * 6 * sizeof(Storage), n * 8};
  }

  /// Ways: with a reference; without one, which only searches for non-finite coordinates.
  [[nodiscard]] int ways() const override { return 2; }
  void choose(int way) override { reference_.give(way == 0); }

  /// Only the distance is compared bitwise: the index of the atom changes with the order of the
  /// atoms.
  [[nodiscard]] std::vector<unsigned char> bits() const override {
    const double largest = result_.values().front().largest;
    const auto* const bytes = reinterpret_cast<const unsigned char*>(&largest);
    return {bytes, bytes + sizeof largest};
  }

 private:
  [[nodiscard]] Verdict compare() override {
    // The oracle is recomputed each time: it is cheap, and the atom that it names among equals
    // depends on the order.
    const std::int64_t n = this->items();
    const auto placed = [&](const std::vector<Storage>& given) {
      std::vector<Storage> values;
      for (std::int64_t p = 0; p < n; ++p)
        for (std::int64_t d = 0; d < 3; ++d)
          values.push_back(given[static_cast<std::size_t>(3 * this->item_at(p) + d)]);
      return values;
    };
    const std::vector<Storage> positions = placed(positions_.source());
    const std::vector<Storage> reference = placed(reference_.source());
    DisplacementResult expected;
    DisplacementArgs<Storage> args{{positions.data(), {n, 3}}, {}, {&expected, {1}}};
    if (reference_.given()) args.reference = {reference.data(), {n, 3}};
    displacement_reference<Storage>({n}, args);
    const DisplacementResult& result = result_.values().front();
    if (result.atom != expected.atom)
      return Verdict::failure("atom " + std::to_string(result.atom) + " instead of " +
                              std::to_string(expected.atom));
    const double error = result.largest == expected.largest
                             ? 0
                             : summed_error(result.largest, expected.largest, expected.largest);
    return Verdict::measured(error, 1e-14, "distance and atom");
  }

  TrialArray<Storage>& positions_;
  TrialArray<Storage>& reference_;
  TrialArray<DisplacementResult>& result_;
};

/// Trials of md/displacement. Error: relative difference of the distance; infinite if the index of
/// the atom differs.
std::unique_ptr<Trials> make() {
  return std::make_unique<TypedTrials<Displacement, DisplacementTrial, Data>>(rows(), from_source);
}

}  // namespace tessera::md::displacement_trial
