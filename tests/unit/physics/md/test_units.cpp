#include "core/base/error.hpp"
#include "physics/md/units.hpp"
#include "tests/support/relative.hpp"

#include <doctest/doctest.h>

#include <string>

namespace tessera::md {

TEST_CASE("units have the constants of LAMMPS") {
  const Units& lj = units_from_name("lj");
  CHECK(lj.boltzmann == 1.0);
  CHECK(lj.default_time_step == 0.005);
  CHECK(lj.default_skin == 0.3);

  const Units& real = units_from_name("real");
  CHECK(real.boltzmann == 0.0019872067);
  CHECK(real.mv2_to_energy == test::relative(2390.0573615).epsilon(1e-9));
  CHECK(real.force_to_accel * real.mv2_to_energy == test::relative(1.0).epsilon(1e-15));
  CHECK(real.energy_to_pressure == 68568.415);
  CHECK(real.default_time_step == 1.0);
  CHECK(real.default_skin == 2.0);

  const Units& metal = units_from_name("metal");
  CHECK(metal.boltzmann == 8.617343e-5);
  CHECK(metal.mv2_to_energy == 1.0364269e-4);
  CHECK(metal.force_to_accel == 1.0 / 1.0364269e-4);
  CHECK(metal.energy_to_pressure == 1.6021765e6);
  CHECK(metal.default_time_step == 0.001);
}

// Compares with the ideal-gas pressure of one atom in a cubic angstrom at 1 K, from SI values only.
TEST_CASE("constants of a unit system agree with SI") {
  const double pascal = 1.380649e-23 / 1e-30;
  const Units& real = units_from_name("real");
  CHECK(real.boltzmann * real.energy_to_pressure == test::relative(pascal / 101325).epsilon(1e-5));
  const Units& metal = units_from_name("metal");
  CHECK(metal.boltzmann * metal.energy_to_pressure == test::relative(pascal / 1e5).epsilon(1e-5));
}

TEST_CASE("an unknown unit system lists the candidates") {
  try {
    static_cast<void>(units_from_name("rael"));
    FAIL("no SelectionError was thrown");
  } catch (const SelectionError& error) {
    CHECK(std::string(error.what()) ==
          "unknown unit system 'rael', did you mean 'real'? (candidates: lj, real, metal)");
  }
}

}  // namespace tessera::md
