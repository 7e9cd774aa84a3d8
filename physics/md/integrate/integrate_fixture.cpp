#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <tessera/core/base/error.hpp>
#include <tessera/core/memory/array.hpp>
#include <tessera/core/operations/typed_fixture.hpp>
#include <tessera/md/integrate/integrate.hpp>
#include <tessera/md/integrate/integrate_fixture.hpp>
#include <tessera/md/integrate/integrate_reference.hpp>

namespace tessera::md {
namespace {

struct Input {
  const char* name;
  std::int64_t atoms;
  IntegratePhase phase;
  double time_step;
};

constexpr Input inputs[] = {
    {"empty", 0, IntegratePhase::open, 0.005},
    {"one", 1, IntegratePhase::open, 0.005},
    {"31 close", 31, IntegratePhase::close, 0.005},
    {"33 open", 33, IntegratePhase::open, 0.005},
    {"1000 close and open", 1000, IntegratePhase::close_and_open, 0.005},
    {"1000 backwards", 1000, IntegratePhase::close_and_open, -0.005},
    {"100003 open", 100003, IntegratePhase::open, 0.01},
};

constexpr int types = 2;

template <class Storage>
struct Problem {
  std::vector<Storage> positions, velocities, forces;
  std::vector<std::int32_t> type;
  std::vector<double> force_to_accel{1.0, 0.25};
};

template <class Storage>
Problem<Storage> make_problem(std::int64_t atoms) {
  Problem<Storage> p;
  std::mt19937_64 random(11 + static_cast<unsigned>(atoms));
  const auto uniform = [&] { return static_cast<double>(random() >> 11) * 0x1p-53 - 0.5; };
  for (std::int64_t i = 0; i < 3 * atoms; ++i) {
    p.positions.push_back(static_cast<Storage>(50 * uniform()));
    p.velocities.push_back(static_cast<Storage>(4 * uniform()));
    p.forces.push_back(static_cast<Storage>(200 * uniform()));
  }
  for (std::int64_t i = 0; i < atoms; ++i)
    p.type.push_back(static_cast<std::int32_t>(random() % types));
  return p;
}

template <class P>
class IntegrateWorkload final : public Workload {
 public:
  using Storage = typename P::Storage;

  IntegrateWorkload(const Implementation<Integrate, P>& implementation, const Context& context,
                    const Parameters& parameters, const Problem<Storage>& problem,
                    const Input& input)
      : positions(context, problem.positions),
        velocities(context, problem.velocities),
        forces_(context, problem.forces),
        type_(context, problem.type),
        force_to_accel_(context, problem.force_to_accel),
        input_(input),
        plan_(implementation.make_plan({input.atoms, types}, context, parameters)) {}

  void prepare() override { plan_->prepare(args()); }
  void execute() override { plan_->execute(args()); }
  [[nodiscard]] Counts counts() const override {
    const auto n = static_cast<double>(input_.atoms);
    return {"atoms", n, n * (15 * sizeof(Storage) + 4), n * 12};
  }

  Array<Storage> positions;
  Array<Storage> velocities;

 private:
  IntegrateArgs<Storage> args() {
    return {positions.rows(3),      velocities.rows(3), forces_.rows(3), type_.view(),
            force_to_accel_.view(), input_.time_step,   input_.phase};
  }

  Array<Storage> forces_;
  Array<std::int32_t> type_;
  Array<double> force_to_accel_;
  Input input_;
  std::unique_ptr<Plan<Integrate, P>> plan_;
};

class IntegrateFixture final : public TypedFixture<Integrate, IntegrateFixture> {
 public:
  [[nodiscard]] std::vector<std::string> inputs() const override {
    std::vector<std::string> names;
    for (const Input& input : md::inputs)
      names.emplace_back(input.name);
    return names;
  }
  [[nodiscard]] std::vector<Benchmark> benchmarks() const override {
    return {{"open", {32000, 256000, 1000000, 4000000}}};
  }

  template <class P>
  Verdict verify_as(const Implementation<Integrate, P>& implementation, const Context& context,
                    const std::string& name, const Parameters& parameters) const {
    using Storage = typename P::Storage;
    const Input& input = find(name);
    const Problem<Storage> problem = make_problem<Storage>(input.atoms);
    IntegrateWorkload<P> work(implementation, context, parameters, problem, input);
    work.prepare();
    work.execute();
    const std::vector<Storage> positions = work.positions.to_host();
    const std::vector<Storage> velocities = work.velocities.to_host();

    std::vector<double> expected_positions(problem.positions.begin(), problem.positions.end());
    std::vector<double> expected_velocities(problem.velocities.begin(), problem.velocities.end());
    std::vector<double> forces(problem.forces.begin(), problem.forces.end());
    integrate_reference<double>({input.atoms, types},
                                {{expected_positions.data(), {input.atoms, 3}},
                                 {expected_velocities.data(), {input.atoms, 3}},
                                 {forces.data(), {input.atoms, 3}},
                                 {problem.type.data(), {input.atoms}},
                                 {problem.force_to_accel.data(), {types}},
                                 input.time_step,
                                 input.phase});
    const double error =
        std::max(comparison::relative_rms<Storage>(positions, expected_positions),
                 comparison::relative_rms<Storage>(velocities, expected_velocities));
    return comparison::verdict(error, sizeof(Storage) == 8 ? 1e-15 : 1e-6,
                               "positions and velocities");
  }

  template <class P>
  std::unique_ptr<Workload> workload_as(const Implementation<Integrate, P>& implementation,
                                        const Context& context, const std::string&,
                                        std::int64_t size, const Parameters& parameters) const {
    return std::make_unique<IntegrateWorkload<P>>(implementation, context, parameters,
                                                  make_problem<typename P::Storage>(size),
                                                  Input{"", size, IntegratePhase::open, 1e-9});
  }

 private:
  static const Input& find(const std::string& name) {
    for (const Input& input : md::inputs)
      if (name == input.name) return input;
    throw SelectionError("input of md/integrate", name, IntegrateFixture().inputs());
  }
};

}  // namespace

std::unique_ptr<Fixture> make_integrate_fixture() {
  return std::make_unique<IntegrateFixture>();
}

}  // namespace tessera::md
