#include <algorithm>
#include <cmath>
#include <random>
#include <tessera/core/base/error.hpp>
#include <tessera/core/memory/array.hpp>
#include <tessera/core/operations/typed_fixture.hpp>
#include <tessera/md/pair_force/pair_force.hpp>
#include <tessera/md/pair_force/pair_force_cases.hpp>
#include <tessera/md/pair_force/pair_force_fixture.hpp>
#include <tessera/md/pair_force/pair_force_reference.hpp>

namespace tessera::md {
namespace {

/// Share of the cutoff within which a pair may count or not.
constexpr double cutoff_margin = 4e-6;

/// A system with its arrays on a device.
template <class P>
class OnDevice {
 public:
  using Storage = typename P::Storage;

  OnDevice(const Context& context, const PairForceCase& system)
      : rounded(system.positions.begin(), system.positions.end()),
        positions_(context, rounded),
        types_(context, system.types),
        charges_(context, std::vector<Storage>(system.charges.begin(), system.charges.end())),
        excluded_from_(context, system.excluded_from),
        excluded_(context, system.excluded),
        forces(context, static_cast<std::int64_t>(rounded.size())),
        totals(context, 7),
        coefficients_(system.coefficients),
        box_(system.box) {}

  [[nodiscard]] PairForceArgs<Storage> args(bool with_energy) {
    PairForceArgs<Storage> a;
    a.positions = positions_.rows(3);
    a.types = types_.view();
    a.forces = forces.rows(3);
    a.box = box_;
    a.coefficients = coefficients_.view();
    if (charges_.size() > 0) a.charges = charges_.view();
    if (excluded_from_.size() > 0) a.exclusions = {excluded_from_.view(), excluded_.view()};
    if (with_energy) {
      a.energy = {totals.data(), {1}};
      a.virial = {totals.data() + 1, {6}};
    }
    return a;
  }

  std::vector<Storage> rounded;

 private:
  Array<Storage> positions_;
  Array<std::int32_t> types_;
  Array<Storage> charges_;
  Array<std::int32_t> excluded_from_;
  Array<std::int32_t> excluded_;

 public:
  Array<Storage> forces;
  Array<double> totals;  ///< energy, then the virial

 private:
  CoefficientTable coefficients_;
  Box box_;
};

struct Expected {
  std::vector<double> forces;
  std::vector<double> totals = std::vector<double>(7);
  PairForceScrutiny scrutiny;
};

Expected oracle(const PairForceCase& system, const std::vector<double>& positions) {
  Expected e;
  const auto atoms = static_cast<std::int64_t>(system.types.size());
  e.forces.resize(positions.size());
  PairForceArgs<double> args;
  args.positions = {positions.data(), {atoms, 3}};
  args.types = {system.types.data(), {atoms}};
  args.forces = {e.forces.data(), {atoms, 3}};
  args.box = system.box;
  args.coefficients = system.coefficients.view();
  if (!system.charges.empty()) args.charges = {system.charges.data(), {atoms}};
  if (!system.excluded_from.empty())
    args.exclusions = {
        {system.excluded_from.data(), {atoms + 1}},
        {system.excluded.data(), {static_cast<std::int64_t>(system.excluded.size())}}};
  args.energy = {e.totals.data(), {1}};
  args.virial = {e.totals.data() + 1, {6}};
  e.scrutiny.margin = cutoff_margin;
  pair_force_oracle(args, system.coefficients.form().name(), PairSearch::automatic, &e.scrutiny);
  return e;
}

/// Sums over pairs cancel, so their error is measured against the sum of magnitudes, estimated from
/// the terms themselves: the largest of the totals.
double total_error(const std::vector<double>& totals, const std::vector<double>& expected) {
  double scale = 0;
  double error = 0;
  for (const double e : expected)
    scale = std::max(scale, std::abs(e));
  for (std::size_t i = 0; i < totals.size(); ++i) {
    if (!std::isfinite(totals[i])) return INFINITY;
    error = std::max(error, std::abs(totals[i] - expected[i]));
  }
  return scale > 0 ? error / scale : error;
}

template <class P>
Verdict compare(const Implementation<PairForce, P>& implementation, const Context& context,
                const PairForceCase& system, const Parameters& parameters) {
  using Storage = typename P::Storage;
  OnDevice<P> device(context, system);
  PairForceProblem problem =
      pair_force_problem(device.args(true), system.coefficients.form().name());
  problem.skin = system.skin;
  if (const auto refusal = implementation.can_run(problem, context))
    return comparison::refused(*refusal);
  const auto plan = implementation.make_plan(problem, context, parameters);
  plan->prepare(device.args(true));

  device.forces.fill_bytes(0xff);
  device.totals.fill_bytes(0xff);
  plan->execute(device.args(true));
  const std::vector<Storage> with_energy = device.forces.to_host();
  const std::vector<double> totals = device.totals.to_host();

  device.forces.fill_bytes(0xff);
  plan->execute(device.args(false));
  const std::vector<Storage> forces = device.forces.to_host();

  const std::vector<double> positions(device.rounded.begin(), device.rounded.end());
  const Expected expected =
      oracle(system, P::value == Precision::single ? positions : system.positions);
  const double tolerance = pair_force_tolerance(P::value);
  const double force_error = std::max(
      comparison::relative_rms<Storage>(forces, expected.forces, expected.scrutiny.near_cutoff),
      comparison::relative_rms<Storage>(with_energy, expected.forces,
                                        expected.scrutiny.near_cutoff));
  const double totals_error = total_error(totals, expected.totals);
  if (!(totals_error <= 10 * tolerance))
    return comparison::verdict(totals_error, 10 * tolerance, "energy and virial");
  if (implementation.info().determinism != Determinism::none) {
    device.forces.fill_bytes(0xff);
    plan->execute(device.args(false));
    if (!comparison::same_bits(forces, device.forces.to_host()))
      return comparison::verdict(INFINITY, 0, "a second run gave other bits");
  }
  return comparison::verdict(force_error, tolerance, "rms of the forces");
}

template <class P>
class PairForceWorkload final : public Workload {
 public:
  PairForceWorkload(const Implementation<PairForce, P>& implementation, const Context& context,
                    const Parameters& parameters, const PairForceCase& system)
      : device_(context, system), atoms_(static_cast<double>(system.types.size())) {
    const double density = atoms_ / system.box.volume();
    PairForceProblem problem =
        pair_force_problem(device_.args(false), system.coefficients.form().name());
    pairs_ = atoms_ * density * 2.0 / 3.0 * 3.14159265358979 * std::pow(problem.cutoff, 3);
    plan_ = implementation.make_plan(problem, context, parameters);
  }

  void prepare() override { plan_->prepare(device_.args(false)); }
  void execute() override { plan_->execute(device_.args(false)); }

  /// Flops: 8 for the distance, 12 for the force and 6 for adding it, a pair within the cutoff
  /// once.
  [[nodiscard]] Counts counts() const override {
    return {"atoms", atoms_, atoms_ * (6 * sizeof(typename P::Storage) + 4), pairs_ * 26};
  }

 private:
  OnDevice<P> device_;
  double atoms_;
  double pairs_ = 0;
  std::unique_ptr<Plan<PairForce, P>> plan_;
};

class PairForceFixture final : public TypedFixture<PairForce, PairForceFixture> {
 public:
  [[nodiscard]] std::vector<std::string> inputs() const override { return pair_force_case_names(); }

  [[nodiscard]] std::vector<Benchmark> benchmarks() const override {
    return {{"melt", {32000, 256000, 1048576, 4000000}}};
  }

  template <class P>
  Verdict verify_as(const Implementation<PairForce, P>& implementation, const Context& context,
                    const std::string& name, const Parameters& parameters) const {
    return compare<P>(implementation, context, make_pair_force_case(name), parameters);
  }

  template <class P>
  std::unique_ptr<Workload> workload_as(const Implementation<PairForce, P>& implementation,
                                        const Context& context, const std::string&,
                                        std::int64_t size, const Parameters& parameters) const {
    return std::make_unique<PairForceWorkload<P>>(implementation, context, parameters,
                                                  make_shaken_melt(size));
  }
};

}  // namespace

std::unique_ptr<Fixture> make_pair_force_fixture() {
  return std::make_unique<PairForceFixture>();
}

double pair_force_tolerance(Precision precision) {
  switch (precision) {
    case Precision::double_precision:
      return 1e-12;
    case Precision::mixed:
      return 1e-5;
    case Precision::single:
      return 5e-6;
  }
  return 0;
}

Verdict verify_pair_force(const ImplementationBase& implementation, const Context& context,
                          const PairForceCase& system, const Parameters& parameters) {
  Verdict verdict;
  switch (implementation.info().precision) {
    case Precision::double_precision:
      verdict =
          compare<Double>(dynamic_cast<const Implementation<PairForce, Double>&>(implementation),
                          context, system, parameters);
      break;
    case Precision::mixed:
      verdict =
          compare<Mixed>(dynamic_cast<const Implementation<PairForce, Mixed>&>(implementation),
                         context, system, parameters);
      break;
    case Precision::single:
      verdict =
          compare<Single>(dynamic_cast<const Implementation<PairForce, Single>&>(implementation),
                          context, system, parameters);
      break;
  }
  verdict.input = system.name;
  return verdict;
}

}  // namespace tessera::md
