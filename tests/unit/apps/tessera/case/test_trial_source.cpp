#include "apps/tessera/case/read_case.hpp"
#include "physics/md/atoms_source.hpp"
#include "physics/md/case/trial_source.hpp"
#include "physics/md/pair_force/pair_force_cases.hpp"
#include "tests/support/temporary_directory.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

namespace tessera::app {

TEST_CASE("trials of a case in a far tilted box keep the digits of its coordinates") {
  const test::TemporaryDirectory folder;
  folder.write("far.data",
               "far\n\n2 atoms\n1 atom types\n0 10 xlo xhi\n0 10 ylo yhi\n0 10 zlo zhi\n"
               "40001 -70000 20000 xy xz yz\n\nMasses\n\n1 1\n\nAtoms # atomic\n\n"
               "1 1 20006.5 5 1\n2 1 -5000 9000.25 5\n");
  const cases::Case c = read_case(
      folder.write("far.toml",
                   "[system]\nfile = \"far.data\"\n[pair]\ncutoff = 2.5\n[[pair.coefficients]]\n"
                   "types = [1, 1]\nepsilon = 1\nsigma = 1\n[run]\nsteps = 1\n"));
  const auto source = md::trial_source(c);
  const auto& atoms = dynamic_cast<const md::AtomsSource&>(*source);
  for (const md::Box& box : {atoms.box, atoms.pair->box}) {
    CHECK(box.length[0] == 10);
    for (const double tilt : box.tilt)
      CHECK(std::abs(tilt) <= 5);
  }
  for (const double x : atoms.pair->positions)
    CHECK(std::abs(x) <= 20);
}

TEST_CASE("trials time fused steps only where the run of the case makes them") {
  const test::TemporaryDirectory folder;
  const auto fused = [&](const std::string& pair, const std::string& run) {
    const cases::Case c = read_case(folder.write(
        "melt.toml",
        "[system]\nlattice = \"fcc\"\ndensity = 0.8442\ncells = [4, 4, 4]\n[velocities]\n"
        "temperature = 1.44\n[pair]\ncutoff = 2.5\n" +
            pair + "[[pair.coefficients]]\ntypes = [1, 1]\nepsilon = 1\nsigma = 1\n" + run));
    return dynamic_cast<const md::AtomsSource&>(*md::trial_source(c)).fused_steps;
  };
  const std::string run = "[run]\nsteps = 1\n";
  CHECK(fused("", run));
  CHECK(fused("tail = true\n", run));
  CHECK(fused("", "[integrator]\nstyle = \"langevin\"\ntemperature = 1\nfriction = 1\n" + run));
  CHECK(!fused("", "[neighbor]\nrebuild = \"every\"\nevery = 5\n" + run));
}

}  // namespace tessera::app
