#include "core/base/error.hpp"
#include "physics/md/io/elements.hpp"
#include "physics/md/io/extended_xyz.hpp"
#include "physics/md/units.hpp"
#include "tests/support/input_errors.hpp"
#include "tests/support/relative.hpp"
#include "tests/support/temporary_directory.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace tessera::md {
namespace {

using test::check_input_error;
using test::TemporaryDirectory;
using test::with;

const std::string two_frames =
    "3\n"                                                                            // 1
    "Lattice=\"10 0 0 0 8.5 0 0 0 6\" pbc=\"T F T\" Properties=id:I:1:species:S:1:"  // 2
    "velo:R:3:mass:R:1:pos:R:3:forces:R:3 energy=-3.5 Time=0.1 note='a \"b\"' flag\n"
    "7 Ar 0.1 0.2 0.3 1.0 1 2 3 0 0 0\n"       // 3
    "3 Xe 1e-3 -2 3 1.0 9.5 8.5 -1.5 0 0 0\n"  // 4
    "5 Ar 0 0 0 1.0 4 4 4 0 0 0\n"             // 5
    "1\n"                                      // 6
    "lattice=\"1 0 0 0 1 0 0 0 1\"\n"          // 7
    "Kr 0.5 0.5 0.5\n";                        // 8

ExtendedXyzOptions at_frame(std::int64_t frame) {
  ExtendedXyzOptions options;
  options.frame = frame;
  return options;
}

System read_xyz(const std::string& text, const ExtendedXyzOptions& options = at_frame(0),
                ReadReport* report = nullptr) {
  const TemporaryDirectory directory;
  return read_extended_xyz(directory.write("x.xyz", text), options, report);
}

void check_xyz_refused(const std::string& text, const test::ExpectedError& expected,
                       const ExtendedXyzOptions& options = at_frame(0)) {
  check_input_error([&] { static_cast<void>(read_xyz(text, options)); }, expected);
}

System sample(std::int32_t types) {
  System system;
  system.box = {{-1.0 / 3, 0, 0.1}, {10.1, 7, 9}, {true, false, true}};
  for (std::int32_t i = 0; i < types; ++i)
    system.types.push_back({"", 1.0});
  for (int i = 0; i < 50; ++i) {
    system.ids.push_back(3 * i + 1);
    system.type.push_back(i % types);
    system.positions.push_back(
        {4 + 4 * std::sin(i + 0.5), 3 + 3 * std::sin(2.0 * i), i / 7.0 + 0.1});
    system.velocities.push_back({std::sin(1.0 * i), -1e-17 / (i + 1), 1e5 / (i + 3)});
  }
  return system;
}

HostColumn column_of(const char* name, const std::vector<std::array<double, 3>>& vectors) {
  std::vector<double> values;
  for (const auto& v : vectors)
    values.insert(values.end(), v.begin(), v.end());
  return {name, 3, std::move(values)};
}

ExtendedXyzWriter::Frame frame_of(const System& system, std::int64_t step) {
  ExtendedXyzWriter::Frame frame;
  frame.box = system.box;
  frame.step = step;
  frame.time = 0.1 * static_cast<double>(step);
  frame.potential_energy = -1.0 / 3;
  frame.ids = system.ids;
  frame.type = system.type;
  frame.positions = system.positions;
  return frame;
}

}  // namespace

TEST_CASE("a frame is read with its columns in any order") {
  ReadReport report;
  const System system = read_xyz(two_frames, at_frame(0), &report);
  REQUIRE(system.size() == 3);
  CHECK(system.box == Box{{0, 0, 0}, {10, 8.5, 6}, {true, false, true}});
  CHECK(system.ids == std::vector<std::int64_t>{7, 3, 5});
  CHECK(system.type == std::vector<std::int32_t>{0, 1, 0});
  CHECK(system.types[0].name == "Ar");
  CHECK(system.types[1].name == "Xe");
  CHECK(system.types[1].mass == 1.0);
  CHECK(system.positions[0] == std::array{1.0, 2.0, 3.0});
  CHECK(system.positions[1] == std::array{9.5, 8.5, 4.5});
  CHECK(system.images[1] == std::array<std::int32_t, 3>{0, 0, -1});
  CHECK(system.velocities[1] == std::array{1e-3, -2.0, 3.0});
  CHECK(report.ignored.empty());
  static_cast<void>(read_xyz(with(two_frames, "mass", "tags"), at_frame(0), &report));
  CHECK(report.ignored == std::vector<std::string>{"column tags"});
  REQUIRE(report.warnings.size() == 1);
  CHECK(report.warnings[0].find("x.xyz:2: column tags is ignored") != std::string::npos);
}

TEST_CASE("a frame is chosen by its number, defaults fill a plain one") {
  for (const std::int64_t frame : {1, -1}) {
    const System system = read_xyz(two_frames, at_frame(frame));
    REQUIRE(system.size() == 1);
    CHECK(system.types[0].name == "Kr");
    CHECK(system.ids == std::vector<std::int64_t>{1});
    CHECK(system.box == Box{{0, 0, 0}, {1, 1, 1}, {true, true, true}});
    CHECK(system.velocities.empty());
  }
  check_xyz_refused(two_frames, {0, "frame", "2", "the file has 2 frames"}, at_frame(2));
}

TEST_CASE("of several frames the last is taken where none is asked for, and told") {
  ReadReport report;
  CHECK(read_xyz(two_frames, {}, &report).types[0].name == "Kr");
  REQUIRE(report.warnings.size() == 1);
  CHECK(
      report.warnings[0].ends_with("x.xyz: the last of 2 frames is read; `frame` selects another"));
  for (const std::int64_t frame : {1, -1}) {
    report = {};
    static_cast<void>(read_xyz(two_frames, at_frame(frame), &report));
    CHECK(report.warnings.empty());
  }
  static_cast<void>(read_xyz(two_frames.substr(0, two_frames.find("1\nlattice")), {}, &report));
  CHECK(report.warnings.empty());
  check_xyz_refused(two_frames.substr(0, two_frames.find("Kr")),
                    {7, "atoms", "", "the file ends after 0 of the 1 atoms"}, {});
}

TEST_CASE("a file without a cell is an open system that its atoms span") {
  // ASE 3.29: write() of build.molecule("CH4"); OVITO 3.17 omits pbc; other programs write zeros.
  const std::string rows =
      "C        0.00000000       0.00000000       0.00000000\n"
      "H        0.62911800       0.62911800       0.62911800\n"
      "H       -0.62911800      -0.62911800       0.62911800\n"
      "H        0.62911800      -0.62911800      -0.62911800\n"
      "H       -0.62911800       0.62911800      -0.62911800\n";
  for (const char* comment :
       {"Properties=species:S:1:pos:R:3 pbc=\"F F F\"", "Properties=species:S:1:pos:R:3",
        "Lattice=\"0 0 0 0 0 0 0 0 0\" Properties=species:S:1:pos:R:3",
        "Lattice=\"0.0 0 0 0 -0.0 0 0 0 0\" pbc=\"F F F\""}) {
    CAPTURE(comment);
    ReadReport report;
    const System system = read_xyz(std::string("5\n") + comment + "\n" + rows, {}, &report);
    REQUIRE(system.size() == 5);
    CHECK(system.positions[2] == std::array{-0.629118, -0.629118, 0.629118});
    CHECK(system.images[2] == std::array<std::int32_t, 3>{0, 0, 0});
    for (int d = 0; d < 3; ++d) {
      CHECK_FALSE(system.box.periodic[d]);
      CHECK(system.box.lower[d] == -0.629118);
      CHECK(system.box.length[d] == 2 * 0.629118);
    }
    REQUIRE(report.warnings.size() == 1);
    CHECK(report.warnings[0].find("x.xyz: no cell along x, y, z: not periodic there") !=
          std::string::npos);
  }
  // In two dimensions the area counts.
  ExtendedXyzOptions plane;
  plane.dimensions = 2;
  ReadReport planar;
  CHECK(read_xyz("2\n\nO 7 -3 0\nH 9 -3 0\n", plane, &planar).size() == 2);
  REQUIRE(planar.warnings.size() == 1);
  CHECK(planar.warnings[0].find("no cell along x, y: ") != std::string::npos);
  CHECK(planar.warnings[0].ends_with("pressures are over its area"));
  planar = {};
  CHECK(read_xyz("1\nLattice=\"2 0 0 0 3 0 0 0 0\"\nO 1 1 0\n", plane, &planar).size() == 1);
  CHECK(planar.warnings.empty());
  // A flat molecule gets a box too, and so does an empty system.
  const System flat = read_xyz("2\npbc=\"F F F\"\nO 7 -3 2e5\nH 9 -3 2e5\n");
  CHECK(flat.box == Box{{7, -3.5, 2e5 - 0.5}, {2, 1, 1}, {false, false, false}});
  CHECK(read_xyz("0\n\n").box == Box{{0, 0, 0}, {1, 1, 1}, {false, false, false}});
  check_xyz_refused("2\n\nO 0 0 -1e300\nH 0 0 1\n",
                    {4, "pos", "1e+300", "length z: expected a length from"});
}

TEST_CASE("a cell may lack the vectors of directions that are not periodic") {
  // ASE 3.29: build.graphene() and build.nanotube(6, 0, length=4).
  const std::string sheet =
      "2\nLattice=\"2.46 0.0 0.0 -1.23 2.1304224933097191 0.0 0.0 0.0 0.0\" "
      "Properties=species:S:1:pos:R:3 pbc=\"T T F\"\n"
      "C 0.0 0.0 0.0\nC 1.23 0.71014083 -3.0\n";
  ReadReport report;
  const System graphene = read_xyz(sheet, {}, &report);
  CHECK(graphene.box ==
        Box{{0, 0, -3}, {2.46, 2.1304224933097191, 3}, {true, true, false}, {-1.23, 0, 0}});
  REQUIRE(report.warnings.size() == 1);
  CHECK(report.warnings[0].find("no cell along z: ") != std::string::npos);
  const System tube = read_xyz("2\nLattice=\"0 0 0 0 0 0 0 0 17.04\"\nC 2 -1 0\nC -2 1 16\n");
  CHECK(tube.box == Box{{-2, -1, 0}, {4, 2, 17.04}, {false, false, true}});

  // A periodic direction needs a vector, whether the file or the options make it periodic.
  check_xyz_refused(with(sheet, "T T F", "T T T"), {2, "Lattice", "", "no vector c"});
  ExtendedXyzOptions options;
  options.periodic = {true, true, true};
  check_xyz_refused(sheet, {2, "Lattice", "", "z is periodic: expected Lattice"}, options);
  check_xyz_refused("1\n\nC 0 0 0\n", {2, "Lattice", "", "no vector a"}, options);
  options.periodic = {true, true, false};
  CHECK(read_xyz(with(sheet, "T T F", "T T T"), options).box == graphene.box);
  // A vector that has any nonzero component is not a zero vector.
  check_xyz_refused(
      with(sheet, "0.0 0.0 0.0\" ", "0.1 0.0 0.0\" "),
      {2, "Lattice", "2.46 0.0 0.0 -1.23 2.1304224933097191 0.0 0.1 0.0 0.0", "greater than zero"});
}

TEST_CASE("a cell that was turned and is triangular but for rounding is taken as triangular") {
  // ASE 3.29: four times rotate(90, "z", rotate_cell=True).
  const std::string text =
      "1\nLattice=\"15.78 -3.8649852981090465e-15 0.0 3.8649852981090465e-15 15.78 1e-17 -1e-17 "
      "0.0 "
      "15.78\" Properties=species:S:1:pos:R:3\nAr 0 0 0\n";
  CHECK(read_xyz(text).box == Box{{0, 0, 0}, {15.78, 15.78, 15.78}, {true, true, true}});
  // An intended tilt is kept; a tilt due to rounding does not require periodic directions.
  const std::string tilted = with(text, "3.8649852981090465e-15 15.78 1", "1e-6 15.78 1");
  CHECK(read_xyz(tilted).box.tilt[0] == 1e-6);
  CHECK_FALSE(read_xyz(with(text, "Properties", "pbc=\"F F F\" Properties")).box.tilted());
  check_xyz_refused(
      with(text, "-3.8649852981090465e-15", "-3.9e-10"),
      {2, "Lattice", "15.78 -3.9e-10 0.0 3.8649852981090465e-15 15.78 1e-17 -1e-17 0.0 15.78",
       "expected a along x"});
}

TEST_CASE("a tilted cell is read and written") {
  System system = sample(2);
  system.types = {{"He", 1}, {"Ar", 1}};
  system.box = {{-1.0 / 3, 0, 0.1}, {10.1, 7, 9}, {true, true, true}, {-1.0 / 3, 12, 1e-7}};
  for (auto& r : system.positions) {
    const Vec3<double> in = system.box.edges({r[0] / 20 + 0.1, r[1] / 20 + 0.3, 0.4});
    r = {system.box.lower[0] + in.x, system.box.lower[1] + in.y, system.box.lower[2] + in.z};
  }
  const TemporaryDirectory directory;
  ExtendedXyzWriter(OutputFile(directory / "x.xyz"), system.types).write(frame_of(system, 1));
  const System back = read_extended_xyz(directory / "x.xyz");
  CHECK(back.box == system.box);
  CHECK(back.positions == system.positions);
  // The same positions, shifted by one lattice vector c.
  for (auto& r : system.positions)
    r = {r[0] + 12, r[1] + 1e-7, r[2] + 9};
  ExtendedXyzWriter(OutputFile(directory / "y.xyz"), system.types).write(frame_of(system, 1));
  const System wrapped = read_extended_xyz(directory / "y.xyz");
  CHECK(wrapped.images[7] == std::array<std::int32_t, 3>{0, 0, 1});
  for (std::size_t d = 0; d < 3; ++d)
    CHECK(wrapped.positions[7][d] == test::relative(back.positions[7][d]).epsilon(1e-12));
}

TEST_CASE("the origin moves the box") {
  const System system = read_xyz(with(two_frames, "pbc", "Origin=\"-5 0.5 0\" pbc"));
  CHECK(system.box.lower[0] == -5.0);
  CHECK(system.positions[1] == std::array{-0.5, 8.5, 4.5});
  CHECK(system.images[1] == std::array<std::int32_t, 3>{1, 0, -1});
}

TEST_CASE("masses of the elements come from their table") {
  ExtendedXyzOptions options = at_frame(0);
  options.element_masses = true;
  const std::string without_masses = with(two_frames, "mass", "tags");
  const System system = read_xyz(without_masses, options);
  CHECK(system.types[0].mass == 39.948);
  CHECK(system.types[1].mass == 131.293);
  check_xyz_refused(with(without_masses, "3 Xe", "3 Xx"),
                    {4, "species of atom 2", "Xx", "expected a chemical element"}, options);
  CHECK(element_mass("U") == 238.02891);
  CHECK_FALSE(element_mass("Tc").has_value());
  CHECK(is_element("Og"));
  CHECK(element_symbol(118) == "Og");
  CHECK(element_symbol(1) == "H");
}

TEST_CASE("a column of masses gives each type its mass") {
  ExtendedXyzOptions options = at_frame(0);
  options.element_masses = true;
  ReadReport report;
  const std::string text = with(two_frames, "3 Xe 1e-3 -2 3 1.0", "3 Xx 1e-3 -2 3 131.5");
  const System system = read_xyz(text, options, &report);
  CHECK(system.types[0].mass == 1.0);
  CHECK(system.types[1].mass == 131.5);
  CHECK(report.warnings.empty());
  check_xyz_refused(with(text, "5 Ar 0 0 0 1.0", "5 Ar 0 0 0 1.5"),
                    {5, "mass of atom 3", "1.5", "expected 1, the mass of the first atom of Ar"});
  check_xyz_refused(with(text, "131.5", "0"), {4, "mass of atom 2", "0", "greater than zero"});
  check_xyz_refused(with(text, "131.5", "-1e308"), {4, "mass of atom 2", "-1e+308", ""});
  options.types = {{"Ar", 2.0}, {"Xx", 131.5}};
  CHECK(read_xyz(text, options, &report).types[0].mass == 2.0);
  REQUIRE(report.warnings.size() == 1);
  CHECK(report.warnings[0].ends_with(": Ar has the mass 1 there, the case has 2, which is used"));
}

TEST_CASE("momenta, as ASE writes them, are velocities times mass in its units") {
  // ASE 3.29: write() of argon atoms whose get_velocities()[0][0] / (units.Ang / units.fs) is
  // 0.1969... / 39.948 in its unit of velocity.
  const std::string text =
      "2\n"
      "Lattice=\"9 0 0 0 9 0 0 0 9\" Properties=species:S:1:pos:R:3:momenta:R:3 pbc=\"T T T\"\n"
      "Ar 0 0 0 0.19700342 0.46837091 0.18836866\n"
      "Ar 2 2 2 0.0 -1.0 39.948\n";
  ExtendedXyzOptions options;
  options.element_masses = true;
  options.ase_velocity = units_from_name("metal").ase_velocity;
  ReadReport report;
  const System metal = read_xyz(text, options, &report);
  CHECK(report.warnings.empty());
  REQUIRE(metal.velocities.size() == 2);
  CHECK(metal.velocities[1][2] == test::relative(98.22694788464063).epsilon(1e-14));
  CHECK(metal.velocities[0][0] == test::relative(0.4844063).epsilon(1e-6));
  // The energy is the same in electron volts.
  CHECK(units_from_name("metal").mv2_to_energy * std::pow(98.22694788464063, 2) ==
        test::relative(1.0).epsilon(1e-6));
  options.ase_velocity = units_from_name("real").ase_velocity;
  CHECK(read_xyz(text, options).velocities[1][2] ==
        test::relative(0.09822694788464063).epsilon(1e-14));
  options.types = {{"Ar", 2.0}};
  options.ase_velocity = units_from_name("lj").ase_velocity;
  CHECK(read_xyz(text, options).velocities[1][1] == -0.5);
  // A mass in the row is the mass of the momentum.
  const std::string with_mass =
      with(with(with(text, "pos:R", "masses:R:1:pos:R"), "Ar 0", "Ar 4 0"), "Ar 2", "Ar 4 2");
  CHECK(read_xyz(with_mass, options).velocities[1][1] == -0.25);
  // Velocities need no conversion.
  const System both = read_xyz(with(with(with(text, "momenta:R:3", "momenta:R:3:velo:R:3"),
                                         "0.18836866", "0.18836866 1 2 3"),
                                    "39.948\n", "39.948 4 5 6\n"),
                               options);
  CHECK(both.velocities[1] == std::array{4.0, 5.0, 6.0});
  check_xyz_refused(with(text, "-1.0", "nan"), {4, "momenta y of atom 2", "nan", "finite"});
}

TEST_CASE("image flags are read, and wrapping goes on from them") {
  const std::string text =
      "2\n"
      "Lattice=\"9 0 0 0 9 0 0 0 9\" Properties=species:S:1:pos:R:3:images:I:3\n"
      "Ar 1 1 1 0 -3 7\n"
      "Ar 10 2 -2 1 0 0\n";
  const System system = read_xyz(text);
  CHECK(system.images[0] == std::array<std::int32_t, 3>{0, -3, 7});
  CHECK(system.images[1] == std::array<std::int32_t, 3>{2, 0, -1});
  check_xyz_refused(with(text, "0 -3 7", "0 -3 2147483648"),
                    {3, "images of atom 1", "2147483648", "whole number"});
  check_xyz_refused(with(with(text, "1 0 0\n", "2147483647 0 0\n"), "-3", "-3"),
                    {4, "pos x of atom 2", "10", "within 1e9 box lengths"});
}

TEST_CASE("more rows than atoms are refused, and the last row needs no newline") {
  check_xyz_refused(with(two_frames, "3\n", "2\n"),
                    {5, "atoms", "5 Ar 0 0 0 1.0 4 4 4 0 0 0", "more rows than the 2 atoms"});
  check_xyz_refused(two_frames + "Kr 0.5 0.5 0.5\n",
                    {9, "atoms", "Kr 0.5 0.5 0.5", "more rows than the 1 atoms"}, at_frame(1));
  CHECK(read_xyz(two_frames + "\n \n", at_frame(1)).size() == 1);
  for (const std::string end : {"0.25", "0.25 ", "0.25\r", "0.25\r\n"})
    CHECK(read_xyz(with(two_frames, "0.5 0.5 0.5\n", "0.5 0.5 " + end), at_frame(1))
              .positions[0][2] == 0.25);
}

TEST_CASE("types that are given must hold every species") {
  ExtendedXyzOptions options = at_frame(0);
  options.types = {{"Xe", 131.0}, {"Ar", 40.0}};
  const System system = read_xyz(two_frames, options);
  CHECK(system.type == std::vector<std::int32_t>{1, 0, 1});
  CHECK(system.types[1].mass == 40.0);
  check_xyz_refused(
      with(two_frames, "3 Xe", "3 Xee"),
      {4, "species of atom 2", "Xee", "one of the types of the case, did you mean 'Xe'?"}, options);
}

TEST_CASE("a file that is missing, empty or truncated is refused") {
  const TemporaryDirectory directory;
  check_input_error([&] { static_cast<void>(read_extended_xyz(directory / "none.xyz")); },
                    {0, "", "", "none.xyz: cannot be read: No such file"});
  check_xyz_refused("", {0, "", "", "the file is empty"});
  check_xyz_refused("three\n", {1, "number of atoms", "three", "whole number"});
  check_xyz_refused("-1\n\n", {1, "number of atoms", "-1", "from 0 up"});
  check_xyz_refused("3\n", {1, "comment line", "", "the file ends after the number of atoms"});
  check_xyz_refused(two_frames.substr(0, two_frames.find("5 Ar")),
                    {4, "atoms", "", "the file ends after 2 of the 3 atoms of this frame"});
  check_xyz_refused(two_frames.substr(0, two_frames.find("Kr")),
                    {7, "atoms", "", "the file ends after 0 of the 1 atoms"}, at_frame(-1));
  check_xyz_refused(with(two_frames, "3\n", "2\n"),
                    {5, "number of atoms", "5 Ar 0 0 0 1.0 4 4 4 0 0 0", "first line of a frame"},
                    at_frame(1));
  check_xyz_refused(with(two_frames, "3\n", "4\n"),
                    {6, "atom 4", "1", "expected 12 columns as Properties announces, found 1"});
}

TEST_CASE("a comment line that cannot be used is refused") {
  check_xyz_refused(with(two_frames, "Lattice", "Cell"),
                    {2, "Lattice", "", "no vector a on the comment"});
  check_xyz_refused(with(two_frames, "10 0 0 0 8.5", "10 1 0 0 8.5"),
                    {2, "Lattice", "10 1 0 0 8.5 0 0 0 6", "expected a along x"});
  check_xyz_refused(with(two_frames, "8.5 0 0 0 6", "8.5 1 0 0 6"),
                    {2, "Lattice", "10 0 0 0 8.5 1 0 0 6", "b in the x-y plane"});
  check_xyz_refused(with(two_frames, "10 0 0 0 8.5", "10 0 0 1 8.5"),
                    {2, "Lattice", "1", "tilt xy: expected 0, because y is not periodic"});
  check_xyz_refused(with(two_frames, "10 0 0 0 8.5", "-10 0 0 0 8.5"),
                    {2, "Lattice", "-10 0 0 0 8.5 0 0 0 6", "greater than zero"});
  check_xyz_refused(with(two_frames, "10 0 0 0 8.5", "10 0 0 8.5"),
                    {2, "Lattice", "10 0 0 8.5 0 0 0 6", "9 finite numbers"});
  check_xyz_refused(with(two_frames, "T F T", "T F"), {2, "pbc", "T F", "three of T or F"});
  check_xyz_refused(with(two_frames, "pbc", "Origin=\"0 0 nan\" pbc"),
                    {2, "Origin", "0 0 nan", "3 finite numbers"});
  check_xyz_refused(with(two_frames, "pos:R:3", "pos:R:2"),
                    {2, "Properties", "pos:R:2", "expected pos:R:3"});
  check_xyz_refused(with(two_frames, "pos:R:3", "pos:S:3"), {2, "Properties", "pos:S:3", ""});
  check_xyz_refused(
      with(two_frames, "species:S:1", "kind:S:1"),
      {2, "Properties", "id:I:1:kind:S:1:velo:R:3:mass:R:1:pos:R:3:forces:R:3", "species and pos"});
  check_xyz_refused("1\nLattice=\"1 0 0 0 1 0 0 0 1\nA 0 0 0\n",
                    {2, "comment line", "Lattice=\"1 0 0 0 1 0 0 0 1", "expected a closing \""});
}

TEST_CASE(
    "atoms outside of an open direction stay there, and the others are wrapped all the same") {
  const System system = read_xyz(with(two_frames, "9.5 8.5 -1.5", "10.5 8.75 -1.5"));
  CHECK(system.positions[1] == std::array{0.5, 8.75, 4.5});
  CHECK(system.images[1] == std::array<std::int32_t, 3>{1, 0, -1});
  const System tilted =
      read_xyz(with(with(two_frames, "8.5 0 0 0 6", "8.5 0 2 0 6"), "9.5 8.5 -1.5", "10.5 -1 6.5"));
  CHECK(tilted.positions[1] == std::array{8.5, -1.0, 0.5});
  CHECK(tilted.images[1] == std::array<std::int32_t, 3>{0, 0, 1});
}

TEST_CASE("a bad atom is refused with its number and line") {
  check_xyz_refused(with(two_frames, "9.5 8.5 -1.5", "9.5 nan -1.5"),
                    {4, "pos y of atom 2", "nan", "expected a finite number"});
  check_xyz_refused(with(two_frames, "9.5 8.5 -1.5", "inf 8.5 -1.5"),
                    {4, "pos x of atom 2", "inf", "expected a finite number"});
  check_xyz_refused(with(two_frames, "9.5 8.5 -1.5", "9.5 8,5 -1.5"),
                    {4, "pos y of atom 2", "8,5", "expected a number"});
  check_xyz_refused(with(two_frames, "3 Xe", "7 Xe"), {4, "id", "7", "it is also on line 3"});
  check_xyz_refused(with(two_frames, "3 Xe", "3.5 Xe"), {4, "id of atom 2", "3.5", "whole number"});
  check_xyz_refused(with(two_frames, "4 4 4 0 0 0", "4 4 4 0 0"),
                    {5, "atom 3", "5 Ar 0 0 0 1.0 4 4 4 0 0", "expected 12 columns"});
  check_xyz_refused(with(two_frames, "4 4 4 0 0 0", "4 4 4 0 0 0 9"),
                    {5, "atom 3", "5 Ar 0 0 0 1.0 4 4 4 0 0 0 9", "found 13"});
}

TEST_CASE("what is written is read back to the same bits") {
  const TemporaryDirectory directory;
  System system = sample(2);
  system.types = {{"Ar", 3.0}, {"Xe", 1.0 / 7}};
  system.charges.resize(50);
  for (std::size_t i = 0; i < 50; ++i)
    system.charges[i] = std::cos(1.0 * static_cast<double>(i));
  const auto frame = [&](std::int64_t step) {
    ExtendedXyzWriter::Frame made = frame_of(system, step);
    made.columns = {column_of("velocities", system.velocities),
                    column_of("forces", system.velocities),
                    {"charges", 1, system.charges},
                    {"images", 3, std::vector<std::int64_t>(150, -3)}};
    made.ase_velocity = 2;
    return made;
  };
  ExtendedXyzWriter writer(OutputFile(directory / "t.xyz"), system.types);
  writer.write(frame(0));
  const System first = read_extended_xyz(directory / "t.xyz", at_frame(-1));
  system.positions[3][0] = 1.0 / 7;
  writer.write(frame(10));
  const System second = read_extended_xyz(directory / "t.xyz", at_frame(-1));
  CHECK(second.box == system.box);
  CHECK(second.ids == system.ids);
  CHECK(second.type == system.type);
  CHECK(second.positions == system.positions);
  CHECK(second.velocities == system.velocities);
  CHECK(second.charges == system.charges);
  CHECK(first.positions != second.positions);
  CHECK(read_extended_xyz(directory / "t.xyz", at_frame(0)).positions == first.positions);
  const std::string text = directory.read("t.xyz");
  CHECK(text.find(" Step=10 Time=1.0000000000000000e+00 energy=-3.3333333333333331e-01\n") !=
        std::string::npos);
  CHECK(text.find("Properties=species:S:1:pos:R:3:velo:R:3:momenta:R:3:masses:R:1:forces:R:3:"
                  "charge:R:1:images:I:3:id:I:1 ") != std::string::npos);
  CHECK(text.find(" -3 -3 -3 1\n") != std::string::npos);
  CHECK(second.images[7] == std::array<std::int32_t, 3>{-3, -3, -3});
  // Without velocities the reader derives them from the momenta.
  const std::string momenta = with(with(text, "velo", "xelo"), "velo", "xelo");
  ExtendedXyzOptions options;
  options.ase_velocity = 2;
  const System third = read_xyz(momenta, options);
  for (std::size_t i = 0; i < 50; ++i)
    CHECK(third.velocities[i][2] == test::relative(system.velocities[i][2]).epsilon(1e-15));
}

TEST_CASE("names that are no elements are written as elements and read back") {
  const TemporaryDirectory directory;
  System system = sample(3);
  system.types = {{"A", 1.0}, {"H", 1.0}, {"2", 1.0}};
  ExtendedXyzWriter(OutputFile(directory / "t.xyz"), system.types).write(frame_of(system, 0));
  CHECK(directory.read("t.xyz").find(" type_names=\"He=A Li=2\"\n") != std::string::npos);
  const System back = read_extended_xyz(directory / "t.xyz");
  CHECK(back.type == system.type);
  CHECK(back.types[0].name == "A");
  CHECK(back.types[1].name == "H");
  CHECK(back.types[2].name == "2");
  CHECK(back.velocities.empty());
}

TEST_CASE("a trajectory can be continued") {
  const TemporaryDirectory directory;
  const System system = sample(1);
  ExtendedXyzWriter(OutputFile(directory / "t.xyz"), system.types).write(frame_of(system, 0));
  ExtendedXyzWriter(OutputFile(directory / "t.xyz", OutputFile::Mode::append), system.types)
      .write(frame_of(system, 1));
  CHECK(read_extended_xyz(directory / "t.xyz", at_frame(1)).positions == system.positions);
}

TEST_CASE("a frame that does not fit is refused before anything is written") {
  const TemporaryDirectory directory;
  System system = sample(1);
  ExtendedXyzWriter writer(OutputFile(directory / "t.xyz"), system.types);
  writer.write(frame_of(system, 0));
  const std::string before = directory.read("t.xyz");
  system.velocities.pop_back();
  ExtendedXyzWriter::Frame frame = frame_of(system, 1);
  frame.columns = {column_of("velocities", system.velocities)};
  CHECK_THROWS_WITH_AS(writer.write(frame), "ExtendedXyzWriter: 49 velocities for 50 positions",
                       ArgumentError);
  frame.columns = {{"pairs", 2, std::vector<std::int64_t>(101)}};
  CHECK_THROWS_WITH_AS(writer.write(frame),
                       "ExtendedXyzWriter: 101 numbers in the column pairs of 2 components",
                       ArgumentError);
  system.type[7] = 5;
  CHECK_THROWS_WITH_AS(writer.write(frame_of(system, 1)),
                       "ExtendedXyzWriter: atom 7 has type 5, expected 0 to 0", ArgumentError);
  CHECK(directory.read("t.xyz") == before);
}

}  // namespace tessera::md
