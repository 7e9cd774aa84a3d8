#include "physics/pic/io/bunch_table.hpp"
#include "tests/support/input_errors.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/relative.hpp"
#include "tests/support/temporary_directory.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>

namespace tessera::pic {
namespace {

using test::check_input_error;
using test::TemporaryDirectory;
using test::with;

const ReferenceParticle reference{2};
const std::string table =
    "# two protons\n"
    "x [m], px [1], y [mm], py [mrad], cdt [um], dpop [1], weight, id\n"
    "1e-3, 2e-4, 5, 4, -10, 1e-3, 0.5, 7\n"
    "\n"
    "-0.0, 4.9406564584124654e-324, 0, 0, 0, 0.1, 2, -8  # late\n";

TEST_CASE("a table of particles, with units, weights and ids") {
  const TemporaryDirectory folder;
  const BunchRows rows = read_bunch_table(folder.write("bunch.csv", table), reference);
  CHECK(rows.coordinates == std::vector<double>{1e-3, 2e-4, 5 * 1e-3, 4 * 1e-3, -10 * 1e-6, 1e-3,
                                                -0.0, 4.9406564584124654e-324, 0, 0, 0, 0.1});
  CHECK(std::signbit(rows.coordinates[6]));
  CHECK(rows.weights == std::vector<double>{0.5, 2});
  CHECK(rows.ids == std::vector<std::int64_t>{7, -8});

  const BunchRows bare = read_bunch_table(
      folder.write("bare.csv", "pt [1],t [m],py [1],y [m],px [rad],x [m]\n1e-3,2,3e-3,4,5e-3,6\n"),
      reference, LongitudinalCoordinates::t_pt);
  CHECK(bare.coordinates == std::vector<double>{6, 5e-3, 4, 3e-3, 2, 1e-3});
  CHECK(bare.weights.empty());
  CHECK(bare.ids.empty());
  // The last line needs no newline.
  const std::string cut = table.substr(0, table.find("  # late"));
  CHECK(read_bunch_table(folder.write("cut.csv", cut), reference).ids == rows.ids);
  CHECK(read_bunch_table(folder.write("none.csv", "x [m], px [1], y [m], py [1], t [m], pt [1]\n"),
                         reference)
            .coordinates.empty());
}

TEST_CASE("another convention than that of the table") {
  const TemporaryDirectory folder;
  const BunchRows rows = read_bunch_table(folder.write("bunch.csv", table), reference,
                                          LongitudinalCoordinates::zeta_ptau);
  // zeta = -beta c dt; ptau = (E - E_ref) / (p_ref c) is beta dpop to first order.
  const double beta = reference.beta();
  CHECK(rows.coordinates[4] == test::relative(beta * 1e-5).epsilon(1e-14));
  CHECK(rows.coordinates[5] == test::relative(beta * 1e-3).epsilon(1e-3));
}

TEST_CASE("what is wrong with a table is said by its line and column") {
  const TemporaryDirectory folder;
  const auto refused = [&](const std::string& text, const test::ExpectedError& expected) {
    const auto path = folder.write("wrong.csv", text);
    check_input_error([&] { static_cast<void>(read_bunch_table(path, reference)); }, expected);
  };
  refused("", {0, "", "", "the file is empty"});
  refused(with(table, "x [m],", ""), {2, "x", "", "no such column"});
  refused(with(table, "cdt [um], dpop [1],", ""), {2, "cdt", "", "no such column"});
  refused(with(table, "dpop [1],", ""), {2, "dpop", "", "no such column"});
  refused(with(table, "dpop", "pt"), {2, "pt", "", "cdt and dpop"});
  refused(with(table, "weight", "wieght"), {2, "wieght", "", "did you mean weight?"});
  refused(with(table, "weight", "id"), {2, "id", "id", "each column once"});
  refused(with(table, "y [mm]", "y [cm]"), {2, "y", "cm", "one of: m, mm, um"});
  refused(with(table, "y [mm]", "y"), {2, "y", "", "expected a unit, one of"});
  refused(with(table, "y [mm]", "y [mm"), {2, "y", "y [mm", "in brackets"});
  refused(with(table, "weight", "weight [kg]"), {2, "weight", "weight [kg]", "no unit"});
  refused(with(table, ", 7\n", "\n"), {3, "", "7 fields", "expected 8"});
  refused(with(table, ", 7\n", ", 7, 8\n"), {3, "", "9 fields", "expected 8"});
  refused(with(table, ", 7\n", ", 7.5\n"), {3, "id", "7.5", "a whole number"});
  refused(with(table, "2e-4", "2e-4m"), {3, "px", "2e-4m", "a finite number"});
  refused(with(table, "2e-4", "nan"), {3, "px", "nan", "a finite number"});
  refused(with(table, "2e-4", "1.5"),
          {3, "dpop", "1e-3, 1.5, 5, 4, -10, 1e-3, 0.5, 7", "a momentum forward"});
  CHECK_THROWS_AS(
      static_cast<void>(read_bunch_table(folder.write("b.csv", table), ReferenceParticle{0})),
      ArgumentError);
  CHECK_THROWS_AS(static_cast<void>(read_bunch_table(folder / "none.csv", reference)), InputError);
}

}  // namespace
}  // namespace tessera::pic
