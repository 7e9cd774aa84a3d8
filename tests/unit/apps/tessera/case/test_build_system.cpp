#include "apps/tessera/case/read_case.hpp"
#include "physics/md/case/build_pair_table.hpp"
#include "physics/md/case/build_system.hpp"
#include "physics/md/case/continued_case.hpp"
#include "physics/md/generate/velocities.hpp"
#include "physics/md/io/restart.hpp"
#include "tests/support/input_errors.hpp"
#include "tests/support/relative.hpp"
#include "tests/support/temporary_directory.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace tessera::app {
namespace {

using test::check_input_error;
using test::TemporaryDirectory;
using test::with;

const std::string data_file =
    "t, units = real\n2 atoms\n2 atom types\n0 5 xlo xhi\n0 5 ylo yhi\n0 5 zlo zhi\n\n"
    "Masses\n\n1 16 # O\n2 1 # H\n\nPair Coeffs # lj/cut\n\n1 0.15 3.1\n2 0 0\n\n"
    "Atoms # atomic\n\n1 1 1 1 1\n2 2 6 2 2\n";
const std::string pair_and_run = "[pair]\ncutoff = 2\n[run]\nsteps = 0\n";

}  // namespace

TEST_CASE("a lattice case gives atoms, types and velocities") {
  const TemporaryDirectory directory;
  const cases::Case c = read_case(directory.write(
      "case.toml",
      "[system]\nlattice = \"bcc\"\ndensity = 2\ncells = [4, 3, 2]\nperiodic = [true, true, "
      "false]\n"
      "site_types = [\"B\", \"A\"]\ntype = [{name = \"A\"}, {name = \"B\", mass = 3}]\n"
      "[velocities]\ntemperature = 1.5\nseed = 1\n"
      "[pair]\ncutoff = 2.5\nmixing = \"arithmetic\"\n"
      "[[pair.coefficients]]\ntypes = [\"A\", \"A\"]\nepsilon = 1\nsigma = 1\n"
      "[[pair.coefficients]]\ntypes = [2, 2]\nepsilon = 4\nsigma = 2\n[run]\nsteps = 1\n"));
  const md::InitialState state = md::build_system(c);
  CHECK(state.system.size() == 48);
  CHECK(state.system.box.length[0] == test::relative(4.0));
  CHECK_FALSE(state.system.box.periodic[2]);
  CHECK(state.system.type[0] == 1);
  CHECK(state.system.types[1].mass == 3.0);
  CHECK(md::temperature(state.system, md::units_from_name("lj")) == test::relative(1.5));
  CHECK_FALSE(state.continued.has_value());
  const md::CoefficientTable table = md::build_pair_table(c, state.system);
  CHECK(table.at(0, 1, table.potential().field("epsilon")) == 2.0);
  CHECK(table.at(0, 1, table.potential().field("sigma")) == 1.5);
  CHECK(table.at(0, 1, table.potential().field("cutoff")) == 2.5);
}

TEST_CASE("a data file brings its coefficients, which the case overrides") {
  const TemporaryDirectory directory;
  directory.write("w.data", data_file);
  const auto build = [&](const std::string& more) {
    const cases::Case c = read_case(directory.write("case.toml",
                                                    "units = \"real\"\n[system]\nfile = "
                                                    "\"w.data\"\n" +
                                                        pair_and_run + more));
    const md::InitialState state = md::build_system(c);
    CHECK(state.warnings.empty());
    CHECK(state.system.positions[1][0] == 1.0);
    CHECK(state.system.velocities.size() == 2);
    CHECK(state.system.velocities[1] == std::array{0.0, 0.0, 0.0});
    return md::build_pair_table(c, state.system);
  };
  // cutoff, epsilon, sigma, shift
  const auto row = [](const md::CoefficientTable& table) {
    return std::vector{table.at(0, 0, 0), table.at(0, 0, 1), table.at(0, 0, 2)};
  };
  CHECK(row(build("")) == std::vector{2.0, 0.15, 3.1});
  CHECK(row(build("[[pair.coefficients]]\ntypes = [\"O\", \"O\"]\nepsilon = 1\nsigma = 3\n")) ==
        std::vector{2.0, 1.0, 3.0});
}

TEST_CASE("units that a file states otherwise give a warning") {
  const TemporaryDirectory directory;
  directory.write("w.data", data_file);
  const md::InitialState state = md::build_system(
      read_case(directory.write("case.toml", "[system]\nfile = \"w.data\"\n" + pair_and_run)));
  REQUIRE(state.warnings.size() == 1);
  CHECK(state.warnings[0].find("w.data: the file states units real, the case has units lj") !=
        std::string::npos);
}

TEST_CASE("an extended XYZ file takes masses from the elements or from the case") {
  const TemporaryDirectory directory;
  directory.write("a.xyz", "1\nLattice=\"9 0 0 0 9 0 0 0 9\" pbc=\"T T F\"\nAr 1 2 3\n");
  const auto build = [&](const std::string& head, const std::string& more) {
    return md::build_system(
               read_case(directory.write(
                   "case.toml", head + "[system]\nfile = \"a.xyz\"\n" + more + pair_and_run)))
        .system;
  };
  CHECK(build("units = \"metal\"\n", "").types[0].mass == 39.948);
  CHECK(build("", "").types[0].mass == 1.0);
  const md::System own =
      build("", "periodic = [true, true, true]\ntype = [{name = \"Ar\", mass = 40}]\n");
  CHECK(own.types[0].mass == 40.0);
  CHECK(own.box.periodic[2]);
  check_input_error([&] { build("", "type = [{name = \"Xe\"}]\n"); },
                    {3, "species of atom 1", "Ar", "expected one of the types of the case"});
}

TEST_CASE("a restart file continues step, time and state") {
  const TemporaryDirectory directory;
  const cases::Case start =
      read_case(directory.write("start.toml",
                                "[system]\nlattice = \"sc\"\ndensity = 1\ncells = [2, 2, 2]\n"
                                "[velocities]\ntemperature = 1\n" +
                                    pair_and_run));
  md::Restart restart;
  restart.units = "lj";
  restart.clock = StepClock(0.005, 70, 0.35);
  restart.system = md::build_system(start).system;
  md::write_restart(directory / "r.tessera", restart);
  const std::string text =
      "[system]\nrestart = \"r.tessera\"\nlattice = \"sc\"\n"
      "[velocities]\ntemperature = 9\n" +
      pair_and_run;
  const md::InitialState state = md::build_system(read_case(directory.write("next.toml", text)));
  REQUIRE(state.continued.has_value());
  CHECK(load_clock(*state.continued) == restart.clock);
  CHECK(state.system.velocities == restart.system.velocities);
  CHECK(state.warnings.empty());
  const auto next = [&](const char* change) {
    return md::build_system(read_case(directory / "next.toml", {change}));
  };
  CHECK(next("run.time_step=0.01").warnings ==
        std::vector<std::string>{(directory / "r.tessera").string() +
                                 ": run.time_step was 0.005, is 0.01 now"});
  check_input_error([&] { next("units=real"); }, {0, "units", "lj", "the units of the case, real"});
}

TEST_CASE("what a continued run does otherwise is told with both values") {
  const TemporaryDirectory directory;
  const cases::Case start = read_case(directory.write(
      "start.toml", "[system]\nlattice = \"sc\"\ndensity = 1\ncells = [2, 2, 2]\n" + pair_and_run +
                        "[[pair.coefficients]]\ntypes = [1, 1]\nepsilon = 1\nsigma = 1\n"));
  const std::string written = md::physics_of(start);
  CHECK(written.find("pair.cutoff = ") != std::string::npos);
  CHECK(written.find("precision = \"double\"\n") != std::string::npos);
  CHECK(written.find("pair.coefficients.0.epsilon = 1.0\n") != std::string::npos);
  CHECK(written.find("lattice") == std::string::npos);
  CHECK(cases::differences(written, written).empty());
  const auto told = [&](const std::vector<std::string>& changes) {
    return cases::differences(written,
                              md::physics_of(read_case(directory / "start.toml", changes)));
  };
  CHECK(told({"run.steps=7", "title=other", "thermo.every=3"}).empty());
  CHECK(told({"precision=single"}) ==
        std::vector<std::string>{"precision was \"double\", is \"single\" now"});
  CHECK(told({"pair.coefficients.0.epsilon=2"}) ==
        std::vector<std::string>{"pair.coefficients.0.epsilon was 1.0, is 2.0 now"});
  CHECK(told({"integrator.style=langevin", "integrator.temperature=1", "integrator.friction=1"})
            .size() >= 3);
  CHECK(cases::differences("a = 1\nb = 2\n", "a = 1\n") ==
        std::vector<std::string>{"b was 2, is not given now"});
  CHECK(cases::differences("no lines\n\n= 3", "").size() <= 1);
  std::string many;
  for (int i = 0; i < 50; ++i)
    many += "k" + std::to_string(i) + " = 1\n";
  CHECK(cases::differences(many, "").back() == "and 40 more keys differ");
}

TEST_CASE("coefficients of unknown or forgotten types are refused with their line") {
  const TemporaryDirectory directory;
  directory.write("w.data", data_file);
  const auto table = [&](const std::string& types) {
    const cases::Case c = read_case(directory.write(
        "case.toml", "units = \"real\"\n[system]\nfile = \"w.data\"\n" + pair_and_run +
                         "[[pair.coefficients]]\ntypes = " + types + "\nepsilon = 1\nsigma = 3\n"));
    static_cast<void>(md::build_pair_table(c, md::build_system(c).system));
  };
  check_input_error([&] { table("[\"O\", \"h\"]"); },
                    {8, "pair.coefficients.types", "\"h\"", "no such type, did you mean"});
  check_input_error([&] { table("[1, 3]"); },
                    {8, "pair.coefficients.types", "3", "expected a type from 1 to 2"});
  const cases::Case none = read_case(directory.write(
      "case.toml", "[system]\nlattice = \"sc\"\ndensity = 1\ncells = [2, 2, 2]\n" + pair_and_run));
  check_input_error(
      [&] { static_cast<void>(md::build_pair_table(none, md::build_system(none).system)); },
      {5, "pair.coefficients", "", "no pair coefficients for like pairs of type 1"});
}

TEST_CASE("coefficients of the atoms' file are those of its style") {
  const TemporaryDirectory directory;
  const auto table = [&](const std::string& style, const std::string& section,
                         const std::string& more) {
    directory.write("w.data",
                    with(data_file, "Pair Coeffs # lj/cut\n\n1 0.15 3.1\n2 0 0\n", section));
    const cases::Case c = read_case(directory.write(
        "case.toml", "units = \"real\"\n[system]\nfile = \"w.data\"\n[pair]\nstyle = \"" + style +
                         "\"\ncutoff = 2.5\n" + more + "[run]\nsteps = 1\n"));
    return md::build_pair_table(c, md::build_system(c).system);
  };
  const std::string morse = "PairIJ Coeffs # morse\n\n1 1 0.5 5 1.1\n1 2 0.4 6 1.2\n2 2 1 2 3 2\n";
  const md::CoefficientTable read = table("morse", morse, "");
  CHECK(read.at(0, 1, read.potential().field("alpha")) == 6);
  CHECK(read.at(0, 0, 0) == 2.5);
  CHECK(read.at(1, 1, 0) == 2);
  check_input_error(
      [&] { (void)table("lj/cut", morse, ""); },
      {4, "pair.coefficients", "",
       "no pair coefficients for like pairs of type O: expected epsilon and sigma; those "
       "of the atoms' file are of another style: they have 'alpha'"});
  // Where the case gives all coefficients those of the file do not matter.
  const std::string own =
      "[[pair.coefficients]]\ntypes = [1, 1]\nepsilon = 1\nsigma = 1\n"
      "[[pair.coefficients]]\ntypes = [2, 2]\nepsilon = 0.5\nsigma = 1\n";
  const md::CoefficientTable given = table("lj/cut", morse, own);
  CHECK(given.at(1, 1, given.potential().field("epsilon")) == 0.5);
}

TEST_CASE("pairs of types name their tables in files beside the case") {
  const TemporaryDirectory directory;
  directory.write("pair.table",
                  "AA\nN 3\n1 0.8 9 30\n2 1.5 1 2\n3 2 0.5 0.25\n"
                  "AB\nN 2\n1 0.9 5 20\n2 3.0 0 0\n");
  const auto build = [&](const std::string& second, const std::string& style) {
    const cases::Case c = read_case(directory.write(
        "case.toml",
        "[system]\nlattice = \"bcc\"\ndensity = 2\ncells = [4, 4, 4]\n"
        "site_types = [\"B\", \"A\"]\ntype = [{name = \"A\"}, {name = \"B\"}]\n"
        "[pair]\ncutoff = 2.5\nstyle = \"" +
            style +
            "\"\n[[pair.coefficients]]\ntypes = [1, 1]\nfile = \"pair.table\"\nkeyword = \"AA\"\n" +
            second + "[run]\nsteps = 1\n"));
    return md::build_pair_table(c, md::build_system(c).system);
  };
  const std::string others =
      "[[pair.coefficients]]\ntypes = [2, 2]\nfile = \"pair.table\"\nkeyword = \"AA\"\ncutoff = "
      "1.5\n"
      "[[pair.coefficients]]\ntypes = [2, 1]\nfile = \"pair.table\"\nkeyword = \"AB\"\n";
  const md::CoefficientTable table = build(others, "table:5");
  CHECK(table.potential().name() == "table:5");
  CHECK(table.at(0, 0, 0) == 2.0);  // the table ends there
  CHECK(table.at(1, 1, 0) == 1.5);
  CHECK(table.at(0, 1, 0) == 2.5);
  CHECK(table.at(0, 1, table.potential().field("inner")) == 0.9);
  CHECK(table.at(0, 0, table.potential().field("energy_1")) == test::relative(9));
  CHECK(table.at(0, 0, table.potential().field("energy_5")) == test::relative(0.5));
  CHECK(table.at(0, 0, table.potential().field("force_5")) == test::relative(0.25));
  CHECK(table.at(1, 1, table.potential().field("energy_5")) == test::relative(1));
  const auto refused = [&](const std::string& second, const test::ExpectedError& expected) {
    check_input_error([&] { static_cast<void>(build(second, "table")); }, expected);
  };
  refused("", {7, "pair.coefficients", "", "no table for types A and B, expected one for each"});
  const std::string pair = "[[pair.coefficients]]\ntypes = [2, 2]\n";
  refused(pair + "file = \"pair.table\"\nkeyword = \"BB\"\n",
          {9, "keyword", "BB", "pair.table:9: keyword"});
  refused(
      pair + "file = \"pair.table\"\nkeyword = \"AB\"\ncutoff = 0.5\n",
      {14, "pair.coefficients.cutoff", "0.5", "more than the first distance of the table, 0.9"});
  refused(pair + "keyword = \"AB\"\n", {14, "pair.coefficients.file", "", "missing key"});
  refused(pair + "file = \"pair.table\"\nepsilon = 1\n", {17, "pair.coefficients.epsilon", "", ""});
}

TEST_CASE("forces of a table that contradict its energies are taken where the case insists") {
  const TemporaryDirectory directory;
  directory.write("pair.table",
                  "AA\nN 5\n1 1 4 3\n2 1.5 2.5 3\n3 2 1 -3\n4 2.5 -0.5 3\n5 3 -2 3\n");
  const auto build = [&](const std::string& forces) {
    const cases::Case c = read_case(
        directory.write("case.toml",
                        "[system]\nlattice = \"bcc\"\ndensity = 2\ncells = [4, 4, 4]\n[pair]\n"
                        "cutoff = 2.5\nstyle = \"table:50\"\n[[pair.coefficients]]\n"
                        "types = [1, 1]\nfile = \"pair.table\"\n" +
                            forces + "[run]\nsteps = 1\n"));
    return md::build_pair_table(c, md::build_system(c).system);
  };
  for (const char* const checked : {"", "forces = \"checked\"\n"})
    check_input_error([&] { static_cast<void>(build(checked)); },
                      {5, "force", "-3", "pair.table:5: force"});
  const md::CoefficientTable table = build("forces = \"file\"\n");
  CHECK(table.at(0, 0, table.potential().field("force_1")) == 3);
  check_input_error([&] { static_cast<void>(build("forces = \"energy\"\n")); },
                    {11, "pair.coefficients.forces", "\"energy\"", "checked"});
}

TEST_CASE("what the generators refuse is an error of the case") {
  const TemporaryDirectory directory;
  const auto build = [&](const std::string& keys) {
    static_cast<void>(md::build_system(read_case(directory.write(
        "case.toml", "[system]\nlattice = \"sc\"\ndensity = 1\n" + keys + pair_and_run))));
  };
  check_input_error([&] { build("cells = [3000, 3000, 3000]\n"); },
                    {1, "system", "", "expected less than 2^31 atoms"});
  check_input_error(
      [&] {
        build(
            "cells = [2, 1, 1]\nsite_types = [\"A\"]\n[[system.type]]\nname = \"A\"\n"
            "mass = 1e308\n[[system.type]]\nname = \"B\"\nmass = 1\n"
            "[velocities]\ntemperature = 1e-300\n");
      },
      {0, "velocities.temperature", "", "velocities that are no finite numbers"});
  check_input_error([&] { build("cells = [1, 1, 1]\n[velocities]\ntemperature = 1\n"); },
                    {5, "velocities.temperature", "", "at least two atoms"});
}

TEST_CASE("coefficients without a style of their own are written without one") {
  const TemporaryDirectory directory;
  // Bonds without forces may keep their coefficients.
  for (const std::string style : {"harmonic", "none"}) {
    const std::string written = md::physics_of(read_case(directory.write(
        "bonds.toml", "[system]\nlattice = \"sc\"\ndensity = 1\ncells = [2, 2, 2]\n" +
                          pair_and_run +
                          "[[pair.coefficients]]\ntypes = [1, 1]\nepsilon = 1\nsigma = 1\n"
                          "[bond]\nstyle = \"" +
                          style + "\"\n[[bond.coefficients]]\ntype = 1\nk = 3\nr0 = 1\n")));
    CHECK(written.find("bond.coefficients.0.k = 3.0\n") != std::string::npos);
    CHECK(written.find("coefficients.0.style") == std::string::npos);
  }
}

}  // namespace tessera::app
