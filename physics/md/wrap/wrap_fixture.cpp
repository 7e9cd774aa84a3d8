#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <tessera/core/base/error.hpp>
#include <tessera/core/memory/array.hpp>
#include <tessera/core/operations/typed_fixture.hpp>
#include <tessera/md/wrap/wrap.hpp>
#include <tessera/md/wrap/wrap_fixture.hpp>
#include <tessera/md/wrap/wrap_reference.hpp>

namespace tessera::md {
namespace {

struct Input {
  const char* name;
  std::int64_t atoms;
  Box box;
  double spread;  ///< positions reach this many lengths to either side
};

const Input inputs[] = {
    {"empty", 0, {{0, 0, 0}, {10, 11, 12}, {true, true, true}}, 1},
    {"on the faces", 9, {{-5, 0, 1}, {10, 11, 12}, {true, true, true}}, 0},
    {"33 one period", 33, {{-5, 0, 1}, {10, 11, 12}, {true, true, true}}, 1},
    {"1000 many periods", 1000, {{-5, 0, 1}, {10, 11, 12}, {true, true, true}}, 20},
    {"1000 slab", 1000, {{-5, 0, 1}, {10, 11, 12}, {true, true, false}}, 2},
    {"100003", 100003, {{0, 0, 0}, {107.7, 107.7, 107.7}, {true, false, true}}, 1},
};

template <class Storage>
struct Problem {
  std::vector<Storage> positions;
  std::vector<std::int32_t> images;
  Box box;
};

template <class Storage>
Problem<Storage> make_problem(const Input& input) {
  Problem<Storage> p{{}, {}, input.box};
  std::mt19937_64 random(13 + static_cast<unsigned>(input.atoms));
  const auto uniform = [&] { return static_cast<double>(random() >> 11) * 0x1p-53; };
  for (std::int64_t i = 0; i < 3 * input.atoms; ++i) {
    const auto d = static_cast<std::size_t>(i % 3);
    // A spread of zero asks for multiples of the length: atoms exactly on faces.
    const double s = input.spread > 0 ? (2 * uniform() - 1) * input.spread + uniform()
                                      : static_cast<double>(i / 3 % 3) - 1;
    p.positions.push_back(static_cast<Storage>(p.box.lower[d] + s * p.box.length[d]));
    p.images.push_back(static_cast<std::int32_t>(random() % 7) - 3);
  }
  return p;
}

template <class P>
class WrapWorkload final : public Workload {
 public:
  WrapWorkload(const Implementation<Wrap, P>& implementation, const Context& context,
               const Parameters& parameters, const Problem<typename P::Storage>& problem)
      : positions(context, problem.positions),
        images(context, problem.images),
        box_(problem.box),
        atoms_(positions.size() / 3),
        plan_(implementation.make_plan({atoms_}, context, parameters)) {}

  void prepare() override {}
  void execute() override { plan_->execute({positions.rows(3), images.rows(3), box_}); }
  [[nodiscard]] Counts counts() const override {
    const auto n = static_cast<double>(atoms_);
    return {"atoms", n, n * 3 * sizeof(typename P::Storage), n * 6};
  }

  Array<typename P::Storage> positions;
  Array<std::int32_t> images;

 private:
  Box box_;
  std::int64_t atoms_;
  std::unique_ptr<Plan<Wrap, P>> plan_;
};

class WrapFixture final : public TypedFixture<Wrap, WrapFixture> {
 public:
  [[nodiscard]] std::vector<std::string> inputs() const override {
    std::vector<std::string> names;
    for (const Input& input : md::inputs)
      names.emplace_back(input.name);
    return names;
  }
  [[nodiscard]] std::vector<Benchmark> benchmarks() const override {
    return {{"random", {32000, 1000000}}};
  }

  template <class P>
  Verdict verify_as(const Implementation<Wrap, P>& implementation, const Context& context,
                    const std::string& name, const Parameters& parameters) const {
    using Storage = typename P::Storage;
    const Problem<Storage> problem = make_problem<Storage>(find(name));
    WrapWorkload<P> work(implementation, context, parameters, problem);
    work.execute();
    const std::vector<Storage> positions = work.positions.to_host();
    const std::vector<std::int32_t> images = work.images.to_host();
    double error = 0;
    for (std::size_t i = 0; i < positions.size(); ++i) {
      const std::size_t d = i % 3;
      const double length = problem.box.length[d];
      const auto x = static_cast<double>(positions[i]);
      if (problem.box.periodic[d]) {
        const auto low = static_cast<double>(static_cast<Storage>(problem.box.lower[d]));
        const auto high = static_cast<double>(static_cast<Storage>(problem.box.lower[d]) +
                                              static_cast<Storage>(length));
        if (x < low || x >= high)
          return comparison::verdict(
              INFINITY, 0, "atom " + std::to_string(i / 3) + " is still outside of the box");
      }
      const double before = static_cast<double>(problem.positions[i]) + problem.images[i] * length;
      error = std::max(error, std::abs(x + images[i] * length - before) / length);
    }
    return comparison::verdict(error, sizeof(Storage) == 8 ? 1e-13 : 1e-5, "unwrapped coordinates");
  }

  template <class P>
  std::unique_ptr<Workload> workload_as(const Implementation<Wrap, P>& implementation,
                                        const Context& context, const std::string&,
                                        std::int64_t size, const Parameters& parameters) const {
    Input input = md::inputs[2];
    input.atoms = size;
    return std::make_unique<WrapWorkload<P>>(implementation, context, parameters,
                                             make_problem<typename P::Storage>(input));
  }

 private:
  static const Input& find(const std::string& name) {
    for (const Input& input : md::inputs)
      if (name == input.name) return input;
    throw SelectionError("input of md/wrap", name, WrapFixture().inputs());
  }
};

}  // namespace

std::unique_ptr<Fixture> make_wrap_fixture() {
  return std::make_unique<WrapFixture>();
}

}  // namespace tessera::md
