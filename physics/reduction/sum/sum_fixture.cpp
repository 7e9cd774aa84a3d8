#include <cmath>
#include <random>
#include <tessera/core/base/error.hpp>
#include <tessera/core/memory/array.hpp>
#include <tessera/core/operations/typed_fixture.hpp>
#include <tessera/reduction/sum/sum.hpp>
#include <tessera/reduction/sum/sum_fixture.hpp>
#include <tessera/reduction/sum/sum_reference.hpp>

namespace tessera::reduction {
namespace {

struct Input {
  const char* name;
  std::int64_t rows;
  bool weighted;
  bool by_class;
  bool all_terms;   ///< every first and second moment of six columns, else three columns alone
  bool cancelling;  ///< a large mean of alternating sign
};

constexpr Input inputs[] = {
    {"empty", 0, false, false, true, false},
    {"one", 1, true, false, true, false},
    {"two", 2, false, false, false, false},
    {"31", 31, true, true, true, false},
    {"33", 33, false, false, true, false},
    {"1000 by class", 1000, true, true, false, false},
    {"4099 moments", 4099, true, false, true, false},
    {"300007 cancelling", 300007, false, false, false, true},
    {"1000003 moments", 1000003, true, true, true, false},
};

constexpr int columns = 6;
constexpr int classes = 3;

SumTerms moments() {
  SumTerms terms;
  for (std::int16_t a = 0; a < columns; ++a)
    terms.term[terms.count++] = {a, -1};
  for (std::int16_t a = 0; a < columns; ++a)
    for (std::int16_t b = a; b < columns; ++b)
      terms.term[terms.count++] = {a, b};
  return terms;
}

SumTerms plain() {
  SumTerms terms;
  for (std::int16_t a = 0; a < 3; ++a)
    terms.term[terms.count++] = {a, -1};
  return terms;
}

template <class Storage>
struct Problem {
  std::vector<Storage> values;
  std::vector<double> weights;
  std::vector<std::int32_t> weight_class;
  SumTerms terms;
  std::int64_t rows;
};

template <class Storage>
Problem<Storage> make_problem(const Input& input) {
  Problem<Storage> p;
  p.rows = input.rows;
  p.terms = input.all_terms ? moments() : plain();
  std::mt19937_64 random(20260711 + static_cast<unsigned>(input.rows));
  const auto uniform = [&] { return static_cast<double>(random() >> 11) * 0x1p-53 - 0.5; };
  p.values.resize(static_cast<std::size_t>(input.rows * columns));
  for (std::size_t i = 0; i < p.values.size(); ++i) {
    const double offset = input.cancelling ? (i / columns % 2 ? 1000.0 : -1000.0) : 0.1;
    p.values[i] = static_cast<Storage>(uniform() + offset);
  }
  if (input.by_class) {
    p.weights = {1.0, 2.5, 0.125};
    p.weight_class.resize(static_cast<std::size_t>(input.rows));
    for (auto& c : p.weight_class)
      c = static_cast<std::int32_t>(random() % classes);
  } else if (input.weighted) {
    p.weights.resize(static_cast<std::size_t>(input.rows));
    for (auto& w : p.weights)
      w = 1 + uniform();
  }
  return p;
}

template <class Storage>
SumArgs<Storage> host_args(Problem<Storage>& p, std::vector<double>& result) {
  SumArgs<Storage> args;
  args.values = {p.values.data(), {p.rows, columns}};
  if (!p.weights.empty())
    args.weights = {p.weights.data(), {static_cast<std::int64_t>(p.weights.size())}};
  if (!p.weight_class.empty()) args.weight_class = {p.weight_class.data(), {p.rows}};
  args.terms = p.terms;
  args.result = {result.data(), {static_cast<std::int64_t>(result.size())}};
  return args;
}

/// A problem with its arrays on a device.
template <class P>
struct OnDevice {
  using Storage = typename P::Storage;

  OnDevice(const Context& context, const Problem<Storage>& p)
      : values(context, p.values),
        weights(context, p.weights),
        weight_class(context, p.weight_class),
        result(context, p.terms.count) {
    args.values = {values.data(), {p.rows, columns}};
    if (!p.weights.empty()) args.weights = weights.view();
    if (!p.weight_class.empty()) args.weight_class = weight_class.view();
    args.terms = p.terms;
    args.result = result.view();
  }

  Array<Storage> values;
  Array<double> weights;
  Array<std::int32_t> weight_class;
  Array<double> result;
  SumArgs<Storage> args;
};

template <class P>
class SumWorkload final : public Workload {
 public:
  SumWorkload(const Implementation<Sum, P>& implementation, const Context& context,
              const Parameters& parameters, const Problem<typename P::Storage>& problem)
      : device_(context, problem),
        plan_(implementation.make_plan(sum_problem(device_.args), context, parameters)),
        rows_(problem.rows) {}

  void prepare() override { plan_->prepare(device_.args); }
  void execute() override { plan_->execute(device_.args); }
  [[nodiscard]] Counts counts() const override {
    const auto n = static_cast<double>(rows_);
    const double value_bytes = n * columns * sizeof(typename P::Storage);
    const double weight_bytes =
        device_.args.weights.given() ? n * (device_.args.weight_class.given() ? 4 : 8) : 0;
    return {"rows", n, value_bytes + weight_bytes, n * 2 * device_.args.terms.count};
  }

 private:
  OnDevice<P> device_;
  std::unique_ptr<Plan<Sum, P>> plan_;
  std::int64_t rows_;
};

class SumFixture final : public TypedFixture<Sum, SumFixture> {
 public:
  [[nodiscard]] std::vector<std::string> inputs() const override {
    std::vector<std::string> names;
    for (const Input& input : reduction::inputs)
      names.emplace_back(input.name);
    return names;
  }

  [[nodiscard]] std::vector<Benchmark> benchmarks() const override {
    return {{"moments", {32000, 1000000, 21000000}}};
  }

  template <class P>
  Verdict verify_as(const Implementation<Sum, P>& implementation, const Context& context,
                    const std::string& name, const Parameters& parameters) const {
    using Storage = typename P::Storage;
    const Input& input = find(name);
    Problem<Storage> problem = make_problem<Storage>(input);
    OnDevice<P> device(context, problem);
    const SumProblem key = sum_problem(device.args);
    if (const auto refusal = implementation.can_run(key, context))
      return comparison::refused(*refusal);
    const auto plan = implementation.make_plan(key, context, parameters);
    plan->prepare(device.args);
    device.result.fill_bytes(0xff);
    plan->execute(device.args);
    const std::vector<double> sums = device.result.to_host();

    std::vector<double> expected(sums.size());
    sum_reference(key, host_args(problem, expected));
    // What a sum can lose grows with the magnitudes that went in, not with what is left of them.
    std::vector<double> magnitude(sums.size());
    for (auto& v : problem.values)
      v = std::abs(v);
    sum_reference(key, host_args(problem, magnitude));
    double error = 0;
    for (std::size_t t = 0; t < sums.size(); ++t) {
      const double difference = std::abs(sums[t] - expected[t]);
      const double relative = magnitude[t] > 0 ? difference / magnitude[t] : difference;
      error = relative >= 0 ? std::fmax(error, relative) : INFINITY;
    }
    if (implementation.info().determinism != Determinism::none) {
      device.result.fill_bytes(0xff);
      plan->execute(device.args);
      if (!comparison::same_bits(sums, device.result.to_host()))
        return comparison::verdict(INFINITY, 0, "a second run gave other bits");
    }
    return comparison::verdict(error, 1e-13, "sums against the oracle");
  }

  template <class P>
  std::unique_ptr<Workload> workload_as(const Implementation<Sum, P>& implementation,
                                        const Context& context, const std::string&,
                                        std::int64_t size, const Parameters& parameters) const {
    const Input input{"", size, true, true, true, false};
    return std::make_unique<SumWorkload<P>>(implementation, context, parameters,
                                            make_problem<typename P::Storage>(input));
  }

 private:
  static const Input& find(const std::string& name) {
    for (const Input& input : reduction::inputs)
      if (name == input.name) return input;
    throw SelectionError("input of reduction/sum", name, SumFixture().inputs());
  }
};

}  // namespace

std::unique_ptr<Fixture> make_sum_fixture() {
  return std::make_unique<SumFixture>();
}

}  // namespace tessera::reduction
