#include <tessera/core/memory/array.hpp>
#include <tessera/core/operations/choices.hpp>
#include <tessera/core/operations/registry.hpp>
#include <tessera/md/pair_force/pair_force.hpp>
#include <tessera/md/pair_potential/coefficient_table.hpp>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <vector>

// Lennard-Jones forces on arrays that a program already has: a simple cubic lattice of argon-like
// atoms, slightly perturbed. An optional argument names the backend ("serial", "openmp", ...).

namespace md = tessera::md;

namespace {

constexpr int cells = 12;
constexpr double spacing = 1.1;

/// Positions as a structure of arrays, as in many codes: x of all atoms, then y, then z.
std::vector<double> lattice() {
  constexpr int atoms = cells * cells * cells;
  std::vector<double> xyz(3 * atoms);
  for (int i = 0; i < atoms; ++i) {
    const int at[3] = {i / (cells * cells), i / cells % cells, i % cells};
    for (int d = 0; d < 3; ++d)
      xyz[static_cast<std::size_t>(d * atoms + i)] =
          spacing * (at[d] + 0.5) + 0.05 * std::sin(7.0 * i + d);
  }
  return xyz;
}

int run(const char* backend) {
  const tessera::Context context = tessera::registry().open(backend);
  constexpr std::int64_t atoms = cells * cells * cells;

  // A host backend could read the vector itself; an Array lies in the memory of any backend.
  tessera::Array<double> positions(context, lattice());
  tessera::Array<std::int32_t> types(context, std::vector<std::int32_t>(atoms, 0));
  tessera::Array<double> forces(context, 3 * atoms);
  tessera::Array<double> totals(context, 7);
  md::CoefficientTable argon(md::pair_potentials().find("lj/cut"), 1);
  argon.set_all({{"epsilon", 1}, {"sigma", 1}, {"cutoff", 2.5}});

  md::PairForceArgs<double> args;
  // Strides describe the layout: the next atom is 1 element away, the next coordinate `atoms`
  // elements.
  args.positions = {positions.data(), {atoms, 3}, {1, atoms}};
  args.forces = {forces.data(), {atoms, 3}, {1, atoms}};
  args.types = types.view();
  for (double& length : args.box.length)
    length = cells * spacing;
  args.coefficients = argon.view();
  args.energy = {totals.data(), {1}};
  args.virial = {totals.data() + 1, {6}};

  // A single call plans, prepares and executes ...
  md::pair_force<tessera::Double>(context, args);
  std::printf("%s: energy per atom %.12f\n", context.device->properties().backend.c_str(),
              totals.to_host()[0] / static_cast<double>(atoms));

  // ... and a plan can be kept for repeated calls, as in a time step.
  const auto plan =
      tessera::make_plan<md::PairForce, tessera::Double>(md::pair_force_problem(args), context);
  plan->prepare(args);
  for (int step = 0; step < 10; ++step)
    plan->execute(args);
  context.fence();

  double sum[3] = {0, 0, 0};
  const std::vector<double> f = forces.to_host();
  for (int d = 0; d < 3; ++d)
    for (std::int64_t i = 0; i < atoms; ++i)
      sum[d] += f[static_cast<std::size_t>(d * atoms + i)];
  std::printf("sum of the forces %.1e %.1e %.1e, atoms may move %.3f before the next prepare()\n",
              sum[0], sum[1], sum[2], plan->allowed_displacement());
  return std::abs(sum[0]) + std::abs(sum[1]) + std::abs(sum[2]) < 1e-8 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc > 1 ? argv[1] : "auto");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "own_arrays: %s\n", error.what());
    return 2;
  }
}
