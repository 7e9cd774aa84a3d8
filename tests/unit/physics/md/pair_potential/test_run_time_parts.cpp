#include "core/base/error.hpp"
#include "core/memory/array.hpp"
#include "core/operations/open_device.hpp"
#include "core/operations/registry.hpp"
#include "physics/md/pair_force/gradient_check.hpp"
#include "physics/md/pair_force/pair_force.hpp"
#include "physics/md/pair_potential/coefficient_table.hpp"
#include "physics/md/pair_potential/pair_kernels.hpp"
#include "tests/support/relative.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

/// \file
/// Pair potentials and pair loops that are made, replaced and removed while the program runs.

namespace tessera::md {
namespace {

/// A potential whose energy and force are functions of the distance, with a cutoff and a strength.
PairPotentialPart part_of(const std::string& name, std::function<double(double)> energy,
                          std::function<double(double)> force) {
  PairPotentialPart part;
  part.name = name;
  PotentialDeclaration declaration(part);
  declaration.is("a function", "tests");
  declaration.has("cutoff", "distance below which a pair interacts").cutoff();
  declaration.has("strength", "factor of the function").energy(1);
  part.width = 1;
  part.pack = [](const double* field, double* packed) { packed[0] = field[1]; };
  part.evaluate = [energy, force](const double* packed, const double*, const PairAtoms& pair,
                                  PairValue& value) {
    value.energy = packed[0] * energy(pair.r);
    value.force_over_r = packed[0] * force(pair.r) / pair.r;
  };
  return part;
}

constexpr const char* implementation = "serial.portable";
/// The name under which all portable bodies of hosts have their pair loops.
constexpr const char* loops = "host.portable";

/// lj/cut under another name, with a state that its functions and its pair loop share.
std::shared_ptr<const double> add_lj_with_state(const std::string& name) {
  auto state = std::make_shared<const double>(1.0);
  const PairPotential lj = pair_potentials().find("lj/cut");
  PairPotentialPart part = lj.parts()[0];
  part.name = name;
  part.index = -1;
  part.pack = [state, pack = part.pack](const double* field, double* packed) {
    pack(field, packed);
    packed[0] *= *state;
  };
  pair_potentials().add(part);
  PairKernel kernel = pair_kernels().find(loops, Precision::double_precision, lj).value();
  kernel.data = state;
  pair_kernels().add(loops, Precision::double_precision, name, kernel);
  return state;
}

/// A plan for a few atoms, and its forces.
struct Call {
  explicit Call(const std::string& potential)
      : context(open_for(registry(), of())),
        positions(context, std::vector<double>{1, 1, 1, 2.1, 1, 1, 1, 2.3, 1.2, 3.1, 2.2, 1.9}),
        types(context, std::vector<std::int32_t>(4, 0)),
        forces(context, 12),
        table(pair_potentials().find(potential), 1) {
    table.set_all({{"epsilon", 1.3}, {"sigma", 1}, {"cutoff", 2.5}});
    args.positions = positions.rows(3);
    args.types = types.view();
    for (double& length : args.box.length)
      length = 8;
    args.coefficients = table.view();
    args.forces = forces.rows(3);
    plan = of().make_plan(pair_force_problem(args, potential), context, {});
  }

  [[nodiscard]] static const Implementation<PairForce, Double>& of() {
    return dynamic_cast<const Implementation<PairForce, Double>&>(
        registry().find("md/pair_force", Precision::double_precision, implementation));
  }
  [[nodiscard]] std::vector<double> run() {
    plan->prepare(args);
    plan->execute(args);
    return forces.to_host();
  }

  Context context;
  Array<double> positions;
  Array<std::int32_t> types;
  Array<double> forces;
  CoefficientTable table;
  PairForceArgs<double> args;
  std::unique_ptr<Plan<PairForce, Double>> plan;
};

}  // namespace

TEST_CASE("a part is made from functions and numbers that are known at run time only") {
  const std::string name = "made/of/functions";
  std::vector<double> exponents{4, 6};
  for (const double exponent : exponents) {  // the second replaces the first
    pair_potentials().add(part_of(
        name, [exponent](double r) { return std::pow(r, -exponent); },
        [exponent](double r) { return exponent * std::pow(r, -exponent - 1); }));
    CoefficientTable table(pair_potentials().find(name), 1);
    table.set_all({{"cutoff", 2}, {"strength", 0.5}});
    CHECK(!find_wrong_force(table));
    const PairPotential sum = pair_potentials().find(name + "+coul/cut");
    std::vector<double> row(static_cast<std::size_t>(sum.table_width()));
    std::vector<double> fields(sum.fields().size());
    fields[sum.field("cutoff")] = 2;
    fields[sum.field("strength")] = 0.5;
    sum.pack(fields.data(), row.data());
    CHECK(sum.evaluate(row.data(), 1.5, 0, 0).energy ==
          test::relative(0.5 * std::pow(1.5, -exponent)).epsilon(1e-14));
    CHECK(sum.evaluate(row.data(), 2.5, 0, 0).energy == 0);
  }
  pair_potentials().remove(name);
  CHECK_THROWS_AS((void)pair_potentials().find(name), SelectionError);
}

TEST_CASE("a plan keeps a part and a pair loop that are removed while it lives") {
  const std::string name = "lj/with/state";
  const std::vector<double> expected = Call("lj/cut").run();
  std::weak_ptr<const double> state = add_lj_with_state(name);
  {
    Call call(name);
    pair_potentials().remove(name);
    pair_kernels().remove(loops, Precision::double_precision, name);
    call.table = CoefficientTable(pair_potentials().find("lj/cut"), 1);
    call.table.set_all({{"epsilon", 1.3}, {"sigma", 1}, {"cutoff", 2.5}});
    call.args.coefficients = call.table.view();
    CHECK(!state.expired());
    CHECK(call.run() == expected);
  }
  CHECK(state.expired());
}

TEST_CASE("parts and pair loops may be added and removed while plans are made") {
  const std::vector<double> expected = Call("lj/cut").run();
  std::atomic<bool> done = false;
  std::thread adding([&] {
    for (int k = 0; !done; ++k) {
      const std::string name = "lj/added/" + std::to_string(k % 4);
      (void)add_lj_with_state(name);
      pair_potentials().remove(name);
      pair_kernels().remove(loops, Precision::double_precision, name);
    }
  });
  add_lj_with_state("lj/stays");
  bool same = true;
  for (int k = 0; k < 200; ++k) {
    same = same && Call("lj/stays").run() == expected;
    same = same && !pair_potentials().names().empty() && !pair_potentials().sums().empty() &&
           !pair_kernels().potentials().empty();
  }
  done = true;
  adding.join();
  CHECK(same);
  pair_potentials().remove("lj/stays");
  pair_kernels().remove(loops, Precision::double_precision, "lj/stays");
}

}  // namespace tessera::md
