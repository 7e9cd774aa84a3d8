#include <cmath>
#include <limits>
#include <random>
#include <tessera/core/base/error.hpp>
#include <tessera/core/memory/array.hpp>
#include <tessera/core/operations/typed_fixture.hpp>
#include <tessera/md/displacement/displacement.hpp>
#include <tessera/md/displacement/displacement_fixture.hpp>
#include <tessera/md/displacement/displacement_reference.hpp>

namespace tessera::md {
namespace {

struct Input {
  const char* name;
  std::int64_t atoms;
  bool moved;
  int poison;  ///< 0 none, 1 NaN, 2 infinity
};

constexpr Input inputs[] = {
    {"empty", 0, true, 0},  {"one", 1, true, 0},         {"not moved", 100, false, 0},
    {"31", 31, true, 0},    {"33", 33, true, 0},         {"1000", 1000, true, 0},
    {"NaN", 1000, true, 1}, {"infinity", 1000, true, 2}, {"100003", 100003, true, 0},
};

template <class Storage>
struct Problem {
  std::vector<Storage> positions;
  std::vector<Storage> reference;
};

template <class Storage>
Problem<Storage> make_problem(const Input& input) {
  Problem<Storage> p;
  std::mt19937_64 random(7 + static_cast<unsigned>(input.atoms));
  const auto uniform = [&] { return static_cast<double>(random() >> 11) * 0x1p-53; };
  for (std::int64_t i = 0; i < 3 * input.atoms; ++i) {
    p.reference.push_back(static_cast<Storage>(100 * uniform()));
    p.positions.push_back(p.reference.back() +
                          static_cast<Storage>(input.moved ? 0.3 * uniform() : 0));
  }
  const auto at = p.positions.size() / 2;
  if (input.poison == 1) p.positions[at] = std::numeric_limits<Storage>::quiet_NaN();
  if (input.poison == 2) p.positions[at] = -std::numeric_limits<Storage>::infinity();
  return p;
}

template <class P>
class DisplacementWorkload final : public Workload {
 public:
  DisplacementWorkload(const Implementation<Displacement, P>& implementation,
                       const Context& context, const Parameters& parameters,
                       const Problem<typename P::Storage>& problem)
      : positions_(context, problem.positions),
        reference_(context, problem.reference),
        result_(context, 1),
        atoms_(positions_.size() / 3),
        plan_(implementation.make_plan({atoms_}, context, parameters)) {}

  [[nodiscard]] DisplacementArgs<typename P::Storage> args() {
    return {positions_.rows(3), reference_.rows(3), result_.view()};
  }
  [[nodiscard]] Array<DisplacementResult>& result() { return result_; }
  void prepare() override { plan_->prepare(args()); }
  void execute() override { plan_->execute(args()); }
  [[nodiscard]] Counts counts() const override {
    const auto n = static_cast<double>(atoms_);
    return {"atoms", n, n * 6 * sizeof(typename P::Storage), n * 8};
  }

 private:
  Array<typename P::Storage> positions_;
  Array<typename P::Storage> reference_;
  Array<DisplacementResult> result_;
  std::int64_t atoms_;
  std::unique_ptr<Plan<Displacement, P>> plan_;
};

class DisplacementFixture final : public TypedFixture<Displacement, DisplacementFixture> {
 public:
  [[nodiscard]] std::vector<std::string> inputs() const override {
    std::vector<std::string> names;
    for (const Input& input : md::inputs)
      names.emplace_back(input.name);
    return names;
  }
  [[nodiscard]] std::vector<Benchmark> benchmarks() const override {
    return {{"random", {32000, 256000, 1000000, 4000000}}};
  }

  template <class P>
  Verdict verify_as(const Implementation<Displacement, P>& implementation, const Context& context,
                    const std::string& name, const Parameters& parameters) const {
    using Storage = typename P::Storage;
    Problem<Storage> problem = make_problem<Storage>(find(name));
    const auto atoms = static_cast<std::int64_t>(problem.positions.size() / 3);
    DisplacementWorkload<P> work(implementation, context, parameters, problem);
    work.prepare();
    work.result().fill_bytes(0xff);
    work.execute();
    const DisplacementResult result = work.result().to_host().front();
    DisplacementResult expected;
    displacement_reference<Storage>({atoms}, {{problem.positions.data(), {atoms, 3}},
                                              {problem.reference.data(), {atoms, 3}},
                                              {&expected, {1}}});
    if (result.atom != expected.atom)
      return comparison::verdict(
          INFINITY, 0,
          "atom " + std::to_string(result.atom) + " instead of " + std::to_string(expected.atom));
    const double error = result.largest == expected.largest
                             ? 0
                             : std::abs(result.largest - expected.largest) / expected.largest;
    return comparison::verdict(error, 1e-14, "distance and atom");
  }

  template <class P>
  std::unique_ptr<Workload> workload_as(const Implementation<Displacement, P>& implementation,
                                        const Context& context, const std::string&,
                                        std::int64_t size, const Parameters& parameters) const {
    return std::make_unique<DisplacementWorkload<P>>(
        implementation, context, parameters,
        make_problem<typename P::Storage>({"", size, true, 0}));
  }

 private:
  static const Input& find(const std::string& name) {
    for (const Input& input : md::inputs)
      if (name == input.name) return input;
    throw SelectionError("input of md/displacement", name, DisplacementFixture().inputs());
  }
};

}  // namespace

std::unique_ptr<Fixture> make_displacement_fixture() {
  return std::make_unique<DisplacementFixture>();
}

}  // namespace tessera::md
