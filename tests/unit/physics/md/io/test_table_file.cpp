#include "physics/md/io/table_file.hpp"
#include "tests/support/input_errors.hpp"
#include "tests/support/relative.hpp"
#include "tests/support/temporary_directory.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

namespace tessera::md {
namespace {

/// A table file with two sections in the layout of LAMMPS' pair_write.
const std::string two_sections =
    "# a potential\n"
    "\n"
    "AA\n"
    "N 3 R 1.0 2.0\n"
    "\n"
    "1 1.0 5 4\n"
    "2 1.5 2 3  # a comment\n"
    "3 2.0 0 1\n"
    "AB\n"
    "FPRIME -1 -2 N 2\n"
    "1 0.9 1e3 1e4\n"
    "2 2.25 -0.5 -0.25\n";

TabulatedPair read_table_text(const std::string& text, const std::string& keyword) {
  const test::TemporaryDirectory folder;
  return read_pair_table_file(folder.write("pair.table", text), keyword);
}

void check_refused_table(const std::string& text, const std::string& keyword,
                         const test::ExpectedError& expected) {
  test::check_input_error([&] { static_cast<void>(read_table_text(text, keyword)); }, expected);
}

std::string altered(const std::string& from, const std::string& to) {
  return test::with(two_sections, from, to);
}

}  // namespace

TEST_CASE("a section of a file of tables is found by its keyword") {
  const TabulatedPair first = read_table_text(two_sections, "AA");
  CHECK(first.r == std::vector<double>{1, 1.5, 2});
  CHECK(first.energy == std::vector<double>{5, 2, 0});
  CHECK(first.force == std::vector<double>{4, 3, 1});
  const TabulatedPair second = read_table_text(two_sections, "AB");
  CHECK(second.r == std::vector<double>{0.9, 2.25});
  CHECK(second.energy == std::vector<double>{1e3, -0.5});
  check_refused_table(two_sections, "", {9, "keyword", "AB", "the file has several sections"});
  // The last line needs no newline.
  const std::string cut = two_sections.substr(0, two_sections.size() - 1);
  CHECK(read_table_text(cut, "AB").force == second.force);
  check_refused_table(two_sections, "BB",
                      {12, "keyword", "BB", "none of the 2 sections of the file"});
}

TEST_CASE("R and RSQ say where the points of a table are") {
  const TabulatedPair even = read_table_text(altered("R 1.0 2.0", "R 1.0 3.0"), "AA");
  CHECK(even.r == std::vector<double>{1, 2, 3});
  const TabulatedPair squared = read_table_text(altered("R 1.0 2.0", "RSQ 1.0 7.0"), "AA");
  CHECK(squared.r == std::vector<double>{1, 5, 7});
  check_refused_table(altered("R 1.0 2.0", "R 2.0 1.0"), "AA",
                      {4, "R", "2 1", "expected a distance above 0, and a larger one"});
  check_refused_table(altered("R 1.0 2.0", "R 0 1.0"), "AA", {4, "R", "0 1", "above 0"});
}

namespace {

/// A bitmap table of 16 rows of a spring, E = (3 - r)^2 / 2. The number of a row consists of the
/// lowest bit of the exponent of r^2, in single precision, and three bits of the mantissa. For r
/// from 1 to 2 the first eight rows therefore have r^2 from 2 to below 4, and the last eight from 1
/// to below 2.
std::string bitmapped(double low, double high) {
  std::string text = "B\nN 16 BITMAP " + std::to_string(low) + " " + std::to_string(high) + "\n\n";
  for (int k = 0; k < 16; ++k) {
    const double r = std::sqrt(k < 8 ? 2 + 0.25 * k : 1 + 0.125 * (k - 8));
    std::array<char, 100> row{};
    std::snprintf(row.data(), row.size(), "%d %.15g %.15g %.15g\n", k + 1, r, (3 - r) * (3 - r) / 2,
                  3 - r);
    text += row.data();
  }
  return text;
}

}  // namespace

TEST_CASE("the rows of a bitmap are put in order, up to its end") {
  const std::string text = bitmapped(1, 2);
  const TabulatedPair table = read_table_text(text, "B");
  REQUIRE(table.r.size() == 17);
  CHECK(table.r[0] == 1);
  CHECK(table.force[0] == 2);
  CHECK(table.r[1] == std::sqrt(1.125));
  CHECK(table.r[8] == std::sqrt(2));
  CHECK(table.r[15] == std::sqrt(3.75));
  CHECK(table.r[16] == 2);
  // Values extrapolated linearly in r^2 from the last two rows.
  CHECK(table.energy[16] == test::relative(2 * table.energy[15] - table.energy[14]));
  CHECK(table.force[16] / 2 ==
        test::relative(2 * table.force[15] / table.r[15] - table.force[14] / table.r[14]));
  // An end between rows; rows beyond it are omitted.
  const TabulatedPair shorter = read_table_text(bitmapped(1, std::sqrt(3.125)), "B");
  REQUIRE(shorter.r.size() == 14);
  CHECK(shorter.r[12] == std::sqrt(3));
  CHECK(shorter.r[13] == test::relative(std::sqrt(3.125)));
  CHECK(shorter.energy[13] == test::relative((table.energy[12] + table.energy[13]) / 2));
  // Rounded distances are accepted, as with R; distances of another row are not.
  CHECK(read_table_text(test::with(text, "1.93649167310371", "1.9365"), "B").r[15] == table.r[15]);
  check_refused_table(test::with(text, "\n9 1 ", "\n9 1.01 "), "B",
                      {12, "r", "1.01", "expected the distance of this row of the bitmap, 1"});
  check_refused_table(
      test::with(text, "0.565524980688875", "-1e308") + "\n", "B",
      {11, "BITMAP", "2", "energies and forces that go on to there as finite numbers"});
  check_refused_table(test::with(text, "N 16", "N 15"), "B", {2, "N", "15", "a power of two"});
  check_refused_table(test::with(text, "N 16", "N 8"), "B", {2, "N", "8", "3 to 23 bits"});
  // Forces are checked in the order of distances, and reported by their row in the file.
  check_refused_table(test::with(text, "1.3416876048223", "2.5"), "B",
                      {7, "force", "2.5", "section B, row 4: -dE/dr of the energies"});
}

TEST_CASE("forces that contradict the energies are refused by the row of the first") {
  const std::string text =
      "# harmonic\n"
      "\n"
      "H\n"
      "N 6 R 1.0 2.0\n"
      "\n"
      "1 1.0 0.5 1\n"
      "2 1.2 0.32 0.8\n"
      "3 1.4 0.18 0.6\n"
      "\n"
      "4 1.6 0.08 -0.4\n"
      "5 1.8 0.02 0.2\n"
      "6 2.0 0 0\n";
  check_refused_table(text, "", {10, "force", "-0.4", "section H, row 4: -dE/dr of the energies"});
  check_refused_table(text, "H", {10, "force", "-0.4", "1 of the 4 forces that can be judged"});
  check_refused_table(text, "H", {10, "force", "-0.4", "forces = \"file\" of a case accepts them"});
  const test::TemporaryDirectory folder;
  const auto path = folder.write("pair.table", text);
  CHECK(read_pair_table_file(path, "H", TableForces::file).force[3] == -0.4);
  CHECK(read_table_text(test::with(text, "-0.4", "0.4"), "H").force[3] == 0.4);
  // Other sections are not checked.
  CHECK(read_table_text(text + two_sections, "AA").r.size() == 3);
}

TEST_CASE("a file that is no table is refused by line and field") {
  const auto refused = [](const std::string& from, const std::string& to,
                          const test::ExpectedError& expected) {
    check_refused_table(altered(from, to), "AB", expected);
  };
  refused("2 1.5 2 3", "2 1.5 2", {7, "force", "", "the row ends before this column"});
  refused("2 2.25", "2 0.9", {12, "r", "0.9", "expected a distance above 0.9"});
  refused("1 0.9", "1 -0.9", {11, "r", "-0.9", "expected a distance above 0"});
  refused("1e3", "nan", {11, "energy", "nan", "expected a finite number"});
  refused("1e4", "inf", {11, "force", "inf", "expected a finite number"});
  refused("1e4", "1e4x", {11, "force", "1e4x", "expected a number"});
  refused("N 2", "N 1", {10, "N", "1", "expected at least two points"});
  refused("N 2", "N 3", {12, "section", "AB", "the file ends after 2 of the 3 rows"});
  refused("N 2", "N 2 BITMAP 5 5", {10, "BITMAP", "5 5", "a distance above 0, and a larger one"});
  refused("N 2", "N 2 BITMAP 1 5", {10, "N", "2", "expected a power of two, as many as a bitmap"});
  refused("N 2", "BITS 5 5", {10, "parameter", "BITS", "expected N, R, RSQ, BITMAP or FPRIME"});
  refused(" N 2", "", {10, "N", "FPRIME -1 -2", "expected the number of points"});
  refused("3 2.0", "4 2.0", {8, "row", "4", "expected row 3 of the 3"});
  refused("3 2.0 0 1", "3 2.0 0 1 7", {8, "row", "3 2.0 0 1 7", "number, r, energy and force"});
  refused("AB", "AA", {9, "keyword", "AA", "the section occurs twice"});
  check_refused_table("# nothing\n", "AA", {0, "keyword", "", "found none"});
}

}  // namespace tessera::md
