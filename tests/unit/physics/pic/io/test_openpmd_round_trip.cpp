// Files that Tessera writes are read back with the same bits, and are complete or absent after a
// kill.
#include "core/base/error.hpp"
#include "core/hdf5/hdf5_read.hpp"
#include "physics/pic/generate/bunch.hpp"
#include "physics/pic/io/openpmd_file_name.hpp"
#include "physics/pic/io/openpmd_read.hpp"
#include "physics/pic/io/openpmd_write.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/temporary_directory.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <csignal>
#include <cstring>
#include <limits>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tessera::pic {
namespace {

using test::message_of;
using test::TemporaryDirectory;

constexpr double proton = 938.27208943e6;

template <class Storage>
struct Bunch {
  std::vector<Storage> coordinates;
  std::vector<std::uint8_t> alive;
  std::vector<Storage> weights;
  std::vector<std::int64_t> ids;

  explicit Bunch(std::int64_t particles) {
    BunchDescription description;
    description.particles = particles;
    for (int a = 0; a < 6; ++a)
      description.covariance[a][a] = 1e-6;
    for (const double value : generate_bunch(description))
      coordinates.push_back(static_cast<Storage>(value));
    for (std::int64_t p = 0; p < particles; ++p) {
      alive.push_back(p % 5 == 3 ? 0 : 1);
      weights.push_back(static_cast<Storage>(1) / static_cast<Storage>(p + 3));
      ids.push_back(1000000007 * p - 3);
    }
  }

  [[nodiscard]] std::int64_t size() const { return std::ssize(coordinates) / 6; }

  [[nodiscard]] OpenPmdOutput<Storage> output() const {
    OpenPmdOutput<Storage> output;
    output.iteration = 12;
    output.time = 3e-9;
    output.reference = {ReferenceParticle::with_gamma(1.7), proton, 1, 7.25};
    output.coordinates = {coordinates.data(), {size(), 6}};
    return output;
  }
};

std::uint64_t bits(double value) {
  return std::bit_cast<std::uint64_t>(value);
}

/// Checks that `found` has the bits of the rows of `bunch` whose numbers are in `kept`.
template <class Storage>
void check_same(const BunchFromFile& found, const Bunch<Storage>& bunch,
                const std::vector<std::size_t>& kept) {
  REQUIRE(found.coordinates.size() == 6 * kept.size());
  std::size_t different = 0;
  for (std::size_t p = 0; p < kept.size(); ++p)
    for (std::size_t c = 0; c < 6; ++c)
      if (bits(found.coordinates[6 * p + c]) !=
          bits(static_cast<double>(bunch.coordinates[6 * kept[p] + c])))
        ++different;
  CHECK(different == 0);
}

std::vector<std::size_t> all_of(std::int64_t particles) {
  std::vector<std::size_t> rows;
  for (std::int64_t p = 0; p < particles; ++p)
    rows.push_back(static_cast<std::size_t>(p));
  return rows;
}

TEST_CASE_TEMPLATE("a bunch comes back with the same bits", Storage, double, float) {
  const TemporaryDirectory folder;
  for (const auto coordinates :
       {LongitudinalCoordinates::cdt_dpop, LongitudinalCoordinates::zeta_ptau,
        LongitudinalCoordinates::t_pt}) {
    INFO(std::string(name(coordinates)));
    Bunch<Storage> bunch(777);
    bunch.coordinates[0] = static_cast<Storage>(-0.0);
    bunch.coordinates[1] = std::numeric_limits<Storage>::denorm_min();
    auto output = bunch.output();
    output.accelerator = coordinates;
    write_openpmd(folder / "bunch.h5", output);
    OpenPmdQuery query;
    query.accelerator = coordinates;
    const BunchFromFile found = read_openpmd(folder / "bunch.h5", query);
    check_same(found, bunch, all_of(777));
    CHECK(found.iteration == 12);
    CHECK(bits(found.time) == bits(3e-9));
    CHECK(bits(found.reference.particle.beta_gamma) == bits(output.reference.particle.beta_gamma));
    CHECK(found.reference.rest_energy == proton);
    CHECK(found.reference.charge_state == 1);
    CHECK(found.reference.path == 7.25);
    CHECK(found.particles_per_weight == 1);
    CHECK(found.weights.empty());
    REQUIRE(found.ids.size() == 777);
    CHECK(found.ids[776] == 776);
    CHECK(found.ignored == std::vector<std::string>{"charge", "mass", "positionOffset"});
  }
}

TEST_CASE_TEMPLATE("weights and ids stay with their particles, lost ones are left out and counted",
                   Storage, double, float) {
  const TemporaryDirectory folder;
  const Bunch<Storage> bunch(40);
  auto output = bunch.output();
  output.alive = {bunch.alive.data(), {40}};
  output.weights = {bunch.weights.data(), {40}};
  output.ids = {bunch.ids.data(), {40}};
  output.particles_per_weight = 1.1e7;
  write_openpmd(folder / "bunch.h5", output);
  std::vector<std::size_t> kept;
  for (std::size_t p = 0; p < 40; ++p)
    if (bunch.alive[p] != 0) kept.push_back(p);
  const BunchFromFile found = read_openpmd(folder / "bunch.h5");
  check_same(found, bunch, kept);
  CHECK(found.particles_per_weight == 1.1e7);
  REQUIRE(found.weights.size() == kept.size());
  REQUIRE(found.ids.size() == kept.size());
  for (std::size_t p = 0; p < kept.size(); ++p) {
    CHECK(bits(found.weights[p]) == bits(static_cast<double>(bunch.weights[kept[p]])));
    CHECK(found.ids[p] == bunch.ids[kept[p]]);
  }
  const auto species =
      hdf5::Object::root_of(folder / "bunch.h5").member("data").member("12").member("particles");
  CHECK(species.member("beam").number("particles_lost") == 8);
}

TEST_CASE("columns that lie one after the other are the same bunch") {
  const TemporaryDirectory folder;
  const Bunch<double> bunch(31);
  std::vector<double> columns(6 * 31);
  for (std::size_t p = 0; p < 31; ++p)
    for (std::size_t c = 0; c < 6; ++c)
      columns[31 * c + p] = bunch.coordinates[6 * p + c];
  auto output = bunch.output();
  output.coordinates = {columns.data(), {31, 6}, {1, 31}};
  write_openpmd(folder / "bunch.h5", output);
  check_same(read_openpmd(folder / "bunch.h5"), bunch, all_of(31));
}

TEST_CASE("no particle, one particle, all of them lost") {
  const TemporaryDirectory folder;
  for (const std::int64_t particles : {0, 1}) {
    const Bunch<double> bunch(particles);
    write_openpmd(folder / "bunch.h5", bunch.output());
    const BunchFromFile found = read_openpmd(folder / "bunch.h5");
    check_same(found, bunch, all_of(particles));
    CHECK(std::ssize(found.ids) == particles);
  }
  const Bunch<double> bunch(3);
  auto output = bunch.output();
  const std::vector<std::uint8_t> lost(3, 0);
  output.alive = {lost.data(), {3}};
  write_openpmd(folder / "bunch.h5", output);
  CHECK(read_openpmd(folder / "bunch.h5").coordinates.empty());
}

TEST_CASE("conventions of longitudinal coordinates are converted into each other") {
  const TemporaryDirectory folder;
  const Bunch<double> bunch(200);
  auto output = bunch.output();
  for (const auto from : {LongitudinalCoordinates::cdt_dpop, LongitudinalCoordinates::zeta_ptau,
                          LongitudinalCoordinates::t_pt}) {
    output.accelerator = from;
    write_openpmd(folder / "bunch.h5", output);
    for (const auto to : {LongitudinalCoordinates::cdt_dpop, LongitudinalCoordinates::zeta_ptau,
                          LongitudinalCoordinates::t_pt}) {
      OpenPmdQuery query;
      query.accelerator = to;
      const BunchFromFile there = read_openpmd(folder / "bunch.h5", query);
      auto again = output;
      again.accelerator = to;
      again.coordinates = {there.coordinates.data(), {200, 6}};
      write_openpmd(folder / "again.h5", again);
      query.accelerator = from;
      const BunchFromFile back = read_openpmd(folder / "again.h5", query);
      double worst = 0;
      for (std::size_t k = 0; k < back.coordinates.size(); ++k)
        worst = std::max(worst, std::abs(back.coordinates[k] - bunch.coordinates[k]));
      CHECK(worst < 2e-15);
      if (from != to) CHECK(there.coordinates[5] != bunch.coordinates[5]);
    }
  }
}

TEST_CASE("files of a series have the number of their iteration") {
  CHECK(openpmd_file("a/b_%T.h5", 7) == "a/b_7.h5");
  CHECK(openpmd_file("b_%06T.h5", 7) == "b_000007.h5");
  CHECK(openpmd_file("b_%02T.h5", 12345) == "b_12345.h5");
  CHECK(openpmd_file("b.h5", 7) == "b.h5");
  CHECK(openpmd_file("50%_%T.h5", 7) == "50%_7.h5");
  CHECK(message_of([] { static_cast<void>(openpmd_file("b_%T.bp", 7)); }) ==
        "openPMD file: path: b_%T.bp: expected a name that ends in .h5");
  CHECK(message_of([] { static_cast<void>(openpmd_file("%T_%T.h5", 7)); }).find("once") !=
        std::string::npos);
  CHECK(message_of([] { static_cast<void>(openpmd_file("run%T/b.h5", 7)); }).find("folder") !=
        std::string::npos);

  const TemporaryDirectory folder;
  Bunch<double> bunch(5);
  for (const std::uint64_t iteration : {0u, 100u}) {
    auto output = bunch.output();
    output.iteration = iteration;
    bunch.coordinates[0] = static_cast<double>(iteration);
    CHECK(write_openpmd(folder / "b_%04T.h5", output) ==
          folder / (iteration == 0 ? "b_0000.h5" : "b_0100.h5"));
  }
  OpenPmdQuery query;
  query.iteration = 100;
  CHECK(read_openpmd(folder / "b_%04T.h5", query).coordinates[0] == 100);
  CHECK(message_of([&] {
          static_cast<void>(read_openpmd(folder / "b_%04T.h5"));
        }).find("expected the number of one") != std::string::npos);
}

TEST_CASE("meshes have the shape of the grid") {
  const TemporaryDirectory folder;
  OpenPmdOutput<double> output;
  output.reference = {ReferenceParticle::with_gamma(2), proton};
  output.grid = {{-1, -2, -4}, {0.5, 0.5, 1}, {4, 8, 6}, {false, false, false}};
  const std::vector<double> values(4 * 8 * 6, 1);
  // x fastest, as in the results of pic/poisson_solve.
  output.potential = {values.data(), {4, 8, 6}, {1, 4, 32}};
  write_openpmd(folder / "fields.h5", output);
  const auto meshes =
      hdf5::Object::root_of(folder / "fields.h5").member("data").member("0").member("meshes");
  CHECK(meshes.members() == std::vector<std::string>{"phi"});
  CHECK(meshes.member("phi").extents() == std::vector<std::uint64_t>{6, 8, 4});
  CHECK(meshes.member("phi").numbers("gridSpacing") == std::vector<double>{0.5, 0.5, 0.5});
  CHECK(meshes.member("phi").numbers("gridGlobalOffset") == std::vector<double>{-2, -2, -1});
  CHECK(meshes.member("phi").number("unitSI") == 2);
  CHECK(message_of([&] {
          static_cast<void>(read_openpmd(folder / "fields.h5"));
        }).find("expected one of: meshes") != std::string::npos);
}

TEST_CASE("what cannot be written leaves what was there") {
  const TemporaryDirectory folder;
  Bunch<double> bunch(9);
  write_openpmd(folder / "bunch.h5", bunch.output());
  const auto refused = [&](const OpenPmdOutput<double>& output, const std::string& words) {
    const std::string message =
        message_of([&] { static_cast<void>(write_openpmd(folder / "bunch.h5", output)); });
    INFO(message);
    CHECK(message.find(words) != std::string::npos);
  };
  auto output = bunch.output();
  output.reference.rest_energy = 0;
  refused(output, "reference: expected a rest energy");
  output = bunch.output();
  output.reference.particle.beta_gamma = std::numeric_limits<double>::quiet_NaN();
  refused(output, "reference");
  output = bunch.output();
  output.species = "a/b";
  refused(output, "species: expected a name");
  output = bunch.output();
  output.weights = {bunch.weights.data(), {8}};
  refused(output, "weights");
  output = bunch.output();
  output.particles_per_weight = 0;
  refused(output, "particles_per_weight");
  output = bunch.output();
  output.field[1] = {bunch.coordinates.data(), {2, 3, 4}};
  output.grid.nodes[0] = 2;
  output.grid.nodes[1] = 3;
  output.grid.nodes[2] = 4;
  refused(output, "field: expected");
  refused({}, "reference");
  output = bunch.output();
  output.coordinates = {};
  refused(output, "a bunch or fields");

  for (const std::size_t column : {0u, 3u, 4u, 5u}) {
    Bunch<double> poisoned(9);
    poisoned.coordinates[6 * 4 + column] = std::numeric_limits<double>::quiet_NaN();
    refused(poisoned.output(), "particle 4 has coordinates that are not finite");
  }
  Bunch<double> backward(9);
  backward.coordinates[6 * 7 + 1] = 1.5;
  refused(backward.output(), "particle 7");
  backward.alive.assign(9, 1);
  backward.alive[7] = 0;
  output = backward.output();
  output.alive = {backward.alive.data(), {9}};
  CHECK_NOTHROW(write_openpmd(folder / "lost.h5", output));
  Bunch<double> weightless(9);
  weightless.weights[2] = std::numeric_limits<double>::infinity();
  output = weightless.output();
  output.weights = {weightless.weights.data(), {9}};
  refused(output, "the weight of particle 2");
  CHECK(message_of([&] {
          static_cast<void>(write_openpmd(folder / "no" / "bunch.h5", bunch.output()));
        }).find("bunch.h5") != std::string::npos);

  check_same(read_openpmd(folder / "bunch.h5"), bunch, all_of(9));
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
    CHECK(entry.path().extension() == ".h5");
    ++files;
  }
  CHECK(files == 2);
}

TEST_CASE("a disk that is full leaves no file") {
  const TemporaryDirectory folder;
  const Bunch<double> bunch(5000);
  const pid_t child = ::fork();
  if (child == 0) {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit = {100000, 100000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    try {
      static_cast<void>(write_openpmd(folder / "bunch.h5", bunch.output()));
    } catch (const FileError& error) {
      ::_exit(std::string(error.what()).find("bunch.h5") != std::string::npos ? 3 : 4);
    } catch (...) {
      ::_exit(5);
    }
    ::_exit(6);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  REQUIRE(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 3);
  CHECK(std::filesystem::is_empty(folder.path()));
}

TEST_CASE("of a writer that is killed every file that has its name is whole") {
  const TemporaryDirectory folder;
  const Bunch<double> bunch(20000);
  std::size_t whole = 0, parts = 0;
  for (int kill = 0; kill < 12; ++kill) {
    int tell[2];
    REQUIRE(::pipe(tell) == 0);
    const pid_t child = ::fork();
    if (child == 0) {
      auto output = bunch.output();
      const auto first = static_cast<std::uint64_t>(1000 * kill);
      for (output.iteration = first;; ++output.iteration) {
        static_cast<void>(write_openpmd(folder / "b_%T.h5", output));
        if (::write(tell[1], "x", 1) != 1) ::_exit(1);
      }
    }
    char told = 0;
    for (int k = 0; k <= kill % 3; ++k)
      REQUIRE(::read(tell[0], &told, 1) == 1);
    ::usleep(static_cast<useconds_t>(700 * kill));  // kills it during a later write
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    ::close(tell[0]);
    ::close(tell[1]);
  }
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
    if (entry.path().extension() == ".part") {
      ++parts;
      continue;
    }
    ++whole;
    check_same(read_openpmd(entry.path()), bunch, all_of(20000));
  }
  CHECK(whole >= 12);
  MESSAGE(whole << " whole files, " << parts << " parts");
}

}  // namespace
}  // namespace tessera::pic
