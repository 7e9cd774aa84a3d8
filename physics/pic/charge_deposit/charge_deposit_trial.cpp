#include "core/base/compensated_sum.hpp"
#include "core/trials/comparison.hpp"
#include "core/trials/typed_trials.hpp"
#include "physics/pic/charge_deposit/charge_deposit.hpp"
#include "physics/pic/charge_deposit/charge_deposit_inputs.hpp"
#include "physics/pic/charge_deposit/charge_deposit_reference.hpp"
#include "physics/pic/grid_axis.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

namespace tessera::pic::charge_deposit_trial {

/// Former density, to which the deposit is added; empty if it is not.
std::vector<double> former_density(const DepositInput& input) {
  std::vector<double> former;
  if (input.add)
    for (std::int64_t i = 0; i < density_shape(input).size(); ++i)
      former.push_back(0.25 * static_cast<double>(i % 9));
  return former;
}

template <class P>
class ChargeDepositTrial final : public Trial<ChargeDeposit, P> {
 public:
  using Storage = typename P::Storage;

  ChargeDepositTrial(const Context& context, const DepositInput& input)
      : Trial<ChargeDeposit, P>(context, static_cast<std::int64_t>(input.positions.size())),
        charge_(input.charge),
        grid_(input.grid),
        mode_(input.add ? DepositMode::add : DepositMode::overwrite),
        spare_(input.spare),
        order_(input.order),
        shape_order_(input.shape_order),
        determinism_(input.determinism),
        positions_(this->template add<Storage>("positions", TrialRole::input, position_shape(input),
                                               coordinates(input))),
        density_(this->template add<Storage>("density",
                                             input.add ? TrialRole::updated : TrialRole::output,
                                             density_shape(input), former_density(input))),
        outside_(this->template add_output<std::int64_t>("outside", TrialShape::plain(1))) {
    if (!input.weights.empty())
      weights_ = &this->template add<Storage>("weights", TrialRole::input,
                                              TrialShape::items(this->items()), input.weights);
    if (!input.alive.empty())
      alive_ = &this->template add<std::uint8_t>("alive", TrialRole::input,
                                                 TrialShape::items(this->items()), input.alive);
  }

  [[nodiscard]] ChargeDepositProblem problem() override {
    ChargeDepositProblem problem = charge_deposit_problem(args(), shape_order_, determinism_);
    problem.particles += spare_;
    problem.order = order_;
    return problem;
  }

  [[nodiscard]] ChargeDepositArgs<Storage> args() override {
    ChargeDepositArgs<Storage> args;
    args.positions = positions_.template view<2>();
    if (weights_ != nullptr) args.weights = weights_->template view<1>();
    if (alive_ != nullptr) args.alive = alive_->template view<1>();
    args.charge = charge_;
    args.grid = grid_;
    args.density = density_.template view<3>();
    args.mode = mode_;
    args.outside = outside_.template view<1>();
    return args;
  }

  [[nodiscard]] Counts counts() const override {
    const auto n = static_cast<double>(this->items());
    const auto nodes = static_cast<double>(density_.source().size());
    // Flops: one multiplication and one or two additions for each node, row and plane of the
    // stencil, and the weights.
    const double m = shape_order_ + 1;
    const double flops_per_particle = 2 * m * (m * m + m + 1);
    return {"particles", n, (3 * n + nodes) * sizeof(Storage), flops_per_particle * n};
  }

 private:
  /// Total charge and first moments, in units of charge per volume and of node indices.
  struct Sums {
    CompensatedSum charge, moment[3];
    void add(double q, double i, double j, double k) {
      charge.add(q);
      moment[0].add(q * i);
      moment[1].add(q * j);
      moment[2].add(q * k);
    }
  };

  struct Answer : CacheableReference {
    ChargeDepositResult result;
    double largest = 0;  ///< largest sum of magnitudes of charges on a node
    double total = 0;    ///< sum of all magnitudes
    Sums sums;

    template <class Archive>
    void share(Archive& archive) {
      archive(result.density);
      archive(result.outside);
      archive(largest);
      archive(total);
      archive(sums);
    }
  };

  [[nodiscard]] double volume() const {
    return grid_.spacing[0] * grid_.spacing[1] * grid_.spacing[2];
  }

  /// Arguments on the host with the particles of the trial.
  [[nodiscard]] ChargeDepositArgs<Storage> host_args(const std::vector<Storage>& weights) const {
    ChargeDepositArgs<Storage> args;
    args.positions = {positions_.source().data(), {this->items(), 3}};
    if (weights_ != nullptr) args.weights = {weights.data(), {this->items()}};
    if (alive_ != nullptr) args.alive = {alive_->source().data(), {this->items()}};
    args.charge = charge_;
    args.grid = grid_;
    return args;
  }

  [[nodiscard]] Answer oracle() const {
    Answer answer;
    std::vector<Storage> weights =
        weights_ != nullptr ? weights_->source() : std::vector<Storage>{};
    const ChargeDepositArgs<Storage> args = host_args(weights);
    answer.result = charge_deposit_oracle(args, shape_order_);
    const GridAxes axes = grid_axes(grid_, shape_order_);
    for (std::int64_t p = 0; p < this->items(); ++p) {
      if (args.alive.given() && args.alive(p) == 0) continue;
      double at[3] = {0, 0, 0};
      bool inside = true;
      for (int a = 0; a < 3; ++a) {
        std::int32_t low = 0;
        inside =
            inside && axes.axis[a].locate(static_cast<double>(args.positions(p, a)), low, at[a]);
        at[a] += low + 0.5 * (shape_order_ - 1);
      }
      const double weight = args.weights.given() ? static_cast<double>(args.weights(p)) : 1.0;
      if (inside) answer.sums.add(charge_ * weight / volume(), at[0], at[1], at[2]);
    }
    std::vector<double> summed = answer.result.density;
    if (!weights.empty()) {
      for (Storage& w : weights)
        w = std::abs(w);
      summed = charge_deposit_oracle(host_args(weights), shape_order_).density;
    }
    for (const double value : summed) {
      answer.largest = std::max(answer.largest, std::abs(value));
      answer.total += std::abs(value);
    }
    if (mode_ == DepositMode::add)
      for (const Storage value : density_.source()) {
        answer.largest = std::max(answer.largest, static_cast<double>(value));
        answer.total += static_cast<double>(value);
      }
    return answer;
  }

  [[nodiscard]] double tolerance(const Answer& expected) const {
    if (std::is_same_v<Storage, double>) return 1e-12;
    const double charges = expected.largest * volume() / std::abs(charge_);
    const double additions = std::pow(shape_order_ + 1, 3) * charges;
    return 0x1p-24 * (8 + std::sqrt(2 * additions));
  }

  [[nodiscard]] Verdict compare() override {
    const auto expected = this->template answer<Answer>({}, [&] { return oracle(); });
    if (outside_.values().front() != expected->result.outside)
      return Verdict::failure(std::to_string(outside_.values().front()) +
                              " particles outside, expected " +
                              std::to_string(expected->result.outside));
    double worst = 0;
    Sums sums;
    std::size_t node = 0;
    for (std::int64_t i = 0; i < grid_.nodes[0]; ++i)
      for (std::int64_t j = 0; j < grid_.nodes[1]; ++j)
        for (std::int64_t k = 0; k < grid_.nodes[2]; ++k, ++node) {
          const double former =
              mode_ == DepositMode::add ? static_cast<double>(density_.source()[node]) : 0.0;
          const double value = static_cast<double>(density_.values()[node]) - former;
          const double error =
              summed_error(value, expected->result.density[node], expected->largest);
          if (!(error < INFINITY))
            return Verdict::failure("node (" + std::to_string(i) + ", " + std::to_string(j) + ", " +
                                    std::to_string(k) + ") is not a number");
          worst = std::max(worst, error);
          sums.add(value, static_cast<double>(i), static_cast<double>(j), static_cast<double>(k));
        }
    worst = std::max(
        worst, summed_error(sums.charge.value(), expected->sums.charge.value(), expected->total));
    for (int a = 0; a < 3; ++a)
      if (!grid_.periodic[a])
        worst =
            std::max(worst, summed_error(sums.moment[a].value(), expected->sums.moment[a].value(),
                                         expected->total * static_cast<double>(grid_.nodes[a])));
    return Verdict::measured(worst, tolerance(*expected),
                             "density, charge, first moments and particles outside");
  }

  double charge_;
  Grid grid_;
  DepositMode mode_;
  std::int64_t spare_;
  ParticleOrder order_;
  int shape_order_;
  Determinism determinism_;
  TrialArray<Storage>& positions_;
  TrialArray<Storage>& density_;
  TrialArray<std::int64_t>& outside_;
  TrialArray<Storage>* weights_ = nullptr;
  TrialArray<std::uint8_t>* alive_ = nullptr;
};

/// Trials of pic/charge_deposit. Error: the maximum of the differences of densities over the
/// largest sum of magnitudes on a node, and of the differences of total charge and first moments
/// from those of the particles over their sums of magnitudes. Infinite if the number of particles
/// outside differs.
///
/// Tolerance: 1e-12 in double. In single the charge of k particles is added to the busiest node in
/// float, in (order + 1)^3 shares each; rounding errors accumulate as a random walk, hence 2^-24 (8
/// + sqrt(2 (order + 1)^3 k)).
std::unique_ptr<Trials> make() {
  std::vector<TrialRow<DepositInput>> rows = deposit_rows();
  for (TrialRow<DepositInput>& row : deposit_rows_in_any_order())
    rows.push_back(std::move(row));
  return std::make_unique<TypedTrials<ChargeDeposit, ChargeDepositTrial, DepositInput>>(
      std::move(rows), deposit_input);
}

}  // namespace tessera::pic::charge_deposit_trial
