#include "physics/md/integrate/integrate.hpp"
#include "tests/conformance/moving_atoms.hpp"
#include "tests/support/target.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

/// \file
/// Properties of md/integrate that need no oracle.

namespace tessera::md {
namespace {

using test::MovingAtoms;

template <class P>
void run(const Implementation<Integrate, P>& implementation, MovingAtoms<P>& atoms,
         const std::vector<IntegratePhase>& phases, double dt) {
  const Context context = test::context();
  test::MovingAtomArrays<P> arrays(context, atoms);
  const auto count = static_cast<std::int64_t>(atoms.types.size());
  const auto plan = implementation.make_plan({count, 2}, context, {});
  for (const IntegratePhase phase : phases)
    plan->execute({arrays.positions.rows(3), arrays.velocities.rows(3), arrays.forces.rows(3),
                   arrays.types.view(), arrays.force_to_accel.view(), dt, phase});
  arrays.fetch(atoms);
}

TEST_CASE("uniform acceleration is followed exactly") {
  test::with_target<Integrate>([]<class P>(const Implementation<Integrate, P>& implementation) {
    MovingAtoms<P> atoms(33);
    const MovingAtoms<P> start = atoms;
    run(implementation, atoms, {IntegratePhase::open, IntegratePhase::close}, 0.5);
    for (std::size_t i = 0; i < atoms.positions.size(); ++i) {
      const double a =
          start.forces[i] * start.force_to_accel[static_cast<std::size_t>(start.types[i / 3])];
      CHECK(atoms.positions[i] == start.positions[i] + 0.5 * start.velocities[i] + 0.125 * a);
      CHECK(atoms.velocities[i] == start.velocities[i] + 0.5 * a);
    }
  });
}

TEST_CASE("the fused phase has the bits of the two it stands for") {
  test::with_target<Integrate>([]<class P>(const Implementation<Integrate, P>& implementation) {
    // Skips the oracle, which computes in double and rounds once per call, so that two calls
    // differ.
    if (test::target().info().name == "reference") return;
    MovingAtoms<P> fused(1000);
    MovingAtoms<P> apart = fused;
    run(implementation, fused, {IntegratePhase::close_and_open}, 0.0037);
    run(implementation, apart, {IntegratePhase::close, IntegratePhase::open}, 0.0037);
    CHECK(fused.positions == apart.positions);
    CHECK(fused.velocities == apart.velocities);
  });
}

TEST_CASE("closing leaves positions alone") {
  test::with_target<Integrate>([]<class P>(const Implementation<Integrate, P>& implementation) {
    MovingAtoms<P> atoms(31);
    const MovingAtoms<P> start = atoms;
    run(implementation, atoms, {IntegratePhase::close}, 0.5);
    CHECK(atoms.positions == start.positions);
    CHECK(atoms.velocities != start.velocities);
  });
}

}  // namespace
}  // namespace tessera::md
