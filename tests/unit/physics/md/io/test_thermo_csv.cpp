#include "physics/md/io/thermo_csv.hpp"
#include "tests/support/temporary_directory.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

namespace tessera::md {

using test::TemporaryDirectory;

TEST_CASE("thermo.csv names its units and shows each row at once") {
  const TemporaryDirectory directory;
  const std::string header =
      "step,time [fs],temperature [K],potential_energy [kcal/mol],kinetic_energy [kcal/mol],"
      "total_energy [kcal/mol],pressure [atm],pressure_xx [atm],pressure_yy [atm],"
      "pressure_zz [atm],pressure_xy [atm],pressure_xz [atm],pressure_yz [atm],"
      "momentum_x [g/mol angstrom/fs],momentum_y [g/mol angstrom/fs],"
      "momentum_z [g/mol angstrom/fs]\n";
  ThermoCsv csv(OutputFile(directory / "thermo.csv"), units_from_name("real"));
  CHECK(directory.read("thermo.csv") == header);
  csv.write({.step = 3,
             .time = 0.5,
             .temperature = 1,
             .potential_energy = -4,
             .kinetic_energy = 1.5,
             .pressure = 0.1,
             .pressure_tensor = {1, 2, 3, 4, 5, 6},
             .momentum = {0, -0.0, 7}});
  const std::string row =
      "3,5.0000000000000000e-01,1.0000000000000000e+00,-4.0000000000000000e+00,"
      "1.5000000000000000e+00,-2.5000000000000000e+00,1.0000000000000001e-01,"
      "1.0000000000000000e+00,2.0000000000000000e+00,3.0000000000000000e+00,"
      "4.0000000000000000e+00,5.0000000000000000e+00,6.0000000000000000e+00,"
      "0.0000000000000000e+00,-0.0000000000000000e+00,7.0000000000000000e+00\n";
  CHECK(directory.read("thermo.csv") == header + row);
}

TEST_CASE("a continued thermo.csv has one header") {
  const TemporaryDirectory directory;
  const Units& units = units_from_name("lj");
  for (int i = 0; i < 2; ++i) {
    ThermoCsv(OutputFile(directory / "t.csv", OutputFile::Mode::append), units).write({});
  }
  const std::string text = directory.read("t.csv");
  CHECK(text.find("momentum_z [m sigma/tau]\n") != std::string::npos);
  CHECK(text.find("step") == text.rfind("step"));
  CHECK(std::count(text.begin(), text.end(), '\n') == 3);
}

}  // namespace tessera::md
