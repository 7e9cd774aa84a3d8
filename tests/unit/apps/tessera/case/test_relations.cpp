#include "physics/md/atoms_source.hpp"
#include "physics/md/case/run_setup.hpp"
#include "physics/md/case/trial_source.hpp"
#include "physics/md/pair_force/pair_force_cases.hpp"
#include "tests/support/input_errors.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/unit/apps/tessera/case/md_case.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

/// \file
/// The section [exclusions] of a case: factors of pairs up to three bonds apart, with angles and
/// dihedrals of the data file.

namespace tessera::app {
namespace {

using test::TemporaryDirectory;
using test::with;

/// Five atoms in a row; the first three are an angle and the last four a dihedral.
const std::string chain =
    "chain\n\n5 atoms\n4 bonds\n1 angles\n1 dihedrals\n1 atom types\n1 bond types\n1 angle types\n"
    "1 dihedral types\n\n0 9 xlo xhi\n0 9 ylo yhi\n0 9 zlo zhi\n\nMasses\n\n1 1\n\n"
    "Pair Coeffs\n\n1 1 1\n\nAtoms # molecular\n\n"
    "1 1 1 1 1 1\n2 1 1 2 1 1\n3 1 1 3 1.5 1\n4 1 1 4 1 1\n5 1 1 5 1 1\n\n"
    "Bonds\n\n1 1 1 2\n2 1 2 3\n3 1 3 4\n4 1 4 5\n\n"
    "Angles\n\n1 1 1 2 3\n\nDihedrals\n\n1 1 2 3 4 5\n";

/// Result of `use` for a case with the chain.
template <class Use>
auto with_chain(const std::string& keys, const std::string& atoms, const Use& use) {
  const TemporaryDirectory directory;
  (void)directory.write("chain.data", atoms);
  return use(read_case(
      directory.write("case.toml",
                      "[system]\nfile = \"chain.data\"\n[pair]\ncutoff = 2.5\n[bond]\nstyle = "
                      "\"none\"\n[exclusions]\nfactors = [0, 0, 0]\n" +
                          keys + "[run]\nsteps = 0\n")));
}

md::RunSetup set_up_chain(const std::string& keys, const std::string& atoms = chain) {
  return with_chain(keys, atoms, [](const cases::Case& c) { return md::set_up_run(c); });
}

/// Number of atoms that are excluded from pair forces with each atom.
std::vector<std::int32_t> excluded(const md::RunSetup& setup) {
  std::vector<std::int32_t> counts;
  const std::vector<std::int32_t>& offsets = setup.pair.exclusions.offsets;
  for (std::size_t i = 1; i < offsets.size(); ++i)
    counts.push_back(offsets[i] - offsets[i - 1]);
  return counts;
}

bool warned(const md::RunSetup& setup, const std::string& text) {
  for (const std::string& warning : setup.initial.warnings)
    if (warning.find(text) != std::string::npos) return true;
  return false;
}

using Counts = std::vector<std::int32_t>;

}  // namespace

TEST_CASE("angles and dihedrals restrict the pairs near by bonds where the case says so") {
  CHECK(excluded(set_up_chain("")) == Counts{3, 4, 4, 4, 3});
  // The pairs 2-4 and 3-5 are two bonds apart in the dihedral.
  CHECK(excluded(set_up_chain("angle = true\n")) == Counts{3, 4, 4, 4, 3});
  CHECK(excluded(set_up_chain("dihedral = true\n")) == Counts{2, 4, 4, 3, 3});
  CHECK(excluded(set_up_chain("angle = true\ndihedral = true\n")) == Counts{2, 4, 4, 3, 3});
  CHECK(warned(set_up_chain(""), "the 1 angles have no forces"));
  CHECK_FALSE(warned(set_up_chain("angle = true\n"), "exclusions.angle"));
}

TEST_CASE("trials of a case leave out the pairs that its runs leave out") {
  const auto source =
      with_chain("", chain, [](const cases::Case& c) { return md::trial_source(c); });
  const auto& atoms = dynamic_cast<const md::AtomsSource&>(*source);
  const md::RunSetup run = set_up_chain("");
  CHECK(atoms.pair->excluded_from == run.pair.exclusions.offsets);
  CHECK(atoms.pair->excluded == run.pair.exclusions.partners);
  CHECK(atoms.pair->excluded.size() == 18);
}

TEST_CASE("a file without angles or dihedrals leaves none of their pairs, with a warning") {
  std::string bare = with(chain, "1 angles\n1 dihedrals\n", "");
  bare = bare.substr(0, bare.find("Angles\n"));
  const md::RunSetup setup = set_up_chain("angle = true\ndihedral = true\n", bare);
  CHECK(excluded(setup) == Counts{1, 2, 2, 2, 1});
  CHECK(warned(setup, "exclusions.angle: the atoms' file has no angles and no dihedrals"));
  CHECK(warned(setup, "exclusions.dihedral: the atoms' file has no dihedrals"));
  CHECK(excluded(set_up_chain("", bare)) == Counts{3, 4, 4, 4, 3});
}

}  // namespace tessera::app
