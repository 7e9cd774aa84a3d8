#include "core/base/error.hpp"
#include "physics/md/io/restart.hpp"
#include "physics/md/simulation/langevin.hpp"
#include "tests/analytic/melt.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/relative.hpp"
#include "tests/support/temporary_directory.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>

/// \file
/// Complete simulations in two dimensions. tests/cli/molecules_test.py compares such a run with
/// LAMMPS.

namespace tessera::test {
namespace {

const md::Units& lj_units = md::units_from_name("lj");

/// A liquid of two types in the plane z = 0.7, in a box of thickness 1, less than the cutoff.
md::System plane(int cells, double density = 0.7) {
  md::LatticeOptions options;
  options.lattice = md::Lattice::sc;
  options.constant = md::lattice_constant(md::Lattice::sc, density, 2);
  options.cells = {cells, cells, 1};
  options.periodic = {true, true, false};
  options.jitter = 0.1;
  options.types = {{"A", 1.0}, {"B", 2.5}};
  md::System system = md::make_lattice(options);
  system.dimensions = 2;
  system.box.length[2] = 1;
  for (std::size_t i = 0; i < system.positions.size(); ++i) {
    system.type[i] = i % 3 == 0 ? 1 : 0;
    system.positions[i][2] = 0.7;
  }
  md::make_velocities(system, 0.8, 87287, lj_units);
  return system;
}

std::unique_ptr<md::Simulation> run(const md::System& system, md::SimulationOptions options = {},
                                    const std::string& implementation = "auto",
                                    md::IntegratorFactory integrator = nullptr,
                                    const RestartFile* continued = nullptr) {
  // The oracle works on host memory.
  Context context = registry().open(implementation == "reference" ? "serial" : "auto");
  context.choices = choose_pair_force(implementation);
  // Shifted, so that energy can be conserved.
  md::CoefficientTable table(md::pair_potentials().find("lj/cut"), 2);
  table.set_all({{"epsilon", 1}, {"sigma", 1}, {"cutoff", 2.5}, {"shift", 1}});
  table.set(0, 1, {{"epsilon", 1.2}, {"sigma", 0.95}, {"cutoff", 2.5}, {"shift", 1}});
  return md::Simulation::make(context, system, {{md::pair_term({table, 0})}, std::move(integrator)},
                              lj_units, options, continued);
}

TEST_CASE("atoms stay in their plane, whatever computes the forces") {
  const md::System start = plane(20);
  for (const Precision precision :
       {Precision::double_precision, Precision::mixed, Precision::single}) {
    md::SimulationOptions options;
    options.precision = precision;
    const md::ThermoRow expected = run(start, options, "reference")->thermo();
    for (const std::string& implementation : pair_forces(precision)) {
      CAPTURE(std::string(name(precision)));
      CAPTURE(implementation);
      const auto simulation = run(start, options, implementation);
      const md::ThermoRow row = simulation->thermo();
      const double tolerance = precision == Precision::double_precision ? 1e-11 : 1e-5;
      CHECK(row.potential_energy == test::relative(expected.potential_energy).epsilon(tolerance));
      CHECK(row.pressure == test::relative(expected.pressure).epsilon(10 * tolerance));
      CHECK(row.temperature == test::relative(0.8).epsilon(tolerance));
      CHECK(row.pressure == (row.pressure_tensor[0] + row.pressure_tensor[1]) / 2);
      if (implementation == "reference") continue;
      simulation->advance(150);
      const md::System now = simulation->system();
      CHECK(simulation->rebuilds() > 1);
      for (std::size_t i = 0; i < now.positions.size(); ++i) {
        REQUIRE(now.positions[i][2] ==
                static_cast<double>(precision == Precision::single ? 0.7f : 0.7));
        REQUIRE(now.velocities[i][2] == 0);
        REQUIRE(simulation->forces()[i][2] == 0);
      }
      const md::ThermoRow later = simulation->thermo();
      for (const std::size_t c : {2u, 4u, 5u})
        CHECK(later.pressure_tensor[c] == 0);
      CHECK(later.potential_energy + later.kinetic_energy ==
            test::relative(row.potential_energy + row.kinetic_energy).epsilon(2e-3));
    }
  }
}

TEST_CASE("the pressure of a plane is the slope of its energy with the area") {
  md::System still = plane(12);
  for (auto& v : still.velocities)
    v = {0, 0, 0};
  const double pressure = run(still)->thermo().pressure;
  const auto energy = [&](double scale) {
    md::System scaled = still;
    for (std::size_t d = 0; d < 2; ++d) {
      scaled.box.length[d] *= scale;
      for (auto& r : scaled.positions)
        r[d] *= scale;
    }
    return run(scaled)->thermo().potential_energy;
  };
  const double h = 1e-6;
  const double area = still.box.length[0] * still.box.length[1];
  const double slope = (energy(1 + h) - energy(1 - h)) / (4 * h * area);
  CHECK(pressure == test::relative(-slope).epsilon(1e-5));
  CHECK(std::abs(pressure) > 0.1);
}

TEST_CASE("a plane has the degrees of freedom of a plane, in a bath too") {
  const md::System system = plane(8);
  const md::ThermoRow row = run(system)->thermo();
  CHECK(row.temperature * 63 == test::relative(row.kinetic_energy).epsilon(1e-12));
  CHECK(md::temperature(system, lj_units) == test::relative(row.temperature).epsilon(1e-12));
  for (const bool zero : {false, true}) {
    const auto bath = md::langevin({.temperature = 0.8, .friction = 5, .seed = 3, .zero = zero});
    const auto simulation = run(system, {}, "auto", bath);
    double mean = 0;
    constexpr int samples = 400;
    simulation->advance(100);
    for (int s = 0; s < samples; ++s) {
      simulation->advance(20);
      const md::ThermoRow now = simulation->thermo();
      CHECK(now.temperature * (zero ? 63 : 64) ==
            test::relative(now.kinetic_energy).epsilon(1e-12));
      mean += now.temperature / samples;
    }
    // Four standard errors of the kinetic energy of some 126 degrees of freedom, for nearly
    // independent samples.
    CHECK(mean == test::relative(0.8).epsilon(4 * std::sqrt(2 / (126.0 * samples))));
    for (const auto& v : simulation->system().velocities)
      REQUIRE(v[2] == 0);
    const double drift = std::abs(simulation->thermo().momentum[0]);
    CHECK((drift < 1e-10) == zero);
  }
}

TEST_CASE("a plane continues from its file bit for bit") {
  const TemporaryDirectory directory;
  const auto through = run(plane(10));
  through->advance(70);
  through->rebuild();
  RestartFile file;
  md::put_description(file, "lj", through->description());
  through->save(file);
  file.write(directory / "r");
  const md::Restart restart = md::read_restart(directory / "r");
  CHECK(restart.system.dimensions == 2);
  const auto continued = run(restart.system, {}, "auto", nullptr, &restart.file);
  through->advance(50);
  continued->advance(50);
  check_same_atoms(*through, *continued);
  CHECK(through->thermo().pressure == continued->thermo().pressure);
}

TEST_CASE("what is no plane is refused with its atom") {
  const md::System flat = plane(8);
  const auto message = [&](const auto& change) {
    md::System system = flat;
    change(system);
    return message_of([&] { (void)run(system); });
  };
  CHECK(message([](md::System& s) {
          s.positions[6][2] = 0.75;
        }).find("of atom 7 the position z is 0.75, expected 0.7") != std::string::npos);
  CHECK(message([](md::System& s) {
          s.velocities[6][2] = -1;
        }).find("of atom 7 the velocity z is -1, expected 0") != std::string::npos);
  CHECK(message([](md::System& s) { s.box.periodic[2] = true; }).find("periodic z") !=
        std::string::npos);
  CHECK(message([](md::System& s) { s.dimensions = 4; }).find("dimensions is 4") !=
        std::string::npos);
}

}  // namespace
}  // namespace tessera::test
