#include "apps/tessera/case/read_case.hpp"
#include "apps/tessera/case/set_option.hpp"
#include "core/state/restart_file.hpp"
#include "tests/support/input_errors.hpp"
#include "tests/support/temporary_directory.hpp"

#include <doctest/doctest.h>

#include <string>

namespace tessera::app {

using test::check_input_error;
using test::TemporaryDirectory;

TEST_CASE("another file in place of a case is told by what it is, with what takes it") {
  const TemporaryDirectory directory;
  const auto told = [&](const std::string& name, const std::string& text,
                        const std::string& message) {
    INFO(name);
    const std::filesystem::path file = directory.write(name, text);
    check_input_error([&] { static_cast<void>(read_case(file)); },
                      {0, "", "", file.string() + message});
  };
  told("melt.data", "LAMMPS data file\n\n4000 atoms\n1 atom types\n",
       ": is a LAMMPS data file; expected a case file, in which system.file names it");
  told("no_title", "# by hand\r\n  2 atoms # of argon\r\n", ": is a LAMMPS data file");
  told("a.xyz", "2\nLattice=\"1 0 0\"\nAr 0 0 0\nAr 1 0 0\n", ": is an XYZ file");
  told("bunch.csv", "x,px,y,py,cdt,dpop\n1,2,3,4,5,6\n",
       ": is a table; expected a case file, in which bunch.file");
  told("bunch.h5", "\x89HDF\r\n\x1a\n", ": is an HDF5 file");
  told("in.melt", "units lj\natom_style atomic\n", ": is an input script of LAMMPS");
  told("pin.json", "{\"schema\": 1}", ": is a JSON file");
  told("lib.so",
       "\x7f"
       "ELF..",
       ": is a program or a library");
  // A restart file, whole or not, of atoms or of a beam.
  told("cut.restart", "TESSRST\n" + std::string(100, '['), ": is a restart file");
  RestartFile atoms;
  atoms.put<std::int64_t>("clock.step", 3);
  atoms.write(directory / "atoms.restart");
  check_input_error(
      [&] { static_cast<void>(read_case(directory / "atoms.restart")); },
      {0, "", "",
       "is a restart file; expected a case file, which continues from it with: tessera run "
       "CASE.toml --set system.restart=" +
           (directory / "atoms.restart").string()});
  RestartFile beam;
  beam.put<std::int64_t>("line.steps", 3);
  beam.write(directory / "beam.restart");
  check_input_error([&] { static_cast<void>(read_case(directory / "beam.restart")); },
                    {0, "", "", "--set bunch.restart=" + (directory / "beam.restart").string()});
  const auto folder = [&](const std::string& message) {
    check_input_error(
        [&] { static_cast<void>(read_case(directory.path())); },
        {0, "", "", directory.path().string() + ": is a folder; expected a case file" + message});
  };
  folder("");
  beam.write(directory / "restart.tessera");
  folder("; " + (directory / "restart.tessera").string() + " is a restart file; ");
  directory.write("b.toml", "");
  directory.write("a.toml", "");
  folder(", such as " + (directory / "a.toml").string());
  // Anything else is a case with a mistake.
  told("case.toml", "title = \"\n", ":1: malformed TOML");
}

TEST_CASE("the option that sets a path reads back to it, whatever its name") {
  CHECK(set_option("system.restart", "melt.out/restart.tessera") ==
        "--set system.restart=melt.out/restart.tessera");
  CHECK(set_option("system.restart", "7") == "--set 'system.restart=\"7\"'");
  CHECK(set_option("a.b", "my run/it's") == "--set 'a.b=\"my run/it'\\''s\"'");
}

}  // namespace tessera::app
