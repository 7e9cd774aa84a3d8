#include "core/base/error.hpp"
#include "physics/md/io/restart.hpp"
#include "tests/support/input_errors.hpp"
#include "tests/support/temporary_directory.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <iterator>
#include <limits>
#include <string>
#include <sys/resource.h>

namespace tessera::md {
namespace {

using test::check_input_error;
using test::TemporaryDirectory;

Restart sample_restart(int atoms) {
  Restart restart;
  restart.units = "metal";
  restart.clock = StepClock(1.0 / 3, (std::int64_t{1} << 40) + 3, 0.1);
  System& system = restart.system;
  system.box = {{-1.0 / 3, 0, 5}, {1.0 / 7, 2, 3}, {true, false, true}, {0, -1.0 / 9, 0}};
  system.types = {{"Ar", 39.948}, {"", 1.0}};
  system.pair_coefficients = {{0, 1, {{"epsilon", 0.1}, {"sigma", 0.2}, {"cutoff", 2.5}}},
                              {1, 1, {{"epsilon", 0.3}, {"sigma", 0.4}}}};
  for (int i = 0; i < atoms; ++i) {
    system.ids.push_back(5 * i + 2);
    system.type.push_back(i % 2);
    system.positions.push_back({std::sin(1.0 * i), -0.0, 1e-310 * i});
    system.images.push_back({i, -i, 0});
    system.velocities.push_back({std::cos(1.0 * i), 1.0 / (i + 1), 0});
    system.charges.push_back(0.1 * i);
    system.molecules.push_back(i / 3);
  }
  return restart;
}

void check_same(const Restart& a, const Restart& b) {
  CHECK(a.units == b.units);
  CHECK(a.clock == b.clock);
  CHECK(a.system.box == b.system.box);
  REQUIRE(a.system.types.size() == b.system.types.size());
  CHECK(a.system.types[0].name == b.system.types[0].name);
  CHECK(a.system.types[0].mass == b.system.types[0].mass);
  CHECK(a.system.ids == b.system.ids);
  CHECK(a.system.type == b.system.type);
  CHECK(a.system.positions == b.system.positions);
  CHECK(a.system.images == b.system.images);
  CHECK(a.system.velocities == b.system.velocities);
  CHECK(a.system.charges == b.system.charges);
  CHECK(a.system.molecules == b.system.molecules);
  REQUIRE(a.system.pair_coefficients.size() == b.system.pair_coefficients.size());
  CHECK(a.system.pair_coefficients[0].values == b.system.pair_coefficients[0].values);
  CHECK(a.system.pair_coefficients[1].values == b.system.pair_coefficients[1].values);
}

}  // namespace

TEST_CASE("a restart file keeps every bit") {
  const TemporaryDirectory directory;
  for (const int atoms : {0, 1, 1000}) {
    const Restart restart = sample_restart(atoms);
    write_restart(directory / "r", restart);
    const Restart back = read_restart(directory / "r");
    check_same(restart, back);
    if (atoms > 0) {
      // Comparison of doubles ignores the sign of zero.
      CHECK(std::bit_cast<std::uint64_t>(back.system.positions[0][1]) == std::uint64_t{1} << 63);
    }
    CHECK_FALSE(std::filesystem::exists(directory / "r.part"));
  }
}

TEST_CASE("columns that a system lacks stay absent") {
  const TemporaryDirectory directory;
  Restart restart = sample_restart(4);
  restart.system.charges.clear();
  restart.system.molecules.clear();
  write_restart(directory / "r", restart);
  Restart back = read_restart(directory / "r");
  CHECK(back.system.angles.empty());
  CHECK(back.system.dihedrals.empty());
  restart.system.angles = {{0, 1, 2}, {3, 2, 1}};
  restart.system.dihedrals = {{3, 0, 1, 2}};
  write_restart(directory / "r", restart);
  back = read_restart(directory / "r");
  CHECK(back.system.angles == restart.system.angles);
  CHECK(back.system.dihedrals == restart.system.dihedrals);
  CHECK(back.system.charges.empty());
  CHECK(back.system.molecules.empty());
}

TEST_CASE("a restart file that is no such file, truncated or damaged is refused") {
  const TemporaryDirectory directory;
  write_restart(directory / "r", sample_restart(20));
  const std::string good = directory.read("r");
  const auto check = [&](const std::string& contents, const test::ExpectedError& expected) {
    const auto path = directory.write("bad", contents);
    check_input_error([&] { static_cast<void>(read_restart(path)); }, expected);
  };
  check_input_error([&] { static_cast<void>(read_restart(directory / "none")); },
                    {0, "", "", "none: cannot be read: No such file"});
  check("", {0, "", "", "bad: expected a restart file of Tessera"});
  check("LAMMPS data file\n", {0, "", "", "expected a restart file of Tessera"});
  check(good.substr(0, 20), {0, "length", "", "truncated: its header is not complete"});
  check(good.substr(0, good.size() - 1), {0, "length", "",
                                          "truncated: expected " + std::to_string(good.size()) +
                                              " bytes, found " + std::to_string(good.size() - 1)});
  check(good + "x", {0, "length", "", "damaged: expected"});
  for (std::size_t place = 32; place < good.size(); place += 97) {
    std::string damaged = good;
    damaged[place] = static_cast<char>(damaged[place] ^ 4);
    check(damaged, {0, "checksum", "", "the restart file is damaged"});
  }
  std::string other = good;
  std::swap(other[8], other[11]);
  std::swap(other[9], other[10]);
  check(other, {0, "byte order", "", "expected a file from a machine with the byte order"});
  other = good;
  other[12] = static_cast<char>(other[12] + 1);
  check(other, {0, "version", "4", "expected a restart file of version 3"});
  other[12] = 1;
  check(other, {0, "version", "1", "write a frame with velocities by the program"});
}

TEST_CASE("the fields of a restart file are checked beyond its checksum") {
  const TemporaryDirectory directory;
  const auto check = [&](const std::function<void(Restart&)>& change,
                         const test::ExpectedError& expected) {
    Restart restart = sample_restart(5);
    restart.system.bonds = {{{0, 1}, 0}, {{2, 4}, 1}};
    restart.system.bond_types = 2;
    restart.system.bond_coefficients = {{0, {1, 2}}, {1, {3, 4}}};
    change(restart);
    write_restart(directory / "bad", restart);
    check_input_error([&] { static_cast<void>(read_restart(directory / "bad")); }, expected);
  };
  const double inf = std::numeric_limits<double>::infinity();
  check([](Restart& r) { r.system.types[1].mass = -39.948; },
        {0, "types.mass", "-39.948", "expected masses greater than zero"});
  check([](Restart& r) { r.system.types[0].mass = std::nan(""); },
        {0, "types.mass", "", "expected finite numbers"});
  check([](Restart& r) { r.clock = StepClock(0.1, -7); }, {0, "step", "-7", "expected 0 or more"});
  check([](Restart& r) { r.clock = StepClock(0.1, 7, 8, 0); },
        {0, "origin_step", "8", "expected 0 to the step, 7"});
  check([](Restart& r) { r.clock = StepClock(1e300, std::int64_t{1} << 60, 0, 0); },
        {0, "time_step", "1e+300", "expected a time that is finite"});
  check([](Restart& r) { r.clock = StepClock(0.1, 7, 0, std::nan("")); },
        {0, "origin_time", "", "expected finite numbers"});
  for (const double length : {0.0, -1.0})
    check([&](Restart& r) { r.system.box.length[1] = length; },
          {0, "box", "", "length y, expected a length greater than zero"});
  check([](Restart& r) { r.system.box.length[1] = 1e308; },
        {0, "box", "", "length y, expected a length from 1e-100 to 1e100"});
  check(
      [](Restart& r) { r.system.box.lower[2] = 1e300; },
      {0, "box", "",
       "lower z, expected a number that is not too large for the length of the box to change it"});
  check([&](Restart& r) { r.system.positions[3][1] = inf; },
        {0, "positions", "", "expected finite numbers"});
  check([](Restart& r) { r.system.positions[3][0] = 1e300; },
        {0, "positions", "1e+300", "expected atom 17 within 1e9 box lengths of the box"});
  check([&](Restart& r) { r.system.velocities[2][2] = -inf; },
        {0, "velocities", "", "expected finite numbers"});
  check([](Restart& r) { r.system.charges[0] = std::nan(""); },
        {0, "charges", "", "expected finite numbers"});
  check([](Restart& r) { r.system.type[2] = 2; }, {0, "type", "", "a type that it lacks"});
  check([](Restart& r) { r.system.type[2] = -1; }, {0, "type", "", "a type that it lacks"});
  check([](Restart& r) { r.system.ids[2] = r.system.ids[4]; },
        {0, "ids", "22", "expected each id once"});
  check([](Restart& r) { r.system.velocities.pop_back(); },
        {0, "velocities", "", "expected 5 rows of 3, found 4 of 3"});
  check([](Restart& r) { r.system.pair_coefficients[0].type_j = 2; },
        {0, "pair_coefficients.types", "", "a pair has a type that it lacks"});
  check([&](Restart& r) { r.system.pair_coefficients[0].values["sigma"] = inf; },
        {0, "pair_coefficients.values", "", "expected finite numbers"});
  check(
      [](Restart& r) {
        r.system.bonds[1].atoms = {2, 2};
      },
      {0, "bonds.atoms", "", "a bond has one atom twice"});
  check([](Restart& r) { r.system.bonds[1].type = 2; }, {0, "bonds.type", "", "has no type"});
  check([](Restart& r) { r.system.bond_types = std::numeric_limits<std::int32_t>::max(); },
        {0, "bonds.types", "2147483647", "expected 0 to 1048576"});
  check([](Restart& r) { r.system.bond_labels = {"OH"}; },
        {0, "bonds.labels", "", "expected as many labels as bond types"});
  check([&](Restart& r) { r.system.bond_coefficients[0].values = {inf}; },
        {0, "bond_coefficients.values", "", "expected finite numbers"});
  check(
      [](Restart& r) {
        r.system.angles = {{0, 1, 2}, {2, 3, 5}};
      },
      {0, "angles.atoms", "", "one of them has no atom"});
  check(
      [](Restart& r) {
        r.system.dihedrals = {{0, 1, -1, 3}};
      },
      {0, "dihedrals.atoms", "", "one of them has no atom"});
}

namespace {

/// Limits the size of files to `bytes`, which acts like a full disk.
class SmallFilesOnly {
 public:
  explicit SmallFilesOnly(rlim_t bytes) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit small{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &small);
  }
  ~SmallFilesOnly() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_{};
  void (*handler_)(int) = std::signal(SIGXFSZ, SIG_IGN);
};

}  // namespace

TEST_CASE("a restart that cannot be written leaves the old file") {
  const TemporaryDirectory directory;
  CHECK_THROWS_AS(write_restart(directory / "none/r", sample_restart(3)), FileError);
  write_restart(directory / "r", sample_restart(3));
  {
    const SmallFilesOnly full(64);
    CHECK_THROWS_AS(write_restart(directory / "r", sample_restart(4)), FileError);
  }
  CHECK(std::distance(std::filesystem::directory_iterator(directory / ""), {}) == 1);
  CHECK(read_restart(directory / "r").system.size() == 3);
}

}  // namespace tessera::md
