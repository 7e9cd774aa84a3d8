#include "core/base/error.hpp"
#include "physics/md/generate/velocities.hpp"
#include "physics/md/io/restart.hpp"
#include "physics/md/simulation/langevin.hpp"
#include "physics/md/simulation/listed_term.hpp"
#include "physics/md/simulation/special_pairs.hpp"
#include "physics/md/simulation/special_term.hpp"
#include "tests/analytic/melt.hpp"
#include "tests/support/relative.hpp"
#include "tests/support/temporary_directory.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <random>
#include <vector>

/// \file
/// Bonds in complete simulations.

namespace tessera::test {
namespace {

const md::Units& lj = md::units_from_name("lj");

/// Two bonded atoms along x, on either side of a periodic face.
md::System diatomic(double stretch) {
  md::System system;
  for (int d = 0; d < 3; ++d)
    system.box.length[d] = 10;
  system.types = {{"A", 1.0}, {"B", 3.0}};
  system.ids = {5, 9};
  system.type = {0, 1};
  system.positions = {{9.8, 1, 2}, {0.6 + stretch, 1, 2}};
  system.velocities.assign(2, {0, 0, 0});
  system.bonds = {{{0, 1}, 0}};
  system.bond_types = 1;
  system.bond_coefficients = {{0, {50.0, 0.8}}};
  return system;
}

/// Bent molecules on a lattice, of a heavy site and two light ones that three springs connect. Only
/// the heavy sites have pair forces, so that no exclusions are needed.
md::System molecules(int edge) {
  md::System system;
  const double cell = 2.0;
  for (int d = 0; d < 3; ++d)
    system.box.length[d] = cell * edge;
  system.types = {{"O", 4.0}, {"H", 1.0}};
  for (int x = 0; x < edge; ++x)
    for (int y = 0; y < edge; ++y)
      for (int z = 0; z < edge; ++z) {
        const auto first = static_cast<std::int32_t>(system.size());
        const std::array<double, 3> corner = {cell * x, cell * y, cell * z};
        const std::array<std::array<double, 3>, 3> sites = {
            {{0.1, 0.2, 0.3}, {0.9, 0.2, 0.35}, {-0.1, 0.95, 0.3}}};
        for (std::size_t s = 0; s < 3; ++s) {
          system.ids.push_back(std::ssize(system.ids) + 1);
          system.type.push_back(s == 0 ? 0 : 1);
          system.molecules.push_back(first / 3 + 1);
          system.positions.push_back({});
          for (std::size_t d = 0; d < 3; ++d)
            system.positions.back()[d] = corner[d] + sites[s][d];
        }
        system.bonds.push_back({{first, first + 1}, 0});
        system.bonds.push_back({{first, first + 2}, 0});
        system.bonds.push_back({{first + 1, first + 2}, 1});
      }
  system.bond_types = 2;
  system.bond_coefficients = {{0, {200.0, 0.8}}, {1, {80.0, 1.25}}};
  md::make_velocities(system, 1.0, 11, lj);
  return system;
}

md::SimulationParts parts_of(const md::System& system, double cutoff = 2.5) {
  // lj/cut between heavy sites only; shifted, so that energy can be conserved.
  md::CoefficientTable table(md::pair_potentials().find("lj/cut"), 2);
  table.set_all({{"epsilon", 0}, {"sigma", 1}, {"cutoff", cutoff}, {"shift", 1}});
  table.set(0, 0, {{"epsilon", 1}});
  return {{md::pair_term({table, 0}), md::listed_term(md::bonds_of(system, "harmonic"))}, {}};
}

std::unique_ptr<md::Simulation> run(const md::System& system, const md::SimulationParts& parts,
                                    double dt, const RestartFile* continued = nullptr,
                                    const std::string& backend = "auto") {
  md::SimulationOptions options;
  options.time_step = dt;
  return md::Simulation::make(registry().open(backend), system, parts, lj, options, continued);
}

double total(const md::ThermoRow& row) {
  return row.potential_energy + row.kinetic_energy;
}

TEST_CASE("a diatomic swings with its own period") {
  const double stretch = 0.05;
  const md::System system = diatomic(stretch);
  const double dt = 0.01;
  const auto simulation =
      run(system, {{md::listed_term(md::bonds_of(system, "harmonic"))}, {}}, dt, nullptr, "serial");
  // E = K (r - r0)^2: omega^2 = 2 K / mu. Velocity Verlet oscillates exactly with omega', where
  // sin(omega' dt / 2) = omega dt / 2.
  const double omega = std::sqrt(2 * 50.0 * (1.0 + 1.0 / 3.0));
  const double seen = 2 / dt * std::asin(omega * dt / 2);
  CHECK(seen > omega * 1.0005);
  for (int n = 0; n < 50; ++n) {
    simulation->advance(7);
    const md::System now = simulation->system();
    double r = now.positions[1][0] - now.positions[0][0] +
               10.0 * (now.images[1][0] - now.images[0][0]) + 10.0;
    CHECK(r == test::relative(0.8 + stretch * std::cos(seen * 7 * dt * (n + 1))).epsilon(1e-10));
  }
  const md::ThermoRow row = simulation->thermo();
  REQUIRE(row.terms.size() == 1);
  CHECK(row.terms[0].term == "bond");
  CHECK(row.terms[0].energy == row.potential_energy);
}

TEST_CASE("energies by term add up, and the virial is that of all terms") {
  const md::System system = molecules(4);
  const auto both = run(system, parts_of(system), 0.001)->thermo();
  md::SimulationParts alone = parts_of(system);
  alone.terms.pop_back();
  const auto pair = run(system, alone, 0.001)->thermo();
  alone = parts_of(system);
  alone.terms.erase(alone.terms.begin());
  const auto bond = run(system, alone, 0.001)->thermo();
  REQUIRE(both.terms.size() == 2);
  CHECK(both.terms[0].term == "pair");
  CHECK(both.terms[0].style == "lj/cut");
  CHECK(both.terms[1].term == "bond");
  CHECK(both.terms[1].style == "harmonic");
  CHECK(both.terms[0].energy == pair.potential_energy);
  CHECK(both.terms[1].energy == bond.potential_energy);
  CHECK(both.potential_energy == both.terms[0].energy + both.terms[1].energy);
  const double kinetic = both.kinetic_energy * 2 / 3 / std::pow(8.0, 3);
  CHECK(both.pressure - kinetic ==
        test::relative(pair.pressure - kinetic + bond.pressure - kinetic).epsilon(1e-12));
  CHECK(std::abs(bond.potential_energy) > 1);
  const auto columns = md::columns_of(both, lj);
  CHECK(columns[columns.size() - 2].name == "energy_pair");
  CHECK(columns[columns.size() - 1].name == "energy_bond");
  CHECK(md::columns_of(pair, lj).size() == columns.size() - 2);
}

/// Compares forces of all terms with the slope of the whole energy.
void check_slopes(const md::System& system) {
  const md::SimulationParts parts = parts_of(system, 2.4);
  const auto forces = run(system, parts, 0.001)->forces();
  const double h = 1e-5;
  for (const std::size_t atom : {0u, 1u, 2u, 40u, 77u})
    for (std::size_t d = 0; d < 3; ++d) {
      const auto energy = [&](double step) {
        md::System moved = system;
        moved.positions[atom][d] += step;
        return run(moved, parts, 0.001)->thermo().potential_energy;
      };
      CHECK(forces[atom][d] == test::relative((energy(-h) - energy(h)) / (2 * h)).epsilon(1e-6));
    }
}

TEST_CASE("forces of all terms are the slope of the whole energy") {
  check_slopes(molecules(3));
}

TEST_CASE("flexible molecules conserve energy, to second order in the step") {
  const md::System system = molecules(4);
  const auto spread = [&](double dt) {
    const auto simulation = run(system, parts_of(system, 3.5), dt);
    const double start = total(simulation->thermo());
    double square = 0;
    constexpr int samples = 100;
    for (int i = 0; i < samples; ++i) {
      simulation->advance(static_cast<std::int64_t>(std::lround(0.01 / dt)));
      const double off = total(simulation->thermo()) - start;
      square += off * off / samples;
    }
    return std::sqrt(square);
  };
  const double coarse = spread(0.005);
  const double fine = spread(0.0025);
  MESSAGE("total energy strays by " << coarse << " and, with half the step, " << fine << ": ratio "
                                    << coarse / fine);
  CHECK(coarse / fine == test::relative(4).epsilon(0.15));
  CHECK(coarse < 1e-3 * 192);
}

TEST_CASE("molecules continue from their file bit for bit, time and all") {
  const TemporaryDirectory directory;
  const md::System system = molecules(4);
  const auto through = run(system, parts_of(system), 0.003);
  through->advance(150);
  through->rebuild();
  RestartFile file;
  md::put_description(file, "lj", through->description());
  through->save(file);
  file.write(directory / "r");
  const md::Restart restart = md::read_restart(directory / "r");
  CHECK(restart.system.bonds == system.bonds);
  CHECK(restart.system.bond_coefficients == system.bond_coefficients);
  const auto continued = run(restart.system, parts_of(restart.system), 0.003, &restart.file);
  through->advance(150);
  continued->advance(150);
  const md::System a = through->system();
  const md::System b = continued->system();
  CHECK(a.positions == b.positions);
  CHECK(a.velocities == b.velocities);
  CHECK(a.images == b.images);
  CHECK(a.molecules == b.molecules);
  const md::ThermoRow now = through->thermo();
  const md::ThermoRow same = continued->thermo();
  CHECK(now.step == 300);
  CHECK(same.step == 300);
  CHECK(now.time == same.time);
  CHECK(now.terms[1].energy == same.terms[1].energy);
  CHECK(through->rebuilds() > 2);
}

/// The molecules with bonds of two potentials.
md::System two_styles(int edge) {
  md::System system = molecules(edge);
  system.bond_coefficients = {{0, {200.0, 0.8}, "harmonic"}, {1, {30.0, 1.6, 1.25}, "morse"}};
  return system;
}

TEST_CASE("bonds of several potentials by type have the slopes of their energies") {
  const md::System system = two_styles(3);
  CHECK(run(system, parts_of(system, 2.4), 0.001)->thermo().terms[1].style == "harmonic+morse");
  check_slopes(system);
}

/// The same system with its atoms in another order.
md::System reordered(const md::System& system, const std::vector<std::size_t>& order) {
  md::System other = system;
  std::vector<std::int32_t> place(order.size());
  for (std::size_t p = 0; p < order.size(); ++p) {
    const std::size_t from = order[p];
    place[from] = static_cast<std::int32_t>(p);
    other.ids[p] = system.ids[from];
    other.type[p] = system.type[from];
    other.molecules[p] = system.molecules[from];
    other.positions[p] = system.positions[from];
    other.velocities[p] = system.velocities[from];
  }
  for (md::Bond& bond : other.bonds)
    for (std::int32_t& atom : bond.atoms)
      atom = place[static_cast<std::size_t>(atom)];
  std::reverse(other.bonds.begin(), other.bonds.end());
  return other;
}

TEST_CASE("bonded atoms in a bath have the same bits in any order, and over a restart") {
  const md::System system = two_styles(4);
  std::vector<std::size_t> order(system.ids.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::shuffle(order.begin(), order.end(), std::mt19937(3));
  const auto start = [&](const md::System& from, const RestartFile* continued) {
    md::SimulationParts parts = parts_of(from);
    parts.integrator = md::langevin({.temperature = 1, .friction = 2, .seed = 5});
    md::SimulationOptions options;
    options.time_step = 0.003;
    options.determinism = Determinism::any_order;
    return md::Simulation::make(registry().open("auto"), from, parts, lj, options, continued);
  };
  const auto straight = start(system, nullptr);
  straight->advance(100);
  straight->rebuild();
  straight->advance(100);
  CHECK(straight->rebuilds() > 2);
  const auto half = start(reordered(system, order), nullptr);
  half->advance(100);
  half->rebuild();
  const TemporaryDirectory directory;
  RestartFile file;
  md::put_description(file, "lj", half->description());
  half->save(file);
  file.write(directory / "r");
  const md::Restart restart = md::read_restart(directory / "r");
  CHECK(restart.system.bond_coefficients == system.bond_coefficients);
  const auto rest = start(restart.system, &restart.file);
  rest->advance(100);
  const md::System a = straight->system();
  const md::System b = rest->system();
  for (std::size_t p = 0; p < order.size(); ++p) {
    REQUIRE(b.ids[p] == a.ids[order[p]]);
    REQUIRE(b.positions[p] == a.positions[order[p]]);
    REQUIRE(b.velocities[p] == a.velocities[order[p]]);
  }
  const md::ThermoRow x = straight->thermo();
  const md::ThermoRow y = rest->thermo();
  CHECK(x.terms[1].energy == y.terms[1].energy);
  CHECK(x.pressure == y.pressure);
}

TEST_CASE("a blow-up of molecules puts the state back") {
  md::System system = molecules(4);
  const auto simulation = run(system, parts_of(system), 0.15);
  CHECK_THROWS_AS(simulation->advance(2000), md::BlowUpError);
  const md::System back = simulation->system();
  for (const auto* rows : {&back.positions, &back.velocities})
    for (const auto& row : *rows)
      for (const double x : row)
        REQUIRE(std::isfinite(x));
  CHECK(simulation->clock().step() < 2000);
  CHECK(simulation->clock().time() == static_cast<double>(simulation->clock().step()) * 0.15);
  CHECK(std::isfinite(simulation->thermo().potential_energy));
  CHECK(simulation->clock().step() > 0);
  // The system must have the state of a run that ends at that step.
  const auto sound = run(system, parts_of(system), 0.15);
  sound->advance(simulation->clock().step());
  const md::System expected = sound->system();
  double off = 0;
  for (std::size_t i = 0; i < back.velocities.size(); ++i)
    for (std::size_t d = 0; d < 3; ++d) {
      off = std::max(off, std::abs(back.velocities[i][d] - expected.velocities[i][d]));
      off = std::max(off, std::abs(back.positions[i][d] + 8.0 * back.images[i][d] -
                                   expected.positions[i][d] - 8.0 * expected.images[i][d]));
    }
  CHECK(off < 1e-9);
}

TEST_CASE("atoms of a scaled pair fly apart and meet again across the box") {
  md::System system;
  for (int d = 0; d < 3; ++d)
    system.box.length[d] = 20;
  system.types = {{"A", 1.0}};
  system.ids = {1, 2};
  system.type = {0, 0};
  system.positions = {{5, 5, 5}, {7, 5, 5}};
  system.velocities = {{0, 0, 0}, {1, 0, 0}};
  const md::CoefficientTable table = melt_coefficients();
  md::SpecialPairsOptions options;
  options.listed = {{{0, 1}, {0.5, 0.5}}};
  const double well = 4 * (std::pow(2.0, -12) - std::pow(2.0, -6));
  const double edge = 4 * (std::pow(2.5, -12) - std::pow(2.5, -6));
  for (const char* backend : {"auto", "serial"}) {
    md::SpecialPairs special = md::special_pairs(table, system, options);
    md::PairTermOptions pair{table, 0};
    pair.exclusions = special.excluded;
    const auto simulation =
        run(system, {{md::pair_term(pair), md::special_term(*special.term)}, {}}, 0.005, nullptr,
            backend);
    const double start = total(simulation->thermo());
    CHECK(start == test::relative(0.5 + 0.5 * well).epsilon(1e-12));
    // The atoms move beyond the cutoff before 120 steps, and within it again, through the periodic
    // boundary, after 3000; in between they are up to half of the box apart.
    simulation->advance(200);
    const double apart = total(simulation->thermo());
    CHECK(apart == test::relative(0.5 + 0.5 * (well - edge)).epsilon(1e-3));
    for (int n = 0; n < 14; ++n) {
      simulation->advance(200);
      const md::ThermoRow row = simulation->thermo();
      CHECK(row.potential_energy == 0);
      CHECK(total(row) == test::relative(apart).epsilon(1e-12));
    }
    simulation->advance(350);
    const md::System now = simulation->system();
    const double separation =
        now.positions[1][0] - now.positions[0][0] + 20.0 * (now.images[1][0] - now.images[0][0]);
    CHECK(separation == test::relative(18).epsilon(0.01));
    CHECK(simulation->thermo().potential_energy != 0);
    CHECK(total(simulation->thermo()) == test::relative(start).epsilon(1e-3));
  }
}

TEST_CASE("bonds that cannot be are refused with their atoms") {
  const auto message = [](const md::System& system) {
    try {
      (void)run(system, {{md::listed_term(md::bonds_of(system, "harmonic"))}, {}}, 0.01);
    } catch (const ParticleError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  CHECK(message(diatomic(0)) == "accepted");
  md::System bad = diatomic(4.0);
  CHECK(message(bad).find("spans 0.48") != std::string::npos);
  CHECK(message(bad).find("by id: 5 and 9") != std::string::npos);
  bad = diatomic(0);
  bad.bonds[0].atoms[1] = 2;
  CHECK(message(bad).find("the bond names atom 2 of 2") != std::string::npos);
  bad.bonds[0].atoms[1] = 0;
  CHECK(message(bad).find("the bond names atom 0 twice") != std::string::npos);
  bad = diatomic(0);
  bad.bonds[0].type = 1;
  CHECK(message(bad).find("bond of atoms 5 and 9 is of type 2, which has no coefficients") !=
        std::string::npos);
  bad = diatomic(0);
  bad.bond_coefficients.clear();
  CHECK(message(bad).find("is of type 1, which has no coefficients") != std::string::npos);
  md::SpecialTermOptions charged;
  charged.potential = "coul/rf";
  charged.lists = {{0, 1, 2}, {1, 0}, {}};
  charged.coefficients = {{3, 78, 1, 0, 1}};
  CHECK_THROWS_WITH_AS((void)run(diatomic(0), {{md::special_term(charged)}, {}}, 0.01),
                       doctest::Contains("reads charges, and the atoms have none"), ArgumentError);
  CHECK_THROWS_WITH_AS((void)md::bonds_of(diatomic(0), "harmonik"), doctest::Contains("harmonic"),
                       SelectionError);
}

}  // namespace
}  // namespace tessera::test
