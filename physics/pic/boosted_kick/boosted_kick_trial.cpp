#include "core/base/random.hpp"
#include "core/trials/comparison.hpp"
#include "core/trials/typed_trials.hpp"
#include "physics/pic/boosted_kick/boosted_kick.hpp"
#include "physics/pic/boosted_kick/boosted_kick_reference.hpp"
#include "physics/pic/charge_deposit/charge_deposit_inputs.hpp"
#include "physics/pic/charge_deposit/trial_field.hpp"
#include "physics/pic/trial_shapes.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

namespace tessera::pic::boosted_kick_trial {

/// Factor with which kicks are as large as typical momenta.
constexpr double factor = 4e-3;
constexpr ReferenceParticle reference{2.5};
constexpr double usual_momentum = 1e-2;

/// Positions of inputs of pic/charge_deposit with momenta of a beam, some of them unphysical.
std::vector<double> bunch(const DepositInput& input) {
  RandomSequence random(11);
  const auto within = [&](double most) { return most * (2 * random.uniform() - 1); };
  std::vector<double> coordinates;
  coordinates.reserve(6 * input.positions.size());
  for (std::size_t p = 0; p < input.positions.size(); ++p) {
    const auto& place = input.positions[p];
    const double xp = p % 11 == 5 ? 3 : within(5e-3);
    coordinates.insert(coordinates.end(),
                       {place[0], xp, place[1], within(5e-3), place[2], within(usual_momentum)});
  }
  return coordinates;
}

template <class P>
class BoostedKickTrial final : public Trial<BoostedKick, P> {
 public:
  using Storage = typename P::Storage;

  BoostedKickTrial(const Context& context, const DepositInput& input)
      : Trial<BoostedKick, P>(context, static_cast<std::int64_t>(input.positions.size())),
        grid_(input.grid),
        spare_(input.spare),
        order_(input.order),
        shape_order_(input.shape_order),
        accelerator_(static_cast<LongitudinalCoordinates>(this->items() % 3)),
        coordinates_(this->template add<Storage>(
            "coordinates", TrialRole::updated,
            bunch_shape(this->items(), input.position_layout != PositionLayout::rows),
            bunch(input))),
        alive_(this->template add<std::uint8_t>("alive", TrialRole::updated,
                                                TrialShape::items(this->items()), some_lost())),
        outside_(this->template add_output<std::int64_t>("outside", TrialShape::plain(1))),
        impossible_(this->template add_output<std::int64_t>("impossible", TrialShape::plain(1))),
        field_(input,
               [this](const char* name, const TrialShape& shape,
                      const std::vector<double>& values) -> TrialArray<Storage>& {
                 return this->template add<Storage>(name, TrialRole::input, shape, values);
               }) {
    choose(0);
  }

  [[nodiscard]] BoostedKickProblem problem() override {
    BoostedKickProblem problem = boosted_kick_problem(args(), shape_order_);
    problem.particles += spare_;
    problem.order = order_;
    return problem;
  }
  [[nodiscard]] BoostedKickArgs<Storage> args() override {
    BoostedKickArgs<Storage> args;
    args.coordinates = coordinates_.template view<2>();
    args.alive = alive_.template view<1>();
    args.reference = reference;
    args.accelerator = accelerator_;
    args.factor = factor;
    args.grid = grid_;
    for (int a = 0; a < 3; ++a)
      args.field[a] = field_.component(a);
    args.outside = outside_.template view<1>();
    args.impossible = impossible_.template view<1>();
    return args;
  }
  [[nodiscard]] Counts counts() const override {
    const auto n = static_cast<double>(this->items());
    const auto nodes = static_cast<double>(field_.nodes());
    // Flops of pic/gather_kick, and two changes of frame.
    const double m = shape_order_ + 1;
    const double flops = 6 * m * (m * m + m + 1) + 9 + 60;
    return {"particles", n, (9 * n + 3 * nodes) * sizeof(Storage), n * flops};
  }

  /// Ways: without the flags of lost particles, and with them.
  [[nodiscard]] int ways() const override { return 2; }
  void choose(int way) override { alive_.give(way == 1); }

 private:
  struct Answer : CacheableReference {
    std::vector<double> coordinates, magnitudes;
    std::vector<std::uint8_t> alive;
    std::int64_t outside = 0;
    std::int64_t impossible = 0;

    template <class Archive>
    void share(Archive& archive) {
      archive(coordinates);
      archive(magnitudes);
      archive(alive);
      archive(outside);
      archive(impossible);
    }
  };

  [[nodiscard]] std::vector<std::uint8_t> some_lost() const {
    std::vector<std::uint8_t> alive;
    for (std::int64_t p = 0; p < this->items(); ++p)
      alive.push_back(p % 7 == 3 ? 0 : 1);
    return alive;
  }

  [[nodiscard]] Answer oracle() const {
    const auto in_double = [](const std::vector<Storage>& values) {
      return std::vector<double>(values.begin(), values.end());
    };
    const std::int64_t n = this->items();
    Answer answer{{}, in_double(coordinates_.source()), {}, some_lost()};
    answer.magnitudes.assign(static_cast<std::size_t>(3 * n), 1);
    BoostedKickArgs<double> args;
    args.coordinates = {answer.coordinates.data(), {n, 6}};
    if (alive_.given()) args.alive = {answer.alive.data(), {n}};
    args.reference = reference;
    args.accelerator = accelerator_;
    args.factor = factor;
    args.grid = grid_;
    const auto field = field_.in_double();
    std::copy(field.component.begin(), field.component.end(), args.field);
    args.outside = {&answer.outside, {1}};
    args.impossible = {&answer.impossible, {1}};
    boosted_kick_oracle(args, shape_order_, answer.magnitudes.data());
    return answer;
  }

  [[nodiscard]] Verdict compare() override {
    const auto expected = this->template answer<Answer>(alive_.given() ? "some are lost" : "all",
                                                        [&] { return oracle(); });
    if (outside_.values().front() != expected->outside)
      return Verdict::failure(std::to_string(outside_.values().front()) +
                              " particles outside, expected " + std::to_string(expected->outside));
    if (impossible_.values().front() != expected->impossible)
      return Verdict::failure(std::to_string(impossible_.values().front()) +
                              " particles cannot be converted, expected " +
                              std::to_string(expected->impossible));
    double error = 0;
    for (std::size_t k = 0; k < expected->coordinates.size(); ++k) {
      const std::size_t p = k / 6;
      if (alive_.given() && alive_.values()[p] != expected->alive[p])
        return Verdict::failure("particle " + std::to_string(p) + " is lost or not, otherwise");
      const Storage found = coordinates_.values()[k];
      if (k % 2 == 0) {
        const Storage before = coordinates_.source()[k];
        if (!(found == before) && !(std::isnan(found) && std::isnan(before)))
          return Verdict::failure("particle " + std::to_string(p) + " has moved");
        continue;
      }
      // The Lorentz transforms multiply a longitudinal momentum, and its errors, by gamma.
      double size = expected->magnitudes[3 * p + k % 6 / 2];
      if (k % 6 == 5)
        size = std::abs(expected->coordinates[k]) + usual_momentum + reference.gamma() * size;
      error = std::fmax(error,
                        summed_error(static_cast<double>(found), expected->coordinates[k], size));
    }
    return Verdict::measured(error, sizeof(Storage) == 8 ? 1e-14 : 2e-6, "momenta");
  }

  Grid grid_;
  std::int64_t spare_;
  ParticleOrder order_;
  int shape_order_;
  LongitudinalCoordinates accelerator_;
  TrialArray<Storage>& coordinates_;
  TrialArray<std::uint8_t>& alive_;
  TrialArray<std::int64_t>& outside_;
  TrialArray<std::int64_t>& impossible_;
  TrialField<Storage> field_;
};

/// Trials of pic/boosted_kick. Error: the largest difference of a momentum over the magnitudes of
/// its summands; for a longitudinal momentum the divisor also includes the momentum and a typical
/// one. Infinite if the number of particles that are off the grid or cannot be converted differs.
std::unique_ptr<Trials> make() {
  return std::make_unique<TypedTrials<BoostedKick, BoostedKickTrial, DepositInput>>(kick_rows(),
                                                                                    deposit_input);
}

}  // namespace tessera::pic::boosted_kick_trial
