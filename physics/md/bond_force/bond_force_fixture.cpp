#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <tessera/core/base/error.hpp>
#include <tessera/core/memory/array.hpp>
#include <tessera/core/operations/typed_fixture.hpp>
#include <tessera/md/bond_force/bond_force.hpp>
#include <tessera/md/bond_force/bond_force_fixture.hpp>
#include <tessera/md/bond_force/bond_force_reference.hpp>
#include <tessera/md/topology/pair_lists.hpp>

namespace tessera::md {
namespace {

struct Input {
  const char* name;
  std::int64_t atoms;
  int chain;  ///< atoms in a molecule, each bonded to the next
  const char* form;
  Write write;
  bool tally;
};

constexpr Input inputs[] = {
    {"empty", 0, 2, "harmonic", Write::overwrite, true},
    {"one, without bonds", 1, 2, "harmonic", Write::overwrite, true},
    {"a pair", 2, 2, "harmonic", Write::overwrite, true},
    {"33 in chains", 33, 5, "harmonic", Write::overwrite, true},
    {"1000 in threes, added", 1000, 3, "harmonic", Write::add, true},
    {"1000 in threes, forces alone", 1000, 3, "harmonic", Write::overwrite, false},
    {"one chain of 5000", 5000, 5000, "harmonic", Write::add, true},
    {"1000 excluded pairs with charges", 1000, 3, "coul/rf/excluded", Write::add, true},
    {"100003 in threes", 100003, 3, "harmonic", Write::overwrite, true},
};

/// Chains that wind through a box, atoms in any image; kinds alternate.
template <class Storage>
struct Problem {
  BondForceProblem shape;
  Box box;
  std::vector<Storage> positions, charges, forces;
  PairLists lists;
  std::vector<double> coefficients;
  bool charged = false;

  explicit Problem(const Input& input) {
    shape.atoms = input.atoms;
    shape.form = input.form;
    charged = bond_form(input.form).reads_charge;
    shape.kinds = charged ? 1 : 2;
    coefficients =
        charged ? std::vector<double>{1.5, 0.03, 0.4} : std::vector<double>{300, 1.0, 180, 1.1};
    const double edge = std::max(10.0, std::cbrt(static_cast<double>(input.atoms)));
    for (int d = 0; d < 3; ++d)
      box.length[d] = edge * (1 + 0.1 * d);
    box.periodic[1] = false;
    std::mt19937_64 random(5 + static_cast<unsigned>(input.atoms));
    const auto uniform = [&] { return static_cast<double>(random() >> 11) * 0x1p-53; };
    std::vector<Bond> bonds;
    double at[3] = {};
    for (std::int64_t i = 0; i < input.atoms; ++i) {
      const bool first = i % input.chain == 0;
      for (int d = 0; d < 3; ++d) {
        at[d] = first ? box.length[d] * uniform() : at[d] + 1.2 * (uniform() - 0.5);
        const double image = box.periodic[d] ? std::floor(3 * uniform()) - 1 : 0;
        positions.push_back(static_cast<Storage>(at[d] + image * box.length[d]));
        forces.push_back(static_cast<Storage>(20 * (uniform() - 0.5)));
      }
      charges.push_back(static_cast<Storage>(uniform() - 0.5));
      if (first) continue;
      const auto here = static_cast<std::int32_t>(i);
      bonds.push_back({{here - 1, here}, static_cast<std::int32_t>(i % shape.kinds)});
    }
    lists = bonds_by_atom(input.atoms, bonds);
    shape.entries = std::ssize(lists.partners);
  }
};

template <class P>
class BondWorkload final : public Workload {
 public:
  using Storage = typename P::Storage;

  BondWorkload(const Implementation<BondForce, P>& implementation, const Context& context,
               const KnobValues& knobs, const Problem<Storage>& problem, const Input& input)
      : forces(context, problem.forces),
        tally(context, 7),
        problem_(problem),
        input_(input),
        positions_(context, problem.positions),
        charges_(context, problem.charges),
        offsets_(context, problem.lists.offsets),
        partners_(context, problem.lists.partners),
        kinds_(context, problem.lists.kinds),
        plan_(implementation.make_plan(problem.shape, context, knobs)) {}

  void prepare() override { plan_->prepare(args()); }
  void execute() override { plan_->execute(args()); }
  [[nodiscard]] Counts counts() const override {
    const auto n = static_cast<double>(problem_.shape.atoms);
    const double bonds = 0.5 * static_cast<double>(problem_.shape.entries);
    return {"bonds", bonds, n * (6 * sizeof(Storage) + 4) + 16 * bonds, 20 * bonds};
  }

  Array<Storage> forces;
  Array<double> tally;

 private:
  BondForceArgs<Storage> args() {
    BondForceArgs<Storage> args;
    args.positions = positions_.rows(3);
    if (problem_.charged) args.charges = charges_.view();
    args.offsets = offsets_.view();
    args.partners = partners_.view();
    args.kinds = kinds_.view();
    args.forces = forces.rows(3);
    args.write = input_.write;
    args.box = problem_.box;
    args.coefficients = {
        problem_.coefficients.data(),
        {problem_.shape.kinds, std::ssize(problem_.coefficients) / problem_.shape.kinds}};
    if (input_.tally) {
      args.energy = {tally.data(), {1}};
      args.virial = {tally.data() + 1, {6}};
    }
    return args;
  }

  Problem<Storage> problem_;
  Input input_;
  Array<Storage> positions_, charges_;
  Array<std::int32_t> offsets_, partners_, kinds_;
  std::unique_ptr<Plan<BondForce, P>> plan_;
};

/// The largest error of `values` against `expected` on the scale of `magnitude`.
double error_of(const double* values, const double* expected, std::size_t count, double magnitude) {
  double worst = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (!std::isfinite(values[i])) return INFINITY;
    worst = std::fmax(worst, std::abs(values[i] - expected[i]));
  }
  return magnitude > 0 ? worst / magnitude : worst;
}

class BondForceFixture final : public TypedFixture<BondForce, BondForceFixture> {
 public:
  [[nodiscard]] std::vector<std::string> inputs() const override {
    std::vector<std::string> names;
    for (const Input& input : md::inputs)
      names.emplace_back(input.name);
    return names;
  }
  [[nodiscard]] std::vector<Benchmark> benchmarks() const override {
    return {{"1000 in threes, added", {32000, 256000, 1000000}}};
  }

  template <class P>
  Verdict verify_as(const Implementation<BondForce, P>& implementation, const Context& context,
                    const std::string& name, const KnobValues& knobs) const {
    using Storage = typename P::Storage;
    const Input& input = find(name);
    Problem<Storage> problem(input);
    if (input.write == Write::overwrite)
      std::fill(problem.forces.begin(), problem.forces.end(),
                std::numeric_limits<Storage>::quiet_NaN());
    BondWorkload<P> work(implementation, context, knobs, problem, input);
    work.prepare();
    work.tally.fill_bytes(0xff);
    work.execute();
    const std::vector<Storage> forces = work.forces.to_host();
    const std::vector<double> tally = work.tally.to_host();

    std::vector<double> positions(problem.positions.begin(), problem.positions.end());
    std::vector<double> charges(problem.charges.begin(), problem.charges.end());
    std::vector<double> expected(problem.forces.begin(), problem.forces.end());
    std::vector<double> expected_tally(7);
    BondForceArgs<double> args;
    const std::int64_t n = input.atoms;
    args.positions = {positions.data(), {n, 3}};
    args.charges = {charges.data(), {n}};
    args.offsets = {problem.lists.offsets.data(), {n + 1}};
    args.partners = {problem.lists.partners.data(), {problem.shape.entries}};
    args.kinds = {problem.lists.kinds.data(), {problem.shape.entries}};
    args.forces = {expected.data(), {n, 3}};
    args.write = input.write;
    args.box = problem.box;
    args.coefficients = {
        problem.coefficients.data(),
        {problem.shape.kinds, std::ssize(problem.coefficients) / problem.shape.kinds}};
    args.energy = {expected_tally.data(), {1}};
    args.virial = {expected_tally.data() + 1, {6}};
    BondMagnitudes magnitudes;
    bond_force_oracle(problem.shape, args, &magnitudes);

    double error = 0;
    const double added = input.write == Write::add ? 10 : 0;
    for (std::size_t i = 0; i < magnitudes.forces.size(); ++i) {
      const double force[3] = {static_cast<double>(forces[3 * i]),
                               static_cast<double>(forces[3 * i + 1]),
                               static_cast<double>(forces[3 * i + 2])};
      // A spring near its rest length has a force much smaller than what was subtracted for it.
      const double scale = magnitudes.forces[i] + added + (problem.charged ? 0 : 300);
      error = std::fmax(error, error_of(force, &expected[3 * i], 3, scale));
    }
    if (input.tally) {
      error = std::fmax(error, error_of(&tally[0], &expected_tally[0], 1, magnitudes.energy));
      error = std::fmax(error, error_of(&tally[1], &expected_tally[1], 6, magnitudes.virial));
    }
    const double tolerance = P::value == Precision::double_precision ? 1e-13
                             : P::value == Precision::mixed          ? 2e-6
                                                                     : 2e-5;
    return comparison::verdict(error, tolerance, "forces, energy and virial");
  }

  template <class P>
  std::unique_ptr<Workload> workload_as(const Implementation<BondForce, P>& implementation,
                                        const Context& context, const std::string& name,
                                        std::int64_t size, const KnobValues& knobs) const {
    Input input = find(name);
    input.atoms = size;
    return std::make_unique<BondWorkload<P>>(implementation, context, knobs,
                                             Problem<typename P::Storage>(input), input);
  }

 private:
  static const Input& find(const std::string& name) {
    for (const Input& input : md::inputs)
      if (name == input.name) return input;
    throw SelectionError("input of md/bond_force", name, BondForceFixture().inputs());
  }
};

}  // namespace

std::unique_ptr<Fixture> make_bond_force_fixture() {
  return std::make_unique<BondForceFixture>();
}

}  // namespace tessera::md
