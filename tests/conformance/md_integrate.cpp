#include <doctest/doctest.h>

#include <cstdint>
#include <tessera/core/memory/array.hpp>
#include <tessera/md/integrate/integrate.hpp>
#include <vector>

#include "tests/support/target.hpp"

/// \file
/// Properties of md/integrate that need no oracle.

namespace tessera::md {
namespace {

template <class P>
struct Atoms {
  std::vector<typename P::Storage> positions, velocities, forces;
  std::vector<std::int32_t> types;
  std::vector<double> force_to_accel;
};

template <class P>
Atoms<P> few_atoms(std::int64_t count) {
  Atoms<P> atoms;
  for (std::int64_t i = 0; i < 3 * count; ++i) {
    atoms.positions.push_back(static_cast<typename P::Storage>(i) / 8);
    atoms.velocities.push_back(static_cast<typename P::Storage>(i % 7) - 3);
    atoms.forces.push_back(static_cast<typename P::Storage>(i % 5) * 4 - 8);
  }
  for (std::int64_t i = 0; i < count; ++i)
    atoms.types.push_back(static_cast<std::int32_t>(i % 2));
  atoms.force_to_accel = {1.0, 0.5};
  return atoms;
}

template <class P>
void run(const Implementation<Integrate, P>& implementation, Atoms<P>& atoms,
         const std::vector<IntegratePhase>& phases, double dt) {
  const Context context = test::context();
  const auto count = static_cast<std::int64_t>(atoms.types.size());
  Array<typename P::Storage> positions(context, atoms.positions);
  Array<typename P::Storage> velocities(context, atoms.velocities);
  Array<typename P::Storage> forces(context, atoms.forces);
  Array<std::int32_t> types(context, atoms.types);
  Array<double> factors(context, atoms.force_to_accel);
  const auto plan = implementation.make_plan({count, 2}, context, {});
  for (const IntegratePhase phase : phases)
    plan->execute({positions.rows(3), velocities.rows(3), forces.rows(3), types.view(),
                   factors.view(), dt, phase});
  atoms.positions = positions.to_host();
  atoms.velocities = velocities.to_host();
}

TEST_CASE("uniform acceleration is followed exactly") {
  test::with_target<Integrate>([]<class P>(const Implementation<Integrate, P>& implementation) {
    Atoms<P> atoms = few_atoms<P>(33);
    const Atoms<P> start = atoms;
    run(implementation, atoms, {IntegratePhase::open, IntegratePhase::close}, 0.5);
    for (std::size_t i = 0; i < atoms.positions.size(); ++i) {
      // All numbers here are exact in float.
      const double a =
          start.forces[i] * start.force_to_accel[static_cast<std::size_t>(start.types[i / 3])];
      CHECK(atoms.positions[i] == start.positions[i] + 0.5 * start.velocities[i] + 0.125 * a);
      CHECK(atoms.velocities[i] == start.velocities[i] + 0.5 * a);
    }
  });
}

TEST_CASE("the fused phase has the bits of the two it stands for") {
  test::with_target<Integrate>([]<class P>(const Implementation<Integrate, P>& implementation) {
    // The oracle computes in double and rounds once where two calls round twice.
    if (test::target().info().name == "reference") return;
    Atoms<P> fused = few_atoms<P>(1000);
    Atoms<P> apart = fused;
    run(implementation, fused, {IntegratePhase::close_and_open}, 0.0037);
    run(implementation, apart, {IntegratePhase::close, IntegratePhase::open}, 0.0037);
    CHECK(fused.positions == apart.positions);
    CHECK(fused.velocities == apart.velocities);
  });
}

TEST_CASE("closing leaves positions alone") {
  test::with_target<Integrate>([]<class P>(const Implementation<Integrate, P>& implementation) {
    Atoms<P> atoms = few_atoms<P>(31);
    const Atoms<P> start = atoms;
    run(implementation, atoms, {IntegratePhase::close}, 0.5);
    CHECK(atoms.positions == start.positions);
    CHECK(atoms.velocities != start.velocities);
  });
}

}  // namespace
}  // namespace tessera::md
