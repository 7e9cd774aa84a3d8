#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <tessera/core/memory/array.hpp>
#include <tessera/core/operations/typed_fixture.hpp>
#include <tessera/pic/charge_deposit/charge_deposit.hpp>
#include <tessera/pic/charge_deposit/charge_deposit_fixture.hpp>
#include <tessera/pic/charge_deposit/charge_deposit_inputs.hpp>
#include <tessera/pic/charge_deposit/charge_deposit_reference.hpp>
#include <tessera/pic/cloud_in_cell.hpp>
#include <type_traits>
#include <vector>

namespace tessera::pic {
namespace {

/// The arrays of an input as they lie in memory, on the host.
template <class Storage>
struct HostProblem {
  std::vector<Storage> positions;
  std::vector<Storage> weights;
  std::vector<Storage> density;  ///< with its gaps; poison where nothing was there before
  std::int64_t outside = -1;
  ChargeDepositArgs<Storage> args;
  ChargeDepositProblem key;

  explicit HostProblem(const DepositInput& input) {
    const auto n = static_cast<std::int64_t>(input.positions.size());
    const bool columns = input.position_layout == PositionLayout::columns;
    const std::int64_t record = input.position_layout == PositionLayout::records ? 7 : 3;
    const std::int64_t row = columns ? 1 : record;
    const std::int64_t column = columns ? n + 5 : 1;
    positions.resize(static_cast<std::size_t>(columns ? 3 * column : n * record));
    args.positions = {positions.data(), {n, 3}, {row, column}};
    for (std::int64_t p = 0; p < n; ++p)
      for (int a = 0; a < 3; ++a)
        positions[static_cast<std::size_t>(p * row + a * column)] = static_cast<Storage>(
            input.positions[static_cast<std::size_t>(p)][static_cast<std::size_t>(a)]);
    for (const double w : input.weights)
      weights.push_back(static_cast<Storage>(w));
    if (!weights.empty()) args.weights = {weights.data(), {n}};
    args.charge = input.charge;
    args.grid = input.grid;
    args.mode = input.add ? DepositMode::add : DepositMode::overwrite;

    const std::int64_t nx = input.grid.nodes[0];
    const std::int64_t ny = input.grid.nodes[1];
    const std::int64_t nz = input.grid.nodes[2];
    if (input.density_layout == DensityLayout::x_fastest_padded) {
      const std::int64_t padded = 2 * (nx / 2 + 1);
      density.resize(static_cast<std::size_t>(padded * ny * nz), poison());
      args.density = {density.data(), {nx, ny, nz}, {1, padded, padded * ny}};
    } else {
      density.resize(static_cast<std::size_t>(nx * ny * nz), poison());
      args.density = {density.data(), {nx, ny, nz}};
    }
    if (input.add)
      for (std::size_t i = 0; i < density.size(); ++i)
        density[i] = static_cast<Storage>(0.25 * static_cast<double>(i % 9));
    args.outside = {&outside, {1}};
    key = charge_deposit_problem(args);
    key.particles += input.spare;
  }
  HostProblem(const HostProblem&) = delete;
  HostProblem& operator=(const HostProblem&) = delete;

  static Storage poison() { return std::numeric_limits<Storage>::quiet_NaN(); }
};

/// Neumaier's sum: a check to 1e-12 over many particles must not err by as much itself.
class Sum {
 public:
  void add(double value) {
    const double next = sum_ + value;
    lost_ += std::abs(sum_) >= std::abs(value) ? (sum_ - next) + value : (value - next) + sum_;
    sum_ = next;
  }
  [[nodiscard]] double value() const { return sum_ + lost_; }

 private:
  double sum_ = 0;
  double lost_ = 0;
};

/// A problem with its arrays on a device.
template <class Storage>
struct OnDevice {
  OnDevice(const Context& context, const HostProblem<Storage>& problem)
      : positions(context, problem.positions),
        weights(context, problem.weights),
        density(context, problem.density),
        outside(context, 1),
        args(problem.args) {
    args.positions.data = positions.data();
    if (args.weights.given()) args.weights.data = weights.data();
    args.density.data = density.data();
    args.outside = outside.view();
  }

  void restore(const HostProblem<Storage>& problem) {
    density.copy_from(problem.density);
    outside.fill_bytes(0xff);
  }

  Array<Storage> positions;
  Array<Storage> weights;
  Array<Storage> density;
  Array<std::int64_t> outside;
  ChargeDepositArgs<Storage> args;
};

/// What the oracle says about a problem and the scales to compare with.
template <class Storage>
class Expectation {
 public:
  explicit Expectation(HostProblem<Storage>& problem) : problem_(problem) {
    result_ = charge_deposit_oracle(problem.args);
    // Where charges cancel, what a sum can lose grows with the magnitudes that went in.
    std::vector<Storage> magnitudes = problem.weights;
    for (Storage& w : magnitudes)
      w = std::abs(w);
    ChargeDepositArgs<Storage> args = problem.args;
    if (args.weights.given()) args.weights.data = magnitudes.data();
    args.charge = std::abs(args.charge);
    for (const double value : charge_deposit_oracle(args).density) {
      largest_ = std::max(largest_, value);
      total_ += value;
    }
    if (problem.args.mode == DepositMode::add)
      for (const Storage value : problem.density) {
        largest_ = std::max(largest_, static_cast<double>(value));
        total_ += static_cast<double>(value);
      }
  }

  [[nodiscard]] double tolerance() const {
    if (std::is_same_v<Storage, double>) return 1e-12;
    const double unit = std::abs(problem_.args.charge) / volume();
    const double charges = largest_ / unit;
    return 0x1p-24 * (8 + 4 * std::sqrt(charges));
  }

  /// Error of a density and a count; infinity with a reason for what cannot be measured.
  [[nodiscard]] double error(const std::vector<Storage>& density, std::int64_t outside,
                             std::string& reason) const {
    if (outside != result_.outside) {
      reason = std::to_string(outside) + " particles outside, expected " +
               std::to_string(result_.outside);
      return INFINITY;
    }
    std::vector<char> used(density.size(), 0);
    const auto& view = problem_.args.density;
    const double scale = largest_ > 0 ? largest_ : 1;
    double worst = 0;
    Sum charge;
    Sum moment[3];
    std::size_t node = 0;
    for (std::int64_t i = 0; i < view.extents[0]; ++i)
      for (std::int64_t j = 0; j < view.extents[1]; ++j)
        for (std::int64_t k = 0; k < view.extents[2]; ++k, ++node) {
          const auto at = static_cast<std::size_t>(i * view.strides[0] + j * view.strides[1] +
                                                   k * view.strides[2]);
          used[at] = 1;
          const double former = problem_.args.mode == DepositMode::add
                                    ? static_cast<double>(problem_.density[at])
                                    : 0.0;
          const double value = static_cast<double>(density[at]) - former;
          const double difference = std::abs(value - result_.density[node]);
          if (!(difference < INFINITY)) {
            reason = "node (" + std::to_string(i) + ", " + std::to_string(j) + ", " +
                     std::to_string(k) + ") is not a number";
            return INFINITY;
          }
          worst = std::max(worst, difference / scale);
          charge.add(value);
          moment[0].add(value * static_cast<double>(i));
          moment[1].add(value * static_cast<double>(j));
          moment[2].add(value * static_cast<double>(k));
        }
    for (std::size_t at = 0; at < density.size(); ++at)
      if (!used[at] && density[at] == density[at]) {
        reason = "wrote between the elements of the density";
        return INFINITY;
      }
    return std::max(worst, error_of_sums(charge, moment));
  }

 private:
  [[nodiscard]] double volume() const {
    const double* const h = problem_.args.grid.spacing;
    return h[0] * h[1] * h[2];
  }

  /// Charge and first moments against the particles themselves, in units of node and total charge.
  [[nodiscard]] double error_of_sums(const Sum& charge, const Sum (&moment)[3]) const {
    const auto& args = problem_.args;
    const GridAxes axes = grid_axes(args.grid);
    Sum expected;
    Sum expected_moment[3];
    for (std::int64_t p = 0; p < args.positions.extent(0); ++p) {
      double at[3] = {0, 0, 0};
      bool inside = true;
      for (int a = 0; a < 3; ++a) {
        std::int32_t low = 0;
        inside = inside && axes.axis[a].locate(args.positions(p, a), low, at[a]);
        at[a] += low;
      }
      if (!inside) continue;
      const double q =
          args.charge * (args.weights.given() ? double{args.weights(p)} : 1.0) / volume();
      expected.add(q);
      for (int a = 0; a < 3; ++a)
        expected_moment[a].add(q * at[a]);
    }
    const double scale = total_ > 0 ? total_ : 1;
    double worst = std::abs(charge.value() - expected.value()) / scale;
    for (int a = 0; a < 3; ++a)
      if (!args.grid.periodic[a])
        worst = std::max(worst, std::abs(moment[a].value() - expected_moment[a].value()) /
                                    (scale * static_cast<double>(args.grid.nodes[a])));
    return worst;
  }

  const HostProblem<Storage>& problem_;
  ChargeDepositResult result_;
  double largest_ = 0;
  double total_ = 0;
};

template <class P>
class DepositWorkload final : public Workload {
 public:
  using Storage = typename P::Storage;

  DepositWorkload(const Implementation<ChargeDeposit, P>& implementation, const Context& context,
                  const Parameters& parameters, const HostProblem<Storage>& problem)
      : device_(context, problem),
        plan_(implementation.make_plan(problem.key, context, parameters)),
        particles_(problem.key.particles) {}

  void prepare() override { plan_->prepare(device_.args); }
  void execute() override { plan_->execute(device_.args); }
  [[nodiscard]] Counts counts() const override {
    const auto n = static_cast<double>(particles_);
    const auto nodes = static_cast<double>(device_.args.density.size());
    constexpr double flops_per_particle = 28;
    return {"particles", n, (3 * n + nodes) * sizeof(Storage), flops_per_particle * n};
  }

 private:
  OnDevice<Storage> device_;
  std::unique_ptr<Plan<ChargeDeposit, P>> plan_;
  std::int64_t particles_;
};

class ChargeDepositFixture final : public TypedFixture<ChargeDeposit, ChargeDepositFixture> {
 public:
  [[nodiscard]] std::vector<std::string> inputs() const override { return deposit_inputs(); }

  [[nodiscard]] std::vector<Benchmark> benchmarks() const override {
    std::vector<Benchmark> families;
    for (const std::string& beam : deposit_beams())
      families.push_back({beam, {1000000, 21000000}});
    return families;
  }

  template <class P>
  Verdict verify_as(const Implementation<ChargeDeposit, P>& implementation, const Context& context,
                    const std::string& name, const Parameters& parameters) const {
    using Storage = typename P::Storage;
    HostProblem<Storage> problem(make_deposit_input(name));
    OnDevice<Storage> device(context, problem);
    if (const auto refusal = implementation.can_run(problem.key, context))
      return comparison::refused(*refusal);
    const auto plan = implementation.make_plan(problem.key, context, parameters);
    plan->prepare(device.args);

    const Expectation<Storage> expectation(problem);
    double error = 0;
    std::vector<Storage> first;
    // Twice, because a plan keeps memory between calls.
    for (int call = 0; call < 2; ++call) {
      device.restore(problem);
      plan->execute(device.args);
      const std::vector<Storage> density = device.density.to_host();
      std::string reason;
      error = std::max(error, expectation.error(density, device.outside.to_host()[0], reason));
      if (!reason.empty()) return comparison::verdict(INFINITY, expectation.tolerance(), reason);
      if (call == 0)
        first = density;
      else if (implementation.info().determinism != Determinism::none &&
               !comparison::same_bits(first, density))
        return comparison::verdict(INFINITY, 0, "a second run gave other bits");
    }
    return comparison::verdict(error, expectation.tolerance(),
                               "density, charge, first moments and particles outside");
  }

  template <class P>
  std::unique_ptr<Workload> workload_as(const Implementation<ChargeDeposit, P>& implementation,
                                        const Context& context, const std::string& name,
                                        std::int64_t size, const Parameters& parameters) const {
    const HostProblem<typename P::Storage> problem(make_deposit_beam(name, size));
    return std::make_unique<DepositWorkload<P>>(implementation, context, parameters, problem);
  }
};

}  // namespace

std::unique_ptr<Fixture> make_charge_deposit_fixture() {
  return std::make_unique<ChargeDepositFixture>();
}

}  // namespace tessera::pic
