#include <tessera/backends/kokkos/interop.hpp>
#include <tessera/md/pair_force/pair_force.hpp>
#include <tessera/md/pair_potential/coefficient_table.hpp>

#include <Kokkos_Core.hpp>

#include <cmath>
#include <cstdint>
#include <cstdio>

// Lennard-Jones forces on Kokkos views, in the queue of the application, without copies.

namespace md = tessera::md;

namespace {

constexpr int cells = 12;
constexpr double spacing = 1.1;

using Positions = Kokkos::View<double* [3]>;  // LayoutLeft on a GPU, LayoutRight on a host

struct PlaceAtoms {
  Positions positions;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    const std::int64_t at[3] = {i / (cells * cells), i / cells % cells, i % cells};
    for (int d = 0; d < 3; ++d)
      positions(i, d) = spacing * (static_cast<double>(at[d]) + 0.5) +
                        0.05 * sin(7.0 * static_cast<double>(i) + d);
  }
};

struct SumForces {
  Positions forces;
  KOKKOS_FUNCTION void operator()(std::int64_t i, double& sum) const { sum += forces(i, 0); }
};

int run() {
  constexpr std::int64_t atoms = cells * cells * cells;
  const Kokkos::DefaultExecutionSpace exec;
  const Positions positions("positions", atoms);
  const Positions forces("forces", atoms);
  const Kokkos::View<std::int32_t*> types("types", atoms);
  const Kokkos::View<double[7]> totals("totals");
  Kokkos::parallel_for("place", Kokkos::RangePolicy(exec, std::int64_t{0}, atoms),
                       PlaceAtoms{positions});

  md::CoefficientTable argon(md::pair_potentials().find("lj/cut"), 1);
  argon.set_all({{"epsilon", 1}, {"sigma", 1}, {"cutoff", 2.5}});
  md::PairForceArgs<double> args;
  args.positions = tessera::kokkos::view_of(positions);
  args.types = tessera::kokkos::view_of(types);
  args.forces = tessera::kokkos::view_of(forces);
  for (double& length : args.box.length)
    length = cells * spacing;
  args.coefficients = argon.view();
  args.energy = {totals.data(), {1}};
  args.virial = {totals.data() + 1, {6}};

  const tessera::Context context = tessera::kokkos::context_of(exec);
  md::pair_force<tessera::Double>(context, args);

  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), totals);
  double sum = 0;
  Kokkos::parallel_reduce("sum", Kokkos::RangePolicy(exec, std::int64_t{0}, atoms),
                          SumForces{forces}, sum);
  std::printf("%s: energy per atom %.12f, sum of the forces along x %.1e\n",
              context.device->properties().backend.c_str(), host(0) / static_cast<double>(atoms),
              sum);
  return std::abs(sum) < 1e-8 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  try {
    return run();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "kokkos_views: %s\n", error.what());
    return 2;
  }
}
