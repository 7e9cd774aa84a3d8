#include "core/base/error.hpp"
#include "core/base/random.hpp"
#include "physics/md/generate/velocities.hpp"
#include "physics/md/groups/atom_classes.hpp"
#include "physics/md/io/restart.hpp"
#include "physics/md/minimum_image.hpp"
#include "physics/md/simulation/langevin.hpp"
#include "physics/md/simulation/listed_term.hpp"
#include "physics/md/simulation/pair_energies.hpp"
#include "tests/analytic/melt.hpp"
#include "tests/support/relative.hpp"
#include "tests/support/temporary_directory.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <string>

/// \file
/// Groups of atoms in complete simulations: pairs of groups without forces, frozen atoms, and
/// energies of pairs of groups.

namespace tessera::test {
namespace {

const md::Units& reduced = md::units_from_name("lj");

/// 256 atoms of two types in random order, with random displacements.
md::System mixture() {
  md::System system = melt(4);
  system.types = {{"A", 1.0}, {"B", 2.0}};
  RandomSequence random(3);
  for (std::size_t i = 0; i < system.positions.size(); ++i) {
    system.type[i] = static_cast<std::int32_t>(random.below(2));
    for (double& x : system.positions[i])
      x = std::fmod(x + 0.2 * random.uniform() + 6.7, 6.7);
  }
  return system;
}

md::CoefficientTable two_types() {
  md::CoefficientTable table(md::pair_potentials().find("lj/cut"), 2);
  table.set_all({{"epsilon", 1}, {"sigma", 1}, {"cutoff", 2.5}, {"shift", 1}});
  table.set(0, 1, {{"epsilon", 0.7}, {"sigma", 0.95}});
  table.set(1, 1, {{"epsilon", 1.3}, {"sigma", 1.05}, {"cutoff", 2.8}});
  return table;
}

/// Marks of all atoms: 1 for z below `width`, else 0. The slab has atoms of both types.
std::vector<md::AtomMarks> slab(const md::System& system, double width) {
  std::vector<md::AtomMarks> marks;
  for (const auto& r : system.positions)
    marks.push_back(r[2] < width ? 1 : 0);
  return marks;
}

const md::AtomGroup marked{"wall", {false, false}, 1};
const md::AtomGroup type_a{"A", {true, false}, 0};
const md::AtomGroup type_b{"B", {false, true}, 0};
const md::AtomGroup everything{"all", {true, true}, 0};

struct Setup {
  md::System system = mixture();
  std::vector<md::AtomMarks> marks = {};
  std::vector<md::GroupPair> excluded = {};
  std::vector<md::GroupPair> energies = {};
  md::PairLists exclusions = {};
  md::IntegratorFactory integrator = {};
};

md::SimulationParts parts_of(const Setup& setup) {
  const auto interacts = [&](const md::AtomClass& a, const md::AtomClass& b) {
    return !md::any_contains(setup.excluded, a, b);
  };
  const md::AtomClasses classes = md::atom_classes(setup.system, setup.marks, setup.excluded);
  md::PairTermOptions pair{md::class_table(two_types(), classes.all, interacts), 0,
                           setup.exclusions, classes.of_atom};
  md::SimulationParts parts{{md::pair_term(pair)}, setup.integrator};
  if (setup.energies.empty()) return parts;
  std::vector<md::GroupPair> all = setup.excluded;
  all.insert(all.end(), setup.energies.begin(), setup.energies.end());
  const md::AtomClasses finer = md::atom_classes(setup.system, setup.marks, all);
  md::PairEnergiesOptions options{{}, setup.exclusions, finer.of_atom};
  for (const md::GroupPair& counted : setup.energies)
    options.parts.push_back({"energy_" + counted.first.name + "-" + counted.second.name,
                             md::class_table(two_types(), finer.all,
                                             [&](const md::AtomClass& a, const md::AtomClass& b) {
                                               return interacts(a, b) && counted.contains(a, b);
                                             })});
  parts.observables.push_back(md::pair_energies(options));
  return parts;
}

std::unique_ptr<md::Simulation> run(const Setup& setup, Precision precision = Precision{},
                                    const std::string& implementation = "auto",
                                    const RestartFile* continued = nullptr,
                                    double time_step = 0.002) {
  md::SimulationOptions options;
  options.precision = precision;
  options.time_step = time_step;
  Choices choices;
  choices.choose(registry(), "md/pair_force", implementation);
  Context context = registry().open("auto");
  context.choices = std::make_shared<const Choices>(std::move(choices));
  return md::Simulation::make(context, setup.system, parts_of(setup), reduced, options, continued);
}

/// Energy of all pairs that `counts` selects and that are not excluded, by a plain loop.
double plain_energy(const Setup& setup,
                    const std::function<bool(const md::AtomClass&, const md::AtomClass&)>& counts) {
  const md::System& system = setup.system;
  const md::CoefficientTable table = two_types();
  const md::PairPotential& potential = table.potential();
  const md::MinimumImage nearest(system.box);
  double energy = 0;
  for (std::size_t i = 0; i < system.type.size(); ++i)
    for (std::size_t j = i + 1; j < system.type.size(); ++j) {
      if (!counts(md::class_of(system, setup.marks, i), md::class_of(system, setup.marks, j)))
        continue;
      if (!setup.exclusions.partners.empty()) {
        const auto begin = setup.exclusions.partners.begin();
        if (std::count(begin + setup.exclusions.offsets[i], begin + setup.exclusions.offsets[i + 1],
                       static_cast<std::int32_t>(j)) > 0)
          continue;
      }
      std::vector<double> fields;
      for (std::size_t f = 0; f < potential.fields().size(); ++f)
        fields.push_back(table.at(system.type[i], system.type[j], f));
      std::vector<double> row(static_cast<std::size_t>(potential.table_width()));
      potential.pack(fields.data(), row.data());
      const auto& a = system.positions[i];
      const auto& b = system.positions[j];
      const Vec3<double> r = nearest({a[0] - b[0], a[1] - b[1], a[2] - b[2]});
      energy += potential.evaluate(row.data(), std::sqrt(dot(r, r)), 0, 0).energy;
    }
  return energy;
}

/// A system of the atoms whose indices fulfil `kept`, in the same box.
md::System only(const md::System& system, const std::function<bool(std::size_t)>& kept) {
  md::System part = system;
  part.clear_atoms();
  for (std::size_t i = 0; i < system.type.size(); ++i) {
    if (!kept(i)) continue;
    part.ids.push_back(system.ids[i]);
    part.type.push_back(system.type[i]);
    part.positions.push_back(system.positions[i]);
    part.velocities.push_back(system.velocities[i]);
  }
  return part;
}

Setup with_wall(md::IntegratorFactory integrator = {}) {
  Setup setup;
  setup.marks = slab(setup.system, 1.5);
  setup.excluded = {{marked, marked}};
  setup.integrator = std::move(integrator);
  for (const md::AtomMarks marks : setup.marks)
    setup.system.frozen.push_back(static_cast<std::uint8_t>(marks));
  // Velocities remove the symmetry of the lattice.
  md::make_velocities(setup.system, 1.0, 5, reduced);
  return setup;
}

TEST_CASE("groups that exclude each other are two systems") {
  Setup setup;
  setup.marks = slab(setup.system, 3.3);
  setup.excluded = {{marked, {"rest", {false, false}, 2}}};
  for (md::AtomMarks& marks : setup.marks)
    marks = marks == 1 ? 1 : 2;
  const auto whole = run(setup);
  const auto in_slab = [&](std::size_t i) { return setup.marks[i] == 1; };
  Setup first;
  first.system = only(setup.system, in_slab);
  Setup second;
  second.system = only(setup.system, [&](std::size_t i) { return !in_slab(i); });
  const auto a = run(first);
  const auto b = run(second);
  REQUIRE(a->atoms() > 50);
  REQUIRE(b->atoms() > 50);
  CHECK(whole->thermo().potential_energy ==
        test::relative(a->thermo().potential_energy + b->thermo().potential_energy).epsilon(1e-12));
  const auto forces = whole->forces();
  const auto forces_a = a->forces();
  const auto forces_b = b->forces();
  std::size_t next_a = 0;
  std::size_t next_b = 0;
  for (std::size_t i = 0; i < forces.size(); ++i) {
    const auto& expected = in_slab(i) ? forces_a[next_a++] : forces_b[next_b++];
    for (std::size_t d = 0; d < 3; ++d)
      CHECK(std::abs(forces[i][d] - expected[d]) < 1e-9 * (1 + std::abs(expected[d])));
  }
}

TEST_CASE("types that exclude each other need no classes") {
  Setup setup;
  setup.excluded = {{type_a, type_b}};
  CHECK(md::atom_classes(setup.system, {}, setup.excluded).of_atom.empty());
  const double expected =
      plain_energy(setup, [](const auto& a, const auto& b) { return a.type == b.type; });
  CHECK(run(setup)->thermo().potential_energy == test::relative(expected).epsilon(1e-12));
}

TEST_CASE("frozen atoms never move, and all others do") {
  for (const Precision precision :
       {Precision::double_precision, Precision::mixed, Precision::single})
    for (const bool bath : {false, true}) {
      const Setup setup = with_wall(bath ? md::langevin({1.0, 2.0, 9}) : md::IntegratorFactory{});
      const auto simulation = run(setup, precision);
      const md::System before = simulation->system();
      CHECK(before.frozen == setup.system.frozen);
      simulation->advance(50);
      simulation->rebuild();
      simulation->advance(250);
      const md::System after = simulation->system();
      CHECK(after.frozen == setup.system.frozen);
      CHECK(simulation->rebuilds() > 2);
      std::size_t moved = 0;
      for (std::size_t i = 0; i < after.type.size(); ++i) {
        if (!setup.system.is_frozen(i)) {
          moved += after.positions[i] != before.positions[i] ? 1 : 0;
          continue;
        }
        REQUIRE(after.positions[i] == before.positions[i]);
        REQUIRE(after.images[i] == before.images[i]);
        REQUIRE(after.velocities[i] == std::array<double, 3>{0, 0, 0});
      }
      CHECK(static_cast<std::int64_t>(moved) == simulation->atoms() - setup.system.frozen_atoms());
      CHECK(setup.system.frozen_atoms() > 20);
    }
}

TEST_CASE("velocities that frozen atoms are given are taken away") {
  Setup setup = with_wall();
  for (auto& v : setup.system.velocities)
    v = {1, 2, 3};
  const auto simulation = run(setup);
  const md::System system = simulation->system();
  for (std::size_t i = 0; i < system.type.size(); ++i)
    CHECK(system.velocities[i][1] == (setup.system.is_frozen(i) ? 0 : 2));
}

TEST_CASE("temperature, pressure and momentum are those of the atoms that move") {
  for (const bool bath : {false, true}) {
    const Setup setup = with_wall(bath ? md::langevin({1.0, 2.0, 9}) : md::IntegratorFactory{});
    const auto simulation = run(setup);
    CHECK(simulation->thermo().temperature == test::relative(1.0).epsilon(1e-13));
    CHECK(md::temperature(setup.system, reduced) == test::relative(1.0).epsilon(1e-13));
    simulation->advance(20);
    const md::ThermoRow row = simulation->thermo();
    const md::System system = simulation->system();
    double twice_kinetic = 0;
    std::array<double, 3> momentum{};
    for (std::size_t i = 0; i < system.type.size(); ++i)
      for (std::size_t d = 0; d < 3; ++d) {
        const double mass = system.types[static_cast<std::size_t>(system.type[i])].mass;
        twice_kinetic += mass * system.velocities[i][d] * system.velocities[i][d];
        momentum[d] += mass * system.velocities[i][d];
      }
    const auto moving = static_cast<double>(system.size() - system.frozen_atoms());
    CHECK(row.temperature == test::relative(twice_kinetic / (3 * moving)).epsilon(1e-12));
    CHECK(row.kinetic_energy == test::relative(0.5 * twice_kinetic).epsilon(1e-12));
    CHECK(row.momentum[0] == test::relative(momentum[0]).epsilon(1e-9));
    // The pressure of the same atoms at rest has no kinetic part.
    Setup at_rest = setup;
    at_rest.system = system;
    at_rest.system.velocities.assign(system.velocities.size(), {0, 0, 0});
    const double virial = run(at_rest)->thermo().pressure;
    CHECK(row.pressure - virial ==
          test::relative(twice_kinetic / 3 / system.box.volume()).epsilon(1e-9));
  }
}

TEST_CASE("all atoms may be frozen, and none") {
  Setup setup;
  setup.system.frozen.assign(setup.system.type.size(), 1);
  const auto still = run(setup);
  const double energy = still->thermo().potential_energy;
  still->advance(20);
  CHECK(still->thermo().temperature == 0);
  CHECK(still->thermo().potential_energy == energy);
  Setup none;
  none.system.frozen.assign(none.system.type.size(), 0);
  const auto with_flags = run(none);
  const auto without = run(Setup{});
  with_flags->advance(30);
  without->advance(30);
  CHECK(with_flags->system().positions == without->system().positions);
  CHECK(with_flags->thermo().temperature == without->thermo().temperature);
  setup.system.frozen.pop_back();
  CHECK_THROWS_WITH_AS((void)run(setup), doctest::Contains("255 for 256 atoms"), ArgumentError);
}

TEST_CASE("energy is conserved beside a frozen wall, to second order in the step") {
  const auto spread = [](double dt) {
    const Setup setup = with_wall();
    const auto simulation = run(setup, Precision::double_precision, "auto", nullptr, dt);
    const auto total = [&] {
      const md::ThermoRow row = simulation->thermo();
      return row.potential_energy + row.kinetic_energy;
    };
    const auto steps = static_cast<std::int64_t>(std::lround(0.02 / dt));
    simulation->advance(10 * steps);  // equilibrates the displaced crystal
    const double start = total();
    double square = 0;
    constexpr int samples = 60;
    for (int i = 0; i < samples; ++i) {
      simulation->advance(steps);
      const double off = total() - start;
      square += off * off / samples;
    }
    return std::sqrt(square);
  };
  const double coarse = spread(0.004);
  const double fine = spread(0.002);
  MESSAGE("total energy strays by " << coarse << " and, with half the step, " << fine << ": ratio "
                                    << coarse / fine);
  CHECK(coarse < 0.002 * 256);
  CHECK(fine < 0.4 * coarse);
}

TEST_CASE("a bath gives the atoms that move its temperature") {
  const Setup setup = with_wall(md::langevin({0.8, 5.0, 21}));
  const auto simulation = run(setup, Precision::mixed, "auto", nullptr, 0.004);
  simulation->advance(500);
  double sum = 0;
  constexpr int samples = 200;
  for (int i = 0; i < samples; ++i) {
    simulation->advance(10);
    sum += simulation->thermo().temperature / samples;
  }
  MESSAGE("mean temperature of the moving atoms: " << sum);
  CHECK(sum == test::relative(0.8).epsilon(0.03));
}

TEST_CASE("energies between groups are those of a plain loop, and add up") {
  for (const bool lists : {false, true}) {
    Setup setup;
    setup.marks = slab(setup.system, 3.3);
    const md::AtomGroup rest{"rest", {false, false}, 2};
    for (md::AtomMarks& marks : setup.marks)
      marks = marks == 1 ? 1 : 2;
    if (lists) {
      std::vector<md::Bond> bonds;
      for (std::int32_t i = 0; i + 1 < 256; i += 2)
        bonds.push_back({{i, i + 1}, 0});
      setup.exclusions = md::bonds_by_atom(256, bonds);
      setup.excluded = {{type_a, marked}};
    }
    setup.energies = {
        {marked, marked}, {marked, rest}, {rest, rest}, {type_a, marked}, {everything, everything}};
    for (const Precision precision : {Precision::double_precision, Precision::mixed})
      for (const std::string& implementation : pair_forces(precision)) {
        INFO(implementation);
        const md::ThermoRow row = run(setup, precision, implementation)->thermo();
        const double tolerance = precision == Precision::mixed ? 2e-6 : 1e-12;
        REQUIRE(row.more.size() == setup.energies.size());
        CHECK(row.more[1].name == "energy_wall-rest");
        CHECK(row.more[1].unit == "epsilon");
        double size = 0;
        for (std::size_t k = 0; k < 3; ++k)
          size += std::abs(row.more[k].value);
        for (std::size_t k = 0; k < row.more.size(); ++k) {
          const double expected = plain_energy(setup, [&](const auto& a, const auto& b) {
            return !md::any_contains(setup.excluded, a, b) && setup.energies[k].contains(a, b);
          });
          CHECK(std::abs(row.more[k].value - expected) < tolerance * size);
          if (k < 3) CHECK(std::abs(expected) > 1);
        }
        const double sum = row.more[0].value + row.more[1].value + row.more[2].value;
        CHECK(std::abs(sum - row.potential_energy) < tolerance * size);
        CHECK(std::abs(row.more[4].value - row.potential_energy) < tolerance * size);
        CHECK((row.more[3].value == 0) == lists);
      }
  }
}

TEST_CASE("who asks for energies of groups does not change the path") {
  Setup plain = with_wall();
  Setup asked = plain;
  asked.energies = {{marked, type_a}, {marked, marked}};
  const auto a = run(plain);
  const auto b = run(asked);
  for (int i = 0; i < 10; ++i) {
    a->advance(15);
    b->advance(15);
    static_cast<void>(a->thermo());
    const md::ThermoRow row = b->thermo();
    CHECK(row.more[0].value != 0);
    CHECK(row.more[1].value == 0);
  }
  CHECK(a->system().positions == b->system().positions);
  CHECK(a->system().velocities == b->system().velocities);
  CHECK(a->rebuilds() == b->rebuilds());
  // Evaluations outside of steps have timings of their own.
  const auto times = b->timings();
  CHECK(times.size() == a->timings().size() + 2);
  CHECK(times.back().operation == "md/pair_force (prepare energies of parts)");
  CHECK(times.back().calls == 10);
}

TEST_CASE("a run with groups continues from its file bit for bit") {
  const TemporaryDirectory directory;
  for (const bool bath : {false, true}) {
    Setup setup = with_wall(bath ? md::langevin({1.0, 2.0, 9}) : md::IntegratorFactory{});
    setup.energies = {{marked, type_b}};
    const auto through = run(setup);
    through->advance(150);
    through->rebuild();
    RestartFile file;
    md::put_description(file, "lj", through->description());
    through->save(file);
    file.write(directory / "r");
    const md::Restart restart = md::read_restart(directory / "r");
    CHECK(restart.system.types.size() == 2);
    CHECK(restart.system.type == setup.system.type);
    Setup again = setup;
    again.system = restart.system;
    again.system.frozen = setup.system.frozen;
    const auto continued = run(again, Precision::double_precision, "auto", &restart.file);
    CHECK(continued->thermo().more.back().value == through->thermo().more.back().value);
    through->advance(150);
    continued->advance(150);
    CHECK(through->system().positions == continued->system().positions);
    CHECK(through->system().velocities == continued->system().velocities);
    CHECK(through->system().images == continued->system().images);
    const md::ThermoRow now = through->thermo();
    const md::ThermoRow same = continued->thermo();
    CHECK(now.potential_energy == same.potential_energy);
    for (std::size_t c = 0; c < now.more.size(); ++c)
      CHECK(now.more[c].value == same.more[c].value);
  }
}

TEST_CASE("a blow-up puts frozen atoms back to where they always were") {
  const Setup setup = with_wall();
  const auto simulation = run(setup, Precision::double_precision, "auto", nullptr, 0.15);
  const md::System before = simulation->system();
  CHECK_THROWS_AS(simulation->advance(2000), md::BlowUpError);
  const md::System back = simulation->system();
  for (std::size_t i = 0; i < back.type.size(); ++i) {
    if (!setup.system.is_frozen(i)) continue;
    CHECK(back.positions[i] == before.positions[i]);
    CHECK(back.velocities[i] == std::array<double, 3>{0, 0, 0});
  }
}

TEST_CASE("classes that do not fit are refused") {
  const Setup setup;
  const auto start = [&](const md::SimulationParts& parts) {
    (void)md::Simulation::make(registry().open("auto"), setup.system, parts, reduced, {});
  };
  const auto refused = [&](const md::SimulationParts& parts, const char* text) {
    CHECK_THROWS_WITH_AS(start(parts), doctest::Contains(text), ArgumentError);
  };
  refused({{md::pair_term({two_types(), 0, {}, {0, 1}})}, {}}, "2 for 256 atoms");
  refused({{md::pair_term({two_types(), 0, {}, std::vector<std::int32_t>(256, 2)})}, {}}, "2 of 2");
  refused({{}, {}, {nullptr}}, "a null pointer");
  const auto energies = [&](std::vector<std::int32_t> classes, md::CoefficientTable second) {
    return md::SimulationParts{
        {},
        {},
        {md::pair_energies(
            {{{"a", two_types()}, {"b", std::move(second)}}, {}, std::move(classes)})}};
  };
  refused(energies({0, 1}, two_types()), "2 for 256 atoms");
  refused(energies(std::vector<std::int32_t>(256, 2), two_types()), "2 of 2");
  refused(energies({}, md::CoefficientTable(md::pair_potentials().find("lj/cut"), 3)),
          "3 rows in 'b', expected 2");
  refused(energies({}, md::CoefficientTable(md::pair_potentials().find("coul/rf"), 2)),
          "forms differ");
}

}  // namespace
}  // namespace tessera::test
