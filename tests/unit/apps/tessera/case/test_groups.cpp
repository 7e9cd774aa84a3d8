#include "core/operations/registry.hpp"
#include "physics/md/case/continued_case.hpp"
#include "physics/md/case/groups_section.hpp"
#include "physics/md/case/run_setup.hpp"
#include "tests/support/input_errors.hpp"
#include "tests/support/relative.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/unit/apps/tessera/case/md_case.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <string>

/// \file
/// The section [groups] of a case: selection of the atoms of a group, and errors.

namespace tessera::app {
namespace {

using test::check_input_error;
using test::TemporaryDirectory;
using test::with;

/// A case with 32 atoms whose ids begin with 1; every fourth atom has the type "W".
const std::string small_case =
    "[system]\nlattice = \"fcc\"\ndensity = 0.8\ncells = [2, 2, 2]\n"
    "site_types = [\"W\", \"F\", \"F\", \"F\"]\n"
    "type = [{name = \"W\"}, {name = \"F\"}, {name = \"void\"}]\n"
    "[velocities]\ntemperature = 1\nseed = 3\n"
    "[pair]\ncutoff = 1.4\n"
    "[[pair.coefficients]]\ntypes = [1, 1]\nepsilon = 1\nsigma = 1\n"
    "[[pair.coefficients]]\ntypes = [2, 2]\nepsilon = 1\nsigma = 1\n"
    "[[pair.coefficients]]\ntypes = [3, 3]\nepsilon = 1\nsigma = 1\n"
    "[run]\nsteps = 1\n";

md::RunSetup set_up(const std::string& groups) {
  const TemporaryDirectory directory;
  return md::set_up_run(read_case(directory.write("case.toml", small_case + groups)));
}

/// Ids of the frozen atoms.
std::vector<std::int64_t> frozen(const std::string& groups) {
  const md::System system = set_up(groups).initial.system;
  std::vector<std::int64_t> ids;
  for (std::size_t i = 0; i < system.ids.size(); ++i)
    if (system.is_frozen(i)) ids.push_back(system.ids[i]);
  return ids;
}

void refused(const std::string& groups, const test::ExpectedError& expected) {
  INFO(groups);
  check_input_error([&] { (void)set_up(groups); }, expected);
}

}  // namespace

TEST_CASE("a case without groups knows nothing of them") {
  const md::RunSetup setup = set_up("");
  CHECK(setup.initial.system.frozen.empty());
  CHECK(setup.initial.groups.marks.empty());
  CHECK(setup.pair.classes.empty());
  CHECK(setup.parts.observables.empty());
}

TEST_CASE("groups are made of types, of ids and of ranges of them") {
  using Ids = std::vector<std::int64_t>;
  const Ids every_fourth = {1, 5, 9, 13, 17, 21, 25, 29};
  CHECK(frozen("[groups]\nfrozen = [\"W\"]\n") == every_fourth);
  CHECK(frozen("[groups]\nfrozen = [1]\n") == every_fourth);
  CHECK(frozen("[groups]\nfrozen = [\"g\"]\n[[groups.group]]\nname = \"g\"\ntypes = [1]\n") ==
        every_fourth);
  CHECK(frozen("[groups]\nfrozen = [\"g\"]\n[[groups.group]]\nname = \"g\"\n"
               "ids = [7, \"2:4\", \"20:32:6\", \"31:1000\"]\n") ==
        Ids{2, 3, 4, 7, 20, 26, 31, 32});
  CHECK(frozen("[groups]\nfrozen = [\"g\", \"h\"]\n[[groups.group]]\nname = \"g\"\nids = [7]\n"
               "[[groups.group]]\nname = \"h\"\nids = [\"-9:8:16\"]\ntypes = [\"void\"]\n") ==
        Ids{7});
}

TEST_CASE("groups are added up: types and ids, and several of them") {
  const auto ids = frozen(
      "[groups]\nfrozen = [\"g\", \"h\"]\n[[groups.group]]\nname = \"g\"\nids = [2]\n"
      "types = [\"W\"]\n[[groups.group]]\nname = \"h\"\nids = [32, 2]\n");
  CHECK(ids.size() == 10);
  CHECK(std::count(ids.begin(), ids.end(), 2) == 1);
  CHECK(frozen("[groups]\n[[groups.group]]\nname = \"g\"\nids = [2]\n").empty());
}

TEST_CASE("frozen atoms get no velocities, and the others the temperature") {
  const md::RunSetup setup = set_up("[groups]\nfrozen = [\"W\"]\n");
  CHECK(setup.initial.warnings.empty());
  const md::System& system = setup.initial.system;
  for (std::size_t i = 0; i < system.ids.size(); ++i)
    CHECK((system.velocities[i][0] == 0) == system.is_frozen(i));
  refused("[groups]\nfrozen = [\"all\"]\n",
          {0, "velocities.temperature", "", "at least two atoms that move"});
}

TEST_CASE("excluded pairs are rows of the table without a cutoff") {
  const auto cutoff = [](const md::RunSetup& setup, int i, int j) {
    return setup.pair.coefficients.at(i, j, 0);
  };
  const md::RunSetup types = set_up("[groups]\nexcluded = [[\"W\", 2]]\n");
  CHECK(types.pair.classes.empty());
  CHECK(types.pair.coefficients.types() == 3);
  CHECK(cutoff(types, 0, 1) == 0);
  CHECK(cutoff(types, 0, 0) == 1.4);
  const md::RunSetup groups = set_up(
      "[groups]\nexcluded = [[\"g\", \"g\"]]\n[[groups.group]]\nname = \"g\"\nids = [\"1:4\"]\n"
      "[[groups.group]]\nname = \"unused\"\nids = [8]\n");
  CHECK(groups.pair.coefficients.types() == 5);
  CHECK(groups.initial.system.types.size() == 3);
  REQUIRE(groups.pair.classes.size() == 32);
  CHECK(groups.pair.classes[0] == 1);
  CHECK(groups.pair.classes[1] == 3);
  CHECK(groups.pair.classes[4] == 0);
  CHECK(cutoff(groups, 1, 3) == 0);
  CHECK(cutoff(groups, 0, 3) == 1.4);
  refused("[groups]\nexcluded = [[\"all\", \"all\"]]\n",
          {0, "groups.excluded", "", "expected a pair of types or groups that still interacts"});
}

TEST_CASE("excluded groups have nothing of special pairs either, and keep their bonds") {
  const TemporaryDirectory directory;
  const auto data = [&](const std::string& name, int molecules) {
    std::string text = "molecules\n\n" + std::to_string(2 * molecules) + " atoms\n" +
                       std::to_string(molecules) +
                       " bonds\n1 atom types\n1 bond types\n\n0 9 xlo xhi\n0 9 ylo yhi\n"
                       "0 9 zlo zhi\n\nMasses\n\n1 1\n\nPair Coeffs\n\n1 1 1\n\n"
                       "Bond Coeffs\n\n1 50 1\n\nAtoms # full\n\n"
                       "1 1 1 0.5 1 1 1\n2 1 1 -0.4 2.1 1 1\n";
    if (molecules == 2) text += "3 2 1 0.3 1 2.5 1\n4 2 1 0.7 2.2 2.5 1\n";
    text += "\nBonds\n\n1 1 1 2\n";
    if (molecules == 2) text += "2 1 3 4\n";
    return directory.write(name, text);
  };
  const auto energies = [&](int molecules, const std::string& groups) {
    data("atoms.data", molecules);
    md::RunSetup setup = md::set_up_run(
        read_case(directory.write("case.toml",
                                  "[system]\nfile = \"atoms.data\"\n[pair]\nstyle = "
                                  "\"lj/cut+coul/rf\"\ncutoff = 3\n[bond]\n[run]\nsteps = 0\n" +
                                      groups)));
    const md::ThermoRow row = md::Simulation::make(registry().open("serial"), setup.initial.system,
                                                   setup.parts, *setup.units, setup.options)
                                  ->thermo();
    std::map<std::string, double> by_name;
    for (const md::TermEnergy& term : row.terms)
      by_name[term.term] += term.energy;
    return by_name;
  };
  const std::string groups = "[[groups.group]]\nname = \"second\"\nids = [3, 4]\n";
  auto first = energies(1, "");
  auto both = energies(2, "");
  auto excluded = energies(2, "[groups]\nexcluded = [[\"second\", \"all\"]]\n" + groups);
  CHECK(first.size() == 3);
  CHECK(first["pair"] == 0);
  CHECK(both["pair"] != 0);
  CHECK(excluded["pair"] == 0);
  CHECK(excluded["bond"] == both["bond"]);
  CHECK(first["special"] != 0);
  CHECK(both["special"] != test::relative(first["special"]));
  CHECK(excluded["special"] == test::relative(first["special"]).epsilon(1e-14));
}

TEST_CASE("a group without atoms is told, as in LAMMPS, and does nothing") {
  const md::RunSetup setup = set_up(
      "[groups]\nfrozen = [\"g\"]\nenergies = [[\"g\", \"F\"]]\n[[groups.group]]\nname = \"g\"\n"
      "types = [\"void\"]\n");
  REQUIRE(setup.initial.warnings.size() == 1);
  CHECK(setup.initial.warnings[0].find(":29: the group 'g' has no atoms") != std::string::npos);
  CHECK(setup.initial.system.frozen.empty());
}

TEST_CASE("wrong groups are refused with their line and what was expected") {
  const std::string group = "[[groups.group]]\nname = \"g\"\n";
  refused("[groups]\n" + group, {27, "groups.group.types", "", "expected types or ids of atoms"});
  refused("[groups]\n[[groups.group]]\nids = [1]\n",
          {27, "groups.group.name", "", "missing key, expected a text in quotes"});
  refused("[groups]\n[[groups.group]]\nname = \"a b\"\nids = [1]\n",
          {28, "groups.group.name", "\"a b\"", "expected letters, digits and underscores"});
  refused("[groups]\n[[groups.group]]\nname = \"all\"\nids = [1]\n",
          {28, "groups.group.name", "\"all\"", "the group of all atoms has this one"});
  refused("[groups]\n[[groups.group]]\nname = \"F\"\nids = [1]\n",
          {27, "groups.group.name", "\"F\"", "expected a name that no type has"});
  refused("[groups]\n" + group + "ids = [1]\n" + group + "ids = [2]\n",
          {31, "groups.group.name", "\"g\"", "expected each name once"});
  refused("[groups]\n" + group + "types = [4]\n",
          {29, "groups.group.types", "4", "expected a type from 1 to 3"});
  refused("[groups]\n" + group + "types = [\"xyz\"]\n",
          {29, "groups.group.types", "\"xyz\"", "expected one of the types W, F, void"});
  refused("[groups]\n" + group + "types = [\"vojd\"]\n",
          {29, "groups.group.types", "\"vojd\"", "there is no such type, did you mean 'void'?"});
  refused("[groups]\n" + group + "ids = [33]\n",
          {29, "groups.group.ids", "33", "no atom has such an id; they are from 1 to 32"});
  refused("[groups]\n" + group + "ids = [2,\n  \"40:50\"]\n",
          {30, "groups.group.ids", "\"40:50\"", "no atom has such an id"});
  for (const char* range :
       {"5", "9:5", "5:9:0", "5:9:1:1", "5:", ":5", "5:9 ", "99999999999999999999:5", "a:b", ""})
    refused("[groups]\n" + group + "ids = [\"" + range + "\"]\n",
            {29, "groups.group.ids", "\"" + std::string(range) + "\"",
             "expected a list of ids of atoms, whole numbers or"});
  refused("[groups]\n" + group + "ids = [1.5]\n",
          {29, "groups.group.ids", "1.5", "ranges as in \"5:9\" or \"5:9:2\""});
  std::string many = "[groups]\n";
  for (int i = 0; i < 33; ++i)
    many += "[[groups.group]]\nname = \"g" + std::to_string(i) + "\"\nids = [1]\n";
  refused(many, {124, "groups.group.name", "\"g32\"", "expected at most 32 groups"});
}

TEST_CASE("wrong references to groups are refused with their line") {
  const std::string group = "[[groups.group]]\nname = \"slab\"\nids = [1]\n";
  refused(
      "[groups]\nfrozen = [\"slap\"]\n" + group,
      {27, "groups.frozen", "\"slap\"", "there is no such group or type, did you mean 'slab'?"});
  refused("[groups]\nexcluded = [[\"W\", \"F\"],\n [9, \"slab\"]]\n" + group,
          {28, "groups.excluded", "9", "expected a type from 1 to 3"});
  refused("[groups]\nenergies = [[\"slab\", \"nothing\"]]\n" + group,
          {27, "groups.energies", "\"nothing\"",
           "expected one of the groups and types all, slab, W, F, void"});
  refused("[groups]\nexcluded = [\"W\", \"F\"]\n",
          {27, "groups.excluded", "\"W\"", "expected a list of two groups or types by name"});
  refused("[groups]\nexcluded = [[\"W\"]]\n",
          {27, "groups.excluded", "an array of 1", "expected a list of two groups or types"});
  refused("[groups]\nenergies = [[\"W\", \"F\"], [2, 1]]\n",
          {27, "groups.energies", "2", "expected each pair once"});
  const TemporaryDirectory directory;
  const std::string odd =
      with(with(small_case, "\"W\", \"F\"", "\"W,\", \"F\""), "\"W\"}", "\"W,\"}");
  check_input_error(
      [&] {
        (void)md::set_up_run(read_case(
            directory.write("case.toml", odd + "[groups]\nenergies = [[\"W,\", \"F\"]]\n")));
      },
      {27, "groups.energies", "\"W,\"", "make a group of it"});
}

TEST_CASE("what groups do to forces is part of the physics that a restart compares") {
  const TemporaryDirectory directory;
  const std::string groups =
      "[groups]\nfrozen = [\"W\"]\nexcluded = [[\"W\", \"W\"]]\nenergies = [[\"W\", \"F\"]]\n"
      "[[groups.group]]\nname = \"g\"\nids = [1, \"2:8:2\"]\n";
  const cases::Case c = read_case(directory.write("case.toml", small_case + groups));
  const std::string physics = md::physics_of(c);
  CHECK(physics.find("groups.frozen = [\"W\"]\n") != std::string::npos);
  CHECK(physics.find("groups.excluded = [[\"W\", \"W\"]]\n") != std::string::npos);
  CHECK(physics.find("groups.group.0.ids = [1, \"2:8:2\"]\n") != std::string::npos);
  CHECK(physics.find("energies") == std::string::npos);
  const cases::Case without = read_case(directory.write("case.toml", small_case));
  const auto lines = cases::differences(physics, md::physics_of(without));
  REQUIRE(lines.size() == 4);
  CHECK(lines[0] == "groups.excluded was [[\"W\", \"W\"]], is not given now");
}

}  // namespace tessera::app
