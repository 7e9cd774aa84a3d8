#include "tests/support/input_errors.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/unit/apps/tessera/case/md_case.hpp"

#include <doctest/doctest.h>

#include <string>
#include <variant>
#include <vector>

namespace tessera::app {
namespace {

using test::check_input_error;
using test::TemporaryDirectory;
using test::with;

const std::string melt =
    "title = \"melt\"\n"                   // 1
    "units = \"lj\"\n"                     // 2
    "precision = \"mixed\"\n"              // 3
    "[system]\n"                           // 4
    "lattice = \"fcc\"\n"                  // 5
    "density = 0.8442\n"                   // 6
    "cells = [20, 20, 20]\n"               // 7
    "[velocities]\n"                       // 8
    "temperature = 1.44\n"                 // 9
    "seed = 87287\n"                       // 10
    "[pair]\n"                             // 11
    "cutoff = 2.5\n"                       // 12
    "[[pair.coefficients]]\n"              // 13
    "types = [1, 1]\n"                     // 14
    "epsilon = 1\n"                        // 15
    "sigma = 1.0\n"                        // 16
    "[run]\n"                              // 17
    "steps = 1000\n"                       // 18
    "[selection]\n"                        // 19
    "\"md/pair_force\" = \"cuda.list\"\n"  // 20
    "[parameters.\"md/pair_force\"]\n"     // 21
    "block_size = 128\n"                   // 22
    "fraction = 0.5\n"                     // 23
    "prune = true\n"                       // 24
    "mode = \"dual\"\n";                   // 25

Case read_text(const std::string& text, const std::vector<std::string>& overrides = {}) {
  const TemporaryDirectory directory;
  return Case(read_case(directory.write("case.toml", text), overrides));
}

void check_refused(const std::string& text, const test::ExpectedError& expected,
                   const std::vector<std::string>& overrides = {}) {
  check_input_error([&] { static_cast<void>(read_text(text, overrides)); }, expected);
}

}  // namespace

TEST_CASE("a case is read with its defaults") {
  const Case c = read_text(melt);
  CHECK(c.title == "melt");
  CHECK(c.units == "lj");
  CHECK(c.precision == Precision::mixed);
  CHECK(c.backend == "auto");
  CHECK(c.system.lattice == md::Lattice::fcc);
  CHECK(c.system.density == 0.8442);
  CHECK_FALSE(c.system.lattice_constant.has_value());
  CHECK(c.system.cells == std::array<std::int64_t, 3>{20, 20, 20});
  CHECK_FALSE(c.system.periodic.has_value());
  REQUIRE(c.velocities != nullptr);
  CHECK(c.velocities->temperature == 1.44);
  CHECK(c.velocities->seed == 87287);
  CHECK(c.pair.style == "lj/cut");
  CHECK(c.pair.cutoff == 2.5);
  CHECK(c.pair.settings.at("shift") == 0);
  CHECK(c.pair.mixing == md::MixingRule::geometric);
  REQUIRE(c.pair.coefficients.size() == 1);
  CHECK(std::get<std::int64_t>(c.pair.coefficients[0].types[1]) == 1);
  CHECK(c.pair.coefficients[0].value("epsilon") == 1.0);
  CHECK_FALSE(c.pair.coefficients[0].value("cutoff").has_value());
  CHECK(c.pair.coefficients[0].origin.line == 13);
  CHECK(c.neighbor.skin == 0);
  CHECK(c.neighbor.every == 0);
  CHECK(c.run.steps == 1000);
  CHECK(c.run.time_step == 0.005);
  CHECK(c.thermo.every == 100);
  CHECK(c.thermo.file == "thermo.csv");
  CHECK(c.trajectory.every == 0);
  CHECK(c.restart.every == 0);
  CHECK(c.selection.at("md/pair_force").implementation == "cuda.list");
  CHECK(c.selection.at("md/pair_force").origin.line == 20);
  const auto& parameters = c.parameters.at("md/pair_force");
  CHECK(std::get<std::int64_t>(parameters.at("block_size").value) == 128);
  CHECK(std::get<double>(parameters.at("fraction").value) == 0.5);
  CHECK(std::get<bool>(parameters.at("prune").value));
  CHECK(std::get<std::string>(parameters.at("mode").value) == "dual");
  CHECK(parameters.at("mode").origin.line == 25);
}

TEST_CASE("the time step follows the units, the skin is left to the implementation") {
  const Case c = read_text(with(melt, "units = \"lj\"", "units = \"metal\""));
  CHECK(c.run.time_step == 0.001);
  CHECK(c.neighbor.skin == 0);
}

TEST_CASE("every other key is read") {
  const Case c = read_text(
      "units = \"real\"\nbackend = \"cuda\"\n"
      "[system]\nfile = \"x.xyz\"\nframe = -1\nperiodic = [true, false, true]\n"
      "[[system.type]]\nname = \"Ar\"\nmass = 39.948\n[[system.type]]\nname = \"Xe\"\n"
      "[pair]\nstyle = \"lj/cut\"\ncutoff = 10\nshift = true\nmixing = \"sixthpower\"\n"
      "[[pair.coefficients]]\ntypes = [\"Ar\", \"Xe\"]\nepsilon = 0\nsigma = 0\ncutoff = 8\n"
      "[neighbor]\nskin = 0\nrebuild = \"every\"\nevery = 20\n"
      "[run]\nsteps = 0\ntime_step = 2\n"
      "[thermo]\nevery = 0\nfile = \"t.csv\"\n"
      "[trajectory]\nevery = 5\nfile = \"t.xyz\"\nvelocities = true\nforces = true\n"
      "columns = [\"images\", \"charges\"]\n"
      "[restart]\nevery = 7\nfile = \"r\"\n");
  CHECK(c.system.format == md::AtomFile::extended_xyz);
  CHECK(c.system.frame == -1);
  CHECK(*c.system.periodic == std::array{true, false, true});
  CHECK(c.system.types.size() == 2);
  CHECK(c.system.types[0].mass == 39.948);
  CHECK(c.system.types[1].mass == 1.0);
  CHECK(c.backend == "cuda");
  CHECK(c.pair.settings.at("shift") == 1);
  CHECK(c.pair.coefficients[0].value("cutoff") == 8.0);
  CHECK(c.neighbor.every == 20);
  CHECK(c.run.steps == 0);
  CHECK(c.trajectory.forces);
  CHECK(c.trajectory.columns == std::vector<std::string>{"images", "charges"});
  CHECK(c.restart.every == 7);
  CHECK(c.velocities == nullptr);
}

TEST_CASE("the format of an input file follows from its name or is given") {
  const auto format = [](const std::string& keys) {
    return read_text("[system]\n" + keys + "\n[pair]\ncutoff = 1\n[run]\nsteps = 0\n")
        .system.format;
  };
  CHECK(format("file = \"a/x.data\"") == md::AtomFile::lammps_data);
  CHECK(format("file = \"data.melt\"") == md::AtomFile::lammps_data);
  CHECK(format("file = \"x.extxyz\"") == md::AtomFile::extended_xyz);
  CHECK(format("file = \"x\"\nformat = \"extxyz\"") == md::AtomFile::extended_xyz);
  CHECK_FALSE(format("restart = \"x\"\nlattice = \"fcc\"").has_value());
}

TEST_CASE("input files are beside the case file, those of the command line in the current folder") {
  const TemporaryDirectory directory;
  const std::filesystem::path file = directory.write(
      "table.toml",
      "[system]\nfile = \"x.data\"\n[pair]\nstyle = \"table\"\n"
      "cutoff = 1\n[[pair.coefficients]]\ntypes = [1, 1]\nfile = \"a/t\"\n"
      "[[pair.coefficients]]\ntypes = [1, 2]\nfile = \"/tmp/t\"\n[run]\nsteps = 0\n");
  const Case given(read_case(file));
  CHECK(given.system.file.path == directory / "x.data");
  CHECK(given.pair.coefficients[0].file.path == directory / "a/t");
  CHECK(given.pair.coefficients[1].file.path == "/tmp/t");
  const Case changed(
      read_case(file, {"system.file=\"../a/../x.data\"", "pair.coefficients.1.file=t"}));
  CHECK(changed.system.file.path == "../x.data");
  CHECK(Case(read_case(file, {"system.restart=x"})).system.restart.path == "x");
  CHECK(changed.pair.coefficients[0].file.path == directory / "a/t");
  CHECK(changed.pair.coefficients[1].file.path == "t");
  // A value that holds others, and a case in the current folder.
  const Case whole(
      read_case(file, {"pair.coefficients=[{types=[1, 1], file=\"in/the/current/folder\"}]"}));
  CHECK(whole.pair.coefficients[0].file.path == "in/the/current/folder");
  CHECK(whole.system.file.path == directory / "x.data");
}

TEST_CASE("overrides change and add values before the checks") {
  const Case c = read_text(
      melt, {"run.steps=5", "units=real", "system.cells=[1, 2, 3]", "pair.coefficients.0.epsilon=2",
             "trajectory.every = 10", "selection.\"md/pair_force\" = \"reference\"",
             "precision=\"single\"", "parameters.\"md/pair_force\".block_size=64",
             "system.cells.2=7", "run.steps=6", "title=half:50%"});
  CHECK(c.title == "half:50%");
  CHECK(c.run.steps == 6);
  CHECK(c.units == "real");
  CHECK(c.run.time_step == 1.0);
  CHECK(c.system.cells == std::array<std::int64_t, 3>{1, 2, 7});
  CHECK(c.pair.coefficients[0].value("epsilon") == 2.0);
  CHECK(c.pair.coefficients[0].value("sigma") == 1.0);
  CHECK(c.trajectory.every == 10);
  CHECK(c.selection.at("md/pair_force").implementation == "reference");
  CHECK(c.precision == Precision::single);
  CHECK(std::get<std::int64_t>(c.parameters.at("md/pair_force").at("block_size").value) == 64);
  CHECK(std::get<double>(c.parameters.at("md/pair_force").at("fraction").value) == 0.5);
}

TEST_CASE("a bad override is refused and named") {
  check_refused(melt, {0, "", "steps", "--set: 'steps': expected key=value"}, {"steps"});
  check_refused(melt, {0, "", "=5", "expected key=value"}, {"=5"});
  check_refused(melt, {0, "run.steps", "[1", "expected a TOML key and value"}, {"run.steps=[1"});
  check_refused(melt, {0, "run.steps", "\"many\"", "--set run.steps=many: run.steps = \"many\""},
                {"run.steps=many"});
  check_refused(melt, {0, "run.stesp", "", "unknown key, did you mean 'steps'?"}, {"run.stesp=1"});
  check_refused(melt, {0, "pair.coefficients.1", "a table", "expected an index below 1"},
                {"pair.coefficients.1.epsilon=2"});
  check_refused(melt, {0, "run", "5", "expected a table [run]"}, {"run=5"});
}

TEST_CASE("malformed TOML and a missing file are refused with the line") {
  check_refused(with(melt, "density = 0.8442", "density = "), {6, "", "", "malformed TOML: "});
  check_refused(with(melt, "[run]", "[run"), {17, "", "", "malformed TOML: "});
  check_refused(with(melt, "[run]", "[.]"), {17, "", "", "malformed TOML: "});
  check_refused(melt + "[run]\n", {26, "", "", "malformed TOML: "});
  check_input_error([] { static_cast<void>(read_case("/nowhere/case.toml")); },
                    {0, "", "", "/nowhere/case.toml: cannot be read: No such file"});
}

TEST_CASE("an unknown key is refused with line and nearest name") {
  check_refused(with(melt, "cutoff", "cutof"),
                {12, "pair.cutof", "",
                 "case.toml:12: pair.cutof: unknown key, did you mean "
                 "'cutoff'?"});
  check_refused(with(melt, "[velocities]", "[velocites]"),
                {8, "velocites", "", "did you mean 'velocities'?"});
  check_refused(
      with(melt, "epsilon = 1", "eps = 1"),
      {15, "pair.coefficients.eps", "", "expected one of types, style, epsilon, sigma, cutoff"});
  check_refused(with(melt, "title", "name"), {1, "name", "", "unknown key"});
}

TEST_CASE("a missing key is refused") {
  check_refused(with(melt, "cutoff = 2.5\n", ""),
                {11, "pair.cutoff", "", "missing key, expected a finite number greater than zero"});
  check_refused(with(melt, "steps = 1000", ""), {17, "run.steps", "", "missing key"});
  check_refused(with(melt, "[run]\nsteps = 1000", ""),
                {0, "run", "", "missing key, expected a table [run]"});
  check_refused(with(melt, "temperature = 1.44\n", ""), {8, "velocities.temperature", "", ""});
  check_refused(with(melt, "density = 0.8442\n", ""),
                {4, "system.density", "", "lattice_constant"});
  check_refused(with(melt, "lattice = \"fcc\"\n", ""), {4, "system.file", "", "a file, a lattice"});
  check_refused(with(melt, "cells = [20, 20, 20]\n", ""), {4, "system.cells", "", "three whole"});
  check_refused(with(melt, "sigma = 1.0\n", ""), {13, "pair.coefficients.sigma", "", ""});
  check_refused("", {0, "system", "", "missing key, expected a table [system]"});
}

TEST_CASE("a value outside its range is refused") {
  check_refused(with(melt, "cutoff = 2.5", "cutoff = 0"),
                {12, "pair.cutoff", "0", "expected a finite number greater than zero"});
  check_refused(with(melt, "cutoff = 2.5", "cutoff = -2.5"), {12, "pair.cutoff", "-2.5", ""});
  check_refused(with(melt, "cutoff = 2.5", "cutoff = inf"), {12, "pair.cutoff", "inf", "finite"});
  check_refused(with(melt, "cutoff = 2.5", "cutoff = \"2.5\""), {12, "pair.cutoff", "\"2.5\"", ""});
  check_refused(with(melt, "steps = 1000", "steps = -1"),
                {18, "run.steps", "-1", "expected a whole number from 0 up"});
  check_refused(with(melt, "steps = 1000", "steps = 1e3"), {18, "run.steps", "1000.0", "whole"});
  check_refused(with(melt, "steps = 1000", "steps = 1\ntime_step = 0.0"),
                {19, "run.time_step", "0.0", "greater than zero"});
  check_refused(with(melt, "temperature = 1.44", "temperature = nan"),
                {9, "velocities.temperature", "nan", "zero or more"});
  check_refused(with(melt, "seed = 87287", "seed = -1"), {10, "velocities.seed", "-1", ""});
  check_refused(with(melt, "density = 0.8442", "density = 0"), {6, "system.density", "0", ""});
  check_refused(with(melt, "[20, 20, 20]", "[20, 0, 20]"),
                {7, "system.cells", "0", "three whole numbers from 1 up"});
  check_refused(with(melt, "[20, 20, 20]", "[20, 20]"),
                {7, "system.cells", "an array of 2", "three whole numbers from 1 up"});
  check_refused(with(melt, "epsilon = 1", "epsilon = -1"),
                {15, "pair.coefficients.epsilon", "-1", "zero or more"});
  check_refused(with(melt, "sigma = 1.0", "sigma = 0.0"),
                {16, "pair.coefficients.sigma", "0.0", "greater than zero"});
  check_refused(with(melt, "types = [1, 1]", "types = [1, 0]"),
                {14, "pair.coefficients.types", "0", "two types, each by name or by number"});
  check_refused(with(melt, "types = [1, 1]", "types = [1]"),
                {14, "pair.coefficients.types", "an array of 1", ""});
}

TEST_CASE("an unknown name is refused with the candidates") {
  check_refused(with(melt, "units = \"lj\"", "units = \"rael\""),
                {2, "units", "\"rael\"", "expected one of lj, real, metal, did you mean 'real'?"});
  check_refused(with(melt, "precision = \"mixed\"", "precision = \"half\""),
                {3, "precision", "\"half\"", "expected one of double, mixed, single"});
  check_refused(with(melt, "precision = \"mixed\"", "backend = \"cud\""),
                {3, "backend", "\"cud\"", "did you mean 'cuda'?"});
  check_refused(with(melt, "lattice = \"fcc\"", "lattice = \"hcp\""),
                {5, "system.lattice", "\"hcp\"", "expected one of sc, bcc, fcc, diamond"});
  check_refused(with(melt, "cutoff = 2.5", "cutoff = 2.5\nmixing = \"lorentz\""),
                {13, "pair.mixing", "\"lorentz\"", "geometric, arithmetic, sixthpower"});
  check_refused(with(melt, "cutoff = 2.5", "cutoff = 2.5\nstyle = \"lj/long\""),
                {13, "pair.style", "\"lj/long\"", "lj/cut"});
}

TEST_CASE("what a pair style needs is refused where it stands") {
  const auto style = [](const std::string& keys) {
    return with(melt, "cutoff = 2.5", "cutoff = 2.5\n" + keys);
  };
  check_refused(style("style = \"lj/gromacs\"\nswitch = 2.5"),
                {14, "pair.switch", "2.5", "a number below cutoff = 2.5"});
  check_refused(style("style = \"lj/switch\"\nswitch = -1"), {14, "pair.switch", "-1", "zero"});
  check_refused(
      with(style("style = \"lj/gromacs\""), "sigma = 1.0", "sigma = 1.0\ncutoff = 2\nswitch = 2.1"),
      {19, "pair.coefficients.switch", "2.1", "a number below cutoff = 2"});
  check_refused(style("style = \"lj/cut+coul/dsf\"\nalpha = -0.1"),
                {14, "pair.alpha", "-0.1", "zero or more"});
  check_refused(style("style = \"lj/cut+coul/long\""), {11, "pair.alpha", "", "missing key"});
  check_refused(style("style = \"coul/cut+lj/cut\""),
                {13, "pair.style", "\"coul/cut+lj/cut\"",
                 "a sum of several, those with charges last, like \"lj/cut+coul/cut\""});
  check_refused(style("style = \"lj/cut+morse\""), {14, "pair.coefficients.d0", "", "missing key"});
  check_refused(style("style = \"lj/cut+coul/drf\""),
                {13, "pair.style", "\"lj/cut+coul/drf\"", "did you mean 'lj/cut+coul/dsf'?"});
  check_refused(with(style("style = \"mie/cut\""), "sigma = 1.0",
                     "sigma = 1.0\nrepulsive = 6\nattractive = 6"),
                {19, "pair.coefficients.attractive", "6", "a number below repulsive = 6"});
}

TEST_CASE("factors of pairs near by bonds are refused where they stand") {
  const std::string section = melt + "[exclusions]\n";  // line 26
  check_refused(section + "factors = [0, -0.5, 1]\n",
                {27, "exclusions.factors", "-0.5", "three finite numbers of zero or more"});
  check_refused(section + "coulomb_factors = [0, 1]\n",
                {27, "exclusions.coulomb_factors", "an array of 2", "three finite numbers"});
  check_refused(section + "[[exclusions.pairs]]\natoms = [4, 4]\n",
                {28, "exclusions.pairs.atoms", "an array of 2", "expected two different atoms"});
  check_refused(section + "[[exclusions.pairs]]\nfactor = 0.5\n",
                {27, "exclusions.pairs.atoms", "", "missing key"});
}

TEST_CASE("keys that exclude each other are refused") {
  check_refused(with(melt, "density = 0.8442", "density = 0.8442\nlattice_constant = 1.7"),
                {7, "system.lattice_constant", "1.7", "either density or lattice_constant"});
  check_refused(with(melt, "density = 0.8442", "file = \"x.data\""),
                {5, "system.lattice", "\"fcc\"", "the atoms come from a file"});
  check_refused(with(melt, "density = 0.8442", "density = 1\natom_style = \"full\""),
                {7, "system.atom_style", "\"full\"", "the atoms come from a lattice"});
  check_refused(melt + "[neighbor]\nevery = 20\n",
                {27, "neighbor.every", "20", "expected only with rebuild = \"every\""});
  check_refused(melt + "[neighbor]\nrebuild = \"every\"\n",
                {26, "neighbor.every", "", "missing key"});
  const std::string rest = "[pair]\ncutoff = 1\n[run]\nsteps = 0\n";
  check_refused("[system]\nfile = \"x.data\"\nframe = 1\n" + rest, {3, "system.frame", "1", ""});
  check_refused("[system]\nfile = \"x.xyz\"\natom_style = \"full\"\n" + rest,
                {3, "system.atom_style", "\"full\"", "only with a LAMMPS data file"});
  check_refused("[system]\nfile = \"x.dat\"\n" + rest,
                {2, "system.file", "\"x.dat\"", "does not show the format"});
  check_refused(
      "[system]\nfile = \"x.data\"\n[[system.type]]\nname = \"A\"\n" + rest,
      {3, "system.type.mass", "", "the mass of an atom of this type of a LAMMPS data file"});
}

TEST_CASE("types and their sites must fit") {
  const std::string types = "[[system.type]]\nname = \"A\"\n[[system.type]]\nname = \"B\"\n";
  const std::string head = "[system]\nlattice = \"bcc\"\ndensity = 1\ncells = [1, 1, 1]\n";
  const std::string rest = "[pair]\ncutoff = 1\n[run]\nsteps = 0\n";
  const Case c = read_text(head + "site_types = [\"A\", \"B\"]\n" + types + rest);
  CHECK(c.system.site_types == std::vector<std::string>{"A", "B"});
  check_refused(head + types + rest, {1, "system.site_types", "", "missing key"});
  check_refused(head + "site_types = [\"A\"]\n" + types + rest,
                {5, "system.site_types", "an array of 1", "the names of 2 types"});
  check_refused(head + "site_types = [\"A\", \"Bb\"]\n" + types + rest,
                {5, "system.site_types", "an array of 2", "named 'Bb', did you mean 'B'?"});
  check_refused(head + "[[system.type]]\nname = \"A\"\n[[system.type]]\nname = \"A\"\n" + rest,
                {8, "system.type.name", "\"A\"", "each name once"});
  check_refused(head + "[[system.type]]\nname = \"A\"\nmass = 0\n" + rest,
                {7, "system.type.mass", "0", "greater than zero"});
}

TEST_CASE("bad selections and parameters are refused") {
  check_refused(with(melt, "\"cuda.list\"", "3"),
                {20, "selection.md/pair_force", "3", "the name of an implementation"});
  check_refused(with(melt, "block_size = 128", "block_size = [1]"),
                {22, "parameters.md/pair_force.block_size", "an array of 1", "expected a number"});
  check_refused(with(melt, "[parameters.\"md/pair_force\"]", "[parameters]"),
                {22, "parameters.block_size", "128", "expected a table of parameters"});
}

TEST_CASE("tables below an operation's parameters spell an implementation") {
  const std::string nested =
      with(melt, "[parameters.\"md/pair_force\"]", "[parameters.\"md/pair_force\".cuda.list]");
  const Case c = read_text(nested);
  CHECK(c.parameters.at("md/pair_force").count("cuda.list.block_size") == 1);
  CHECK(read_text(effective_toml(c)) == c);
  check_refused(
      with(nested, "block_size = 128", "block_size = [1]"),
      {22, "parameters.md/pair_force.cuda.list.block_size", "an array of 1", "expected a number"});
}

TEST_CASE("the effective case reads back to the same case") {
  const std::vector<std::string> cases = {
      melt,
      with(melt, "density = 0.8442",
           "lattice_constant = 0.1\njitter = 1e-300\njitter_seed = 4\n"
           "periodic = [true, false, true]\nsite_types = [\"A\", \"B\", \"A\", \"B\"]\n"
           "type = [{name = \"A\"}, {name = \"B\", mass = 2.5}]"),
      "title = \"quotes \\\" and \\\\ and \\t\"\nunits = \"real\"\nbackend = \"serial\"\n"
      "[system]\nfile = \"x.lmp\"\natom_style = \"full\"\n[pair]\ncutoff = 10\nshift = true\n"
      "mixing = \"arithmetic\"\n[[pair.coefficients]]\ntypes = [\"O\", 2]\nepsilon = 1e20\n"
      "sigma = 3.1\ncutoff = 9\n[neighbor]\nrebuild = \"every\"\nevery = 3\n[run]\nsteps = 4\n",
      "[system]\nfile = \"x\"\nformat = \"extxyz\"\nframe = 3\n[pair]\ncutoff = 1\n"
      "[run]\nsteps = 0\n",
      "[system]\nrestart = \"x\"\n[pair]\ncutoff = 1\n[run]\nsteps = 0\n"};
  for (const std::string& text : cases) {
    const Case c = read_text(text);
    const std::string effective = effective_toml(c);
    INFO(effective);
    CHECK(read_text(effective) == c);
    CHECK(effective_toml(read_text(effective)) == effective);
  }
  CHECK_FALSE(read_text(cases[0]) == read_text(cases[0], {"parameters.\"md/pair_force\".mode=x"}));
}

}  // namespace tessera::app
