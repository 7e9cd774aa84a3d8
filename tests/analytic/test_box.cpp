#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <tessera/md/box.hpp>

#include "melt.hpp"

namespace tessera::test {
namespace {

/// A melt of 864 atoms that has been running for a while.
md::System running_melt() {
  const auto simulation = start(melt(6), Precision::double_precision);
  simulation->advance(100);
  return simulation->system();
}

TEST_CASE("a crystal in a tilted box of its own translations is the same crystal") {
  md::System tilted = melt(6);
  const double edge = tilted.box.length[0] / 6;
  tilted.box.tilt[0] = 3 * edge;
  tilted.box.tilt[1] = -7 * edge;
  tilted.box.tilt[2] = 10 * edge;
  for (const std::string& implementation : pair_forces(Precision::double_precision)) {
    CAPTURE(implementation);
    const auto before = start(melt(6), Precision::double_precision, implementation)->thermo();
    const auto simulation = start(tilted, Precision::double_precision, implementation);
    const auto after = simulation->thermo();
    CHECK(after.potential_energy == doctest::Approx(before.potential_energy).epsilon(1e-12));
    for (std::size_t c = 0; c < 6; ++c)
      CHECK(std::abs(after.pressure_tensor[c] - before.pressure_tensor[c]) < 1e-10);
    if (implementation == "reference") continue;
    simulation->advance(300);
    for (const double p : simulation->thermo().momentum)
      CHECK(std::abs(p) < 1e-10);
    CHECK(simulation->rebuilds() > 1);
    // Nothing was lost on the way, and folding into the box moved nobody.
    const auto forces = simulation->forces();
    const auto expected =
        start(simulation->system(), Precision::double_precision, "reference")->forces();
    double worst = 0;
    for (std::size_t i = 0; i < forces.size(); ++i)
      for (std::size_t d = 0; d < 3; ++d)
        worst = std::max(worst, std::abs(forces[i][d] - expected[i][d]));
    CHECK(worst < 1e-9);
  }
}

TEST_CASE("a box that changes during a run gives what a start in it gives") {
  const md::System system = running_melt();
  for (const std::string& implementation : pair_forces(Precision::double_precision)) {
    CAPTURE(implementation);
    const auto simulation = start(system, Precision::double_precision, implementation);
    for (const double by : {-0.0001, 0.1, -0.02, 0.2}) {
      CAPTURE(by);
      md::Box box = simulation->system().box;
      for (double& length : box.length)
        length *= 1 + by;
      box.tilt[0] += 0.2 * by * box.length[0];
      simulation->set_box(box);
      md::System there = simulation->system();
      CHECK(there.box == box);
      const auto expected = start(there, Precision::double_precision, implementation)->thermo();
      const auto found = simulation->thermo();
      CHECK(found.potential_energy == doctest::Approx(expected.potential_energy).epsilon(1e-10));
      for (std::size_t c = 0; c < 6; ++c)
        CHECK(found.pressure_tensor[c] ==
              doctest::Approx(expected.pressure_tensor[c]).epsilon(1e-9));
      if (by > 0 && implementation != "reference") simulation->advance(5);
    }
    if (implementation == "reference") continue;
    const md::Box kept = simulation->system().box;
    md::Box small = kept;
    small.length[1] = 4.9;
    CHECK_THROWS_AS(simulation->set_box(small), md::BoxError);
    md::Box open = kept;
    open.tilt[0] = 0;
    open.periodic[2] = false;
    CHECK_THROWS_AS(simulation->set_box(open), ArgumentError);
    CHECK(simulation->system().box == kept);
    CHECK_NOTHROW(simulation->advance(2));
  }
}

}  // namespace
}  // namespace tessera::test
