#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <tessera/core/base/error.hpp>
#include <tessera/core/memory/array.hpp>
#include <tessera/core/operations/typed_fixture.hpp>
#include <tessera/md/langevin/langevin.hpp>
#include <tessera/md/langevin/langevin_fixture.hpp>
#include <tessera/md/langevin/langevin_reference.hpp>

namespace tessera::md {
namespace {

struct Input {
  const char* name;
  std::int64_t atoms;
  IntegratePhase phase;
  double keep;
  bool heat;
};

constexpr Input inputs[] = {
    {"empty", 0, IntegratePhase::open, 0.9, true},
    {"one", 1, IntegratePhase::open, 0.9, true},
    {"31 close", 31, IntegratePhase::close, 0.9, true},
    {"33 open, heat not asked for", 33, IntegratePhase::open, 0.9, false},
    {"1000 close and open", 1000, IntegratePhase::close_and_open, 0.99, true},
    {"1000 without friction", 1000, IntegratePhase::open, 1, true},
    {"1000 of nothing but noise", 1000, IntegratePhase::open, 0, true},
    {"100003 open", 100003, IntegratePhase::open, 0.9, true},
};

constexpr int types = 2;

template <class Storage>
struct Problem {
  std::vector<Storage> positions, velocities, forces;
  std::vector<std::int32_t> type;
  std::vector<std::int64_t> ids;
  std::vector<double> heat;
  std::vector<double> force_to_accel{1.0, 0.25}, noise{0.5, 0.25}, half_mass{0.5, 2.0};

  explicit Problem(std::int64_t atoms) {
    std::mt19937_64 random(13 + static_cast<unsigned>(atoms));
    const auto uniform = [&] { return static_cast<double>(random() >> 11) * 0x1p-53 - 0.5; };
    for (std::int64_t i = 0; i < 3 * atoms; ++i) {
      positions.push_back(static_cast<Storage>(50 * uniform()));
      velocities.push_back(static_cast<Storage>(4 * uniform()));
      forces.push_back(static_cast<Storage>(200 * uniform()));
    }
    for (std::int64_t i = 0; i < atoms; ++i) {
      type.push_back(static_cast<std::int32_t>(random() % types));
      ids.push_back(static_cast<std::int64_t>(random() >> 2));
      heat.push_back(uniform());
    }
  }
};

/// Arguments of everything that is not written.
template <class Storage, class Real>
LangevinArgs<Real> args_of(const Problem<Storage>& p, const Input& input) {
  LangevinArgs<Real> args;
  const std::int64_t n = input.atoms;
  args.types = {p.type.data(), {n}};
  args.ids = {p.ids.data(), {n}};
  args.force_to_accel = {p.force_to_accel.data(), {types}};
  args.noise = {p.noise.data(), {types}};
  args.half_mass = {p.half_mass.data(), {types}};
  args.time_step = 0.005;
  args.keep = input.keep;
  args.seed = 0x123456789abcdef;
  args.step = (std::int64_t{1} << 40) + 7;
  args.phase = input.phase;
  return args;
}

template <class P>
class LangevinWorkload final : public Workload {
 public:
  using Storage = typename P::Storage;

  LangevinWorkload(const Implementation<Langevin, P>& implementation, const Context& context,
                   const KnobValues& knobs, const Problem<Storage>& problem, const Input& input)
      : positions(context, problem.positions),
        velocities(context, problem.velocities),
        heat(context, problem.heat),
        forces_(context, problem.forces),
        type_(context, problem.type),
        ids_(context, problem.ids),
        force_to_accel_(context, problem.force_to_accel),
        noise_(context, problem.noise),
        half_mass_(context, problem.half_mass),
        input_(input),
        args_(args_of<Storage, Storage>(problem, input)),
        plan_(implementation.make_plan({input.atoms, types}, context, knobs)) {
    args_.positions = positions.rows(3);
    args_.velocities = velocities.rows(3);
    args_.forces = forces_.rows(3);
    args_.types = type_.view();
    args_.ids = ids_.view();
    args_.force_to_accel = force_to_accel_.view();
    args_.noise = noise_.view();
    args_.half_mass = half_mass_.view();
    if (input.heat) args_.heat = heat.view();
  }

  void prepare() override { plan_->prepare(args_); }
  void execute() override { plan_->execute(args_); }
  [[nodiscard]] Counts counts() const override {
    const auto n = static_cast<double>(input_.atoms);
    return {"atoms", n, n * (15 * sizeof(Storage) + 4 + 8 + 16), n * 150};
  }

  Array<Storage> positions, velocities;
  Array<double> heat;

 private:
  Array<Storage> forces_;
  Array<std::int32_t> type_;
  Array<std::int64_t> ids_;
  Array<double> force_to_accel_, noise_, half_mass_;
  Input input_;
  LangevinArgs<Storage> args_;
  std::unique_ptr<Plan<Langevin, P>> plan_;
};

class LangevinFixture final : public TypedFixture<Langevin, LangevinFixture> {
 public:
  [[nodiscard]] std::vector<std::string> inputs() const override {
    std::vector<std::string> names;
    for (const Input& input : md::inputs)
      names.emplace_back(input.name);
    return names;
  }
  [[nodiscard]] std::vector<Benchmark> benchmarks() const override {
    return {{"100003 open", {32000, 256000, 1000000}}};
  }

  template <class P>
  Verdict verify_as(const Implementation<Langevin, P>& implementation, const Context& context,
                    const std::string& name, const KnobValues& knobs) const {
    using Storage = typename P::Storage;
    const Input& input = find(name);
    const Problem<Storage> problem(input.atoms);
    LangevinWorkload<P> work(implementation, context, knobs, problem, input);
    work.prepare();
    work.execute();

    std::vector<double> positions(problem.positions.begin(), problem.positions.end());
    std::vector<double> velocities(problem.velocities.begin(), problem.velocities.end());
    std::vector<double> forces(problem.forces.begin(), problem.forces.end());
    std::vector<double> heat = problem.heat;
    LangevinArgs<double> args = args_of<Storage, double>(problem, input);
    args.positions = {positions.data(), {input.atoms, 3}};
    args.velocities = {velocities.data(), {input.atoms, 3}};
    args.forces = {forces.data(), {input.atoms, 3}};
    if (input.heat) args.heat = {heat.data(), {input.atoms}};
    langevin_reference<double>({input.atoms, types}, args);
    const double error =
        std::max({comparison::relative_rms<Storage>(work.positions.to_host(), positions),
                  comparison::relative_rms<Storage>(work.velocities.to_host(), velocities),
                  comparison::relative_rms<double>(work.heat.to_host(), heat)});
    return comparison::verdict(error, sizeof(Storage) == 8 ? 1e-14 : 1e-6,
                               "positions, velocities and heat");
  }

  template <class P>
  std::unique_ptr<Workload> workload_as(const Implementation<Langevin, P>& implementation,
                                        const Context& context, const std::string& name,
                                        std::int64_t size, const KnobValues& knobs) const {
    Input input = find(name);
    input.atoms = size;
    return std::make_unique<LangevinWorkload<P>>(implementation, context, knobs,
                                                 Problem<typename P::Storage>(size), input);
  }

 private:
  static const Input& find(const std::string& name) {
    for (const Input& input : md::inputs)
      if (name == input.name) return input;
    throw SelectionError("input of md/langevin", name, LangevinFixture().inputs());
  }
};

}  // namespace

std::unique_ptr<Fixture> make_langevin_fixture() {
  return std::make_unique<LangevinFixture>();
}

}  // namespace tessera::md
