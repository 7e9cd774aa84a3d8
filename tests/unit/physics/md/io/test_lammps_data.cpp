#include "core/base/error.hpp"
#include "physics/md/io/lammps_data.hpp"
#include "tests/support/input_errors.hpp"
#include "tests/support/relative.hpp"
#include "tests/support/temporary_directory.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <map>
#include <string>
#include <vector>

namespace tessera::md {
namespace {

using test::check_input_error;
using test::TemporaryDirectory;
using test::with;

// Three atoms of two types; tests replace parts of the text. Line numbers in the checks refer to
// it.
const std::string atomic_file =
    "title, units = lj\n"           // 1
    "\n"                            // 2
    "3 atoms\n"                     // 3
    "2 atom types\n"                // 4
    "\n"                            // 5
    "0 10 xlo xhi\n"                // 6
    "-5.0 5.0 ylo yhi  # bounds\n"  // 7
    "0 20 zlo zhi\n"                // 8
    "\n"                            // 9
    "Masses\n"                      // 10
    "\n"                            // 11
    "1 1.5  # A\n"                  // 12
    "2 2.5  # B\n"                  // 13
    "\n"                            // 14
    "Atoms # atomic\n"              // 15
    "\n"                            // 16
    "10 1 1.0 2.0 3.0\n"            // 17
    "30 2 9.0 -4.0 19.5\n"          // 18
    "20 1 5.0 0.0 7.25\n"           // 19
    "\n"                            // 20
    "Velocities\n"                  // 21
    "\n"                            // 22
    "20 0.1 0.2 0.3\n"              // 23
    "10 1e-3 -2 +3\n"               // 24
    "30 7 8 9\n";                   // 25

// The same file in the style molecular, to which tests add bonds.
std::string molecular_file() {
  std::string text = with(atomic_file, "Atoms # atomic", "Atoms # molecular");
  text = with(text, "10 1 1.0", "10 1 1 1.0");
  text = with(text, "30 2 9.0", "30 1 2 9.0");
  return with(text, "20 1 5.0", "20 1 1 5.0");
}

System read_data(const std::string& text, const LammpsDataOptions& options = {},
                 ReadReport* report = nullptr) {
  const TemporaryDirectory directory;
  return read_lammps_data(directory.write("x.data", text), options, report);
}

void check_data_refused(const std::string& text, const test::ExpectedError& expected,
                        const LammpsDataOptions& options = {}) {
  check_input_error([&] { static_cast<void>(read_data(text, options)); }, expected);
}

}  // namespace

TEST_CASE("a data file of style atomic is read") {
  ReadReport report;
  const System system = read_data(atomic_file, {}, &report);
  REQUIRE(system.size() == 3);
  CHECK(system.box.lower[1] == -5.0);
  CHECK(system.box.length[2] == 20.0);
  CHECK(system.box.periodic[0]);
  CHECK(system.ids == std::vector<std::int64_t>{10, 30, 20});
  CHECK(system.type == std::vector<std::int32_t>{0, 1, 0});
  CHECK(system.positions[1] == std::array{9.0, -4.0, 19.5});
  CHECK(system.images[1] == std::array<std::int32_t, 3>{0, 0, 0});
  REQUIRE(system.types.size() == 2);
  CHECK(system.types[1].name == "B");
  CHECK(system.types[1].mass == 2.5);
  REQUIRE(system.velocities.size() == 3);
  CHECK(system.velocities[0] == std::array{1e-3, -2.0, 3.0});
  CHECK(system.velocities[1] == std::array{7.0, 8.0, 9.0});
  CHECK(system.velocities[2] == std::array{0.1, 0.2, 0.3});
  CHECK(system.charges.empty());
  CHECK(system.molecules.empty());
  CHECK(report.units == "lj");
  CHECK(report.ignored.empty());
  CHECK(report.warnings.empty());
}

TEST_CASE("sections come in any order, with carriage returns and comments") {
  std::string text =
      "# title\n3 atoms # three\n\n2 atom types\n0 10 xlo xhi\n-5 5 ylo yhi\n0 20 zlo zhi\n\n"
      "Velocities\n\n20 0.1 0.2 0.3\n# between rows\n\n10 1e-3 -2 3\n30 7 8 9\n\n"
      "Atoms  # atomic\n\n10 1 1.0 2.0 3.0 # first\n30 2 9.0 -4.0 19.5\n20 1 5 0 7.25\n\n"
      "PairIJ Coeffs\n\n1 1 1 1\n1 2 0.5 1.1 3\n2 2 0 0\n\nMasses\n\n2 2.5\n1 1.5\n";
  std::string windows;
  for (const char c : text)
    windows += c == '\n' ? std::string("\r\n") : std::string(1, c);
  for (const std::string& variant : {text, windows}) {
    const System system = read_data(variant);
    REQUIRE(system.size() == 3);
    CHECK(system.velocities[2] == std::array{0.1, 0.2, 0.3});
    CHECK(system.positions[2] == std::array{5.0, 0.0, 7.25});
    CHECK(system.types[0].name == "1");
    CHECK(system.types[0].mass == 1.5);
    REQUIRE(system.pair_coefficients.size() == 3);
    CHECK(system.pair_coefficients[1].type_j == 1);
    CHECK(system.pair_coefficients[1].values.at("epsilon") == 0.5);
    CHECK(system.pair_coefficients[1].values.at("sigma") == 1.1);
    CHECK(system.pair_coefficients[1].values.at("cutoff") == 3.0);
    CHECK(system.pair_coefficients[0].values.count("cutoff") == 0);
  }
}

TEST_CASE("style charge has a charge, style full a molecule too, both may have image flags") {
  std::string text = with(atomic_file, "Atoms # atomic", "Atoms # charge");
  text = with(text, "10 1 1.0 2.0 3.0", "10 1 -0.8 1.0 2.0 3.0 1 -2 3");
  text = with(text, "30 2 9.0", "30 2 0.4 9.0");
  text = with(text, "20 1 5.0", "20 1 0.4 5.0");
  const System charged = read_data(text);
  CHECK(charged.charges == std::vector<double>{-0.8, 0.4, 0.4});
  CHECK(charged.images[0] == std::array<std::int32_t, 3>{1, -2, 3});
  CHECK(charged.images[1] == std::array<std::int32_t, 3>{0, 0, 0});

  text = with(text, "Atoms # charge", "Atoms");
  text = with(text, "10 1 -0.8", "10 7 1 -0.8");
  text = with(text, "30 2 0.4", "30 8 2 0.4");
  text = with(text, "20 1 0.4", "20 9 1 0.4");
  const System full = read_data(text, {.atom_style = AtomStyle::full});
  CHECK(full.molecules == std::vector<std::int64_t>{7, 8, 9});
  CHECK(full.charges == charged.charges);
  CHECK(full.type == charged.type);
  CHECK(full.positions == charged.positions);
}

TEST_CASE("atoms outside a periodic box are wrapped and their images adjusted") {
  std::string text = with(atomic_file, "10 1 1.0 2.0 3.0", "10 1 -1.0 25.5 40.0 0 1 -1");
  const System system = read_data(text);
  CHECK(system.positions[0] == std::array{9.0, -4.5, 0.0});
  CHECK(system.images[0] == std::array<std::int32_t, 3>{-1, 4, 1});
}

TEST_CASE("topology that nothing uses is counted, skipped and reported") {
  std::string text = with(molecular_file(), "2 atom types\n",
                          "2 atom types\n2 impropers\n1 improper types\n1 extra angle per atom\n");
  text +=
      "\nImproper Coeffs # harmonic\n\n1 450 1.0\n\nImpropers\n\n1 1 10 20 30 10\n"
      "2 1 20 30 10 20\n";
  ReadReport report;
  CHECK(read_data(text, {}, &report).size() == 3);
  CHECK(report.ignored ==
        std::vector<std::string>{"Improper Coeffs (1 rows)", "Impropers (2 rows)"});
  REQUIRE(report.warnings.size() == 2);
  CHECK(report.warnings[1].find("section Impropers (2 rows) is ignored") != std::string::npos);

  check_data_refused(text + "3 1 10 30 20 10\n",
                     {0, "Impropers", "3 1 10 30 20 10", "there are more rows than the 2 that"});
  check_data_refused(
      text.substr(0, text.size() - 16),
      {0, "Impropers", "", "the file ends after 1 of the 2 rows that the header announces"});
  check_data_refused(text.substr(0, text.find("Impropers\n")),
                     {0, "Impropers", "", "the file ends without this section"});
}

TEST_CASE("atoms of angles and dihedrals are read, whatever their types") {
  std::string text = with(molecular_file(), "2 atom types\n",
                          "2 atom types\n2 angles\n1 angle types\n1 dihedrals\n");
  text = with(text, "3 atoms", "4 atoms");
  text = with(text, "30 1 2 9.0", "40 1 2 5.0 5.0 5.0\n30 1 2 9.0");
  text = with(text, "Velocities\n\n", "Velocities\n\n40 0 0 0\n");
  text +=
      "\nAngle Coeffs # harmonic\n\n1 450 1.0\n\nAngles\n\n1 1 10 20 30\n2 bent 20 30 10\n"
      "\nDihedrals\n\n7 2 30 10 40 20\n";
  ReadReport report;
  const System system = read_data(text, {}, &report);
  const auto id = [&](std::int32_t place) { return system.ids[static_cast<std::size_t>(place)]; };
  REQUIRE(system.angles.size() == 2);
  REQUIRE(system.dihedrals.size() == 1);
  CHECK(id(system.angles[0][0]) == 10);
  CHECK(id(system.angles[0][2]) == 30);
  CHECK(id(system.angles[1][1]) == 30);
  CHECK(id(system.dihedrals[0][2]) == 40);
  CHECK(report.ignored == std::vector<std::string>{"Angle Coeffs (1 rows)"});
  REQUIRE(report.warnings.size() == 3);
  CHECK(report.warnings[1].find("the 2 angles have no forces") != std::string::npos);
  CHECK(report.warnings[2].find("the 1 dihedrals have no forces") != std::string::npos);

  check_data_refused(with(text, "1 1 10 20 30", "1 1 10 20 50"),
                     {0, "Angles atom", "50", "expected the id of an atom in section Atoms"});
  check_data_refused(with(text, "1 1 10 20 30", "1 1 10 20 10"),
                     {0, "Angles atom", "10", "expected different atoms"});
  check_data_refused(with(text, "1 1 10 20 30", "1 1 10 20"),
                     {0, "Angles atom", "", "expected a whole number"});
  check_data_refused(with(text, "1 1 10 20 30", "1 1 10 20 30 40"),
                     {0, "Angles", "40", "expected no more columns than id type and 3 atoms"});
  check_data_refused(with(text, "7 2 30 10 40 20", "7 2 30 x 40 20"),
                     {0, "Dihedrals atom", "x", "expected a whole number"});
  check_data_refused(
      with(text, "1 1 10 20 30\n", ""),
      {0, "Angles", "Dihedrals", "expected 2 rows as the header announces, found 1"});
  check_data_refused(text.substr(0, text.find("Dihedrals\n\n7")),
                     {0, "Dihedrals", "", "the file ends without this section"});
}

TEST_CASE("bonds and their coefficients are read and written") {
  std::string text =
      with(molecular_file(), "2 atom types\n", "2 atom types\n2 bonds\n2 bond types\n");
  const std::string head = text;
  text += "\nBond Coeffs # harmonic\n\n2 450 1.0\n1 0.1 0.25\n\nBonds\n\n1 1 10 20\n2 2 30 20\n";
  ReadReport report;
  const System system = read_data(text, {}, &report);
  CHECK(report.warnings.empty());
  CHECK(system.bond_types == 2);
  const auto id = [&](std::size_t bond, std::size_t end) {
    return system.ids[static_cast<std::size_t>(system.bonds[bond].atoms[end])];
  };
  REQUIRE(system.bonds.size() == 2);
  CHECK(id(0, 0) == 10);
  CHECK(id(0, 1) == 20);
  CHECK(id(1, 0) == 30);
  CHECK(id(1, 1) == 20);
  CHECK(system.bonds[0].type == 0);
  CHECK(system.bonds[1].type == 1);
  CHECK(system.bond_coefficients ==
        std::vector<BondCoefficient>{{1, {450, 1.0}}, {0, {0.1, 0.25}}});
  const TemporaryDirectory directory;
  write_lammps_data(directory / "b.data", system);
  const System back = read_lammps_data(directory / "b.data");
  CHECK(back.bonds == system.bonds);
  CHECK(back.bond_coefficients == system.bond_coefficients);
  CHECK(back.bond_types == 2);

  check_data_refused(with(text, "2 2 30 20", "2 2 30 21"),
                     {0, "Bonds atom", "21", "expected the id of an atom in section Atoms"});
  check_data_refused(with(text, "2 2 30 20", "2 2 30 30"),
                     {0, "Bonds atom", "30", "expected two different atoms"});
  check_data_refused(with(text, "2 2 30 20", "2 3 30 20"),
                     {0, "Bonds type", "3", "expected a bond type from 1 to 2"});
  check_data_refused(with(text, "2 450 1.0", "1 450 1.0"),
                     {0, "Bond Coeffs", "1 0.1 0.25", "the type occurs twice"});
  check_data_refused(with(text, "2 450 1.0", "2 -450 1.0"),
                     {0, "Bond Coeffs", "2 -450 1.0", "k: expected a number not below zero"});
  check_data_refused(with(text, "\n2 2 30 20\n", "\n"),
                     {0, "Bonds", "", "the file ends after 1 of the 2 rows"});
  check_data_refused(head, {0, "Bonds", "", "the file ends without this section"});
  static_cast<void>(read_data(with(text, "# harmonic", "# class2"), {}, &report));
  REQUIRE(report.warnings.size() == 1);
  CHECK(report.warnings[0].find("Bond Coeffs are left out: they are of style 'class2', those "
                                "that are read are of ") != std::string::npos);
}

TEST_CASE("type labels name the types and stand for their numbers") {
  std::string text = with(atomic_file, "Masses\n\n1 1.5  # A\n2 2.5  # B\n",
                          "Atom Type Labels\n\n1 Ar\n2 Xe\n\nMasses\n\nXe 2.5\nAr 1.5\n");
  text = with(text, "30 2 9.0", "30 Xe 9.0");
  const System system = read_data(text);
  CHECK(system.types[0].name == "Ar");
  CHECK(system.types[1].mass == 2.5);
  CHECK(system.type == std::vector<std::int32_t>{0, 1, 0});
  check_data_refused(with(text, "30 Xe", "30 Kr"),
                     {0, "type of atom 30", "Kr", "a type number or one of the type labels"});
}

TEST_CASE("bond types have labels, those of angles, dihedrals and impropers are passed over") {
  std::string text = with(molecular_file(), "2 atom types\n",
                          "2 atom types\n2 bonds\n2 bond types\n1 angle types\n"
                          "1 dihedral types\n1 improper types\n1 angles\n");
  text = with(text, "Masses",
              "Bond Type Labels\n\n1 OH\n2 [H]-[O]\n\nAngle Type Labels\n\n1 bent\n\n"
              "Dihedral Type Labels\n\n1 a-b-c-d\n\nImproper Type Labels\n\n1 flat\n\n"
              "Bond Coeffs # harmonic\n\n[H]-[O] 300 1.5\nOH 450 0.95\n\nMasses");
  text += "\nBonds\n\n1 OH 10 20\n2 2 30 20\n\nAngles\n\n1 bent 10 20 30\n";
  ReadReport report;
  const System system = read_data(text, {}, &report);
  CHECK(system.bonds[0].type == 0);
  CHECK(system.bonds[1].type == 1);
  CHECK(system.bond_coefficients ==
        std::vector<BondCoefficient>{{1, {300, 1.5}}, {0, {450, 0.95}}});
  const std::vector<std::string> labels = {"OH", "[H]-[O]"};
  CHECK(system.bond_labels == labels);
  const TemporaryDirectory directory;
  write_lammps_data(directory / "b.data", system);
  CHECK(read_lammps_data(directory / "b.data").bond_labels == labels);
  REQUIRE(report.warnings.size() == 1);
  CHECK(report.warnings[0].find("the 1 angles have no forces") != std::string::npos);

  check_data_refused(with(text, "1 OH 10", "1 HO 10"),
                     {0, "Bonds type", "HO", "expected a type number or one of the type labels"});
  check_data_refused(with(text, "1 OH 10", "1 3 10"),
                     {0, "Bonds type", "3", "expected a bond type from 1 to 2"});
  check_data_refused(with(text, "1 OH\n", "1 2x\n"), {0, "Bond Type Labels", "2x", "a digit"});
  check_data_refused(with(text, "2 [H]-[O]\n", "2 OH\n"), {0, "Bond Type Labels", "OH", "once"});
  check_data_refused(with(text, "2 [H]-[O]\n", "1 HO\n"), {0, "Bond Type Labels", "HO", "once"});
  check_data_refused(with(text, "1 OH\n", "1 OH more\n"),
                     {0, "Bond Type Labels", "more", "no more columns than type label"});
  check_data_refused(with(molecular_file() + "\nBonds\n\n1 OH 10 20\n", "2 atom types\n",
                          "2 atom types\n1 bonds\n1 bond types\n"),
                     {0, "Bonds type", "OH", "no section gives labels to the bond types"});
}

TEST_CASE("a label may hold what is a comment or a number elsewhere") {
  const std::string text = with(
      with(molecular_file(), "2 atom types\n", "2 atom types\n3 bonds\n3 bond types\n"), "Masses",
      "Bond Type Labels\n\n1 C#N # triple\n2 C#C\n3 -2\n\nBond Coeffs# harmonic\n\nC#C 300 1.5\n"
      "C#N 450 0.95 # stiff\n-2 1 2\n\nMasses");
  const System system = read_data(text + "\nBonds\n\n1 C#C 10 20\n2 C#N 30 20\n3 -2 10 30\n");
  CHECK(system.bond_labels == std::vector<std::string>{"C#N", "C#C", "-2"});
  CHECK(system.bonds[0].type == 1);
  CHECK(system.bonds[1].type == 0);
  CHECK(system.bonds[2].type == 2);
  CHECK(system.bond_coefficients[1] == BondCoefficient{0, {450, 0.95}});
  // A comment ends a number only after a blank.
  check_data_refused(with(atomic_file, "1.0 2.0 3.0", "1.0 2.0 3.0#"),
                     {17, "z of atom 10", "3.0#", "expected a number"});
  CHECK(read_data(with(with(atomic_file, "Atoms # atomic", "Atoms#atomic"), "3 atoms", "3 atoms#"))
            .size() == 3);
}

TEST_CASE("words behind a keyword of the header are passed over") {
  ReadReport report;
  std::string text = with(atomic_file, "3 atoms", "3 atoms in all");
  text = with(text, "0 10 xlo xhi", "0 10 xlo xhi of 3");
  CHECK(read_data(text, {}, &report).size() == 3);
  REQUIRE(report.warnings.size() == 2);
  CHECK(report.warnings[0].ends_with("x.data:3: 'in all' behind atoms is ignored"));
  CHECK(report.warnings[1].ends_with("x.data:6: 'of 3' behind xlo xhi is ignored"));
}

TEST_CASE("names of accelerated variants of a style are passed over") {
  for (const std::string suffix : {"/omp", "/opt", "/intel", "/gpu", "/kk", "/kk/host"}) {
    std::string text =
        with(molecular_file(), "2 atom types\n", "2 atom types\n1 bonds\n1 bond types\n");
    text = with(text, "Atoms # molecular", "Atoms # molecular" + suffix);
    text = with(text, "Masses",
                "Pair Coeffs # lj/cut" + suffix + "\n\n1 0.5 1.5\n2 1 1\n\nBond Coeffs # harmonic" +
                    suffix + "\n\n1 10 1.25\n\nMasses");
    ReadReport report;
    const System system = read_data(text + "\nBonds\n\n1 1 10 20\n", {}, &report);
    CHECK(report.warnings.empty());
    CHECK(system.bond_coefficients == std::vector<BondCoefficient>{{0, {10, 1.25}}});
    REQUIRE(system.pair_coefficients.size() == 2);
    CHECK(system.pair_coefficients[0].values.at("sigma") == 1.5);
  }
}

TEST_CASE("rows of a hybrid style are read where one style stands for all") {
  const std::string head =
      with(molecular_file(), "2 atom types\n", "2 atom types\n2 bonds\n2 bond types\n");
  const std::string tail = "\nBonds\n\n1 1 10 20\n2 2 30 20\n";
  for (const std::string comment : {"", " # hybrid", " # hybrid/overlay"}) {
    ReadReport report;
    const System system = read_data(with(head, "Masses",
                                         "Bond Coeffs" + comment +
                                             "\n\n1 harmonic 10 1.25\n2 harmonic/omp 20 1.5\n\n"
                                             "PairIJ Coeffs" +
                                             comment +
                                             "\n\n1 1 morse 1 2 3\n1 2 morse 4 5 6\n"
                                             "2 2 morse/omp 7 8 9\n\nMasses") +
                                        tail,
                                    {}, &report);
    CHECK(report.warnings.empty());
    CHECK(system.bond_coefficients ==
          std::vector<BondCoefficient>{{0, {10, 1.25}}, {1, {20, 1.5}}});
    REQUIRE(system.pair_coefficients.size() == 3);
    CHECK(system.pair_coefficients[1].values.at("alpha") == 5);
  }
  ReadReport report;
  const System mixed =
      read_data(with(head, "Masses",
                     "Bond Coeffs # hybrid\n\n1 harmonic 10 1.25\n2 class2 1.5 1 1 1\n\n"
                     "Pair Coeffs # hybrid\n\n1 morse 1 2 3\n2 lj/cut 1 1\n\nMasses") +
                    tail,
                {}, &report);
  CHECK(mixed.bond_coefficients.empty());
  CHECK(mixed.pair_coefficients.empty());
  REQUIRE(report.warnings.size() == 2);
  CHECK(report.warnings[0].find("Bond Coeffs are left out: they are of style 'class2', those "
                                "that are read are of ") != std::string::npos);
  CHECK(report.warnings[1].find("'morse' and 'lj/cut'") != std::string::npos);
}

TEST_CASE("bond coefficients of several styles are read, and written again") {
  const std::string head =
      with(molecular_file(), "2 atom types\n", "2 atom types\n2 bonds\n2 bond types\n");
  const std::string text = with(head, "Masses",
                                "Bond Coeffs # hybrid\n\n2 morse 30 2 1.5\n1 harmonic 10 1.25\n\n"
                                "Masses") +
                           "\nBonds\n\n1 1 10 20\n2 2 20 30\n";
  const System system = read_data(text);
  CHECK(system.bond_coefficients ==
        std::vector<BondCoefficient>{{1, {30, 2, 1.5}, "morse"}, {0, {10, 1.25}, ""}});
  const TemporaryDirectory directory;
  write_lammps_data(directory / "b.data", system);
  const System back = read_lammps_data(directory / "b.data");
  CHECK(back.bond_coefficients == system.bond_coefficients);
  // The caller's style is that of rows without one.
  LammpsDataOptions morse;
  morse.bond_potential = "morse";
  const System other =
      read_data(with(text, "Bond Coeffs # hybrid\n\n2 morse 30 2 1.5\n1 harmonic 10 1.25\n",
                     "Bond Coeffs\n\n2 30 2 1.5\n1 40 2 1.25\n"),
                morse);
  CHECK(other.bond_coefficients ==
        std::vector<BondCoefficient>{{1, {30, 2, 1.5}, "morse"}, {0, {40, 2, 1.25}, "morse"}});
  check_data_refused(with(text, "30 2 1.5", "30 2"), {0, "Bond Coeffs r0", "", "ends before"});
}

TEST_CASE("coefficients that do not fit are left out where the caller has its own") {
  const std::string head =
      with(molecular_file(), "2 atom types\n", "2 atom types\n1 bonds\n1 bond types\n");
  const std::string text = with(head, "Masses",
                                "Pair Coeffs\n\n1 0.1 3.5 0.1 3.5\n2 0.2 3 0.2 3\n\n"
                                "Bond Coeffs\n\n1 30 1.5 1 1\n\nMasses") +
                           "\nBonds\n\n1 1 10 20\n";
  LammpsDataOptions own;
  check_data_refused(text, {14, "Pair Coeffs", "3.5", "no more columns"});
  own.own_pairs = true;
  check_data_refused(text, {19, "Bond Coeffs", "1", "no more columns"}, own);
  own.own_bonds = true;
  ReadReport report;
  const System system = read_data(text, own, &report);
  CHECK(system.pair_coefficients.empty());
  CHECK(system.bond_coefficients.empty());
  CHECK(system.bonds.size() == 1);
  REQUIRE(report.warnings.size() == 2);
  CHECK(
      report.warnings[0].find("x.data:12: Pair Coeffs are left out: others are given, and these do "
                              "not fit: ") != std::string::npos);
  CHECK(report.warnings[0].find("x.data:14: Pair Coeffs") != std::string::npos);
  // A section that ends too early is still an error.
  check_data_refused(with(text, "2 0.2 3 0.2 3\n", ""),
                     {0, "Pair Coeffs", "Bond Coeffs", "expected 2 rows"}, own);
}

TEST_CASE("pair coefficients without a style are those of the form that is asked for") {
  const std::string text =
      with(atomic_file, "Masses", "Pair Coeffs\n\n1 1000 0.3 20\n2 900 0.25 7\n\nMasses");
  LammpsDataOptions options;
  options.pair_potential = "buck";
  CHECK(read_data(text, options).pair_coefficients[1].values.at("rho") == 0.25);
  options.pair_potential = "lj/cut";
  CHECK(read_data(text, options).pair_coefficients[1].values.at("sigma") == 0.25);
}

TEST_CASE("masses come from the caller where the file has none") {
  const std::string masses = "Masses\n\n1 1.5  # A\n2 2.5  # B\n";
  LammpsDataOptions options;
  options.masses = {{"2", 20.0}, {"1", 10.0}};
  const System system = read_data(with(atomic_file, masses, ""), options);
  CHECK(system.types[0].mass == 10.0);
  CHECK(system.types[1].mass == 20.0);
  CHECK(system.types[1].name == "2");
  const System labeled = read_data(with(atomic_file, masses, "Atom Type Labels\n\n1 [2]\n2 Xe\n"),
                                   {.atom_style = {}, .masses = {{"1", 1}, {"Xe", 2}}});
  CHECK(labeled.types[1].mass == 2);
  // Masses of the options override those of the file, and the reader reports this.
  ReadReport report;
  options.masses = {{"B", 20.0}, {"1", 1.5}};
  CHECK(read_data(atomic_file, options, &report).types[1].mass == 20.0);
  REQUIRE(report.warnings.size() == 1);
  CHECK(report.warnings[0].find("type B has the mass 2.5 there, the case has 20, which is used") !=
        std::string::npos);
  check_data_refused(with(atomic_file, masses, ""),
                     {0, "mass of type 2", "", "[[system.type]] with name = \"2\" and its mass"},
                     {.atom_style = {}, .masses = {{"1", 1}}});
  check_data_refused(atomic_file, {0, "type", "C", "expected one of A, B"},
                     {.atom_style = {}, .masses = {{"C", 1}}});
  check_data_refused(atomic_file, {0, "type", "3", "expected one of A, B"},
                     {.atom_style = {}, .masses = {{"3", 1}}});
}

TEST_CASE("words behind Atoms that name no style give a warning where the style is given") {
  const std::string text = with(molecular_file(), "Atoms # molecular", "Atoms # id mol type x y z");
  ReadReport report;
  const System system = read_data(text, {.atom_style = AtomStyle::molecular}, &report);
  CHECK(system.molecules == std::vector<std::int64_t>{1, 1, 1});
  REQUIRE(report.warnings.size() == 1);
  CHECK(report.warnings[0].find("x.data:15: 'id mol type x y z' behind Atoms begins with no atom "
                                "style, the columns are taken as those of molecular") !=
        std::string::npos);
  check_data_refused(text, {15, "Atoms", "id mol type x y z", "does not state its style"});
}

TEST_CASE("the style that is asked for wins over the one behind Atoms") {
  for (const std::string style : {"charge", "full", "sphere", "hybrid"}) {
    ReadReport report;
    const System system = read_data(with(atomic_file, "Atoms # atomic", "Atoms # " + style),
                                    {.atom_style = AtomStyle::atomic}, &report);
    CHECK(system.positions[0] == std::array{1.0, 2.0, 3.0});
    REQUIRE(report.warnings.size() == 1);
    CHECK(report.warnings[0].ends_with(
        "x.data:15: '" + style +
        "' behind Atoms is another atom style than the atomic that was asked for, the columns are "
        "taken as those of atomic (id type x y z)"));
  }
  check_data_refused(atomic_file, {17, "Atoms", "10 1 1.0 2.0 3.0", "expected 6 columns"},
                     {.atom_style = AtomStyle::charge});
}

TEST_CASE("styles of the same columns differ in what the header may announce") {
  using enum AtomStyle;
  for (const AtomStyle style : {bond, angle, molecular}) {
    const std::string text =
        with(molecular_file(), "Atoms # molecular", "Atoms # " + std::string(name(style)));
    for (const AtomStyle asked : {bond, angle, molecular})
      CHECK(read_data(text, {.atom_style = asked}).molecules.size() == 3);
    check_data_refused(text, {17, "Atoms", "10 1 1 1.0 2.0 3.0", "expected 7 columns"},
                       {.atom_style = full});
  }
  struct Kind {
    const char* counts;
    std::vector<AtomStyle> holding;
  };
  const std::vector<Kind> kinds = {{"1 bonds\n", {bond, angle, molecular, full}},
                                   {"1 angles\n", {angle, molecular, full}},
                                   {"1 dihedrals\n", {molecular, full}},
                                   {"1 impropers\n", {molecular, full}}};
  for (const Kind& kind : kinds)
    for (const AtomStyle style : {atomic, charge, bond, angle, molecular, full}) {
      const std::string text =
          with(with(atomic_file, "2 atom types\n", std::string("2 atom types\n") + kind.counts),
               "Atoms # atomic", "Atoms");
      const bool holds =
          std::find(kind.holding.begin(), kind.holding.end(), style) != kind.holding.end();
      if (!holds)
        check_data_refused(
            text,
            {0, "atom_style", std::string(name(style)), "which atoms of this style cannot have"},
            {.atom_style = style});
    }
}

TEST_CASE("the hint at the style of atoms considers the header and every row") {
  const auto hint = [](const std::string& counts, const std::string& rows) {
    const std::string text = "t\n2 atoms\n2 atom types\n" + counts +
                             "0 9 xlo xhi\n0 9 ylo yhi\n0 9 zlo zhi\n\nMasses\n\n1 1\n2 1\n\n"
                             "Atoms\n\n" +
                             rows + "\nVelocities\n\n1 0 0 0\n2 0 0 0\n";
    try {
      static_cast<void>(read_data(text));
    } catch (const InputError& error) {
      CHECK(error.where().line == 13 + std::count(counts.begin(), counts.end(), '\n'));
      const std::string message = error.what();
      const std::size_t start = message.find("; its ");
      return start == std::string::npos ? message : message.substr(start);
    }
    return std::string("read");
  };
  const std::string molecule = " (id molecule type x y z)";
  // Bonds in the file rule out the style charge, angles the style bond, dihedrals the style angle.
  const std::string six = "1 1 1 1 2 3\n2 1 2 4 5 6\n";
  CHECK(hint("", six) ==
        "; its 6 columns fit charge (id type q x y z) or bond or angle or "
        "molecular" +
            molecule);
  CHECK(hint("1 bonds\n", six) == "; its 6 columns fit bond or angle or molecular" + molecule);
  CHECK(hint("1 bond types\n", six) == "; its 6 columns fit bond or angle or molecular" + molecule);
  CHECK(hint("1 angles\n", six) == "; its 6 columns fit angle or molecular" + molecule);
  CHECK(hint("1 dihedrals\n", six) == "; its 6 columns fit molecular" + molecule);
  CHECK(hint("1 impropers\n", six) == "; its 6 columns fit molecular" + molecule);
  // A charge that cannot be a type rules out the other styles, in any row.
  CHECK(hint("", "1 1 1 1 2 3\n2 1 -1 4 5 6\n") == "; its 6 columns fit charge (id type q x y z)");
  CHECK(hint("", "1 1 1 1 2 3 0 0 1\n2 3 2 4 5 6\n") ==
        "; its 9 columns fit bond or angle or molecular" + molecule);
  CHECK(hint("", "1 1 1 2 3\n2 2 4 5 6 0 0 0\n") == "; its 5 columns fit atomic (id type x y z)");
  CHECK(hint("", "1 1 1 0.5 1 2 3\n2 1 2 0 4 5 6\n") ==
        "; its 7 columns fit full (id molecule type q x y z)");
  // Diameter and density after the type; bonds of atoms without molecules.
  CHECK(hint("", "1 1 0.5 1.5 1 2 3\n2 2 0.5 1.5 4 5 6\n") == "; its 7 columns fit none of them");
  CHECK(hint("1 bonds\n", "1 1 1 2 3\n2 2 4 5 6\n") == "; its 5 columns fit none of them");
  CHECK(hint("", "\n").ends_with("'Atoms # full'"));
}

TEST_CASE("a direction without bounds goes from -0.5 to 0.5") {
  ReadReport report;
  const System system = read_data(with(atomic_file, "0 20 zlo zhi\n", ""), {}, &report);
  CHECK(system.box.lower[2] == -0.5);
  CHECK(system.box.length[2] == 1.0);
  REQUIRE(report.warnings.size() == 1);
  CHECK(report.warnings[0].find("the header has no zlo zhi: they are taken as -0.5 and 0.5") !=
        std::string::npos);
}

TEST_CASE("pair coefficients have the columns of their style") {
  const auto values = [](const std::string& section, const std::string& rows) {
    ReadReport report;
    const System system =
        read_data(with(atomic_file, "Masses", section + "\n\n" + rows + "\n\nMasses"), {}, &report);
    CHECK(report.warnings.empty());
    REQUIRE(system.pair_coefficients.size() > 1);
    // Reading a written file gives the same system.
    const TemporaryDirectory directory;
    write_lammps_data(directory / "b.data", system);
    const System back = read_lammps_data(directory / "b.data");
    for (std::size_t k = 0; k < system.pair_coefficients.size(); ++k)
      CHECK(back.pair_coefficients[k].values == system.pair_coefficients[k].values);
    return system.pair_coefficients[1].values;
  };
  using Values = std::map<std::string, double>;
  CHECK(values("Pair Coeffs # buck", "1 1 2 3\n2 1000 0.3 20 2.5") ==
        Values{{"a", 1000}, {"rho", 0.3}, {"c", 20}, {"cutoff", 2.5}});
  CHECK(values("Pair Coeffs # morse", "1 1 2 3\n2 0.5 5 1.1") ==
        Values{{"d0", 0.5}, {"alpha", 5}, {"r0", 1.1}});
  CHECK(values("Pair Coeffs # yukawa/omp", "1 1\n2 -3 2.5") == Values{{"a", -3}, {"cutoff", 2.5}});
  CHECK(values("Pair Coeffs # mie/cut", "1 1 1 12 6\n2 0.5 1.1 14 5.5") ==
        Values{{"epsilon", 0.5}, {"sigma", 1.1}, {"repulsive", 14}, {"attractive", 5.5}});
  CHECK(values("PairIJ Coeffs # lj/gromacs", "1 1 1 1\n1 2 0.5 1.1 0.9 1.2\n2 2 1 1") ==
        Values{{"epsilon", 0.5}, {"sigma", 1.1}, {"switch", 0.9}, {"cutoff", 1.2}});
  CHECK(values("PairIJ Coeffs # lj/cut/coul/cut", "1 1 1 1 3 4\n1 2 0.5 1.1 2.5\n2 2 1 1 3 4") ==
        Values{{"epsilon", 0.5}, {"sigma", 1.1}, {"cutoff", 2.5}, {"coulomb_cutoff", 2.5}});
  CHECK(values("PairIJ Coeffs # lj/cut/coul/long/kk/host", "1 1 1 1\n1 2 0.5 1.1 2.5\n2 2 1 1") ==
        Values{{"epsilon", 0.5}, {"sigma", 1.1}, {"cutoff", 2.5}});

  const auto refused = [](const std::string& style, const std::string& row, const char* message) {
    check_data_refused(
        with(atomic_file, "Masses", "Pair Coeffs # " + style + "\n\n" + row + "\n2 1 1\n\nMasses"),
        {12, "Pair Coeffs", row, message});
  };
  refused("buck", "1 1 0 3", "rho: expected a number greater than zero");
  refused("mie/cut", "1 1 1 6 12", "attractive: expected a number below repulsive = 6");
  refused("lj/gromacs", "1 1 1 0.9", "the last of them all or none");
  refused("lj/gromacs", "1 1 1 1.2 0.9", "switch: expected a number below cutoff = 0.9");
  check_data_refused(with(atomic_file, "Masses", "Pair Coeffs # morse\n\n1 1 2\n2 1 1\n\nMasses"),
                     {12, "Pair Coeffs r0", "", "ends before"});
  check_data_refused(
      with(atomic_file, "Masses", "Pair Coeffs # morse\n\n1 1 2 3 4 5\n2 1 1\n\nMasses"),
      {12, "Pair Coeffs", "5", "no more columns than type d0 alpha r0 cutoff (morse)"});
}

TEST_CASE("pair coefficients of a style that is not known are skipped with a warning") {
  ReadReport report;
  const System system = read_data(
      with(atomic_file, "Masses", "Pair Coeffs # lj/class2\n\n1 1 2 3\n2 1 2 3\n\nMasses"), {},
      &report);
  CHECK(system.pair_coefficients.empty());
  REQUIRE(report.warnings.size() == 1);
  CHECK(report.warnings[0].find("x.data:10: Pair Coeffs are left out: they are of style "
                                "'lj/class2', those that are read are of buck, ") !=
        std::string::npos);
}

TEST_CASE("an empty system is read") {
  const System system = read_data(
      "t\n0 atoms\n1 atom types\n0 1 xlo xhi\n0 1 ylo yhi\n0 1 zlo zhi\n\nMasses\n\n1 1.0\n");
  CHECK(system.size() == 0);
  CHECK(system.types.size() == 1);
}

TEST_CASE("a missing file, a directory and an empty file are refused") {
  const TemporaryDirectory directory;
  check_input_error([&] { static_cast<void>(read_lammps_data(directory / "none.data")); },
                    {0, "", "", "none.data: cannot be read: No such file or directory"});
  check_input_error([&] { static_cast<void>(read_lammps_data(directory.path())); },
                    {0, "", "", "cannot be read: Is a directory"});
  check_data_refused("", {0, "", "", "the file is empty"});
}

TEST_CASE("a header that is not complete or not supported is refused") {
  check_data_refused(with(atomic_file, "3 atoms\n", ""), {0, "header", "", "'<count> atoms'"});
  check_data_refused(with(atomic_file, "2 atom types\n", ""),
                     {0, "header", "", "'<count> atom types'"});
  check_data_refused(
      with(atomic_file, "0 10 xlo xhi\n-5.0 5.0 ylo yhi  # bounds\n0 20 zlo zhi\n", ""),
      {0, "header", "", "'<low> <high> xlo xhi'"});
  check_data_refused(with(atomic_file, "0 20 zlo zhi\n", "0 20 zlo zhi\n0.5 0 xy xz yz\n"),
                     {9, "xy xz yz", "0.5 0 xy xz yz", "expected three finite numbers"});
  check_data_refused(with(atomic_file, "0 20 zlo zhi\n", "0 20 zlo zhi\n0.5 nan 0 xy xz yz\n"),
                     {9, "xy xz yz", "0.5 nan 0 xy xz yz", "expected three finite numbers"});
  check_data_refused(with(atomic_file, "0 20 zlo zhi\n", "0 20 zlo zhi\n10 0 0 avec\n"),
                     {9, "avec", "10 0 0 avec", "either vectors (avec, bvec, cvec) or bounds"});
  check_data_refused(with(atomic_file, "0 10 xlo", "10 10 xlo"),
                     {6, "xlo xhi", "10 10 xlo xhi", "the second greater than the first"});
  check_data_refused(with(atomic_file, "0 10 xlo", "0 inf xlo"),
                     {6, "xlo xhi", "0 inf xlo xhi", ""});
  check_data_refused(with(atomic_file, "3 atoms", "-3 atoms"), {3, "atoms", "-3", "from 0 up"});
  check_data_refused(with(atomic_file, "3 atoms", "3.5 atoms"),
                     {3, "atoms", "3.5", "whole number"});
  check_data_refused(with(atomic_file, "2 atom types", "2 atom tpyes"),
                     {4, "header line", "2 atom tpyes", "did you mean 'atom types'?"});
  check_data_refused(with(atomic_file, "2 atom types", "2 atom types\n1 ellipsoids"),
                     {5, "ellipsoids", "1", "point particles"});
}

TEST_CASE("counts that differ from the header are refused") {
  check_data_refused(
      with(atomic_file, "3 atoms", "4 atoms"),
      {21, "Atoms", "Velocities", "expected 4 rows as the header announces, found 3"});
  check_data_refused(with(atomic_file, "3 atoms", "2 atoms"),
                     {19, "Atoms", "20 1 5.0 0.0 7.25", "more rows than the 2 that the header"});
  check_data_refused(atomic_file.substr(0, atomic_file.find("20 1 5.0")),
                     {0, "Atoms", "", "the file ends after 2 of the 3 rows"});
  check_data_refused(atomic_file.substr(0, atomic_file.find("Atoms")),
                     {0, "Atoms", "", "the file ends without this section"});
  check_data_refused(atomic_file.substr(0, atomic_file.find("30 7 8 9")),
                     {0, "Velocities", "", "the file ends after 2 of the 3 rows"});
  check_data_refused(with(atomic_file, "2 2.5  # B\n", ""),
                     {14, "Masses", "Atoms", "expected 2 rows as the header announces, found 1"});
  check_data_refused(atomic_file.substr(0, atomic_file.find(".25\n\nVel") - 2) + "\n",
                     {19, "Atoms", "20 1 5.0 0.0", "expected 5 columns (id type x y z) or 8"});
}

TEST_CASE("masses are required and positive") {
  check_data_refused(with(atomic_file, "Masses\n\n1 1.5  # A\n2 2.5  # B\n", ""),
                     {0, "mass of type 1", "", "[[system.type]] with name = \"1\" and its mass"});
  check_data_refused(with(atomic_file, "1 1.5", "1 0.0"),
                     {12, "mass of type 1", "0.0", "greater than zero"});
  check_data_refused(with(atomic_file, "1 1.5", "1 nan"), {12, "mass of type 1", "nan", "finite"});
  check_data_refused(with(atomic_file, "2 2.5", "1 2.5"),
                     {13, "mass of type 1", "", "occurs twice"});
  check_data_refused(with(atomic_file, "2 2.5", "3 2.5"), {13, "Masses", "3", "from 1 to 2"});
}

TEST_CASE("a bad atom is refused with its id and line") {
  check_data_refused(
      with(atomic_file, "30 2 9.0 -4.0", "30 2 9.0 nan"),
      {18, "y of atom 30", "nan", "x.data:18: y of atom 30 = nan: expected a finite"});
  check_data_refused(with(atomic_file, "30 2 9.0", "30 2 -inf"),
                     {18, "x of atom 30", "-inf", "finite"});
  check_data_refused(with(atomic_file, "30 2 9.0", "30 2 9,0"),
                     {18, "x of atom 30", "9,0", "a number"});
  check_data_refused(with(atomic_file, "30 2 9.0", "30 3 9.0"),
                     {18, "type of atom 30", "3", "expected a type from 1 to 2"});
  check_data_refused(with(atomic_file, "30 2 9.0", "30 0 9.0"), {18, "type of atom 30", "0", ""});
  check_data_refused(with(atomic_file, "30 2 9.0", "x30 2 9.0"),
                     {18, "Atoms", "x30 2 9.0 -4.0 19.5", "found 1"});
  check_data_refused(with(atomic_file, "30 2 9.0", "0 2 9.0"), {18, "Atoms id", "0", "from 1 up"});
  check_data_refused(with(atomic_file, "30 2 9.0", "10 2 9.0"),
                     {18, "Atoms id", "10", "it is also on line 17"});
  check_data_refused(with(atomic_file, "30 2 9.0 -4.0", "30 2 -4.0"),
                     {18, "Atoms", "30 2 -4.0 19.5", "for atom_style atomic, found 4"});
  check_data_refused(with(atomic_file, "9.0 -4.0 19.5", "9.0 -4.0 19.5 0 0"),
                     {18, "Atoms", "30 2 9.0 -4.0 19.5 0 0", "found 7"});
  check_data_refused(with(atomic_file, "9.0 -4.0 19.5", "9.0 -4.0 19.5 0 0 0 1"),
                     {18, "Atoms", "30 2 9.0 -4.0 19.5 0 0 0 1", "found 9"});
  check_data_refused(with(atomic_file, "9.0 -4.0 19.5", "9.0 -4.0 19.5 0 0.5 0"),
                     {18, "image flag y of atom 30", "0.5", "whole number"});
  check_data_refused(with(atomic_file, "9.0 -4.0 19.5", "9.0 -4.0 1e30"),
                     {18, "z of atom 30", "1e+30", "within 1e9 box lengths"});
}

TEST_CASE("an atom outside a direction that is not periodic is refused, one on a face is not") {
  const LammpsDataOptions open_x = {.atom_style = {}, .periodic = {false, true, true}};
  check_data_refused(with(atomic_file, "30 2 9.0", "30 2 10.5"),
                     {18, "x of atom 30", "10.5", "which is not periodic"}, open_x);
  const System system = read_data(with(atomic_file, "30 2 9.0", "30 2 10.0"), open_x);
  CHECK(system.positions[1][0] == 10.0);
  CHECK_FALSE(system.box.periodic[0]);
}

TEST_CASE("velocities must be those of the atoms") {
  check_data_refused(with(atomic_file, "30 7 8 9", "10 7 8 9"),
                     {25, "Velocities id", "10", "it is also on line 24; atom 30 has no velocity"});
  check_data_refused(with(atomic_file, "30 7 8 9", "31 7 8 9"),
                     {25, "Velocities id", "31", "expected the id of an atom"});
  check_data_refused(with(atomic_file, "30 7 8 9", "30 7 inf 9"),
                     {25, "vy of atom 30", "inf", "finite"});
  check_data_refused(with(atomic_file, "30 7 8 9", "30 7 8"), {25, "vz of atom 30", "", "finite"});
  check_data_refused(with(atomic_file, "30 7 8 9", "30 7 8 9 10"), {25, "Velocities", "10", ""});
}

TEST_CASE("an unknown or repeated section is refused, with the nearest name") {
  check_data_refused(with(atomic_file, "Velocities", "Velocites"),
                     {21, "section", "Velocites", "unknown section, did you mean 'Velocities'?"});
  check_data_refused(with(atomic_file, "Masses", "Mases"),
                     {10, "section", "Mases", "did you mean 'Masses'?"});
  check_data_refused(with(atomic_file, "Velocities", "Atoms # atomic"),
                     {21, "Atoms", "", "occurs twice"});
  // These rows do not count for the section before, which may be a skipped one.
  const std::string text =
      with(with(molecular_file(), "2 atom types\n", "2 atom types\n1 angle types\n"), "Velocities",
           "Angle Coeffs\n\n1 450 104\n\nCS-Info\n\n10 1\n20 1\n30 2\n\nVelocities");
  check_data_refused(text, {26, "section", "CS-Info", "unknown section"});
  check_data_refused(with(text, "1 450 104\n\n", ""),
                     {0, "Angle Coeffs", "CS-Info", "expected 1 rows"});
  check_data_refused(with(text, "1 450 104\n", "1 450 104\n2 450 104\n"),
                     {0, "Angle Coeffs", "2 450 104", "more rows than the 1 that the header"});
}

TEST_CASE("the atom style must be known") {
  check_data_refused(with(atomic_file, "Atoms # atomic", "Atoms"),
                     {15, "Atoms", "", "its 5 columns fit atomic (id type x y z)"});
  for (const std::string style : {"sphere", "dipole", "template", "hybrid", "line"})
    check_data_refused(with(atomic_file, "Atoms # atomic", "Atoms # " + style + " more"),
                       {15, "Atoms", style,
                        "expected one of the atom styles atomic, charge, bond, angle, molecular, "
                        "full"});
  CHECK(read_data(with(atomic_file, "Atoms # atomic", "Atoms"), {.atom_style = AtomStyle::atomic})
            .size() == 3);
}

TEST_CASE("bad pair coefficients are refused") {
  const auto with_rows = [](const std::string& rows) {
    return with(atomic_file, "Masses", "Pair Coeffs # lj/cut\n\n" + rows + "\nMasses");
  };
  CHECK(read_data(with_rows("1 1 1\n2 0.5 1.2 2.5\n")).pair_coefficients.size() == 2);
  check_data_refused(with_rows("1 1 1\n"), {14, "Pair Coeffs", "Masses", "expected 2 rows"});
  check_data_refused(with_rows("1 -1 1\n2 1 1\n"),
                     {12, "Pair Coeffs", "1 -1 1", "epsilon: expected a number not below zero"});
  check_data_refused(with_rows("1 1 0\n2 1 1\n"),
                     {12, "Pair Coeffs", "1 1 0",
                      "sigma: expected a number greater than zero where epsilon is not zero"});
  check_data_refused(with_rows("1 1 1 0\n2 1 1\n"),
                     {12, "Pair Coeffs", "1 1 1 0", "cutoff: expected a length greater than zero"});
  check_data_refused(with_rows("1 1\n2 1 1\n"), {12, "Pair Coeffs sigma", "", "ends before"});
  check_data_refused(with_rows("1 1 1\n1 1 1\n"), {13, "Pair Coeffs", "1 1 1", "occurs twice"});
  check_data_refused(with_rows("1 1 1 2 3\n2 1 1\n"), {12, "Pair Coeffs", "3", "no more columns"});
}

TEST_CASE("what is written is read back to the same bits") {
  const TemporaryDirectory directory;
  System system;
  system.box = {{-1.0 / 3, 0, 0.1}, {10.1, 7, 9}, {true, true, true}};
  system.types = {{"A", 1.0 / 3}, {"B", 39.948}};
  for (int i = 0; i < 100; ++i) {
    const double s = std::sin(i + 0.5);
    system.ids.push_back(1000000007 * std::int64_t{i} + 1);
    system.type.push_back(i % 2);
    system.positions.push_back({4 + 4 * s, 3 + 3 * std::sin(2.0 * i), 4.5 + 4 * std::cos(1.0 * i)});
    system.images.push_back({i, -i, 0});
    system.velocities.push_back({s * 1e-30, -s * 1e10, std::exp(s)});
    system.charges.push_back(s / 7);
    system.molecules.push_back(i / 3);
  }
  system.velocities[0][0] = std::numeric_limits<double>::denorm_min();
  system.pair_coefficients = {{0, 0, {{"epsilon", 1.0 / 3}, {"sigma", 1.1}}},
                              {1, 1, {{"epsilon", 0.7}, {"sigma", 1.0 / 7}, {"cutoff", 2.5}}}};
  write_lammps_data(directory / "x.data", system, {.atom_style = {}, .units = "real"});
  ReadReport report;
  const System back = read_lammps_data(directory / "x.data", {}, &report);
  CHECK(report.units == "real");
  CHECK(back.ids == system.ids);
  CHECK(back.type == system.type);
  CHECK(back.positions == system.positions);
  CHECK(back.images == system.images);
  CHECK(back.velocities == system.velocities);
  CHECK(back.charges == system.charges);
  CHECK(back.molecules == system.molecules);
  CHECK(back.types[0].name == "A");
  CHECK(back.types[0].mass == 1.0 / 3);
  REQUIRE(back.pair_coefficients.size() == 2);
  CHECK(back.pair_coefficients[0].values.at("epsilon") == 1.0 / 3);
  CHECK(back.pair_coefficients[1].values.at("cutoff") == 2.5);
  CHECK_FALSE(std::filesystem::exists(directory / "x.data.part"));
}

TEST_CASE("a tilted box is read, its atoms wrapped along its edges, and written again") {
  const std::string tilts = "3 -4 25 xy xz yz\n";
  const System plain = read_data(atomic_file);
  // Tilts may come before the bounds.
  const System system = read_data(with(atomic_file, "0 10 xlo xhi\n", tilts + "0 10 xlo xhi\n"));
  const Box& box = system.box;
  CHECK(box.tilt[0] == 3);
  CHECK(box.tilt[1] == -4);
  CHECK(box.tilt[2] == 25);
  const auto unwrapped = [](const System& s, std::size_t i) {
    return Vec3<double>{s.positions[i][0], s.positions[i][1], s.positions[i][2]} +
           s.box.edges({static_cast<double>(s.images[i][0]), static_cast<double>(s.images[i][1]),
                        static_cast<double>(s.images[i][2])});
  };
  std::int32_t most = 0;
  for (std::size_t i = 0; i < system.positions.size(); ++i) {
    const auto& r = system.positions[i];
    const Vec3<double> s = box.shares({r[0], r[1], r[2]});
    for (const double share : {s.x, s.y, s.z}) {
      CHECK(share >= -1e-14);
      CHECK(share < 1 + 1e-14);
    }
    // Image flags and positions must be consistent: image counts change by the wrapped periods.
    const Vec3<double> counts = {static_cast<double>(plain.images[i][0]),
                                 static_cast<double>(plain.images[i][1]),
                                 static_cast<double>(plain.images[i][2])};
    const Vec3<double> there =
        Vec3<double>{plain.positions[i][0], plain.positions[i][1], plain.positions[i][2]} +
        box.edges(counts);
    const Vec3<double> difference = unwrapped(system, i) - there;
    CHECK(std::sqrt(dot(difference, difference)) < 1e-12);
    for (std::size_t d = 0; d < 3; ++d)
      most = std::max(most, std::abs(system.images[i][d] - plain.images[i][d]));
  }
  CHECK(most > 0);
  const TemporaryDirectory directory;
  write_lammps_data(directory / "x.data", system);
  const System back = read_lammps_data(directory / "x.data");
  CHECK(back.box == system.box);
  CHECK(back.positions == system.positions);
  CHECK(back.images == system.images);
}

TEST_CASE("a box by general vectors is turned, with all that is in it") {
  const std::string vectors = "0 9 1 avec\n0 0 9 bvec\n8 2 1 cvec\n1 2 3 abc origin\n";
  const std::string head = "t\n\n2 atoms\n1 atom types\n\n";
  const std::string rest =
      "\nMasses\n\n1 1\n\nAtoms # atomic\n\n1 1 1 2 3\n2 1 4 5 6\n\n"
      "Velocities\n\n1 1 2 3\n2 0 0 1\n";
  const System system = read_data(head + vectors + rest);
  const auto near = [](double value) { return test::relative(value).epsilon(1e-14); };
  // The box as LAMMPS writes it.
  CHECK(system.box.lower[2] == 3);
  CHECK(system.box.length[0] == near(9.055385138137414));
  CHECK(system.box.length[1] == near(8.944953612062568));
  CHECK(system.box.length[2] == near(8));
  CHECK(system.box.tilt[0] == near(0.9938837346736187));
  CHECK(system.box.tilt[1] == near(2.098198995422086));
  CHECK(system.box.tilt[2] == near(0.7730206825239243));
  CHECK(system.positions[0] == std::array{1.0, 2.0, 3.0});
  CHECK(system.positions[1][0] == near(4.3129457822453965));
  CHECK(system.positions[1][1] == near(4.6503566257963165));
  CHECK(system.positions[1][2] == near(6));
  CHECK(system.velocities[0][0] == near(2.3190620475717774));
  CHECK(system.velocities[0][1] == near(2.760788151871163));
  CHECK(system.velocities[0][2] == near(1));

  check_data_refused(head + with(vectors, "8 2 1", "-8 2 1") + rest,
                     {9, "abc origin", "1 2 3 abc origin", "right-handed vectors"});
  for (const std::string flat : {"0 18 2", "0 0 0", "1e200 0 0"})
    check_data_refused(head + with(vectors, "0 0 9", flat) + rest,
                       {9, "abc origin", "1 2 3 abc origin", "that span a volume"});
  check_data_refused(head + with(vectors, "0 0 9 bvec\n", "") + rest,
                     {8, "abc origin", "1 2 3 abc origin", "expected avec, bvec and cvec"});
  check_data_refused(head + with(vectors, "0 0 9", "0 nan 9") + rest,
                     {7, "bvec", "0 nan 9 bvec", "three finite numbers"});
}

TEST_CASE("tilts need both of their directions periodic") {
  LammpsDataOptions options;
  options.periodic = {true, false, true};
  const std::string text = with(atomic_file, "0 20 zlo zhi\n", "0 20 zlo zhi\n3 0 0 xy xz yz\n");
  check_input_error([&] { static_cast<void>(read_data(text, options)); },
                    {9, "xy xz yz", "3 0 0 xy xz yz", "expected 0, because y is not periodic"});
  const std::string other = with(atomic_file, "0 20 zlo zhi\n", "0 20 zlo zhi\n0 3 0 xy xz yz\n");
  CHECK(read_data(other, options).box.tilt[1] == 3);
}

TEST_CASE("a system that cannot be written leaves the old file alone") {
  const TemporaryDirectory directory;
  directory.write("x.data", "old");
  System system = read_data(atomic_file);
  system.pair_coefficients = {{0, 1, {{"epsilon", 1}, {"sigma", 1}}}};
  CHECK_THROWS_AS(write_lammps_data(directory / "x.data", system), ArgumentError);
  // A column in the place of another, and names that no style has.
  using Values = std::map<std::string, double>;
  for (const Values& values : {Values{{"epsilon", 1}, {"sigma", 1}, {"coulomb_cutoff", 3}},
                               Values{{"epsilon", 1}, {"rho", 1}}}) {
    system.pair_coefficients = {{0, 0, values}, {1, 1, values}};
    CHECK_THROWS_WITH_AS(write_lammps_data(directory / "x.data", system),
                         doctest::Contains("those of one style that reading knows"), ArgumentError);
  }
  system.pair_coefficients.clear();
  system.ids.pop_back();
  CHECK_THROWS_WITH_AS(write_lammps_data(directory / "x.data", system),
                       "write_lammps_data: 2 ids for 3 atoms", ArgumentError);
  CHECK(directory.read("x.data") == "old");
  system.ids.push_back(99);
  CHECK_THROWS_AS(write_lammps_data(directory / "none/x.data", system), FileError);
}

TEST_CASE("the last line needs no newline") {
  for (const std::string end : {"8 9", "8 9 ", "8 9\r", "8 9 # whole", "8 9\n\n# no newline here"})
    CHECK(read_data(with(atomic_file, "8 9\n", end)).velocities[1][2] == 9.0);
  check_data_refused(with(atomic_file, "8 9\n", "8"), {25, "vz of atom 30", "", "finite"});
}

TEST_CASE("counts that the file cannot hold are refused before memory is taken for them") {
  check_data_refused(with(atomic_file, "2 atom types", "2000000000 atom types"),
                     {4, "atom types", "2000000000", "no more than the file has rows"});
  check_data_refused(with(atomic_file, "2 atom types\n", "2 atom types\n4294967297 bond types\n"),
                     {0, "bond types", "4294967297", "no more than the file has bytes"});
  check_data_refused(with(atomic_file, "3 atoms", "9000000000000000000 atoms"),
                     {0, "Atoms", "Velocities", "rows as the header announces, found 3"});
}

}  // namespace tessera::md
