#include "core/trials/comparison.hpp"
#include "core/trials/typed_trials.hpp"
#include "physics/pic/charge_deposit/charge_deposit_inputs.hpp"
#include "physics/pic/charge_deposit/trial_field.hpp"
#include "physics/pic/gather_kick/gather_kick.hpp"
#include "physics/pic/gather_kick/gather_kick_reference.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

namespace tessera::pic::gather_kick_trial {

constexpr double factor = 0.37;

/// Uses particles and grids of pic/charge_deposit, without their weights and modes.
template <class P>
class GatherKickTrial final : public Trial<GatherKick, P> {
 public:
  using Storage = typename P::Storage;

  GatherKickTrial(const Context& context, const DepositInput& input)
      : Trial<GatherKick, P>(context, static_cast<std::int64_t>(input.positions.size())),
        grid_(input.grid),
        spare_(input.spare),
        order_(input.order),
        shape_order_(input.shape_order),
        positions_(this->template add<Storage>("positions", TrialRole::input, position_shape(input),
                                               coordinates(input))),
        momenta_(this->template add<Storage>("momenta", TrialRole::updated, position_shape(input),
                                             noise(3 * this->items(), 3))),
        outside_(this->template add_output<std::int64_t>("outside", TrialShape::plain(1))),
        field_(input,
               [this](const char* name, const TrialShape& shape,
                      const std::vector<double>& values) -> TrialArray<Storage>& {
                 return this->template add<Storage>(name, TrialRole::input, shape, values);
               }) {
    std::vector<std::uint8_t> alive;
    for (std::int64_t p = 0; p < this->items(); ++p)
      alive.push_back(p % 7 == 3 ? 0 : 1);
    alive_ = &this->template add<std::uint8_t>("alive", TrialRole::input,
                                               TrialShape::items(this->items()), alive);
    choose(0);
  }

  [[nodiscard]] GatherKickProblem problem() override {
    GatherKickProblem problem = gather_kick_problem(args(), shape_order_);
    problem.particles += spare_;
    problem.order = order_;
    return problem;
  }
  [[nodiscard]] GatherKickArgs<Storage> args() override {
    GatherKickArgs<Storage> args;
    args.positions = positions_.template view<2>();
    args.momenta = momenta_.template view<2>();
    args.alive = alive_->template view<1>();
    args.factor = factor;
    args.grid = grid_;
    for (int a = 0; a < 3; ++a)
      args.field[a] = field_.component(a);
    args.outside = outside_.template view<1>();
    return args;
  }
  [[nodiscard]] Counts counts() const override {
    const auto n = static_cast<double>(this->items());
    const auto nodes = static_cast<double>(field_.nodes());
    // One multiplication and one addition for each node, row and plane of each component, and the
    // weights.
    const double m = shape_order_ + 1;
    const double flops = 6 * m * (m * m + m + 1) + 9;
    return {"particles", n, (9 * n + 3 * nodes) * sizeof(Storage), n * flops};
  }

  /// Ways: without the flags of lost particles, and with them.
  [[nodiscard]] int ways() const override { return 2; }
  void choose(int way) override { alive_->give(way == 1); }

 private:
  struct Answer : CacheableReference {
    std::vector<double> momenta, magnitudes;
    std::int64_t outside = 0;

    template <class Archive>
    void share(Archive& archive) {
      archive(momenta);
      archive(magnitudes);
      archive(outside);
    }
  };

  [[nodiscard]] Answer oracle() const {
    const auto in_double = [](const std::vector<Storage>& values) {
      return std::vector<double>(values.begin(), values.end());
    };
    Answer answer{{}, in_double(momenta_.source()), {}};
    answer.magnitudes.assign(answer.momenta.size(), 1);
    const std::vector<double> positions = in_double(positions_.source());
    const std::int64_t n = this->items();
    GatherKickArgs<double> args;
    args.positions = {positions.data(), {n, 3}};
    args.momenta = {answer.momenta.data(), {n, 3}};
    if (alive_->given()) args.alive = {alive_->source().data(), {n}};
    args.factor = factor;
    args.grid = grid_;
    const auto field = field_.in_double();
    std::copy(field.component.begin(), field.component.end(), args.field);
    args.outside = {&answer.outside, {1}};
    gather_kick_oracle(args, shape_order_, answer.magnitudes.data());
    return answer;
  }

  [[nodiscard]] Verdict compare() override {
    const auto expected = this->template answer<Answer>(alive_->given() ? "some are lost" : "all",
                                                        [&] { return oracle(); });
    if (outside_.values().front() != expected->outside)
      return Verdict::failure(std::to_string(outside_.values().front()) +
                              " particles outside, expected " + std::to_string(expected->outside));
    double error = 0;
    for (std::size_t k = 0; k < expected->momenta.size(); ++k)
      error = std::fmax(error, summed_error(static_cast<double>(momenta_.values()[k]),
                                            expected->momenta[k], expected->magnitudes[k]));
    return Verdict::measured(error, sizeof(Storage) == 8 ? 5e-15 : 2e-6, "momenta");
  }

  Grid grid_;
  std::int64_t spare_;
  ParticleOrder order_;
  int shape_order_;
  TrialArray<Storage>& positions_;
  TrialArray<Storage>& momenta_;
  TrialArray<std::int64_t>& outside_;
  TrialField<Storage> field_;
  TrialArray<std::uint8_t>* alive_ = nullptr;
};

/// Trials of pic/gather_kick. Error: the largest difference of a momentum over the sum of the
/// magnitudes of its terms; infinite where the number of particles outside differs.
std::unique_ptr<Trials> make() {
  return std::make_unique<TypedTrials<GatherKick, GatherKickTrial, DepositInput>>(kick_rows(),
                                                                                  deposit_input);
}

}  // namespace tessera::pic::gather_kick_trial
