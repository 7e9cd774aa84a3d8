#include "core/base/error.hpp"
#include "physics/md/simulation/constant_term.hpp"
#include "physics/md/simulation/listed_term.hpp"
#include "physics/md/simulation/special_pairs.hpp"
#include "physics/md/simulation/special_term.hpp"
#include "tests/analytic/melt.hpp"
#include "tests/analytic/tether_term.hpp"
#include "tests/support/relative.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

/// \file
/// Energies and stresses of single atoms, and pressures of terms.

namespace tessera::test {
namespace {

std::unique_ptr<md::Simulation> by_atom_run(const md::System& system,
                                            const md::SimulationParts& parts,
                                            const char* units = "lj",
                                            Precision precision = Precision{},
                                            const std::string& implementation = "auto") {
  md::SimulationOptions options;
  options.precision = precision;
  options.time_step = 0.001;
  options.by_atom = true;
  Choices choices;
  choices.choose(registry(), "md/pair_force", implementation);
  Context context = registry().open("auto");
  context.choices = std::make_shared<const Choices>(std::move(choices));
  return md::Simulation::make(context, system, parts, md::units_from_name(units), options);
}

/// A system of charged chains of four atoms that fills a periodic box.
md::System chains() {
  md::System system = melt(4);
  system.types = {{"A", 1.0}, {"B", 2.0}};
  for (std::size_t i = 0; i < system.positions.size(); ++i) {
    system.type[i] = static_cast<std::int32_t>(i % 2);
    system.charges.push_back(i % 2 == 0 ? 0.5 : -0.5);
    const auto here = static_cast<std::int32_t>(i);
    if (i % 4 != 0) system.bonds.push_back({{here - 1, here}, 0});
  }
  system.bond_types = 1;
  system.bond_coefficients = {{0, {30.0, 1.0}}};
  return system;
}

/// All terms that a case can have: pairs with charges, bonds, special pairs, a tail and the self
/// energy of charges.
md::SimulationParts all_terms(const md::System& system) {
  md::CoefficientTable table(md::pair_potentials().find("lj/cut+coul/dsf"), 2);
  table.set_all({{"epsilon", 1},
                 {"sigma", 1},
                 {"cutoff", 2.5},
                 {"coulomb_cutoff", 3.0},
                 {"alpha", 0.4},
                 {"coulomb_constant", 1}});
  table.set(0, 1, {{"epsilon", 0.7}, {"sigma", 0.95}});
  md::SpecialPairsOptions options;
  options.factors = {md::PairFactors{0, 0}, {0.5, 0.3}, {1, 0.8}};
  md::SpecialPairs special = md::special_pairs(table, system, options);
  REQUIRE(special.term);
  return {{md::pair_term({table, 0, special.excluded}),
           md::listed_term(md::bonds_of(system, "harmonic")), md::special_term(*special.term),
           md::constant_term(md::tail_of(table, system)),
           md::constant_term(md::charge_self_energy(table, system))},
          {}};
}

TEST_CASE("two atoms share energy and stress, with what their motion adds") {
  md::System system;
  for (double& length : system.box.length)
    length = 10;
  system.types = {{"A", 2.0}, {"B", 3.0}};
  system.type = {0, 1};
  const double r = 1.2;
  system.positions = {{9.8, 1, 2}, {9.8 + r - 10, 1, 2}};
  system.velocities = {{1, 2, 3}, {-0.5, 0, 0.25}};
  md::CoefficientTable table = melt_coefficients(2);
  for (const char* units : {"lj", "real"}) {
    const md::Units& in = md::units_from_name(units);
    const auto simulation = by_atom_run(system, {{md::pair_term({table, 0})}, {}}, units);
    const md::AtomThermo atoms = simulation->by_atom();
    const double s6 = std::pow(r, -6);
    const double virial = 24 * (2 * s6 * s6 - s6);
    for (std::size_t i = 0; i < 2; ++i) {
      CAPTURE(i);
      CHECK(atoms.energies[i] == test::relative(2 * (s6 * s6 - s6)).epsilon(1e-12));
      const auto& v = system.velocities[i];
      const double mass = in.mv2_to_energy * system.types[i].mass;
      const std::array<double, 6> mass_class = {v[0] * v[0], v[1] * v[1], v[2] * v[2],
                                                v[0] * v[1], v[0] * v[2], v[1] * v[2]};
      for (std::size_t c = 0; c < 6; ++c)
        CHECK(atoms.stresses[i][c] ==
              doctest::Approx(-(mass * mass_class[c] + (c == 0 ? 0.5 * virial : 0)) *
                              in.energy_to_pressure)
                  .epsilon(1e-12));
    }
  }
}

void check_sums(md::Simulation& simulation, double energy_of_none, double pressure_of_none,
                double tolerance) {
  const md::ThermoRow row = simulation.thermo();
  const md::AtomThermo atoms = simulation.by_atom();
  REQUIRE(std::ssize(atoms.energies) == simulation.atoms());
  double energy = 0;
  double magnitude = 0;
  std::array<double, 6> stress{};
  for (std::size_t i = 0; i < atoms.energies.size(); ++i) {
    energy += atoms.energies[i];
    magnitude += std::abs(atoms.energies[i]);
    for (std::size_t c = 0; c < 6; ++c)
      stress[c] += atoms.stresses[i][c];
  }
  CHECK(std::abs(energy + energy_of_none - row.potential_energy) < tolerance * magnitude);
  const double scale = std::abs(row.pressure_tensor[0]) + magnitude / simulation.box().volume();
  for (std::size_t c = 0; c < 6; ++c)
    CHECK(std::abs(-stress[c] / simulation.box().volume() + (c < 3 ? pressure_of_none : 0) -
                   row.pressure_tensor[c]) < tolerance * scale);
}

TEST_CASE("energies and stresses of all atoms add up to those of the system") {
  const md::System system = melt(5);
  const md::SimulationParts parts{{md::pair_term({melt_coefficients(), 0})}, {}};
  for (const Precision precision :
       {Precision::double_precision, Precision::mixed, Precision::single})
    for (const std::string& implementation : pair_forces(precision)) {
      CAPTURE(implementation);
      const auto simulation = by_atom_run(system, parts, "lj", precision, implementation);
      const double tolerance = precision == Precision::double_precision ? 1e-11 : 1e-5;
      check_sums(*simulation, 0, 0, tolerance);
      simulation->advance(40);
      check_sums(*simulation, 0, 0, tolerance);
    }
}

TEST_CASE("asking for single atoms changes no bit of the run") {
  const md::System system = chains();
  const md::SimulationParts parts = all_terms(system);
  const auto asked = by_atom_run(system, parts);
  md::SimulationOptions options;
  options.time_step = 0.001;
  const auto plain = md::Simulation::make(registry().open("auto"), system, parts,
                                          md::units_from_name("lj"), options);
  for (int k = 0; k < 5; ++k) {
    asked->advance(7);
    plain->advance(7);
    (void)asked->by_atom();
  }
  CHECK(asked->system().positions == plain->system().positions);
  CHECK(asked->forces() == plain->forces());
  CHECK(asked->thermo().potential_energy == plain->thermo().potential_energy);
  CHECK(asked->rebuilds() == plain->rebuilds());
  bool timed = false;
  for (const OperationTime& time : asked->timings())
    timed = timed || (time.operation == "md/pair_force (by atom)" && time.calls == 5);
  CHECK(timed);
}

TEST_CASE(
    "all terms compute energies of single atoms, except for the tail, which belongs to no atom") {
  const md::System system = chains();
  const auto simulation = by_atom_run(system, all_terms(system));
  const md::ThermoRow row = simulation->thermo();
  REQUIRE(row.terms.size() == 5);
  const md::TermEnergy& tail = row.terms[3];
  CHECK(tail.term == "tail");
  CHECK(tail.energy < 0);
  CHECK(row.terms[4].term == "self");
  CHECK(row.terms[4].energy < 0);
  check_sums(*simulation, tail.energy, tail.pressure(), 1e-11);
  simulation->advance(20);
  check_sums(*simulation, tail.energy, tail.pressure(), 1e-11);
}

TEST_CASE("pressures of terms and of motion add up to the pressure") {
  const md::System system = chains();
  md::SimulationOptions options;
  options.term_pressures = true;
  const auto simulation = md::Simulation::make(registry().open("auto"), system, all_terms(system),
                                               md::units_from_name("real"), options);
  const md::ThermoRow row = simulation->thermo();
  const md::Units& units = md::units_from_name("real");
  double sum = 2 * row.kinetic_energy / 3 / simulation->box().volume() * units.energy_to_pressure;
  for (const md::TermEnergy& term : row.terms)
    sum += term.pressure();
  CHECK(sum == test::relative(row.pressure).epsilon(1e-12));
  // Each term gives the same pressure as in a run with this term alone.
  md::System resting = system;
  resting.velocities.assign(system.positions.size(), {0, 0, 0});
  const md::SimulationParts parts = all_terms(system);
  for (std::size_t t = 0; t < parts.terms.size(); ++t) {
    const auto alone =
        md::Simulation::make(registry().open("auto"), resting, {{parts.terms[t]}, {}}, units, {});
    const md::ThermoRow only = alone->thermo();
    for (std::size_t c = 0; c < 6; ++c)
      CHECK(row.terms[t].pressure_tensor[c] == only.pressure_tensor[c]);
  }
  const std::vector<md::ThermoColumn> columns = md::columns_of(row, units);
  const auto of_pair = [&](const std::string& name) {
    for (const md::ThermoColumn& column : columns)
      if (column.name == name) {
        CHECK(column.unit == "atm");
        return column.value;
      }
    FAIL("no column " << name);
    return 0.0;
  };
  CHECK(of_pair("pressure_pair") == row.terms[0].pressure());
  CHECK(of_pair("pressure_special_xy") == row.terms[2].pressure_tensor[3]);
  md::ThermoRow unasked = row;
  unasked.term_pressures = false;
  CHECK(md::columns_of(unasked, units).size() == columns.size() - 7 * row.terms.size());
}

TEST_CASE("a term without energies of single atoms is refused") {
  const md::System system = melt(4);
  const auto unasked = md::Simulation::make(registry().open("auto"), system,
                                            {{md::pair_term({melt_coefficients(), 0})}, {}},
                                            md::units_from_name("lj"), {});
  CHECK_THROWS_WITH_AS((void)unasked->by_atom(),
                       "Simulation: by_atom: asked for, and the options do not say so",
                       ArgumentError);
  md::SimulationParts parts{{md::pair_term({melt_coefficients(), 0}), tether(1.0)}, {}};
  CHECK_THROWS_WITH_AS((void)by_atom_run(system, parts),
                       doctest::Contains("it does not compute energies of single atoms"),
                       RefusalError);
}

}  // namespace
}  // namespace tessera::test
