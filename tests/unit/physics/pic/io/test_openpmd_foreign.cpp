// Reading files of other programs, with three conventions for the coordinates of particles, and
// with faults.
#include "core/base/error.hpp"
#include "core/hdf5/hdf5_read.hpp"
#include "physics/pic/io/openpmd_read.hpp"
#include "physics/pic/io/openpmd_write.hpp"
#include "tests/support/input_errors.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/relative.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/unit/physics/pic/io/openpmd_mistakes.hpp"
#include "tests/unit/physics/pic/io/openpmd_records.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <fstream>
#include <limits>

namespace tessera::pic::foreign_files {
namespace {

using namespace test::dimensions;
using test::check_input_error;
using test::check_mistakes;
using test::message_of;
using test::Mistake;
using test::StoredFile;
using test::StoredRecord;
using test::StoredSpecies;
using test::TemporaryDirectory;

constexpr double electron = 9.1093837139e-31;

/// A file with three electrons at one time, in other units: lengths in um and momenta in units of
/// m c, with one constant component.
StoredFile at_one_time() {
  const double mc = electron * speed_of_light;
  StoredSpecies species;
  species.name = "electrons";
  species.records = {
      {"position", "x", {1, 2, -3}, 1e-6, length},
      {"position", "y", {0, 0, 0}, 1e-6, length},
      {"position", "z", {10, 20, 30}, 1e-6, length},
      {"positionOffset", "x", {0}, 1, length, true, 3},
      {"positionOffset", "y", {0.5}, 1, length, true, 3},
      {"positionOffset", "z", {1, 1, 1}, 1, length},
      {"momentum", "x", {0.01, 0, 0}, mc, momentum},
      {"momentum", "y", {0}, mc, momentum, true, 3},
      {"momentum", "z", {20, 20.2, 19.8}, mc, momentum},
      {"mass", "", {electron}, 1, mass, true, 3},
      {"charge", "", {-1}, elementary_charge, charge, true, 3},
      {"weighting", "", {100, 200, 300}, 1, number},
      {"id", "", {7, 8, 9}, 1, number, false, 0, true},
      {"temperature", "", {1, 1, 1}, 1, number},
  };
  return {.species = {species}};
}

OpenPmdQuery question_of_electrons() {
  OpenPmdQuery query;
  query.reference = ReferenceParticle{20};
  query.place = 1;
  return query;
}

TEST_CASE("positions and momenta at one time, in the units of others") {
  const TemporaryDirectory folder;
  const auto path = folder / "electrons.h5";
  write_stored(path, at_one_time());
  const BunchFromFile found = read_openpmd(path, question_of_electrons());
  CHECK(found.iteration == 100);
  CHECK(found.time * 1e9 == test::relative(2));
  CHECK(found.reference.charge_state == -1);
  CHECK(found.reference.rest_energy == test::relative(510998.95).epsilon(1e-8));
  CHECK(found.weights == std::vector<double>{100, 200, 300});
  CHECK(found.particles_per_weight == 1);
  CHECK(found.ids == std::vector<std::int64_t>{7, 8, 9});
  CHECK(found.ignored == std::vector<std::string>{"temperature"});
  REQUIRE(found.warnings.size() == 2);
  CHECK(found.warnings[0] ==
        path.string() +
            ": /data/100/particles/electrons/position: particles drift from where the "
            "file has them to the plane of the reference particle (z = 1 m), x and y "
            "change by at most 5e-09 m; snapshot = \"as it is\" leaves them");
  CHECK(found.warnings[1].find("momentum: the file does not say whether it is that of one") !=
        std::string::npos);
  REQUIRE(found.coordinates.size() == 18);
  // The first particle is 1e-5 m ahead of the plane, with a slope of 0.0005.
  CHECK(found.coordinates[0] == test::relative(1e-6 - 1e-5 * 0.01 / 20).epsilon(1e-9));
  CHECK(found.coordinates[2] == 0.5);
  CHECK(found.coordinates[1] == test::relative(0.01 / 20).epsilon(1e-8));
  const double pz[] = {20, 20.2, 19.8}, px[] = {0.01, 0, 0};
  for (const std::size_t p : {0u, 1u, 2u}) {
    const double energy = std::sqrt(1 + px[p] * px[p] + pz[p] * pz[p]);
    CHECK(std::abs(found.coordinates[6 * p + 4] +
                   1e-5 * static_cast<double>(p + 1) * energy / pz[p]) < 1e-14);
  }
  // Momentum of the first particle: 20.0000025 m c.
  CHECK(found.coordinates[5] == test::relative(0.01 * 0.01 / 800).epsilon(1e-4));
  CHECK(found.coordinates[6 + 5] == test::relative(0.01).epsilon(1e-6));
  CHECK(found.coordinates[12 + 5] == test::relative(-0.01).epsilon(1e-6));
}

TEST_CASE("a bunch is as much later than its iteration as its records say") {
  const TemporaryDirectory folder;
  const auto path = folder / "electrons.h5";
  StoredFile file = at_one_time();
  for (StoredRecord& record : file.species[0].records)
    if (record.record == "position" || record.record == "momentum") record.time_offset = 0.25;
  write_stored(path, file);
  const BunchFromFile found = read_openpmd(path, question_of_electrons());
  CHECK(found.time * 1e9 == test::relative(2.25));
  // The reference particle passes the plane at that time too.
  write_stored(path, at_one_time());
  CHECK(found.coordinates == read_openpmd(path, question_of_electrons()).coordinates);
}

TEST_CASE("as_is leaves x and y of a snapshot, and reports the difference") {
  const TemporaryDirectory folder;
  const auto path = folder / "electrons.h5";
  write_stored(path, at_one_time());
  OpenPmdQuery query = question_of_electrons();
  query.snapshot = Snapshot::as_it_is;
  const BunchFromFile found = read_openpmd(path, query);
  CHECK(found.coordinates[0] == 1e-6);
  const double beta = ReferenceParticle{20}.beta();
  for (const std::size_t p : {0u, 1u, 2u})
    CHECK(std::abs(found.coordinates[6 * p + 4] + 1e-5 * static_cast<double>(p + 1) / beta) <
          1e-15);
  REQUIRE(found.warnings.size() == 2);
  CHECK(found.warnings[0].find("x and y are those of the file") != std::string::npos);
  CHECK(found.warnings[0].find("by at most 5e-09 m") != std::string::npos);

  query.place = 0;  // a meter behind the bunch
  CHECK(read_openpmd(path, query)
            .warnings[1]
            .find("in the mean particles pass the plane of the reference particle (z = 0 m) "
                  "1.0012") != std::string::npos);
}

TEST_CASE("a snapshot that drifts is what the exact drift of transport makes of it") {
  // Particles at one plane drift to a common time, and the reader drifts them back.
  const TemporaryDirectory folder;
  const double mc = electron * speed_of_light, p_ref = 20;
  StoredFile file = at_one_time();
  StoredSpecies& species = file.species[0];
  const std::vector<double> x = {1e-3, -2e-3, 5e-4}, px = {0.02, -0.03, 0.3}, py = {0.01, 0.2, 0},
                            pz = {20, 20.5, 19}, late = {0.1, -0.2, 0.05};
  std::vector<double> there_x, there_y, there_z;
  for (std::size_t p = 0; p < 3; ++p) {
    const double energy = std::sqrt(1 + px[p] * px[p] + py[p] * py[p] + pz[p] * pz[p]);
    const double way = -late[p] * pz[p] / energy;  // path along z since the plane
    there_x.push_back(x[p] + way * px[p] / pz[p]);
    there_y.push_back(way * py[p] / pz[p]);
    there_z.push_back(way);
  }
  species.at("position", "x") = {"position", "x", there_x, 1, length};
  species.at("position", "y") = {"position", "y", there_y, 1, length};
  species.at("position", "z") = {"position", "z", there_z, 1, length};
  species.at("momentum", "x") = {"momentum", "x", px, mc, momentum};
  species.at("momentum", "y") = {"momentum", "y", py, mc, momentum};
  species.at("momentum", "z") = {"momentum", "z", pz, mc, momentum};
  species.remove("positionOffset");
  const auto path = folder / "electrons.h5";
  write_stored(path, file);
  for (const auto coordinates :
       {LongitudinalCoordinates::cdt_dpop, LongitudinalCoordinates::zeta_ptau,
        LongitudinalCoordinates::t_pt}) {
    OpenPmdQuery query;
    query.reference = ReferenceParticle{p_ref};
    query.accelerator = coordinates;
    const double place =
        coordinates == LongitudinalCoordinates::zeta_ptau ? -query.reference->beta() : 1;
    const BunchFromFile found = read_openpmd(path, query);
    for (std::size_t p = 0; p < 3; ++p) {
      CHECK(found.coordinates[6 * p] == test::relative(x[p]).epsilon(1e-13));
      CHECK(std::abs(found.coordinates[6 * p + 2]) < 1e-17);
      CHECK(found.coordinates[6 * p + 4] == test::relative(place * late[p]).epsilon(1e-13));
    }
  }
}

TEST_CASE("a snapshot of others that is written again is where it was, and keeps its bits") {
  const TemporaryDirectory folder;
  write_stored(folder / "electrons.h5", at_one_time());
  for (const auto coordinates :
       {LongitudinalCoordinates::cdt_dpop, LongitudinalCoordinates::zeta_ptau,
        LongitudinalCoordinates::t_pt}) {
    OpenPmdQuery query = question_of_electrons();
    query.accelerator = coordinates;
    const BunchFromFile found = read_openpmd(folder / "electrons.h5", query);
    OpenPmdOutput<double> output;
    output.reference = found.reference;
    output.accelerator = coordinates;
    output.snapshot = Snapshot::drift;
    output.coordinates = {found.coordinates.data(), {3, 6}};
    write_openpmd(folder / "again.h5", output);
    const hdf5::Object position = hdf5::Object::root_of(folder / "again.h5")
                                      .member("data")
                                      .member("0")
                                      .member("particles")
                                      .member("beam")
                                      .member("position");
    const std::vector<double> x = position.member("x").reals(), z = position.member("z").reals();
    const double there_x[] = {1e-6, 2e-6, -3e-6}, there_z[] = {1e-5, 2e-5, 3e-5};
    for (std::size_t p = 0; p < 3; ++p) {
      CHECK(x[p] == test::relative(there_x[p]).epsilon(1e-12));
      CHECK(std::abs(z[p] - there_z[p]) < 1e-15);
    }
    CHECK(position.member("y").reals() == std::vector<double>{0.5, 0.5, 0.5});
    CHECK(read_openpmd(folder / "again.h5", query).coordinates == found.coordinates);
  }
}

StoredFile of_impactx() {
  StoredSpecies species;
  species.name = "beam";
  species.attributes = {{"beta_gamma_ref", 3.5},
                        {"mass_ref", 1.67262192595e-27},
                        {"charge_ref", elementary_charge},
                        {"s_ref", 12.5}};
  species.records = {
      {"position", "x", {1e-3, 2e-3}, 1, length},
      {"position", "y", {-1e-3, 5e-4}, 1, length},
      {"position", "t", {1e-2, -3e-2}, 1, length},
      {"positionOffset", "x", {4}, 1, length, true, 2},
      {"positionOffset", "y", {5}, 1, length, true, 2},
      {"positionOffset", "t", {6}, 1, length, true, 2},
      {"momentum", "x", {1e-4, 2e-4}, 1, number},
      {"momentum", "y", {3e-4, 4e-4}, 1, number},
      {"momentum", "t", {-1e-3, 2e-3}, 1, number},
      {"qm", "", {1, 1}, 1, number},
      {"weighting", "", {1e4, 1e4}, 1, number},
      {"id", "", {1, 2}, 1, number, false, 0, true},
  };
  return {.species = {species}};
}

TEST_CASE("what ImpactX writes") {
  const TemporaryDirectory folder;
  const auto path = folder / "monitor.h5";
  write_stored(path, of_impactx());
  OpenPmdQuery query;
  query.accelerator = LongitudinalCoordinates::t_pt;
  const BunchFromFile found = read_openpmd(path, query);
  CHECK(found.coordinates == std::vector<double>{1e-3, 1e-4, -1e-3, 3e-4, 1e-2, -1e-3,  //
                                                 2e-3, 2e-4, 5e-4, 4e-4, -3e-2, 2e-3});
  CHECK(found.reference.path == 12.5);
  CHECK(found.reference.charge_state == test::relative(1));
  CHECK(found.ignored == std::vector<std::string>{"positionOffset", "qm"});

  // -(E - E_ref) / (p_ref c) = -1e-3 corresponds to 1e-3 / beta more momentum, to first order.
  const BunchFromFile as_dpop = read_openpmd(path);
  const double beta = ReferenceParticle{3.5}.beta();
  CHECK(as_dpop.coordinates[5] == test::relative(1e-3 / beta).epsilon(1e-3));
  CHECK(as_dpop.coordinates[4] == test::relative(1e-2).epsilon(1e-14));

  // The same with momenta in SI units.
  StoredFile in_si = of_impactx();
  const double p_ref = 3.5 * 1.67262192595e-27 * speed_of_light;
  for (const char* const axis : {"x", "y", "t"}) {
    in_si.species[0].at("momentum", axis).dimension = momentum;
    in_si.species[0].at("momentum", axis).unit_si = p_ref;
  }
  write_stored(path, in_si);
  const BunchFromFile again = read_openpmd(path, query);
  for (std::size_t k = 0; k < 12; ++k)
    CHECK(again.coordinates[k] == test::relative(found.coordinates[k]).epsilon(1e-14));
}

TEST_CASE("what is wrong with a file is said by its place in it") {
  const std::string top = "/data/100/particles/electrons";
  const Mistake mistakes[] = {
      {[](StoredFile& f) { f.version = "2.0.0"; }, "/openPMD", "2.0.0", "expected version 1.x"},
      {[](StoredFile& f) { f.encoding = "variableBased"; }, "/iterationEncoding", "variableBased",
       "fileBased or groupBased"},
      {[](StoredFile& f) { f.iterations.clear(); }, "/data", "", "there is no iteration"},
      {[](StoredFile& f) {
         f.iterations = {1, 20};
       },
       "/data", "", "iterations 1, 20"},
      {[](StoredFile& f) { f.particles_path = "partikel/"; }, "/data/100/partikel", "",
       "did you mean particles?"},
      {[](StoredFile& f) { f.species.clear(); }, "/data/100/particles", "", "there are no species"},
      {[](StoredFile& f) {
         f.species.push_back(f.species[0]);
         f.species[1].name = "protons";
       },
       "/data/100/particles", "", "electrons, protons"},
      {[](StoredFile& f) { f.species[0].remove("position"); }, top + "/position", "", "no such"},
      {[](StoredFile& f) { f.species[0].remove("momentum"); }, top + "/momentum", "", "no such"},
      {[](StoredFile& f) { f.species[0].at("momentum", "z").component = "s"; }, top + "/momentum/z",
       "", "one of: s, x, y"},
      {[](StoredFile& f) { f.species[0].at("momentum", "x").time_offset = -0.5; },
       top + "/momentum/timeOffset", "-0.5", "expected that of position, 0:"},
      {[](StoredFile& f) {
         f.species[0].at("position", "x").time_offset = 1;
         f.species[0].at("momentum", "x").time_offset = 0.5;
       },
       top + "/momentum/timeOffset", "0.5", "expected that of position, 1:"},
      {[](StoredFile& f) { f.species[0].at("position", "x").time_offset = NAN; },
       top + "/position/timeOffset", "nan", "a finite number"},
      {[](StoredFile& f) { f.species[0].remove("mass"); }, top + "/mass_ref", "", "a record mass"},
      {[](StoredFile& f) { f.species[0].remove("charge"); }, top + "/charge_ref", "",
       "a record charge"},
      {[](StoredFile& f) { f.species[0].at("mass").values = {-1}; }, top + "/mass",
       "-5.609588603804452e+35 eV", "positive mass"},
      {[](StoredFile& f) {
         f.species[0].at("mass") = {"mass", "", {1, 1, 2}, 1e-30, mass};
       },
       top + "/mass", "2", "the same for all particles"},
      {[](StoredFile& f) { f.species[0].at("position", "x").dimension = momentum; },
       top + "/position/unitDimension", "1 1 -1 0 0 0 0", "a length"},
      {[](StoredFile& f) { f.species[0].at("momentum", "x").dimension = number; },
       top + "/momentum/unitDimension", "0 0 0 0 0 0 0", "a momentum"},
      {[](StoredFile& f) { f.species[0].at("weighting").dimension = length; },
       top + "/weighting/unitDimension", "1 0 0 0 0 0 0", "a number"},
      {[](StoredFile& f) {
         f.species[0].at("position", "x").dimension = {1, 0};
       },
       top + "/position/unitDimension", "2 numbers", "seven"},
      {[](StoredFile& f) { f.species[0].at("position", "x").leave_out = "unitDimension"; },
       top + "/position/unitDimension", "", "no such attribute"},
      {[](StoredFile& f) { f.species[0].at("position", "y").leave_out = "unitSI"; },
       top + "/position/y/unitSI", "", "no such attribute"},
      {[](StoredFile& f) { f.species[0].at("position", "y").unit_si = 0; },
       top + "/position/y/unitSI", "0", "not zero"},
      {[](StoredFile& f) {
         f.species[0].at("position", "y").unit_si = std::numeric_limits<double>::infinity();
       },
       top + "/position/y/unitSI", "inf", "a finite number"},
      {[](StoredFile& f) { f.species[0].at("momentum", "y").leave_out = "shape"; },
       top + "/momentum/y/shape", "", "no such attribute"},
      {[](StoredFile& f) { f.species[0].at("momentum", "y").leave_out = "value"; },
       top + "/momentum/y", "", "attributes value and shape"},
      {[](StoredFile& f) { f.species[0].at("momentum", "y").shape = 4; }, top + "/momentum/y",
       "4 elements", "expected 3, as in"},
      {[](StoredFile& f) { f.species[0].at("position", "z").values.push_back(1); },
       top + "/position/z", "4 elements", "expected 3"},
      {[](StoredFile& f) { f.species[0].at("weighting").values.pop_back(); }, top + "/weighting",
       "2 elements", "expected 3"},
      {[](StoredFile& f) { f.species[0].at("id").whole = false; }, top + "/id", "",
       "whole numbers"},
      {[](StoredFile& f) { f.species[0].at("id").values.push_back(1); }, top + "/id", "4 elements",
       "expected 3"},
      {[](StoredFile& f) {
         f.species[0].at("position", "x").values[1] = std::numeric_limits<double>::quiet_NaN();
       },
       top + "/position/x", "nan", "for particle 1"},
      {[](StoredFile& f) {
         f.species[0].at("weighting").values[2] = -std::numeric_limits<double>::infinity();
       },
       top + "/weighting", "-inf", "for particle 2"},
      {[](StoredFile& f) {
         f.species[0].at("position", "x").values[1] = 1e300;
         f.species[0].at("position", "x").unit_si = 1e300;
       },
       top + "/position/x", "1e+300", "particle 1: expected a number that is finite"},
      {[](StoredFile& f) { f.species[0].at("momentum", "z").values[2] = -3; }, top + "/momentum",
       "-0.15000000000000002", "particle 2: expected a momentum forward"},
      {[](StoredFile& f) {
         f.species[0].at("weighting") = {"weighting", "", {-2}, 1, number, true, 3};
       },
       top + "/weighting", "-2", "positive number of physical particles"},
      {[](StoredFile& f) {
         f.species[0].at("charge").values = {1e300};
         f.species[0].at("charge").unit_si = 1;
       },
       top + "/charge", "inf e", "a finite charge"},
      {[](StoredFile& f) {
         f.species[0].at("weighting") = {"weighting", "", {1e300}, 1e300, number, true, 3};
       },
       top + "/weighting", "inf", "positive number of physical particles"},
      {[](StoredFile& f) {
         for (StoredRecord& record : f.species[0].records) {
           record.constant = true;
           record.shape = std::uint64_t{1} << 50;
         }
       },
       top + "/position/x", "1125899906842624 particles", "memory of this machine"},
  };
  check_mistakes(mistakes, at_one_time(), question_of_electrons());
}

TEST_CASE("what a question asks for and the file does not have") {
  const TemporaryDirectory folder;
  const auto path = folder / "electrons.h5";
  StoredFile file = at_one_time();
  file.iterations = {100, 200};
  write_stored(path, file);
  OpenPmdQuery query = question_of_electrons();
  query.iteration = 150;
  check_input_error([&] { static_cast<void>(read_openpmd(path, query)); },
                    {.field = "/data", .value = "150", .message = "iterations 100, 200"});
  query.iteration = 200;
  CHECK(read_openpmd(path, query).iteration == 200);
  query.species = "electron";
  check_input_error([&] { static_cast<void>(read_openpmd(path, query)); },
                    {.field = "/data/200/particles/electron",
                     .value = "",
                     .message = "one of: electrons; did you mean electrons?"});
  query.species = "electrons";
  query.reference.reset();
  check_input_error([&] { static_cast<void>(read_openpmd(path, query)); },
                    {.field = "/data/200/particles/electrons/beta_gamma_ref",
                     .value = "",
                     .message = "a reference particle given beside the file"});
  query.reference = ReferenceParticle{-1};
  CHECK_THROWS_AS(static_cast<void>(read_openpmd(path, query)), ArgumentError);

  file.iterations = {100};
  file.species[0].remove("weighting");
  file.species[0].remove("id");
  write_stored(path, file);
  const BunchFromFile bare = read_openpmd(path, question_of_electrons());
  CHECK(bare.particles_per_weight == 0);
  CHECK(bare.weights.empty());
  CHECK(bare.ids.empty());
}

TEST_CASE("what is no HDF5 file, or only the beginning of one") {
  const TemporaryDirectory folder;
  const auto refused = [&](const std::filesystem::path& path, const std::string& words) {
    const std::string message = message_of([&] { static_cast<void>(read_openpmd(path)); });
    INFO(message);
    CHECK(message.starts_with(path.string() + ": "));
    CHECK(message.find(words) != std::string::npos);
  };
  refused(folder / "none.h5", "no such file");
  refused(folder.path(), "expected a file");
  refused(folder.write("text.h5", "x [m], y [m]\n1, 2\n"), "expected a whole HDF5 file");
  refused(folder.write("empty.h5", ""), "expected a whole HDF5 file");
  {
    hdf5::NewFile file(folder / "bare.h5");
    file.commit();
  }
  refused(folder / "bare.h5", "there is no such attribute");

  write_stored(folder / "whole.h5", of_impactx());
  CHECK_NOTHROW(static_cast<void>(read_openpmd(folder / "whole.h5")));
  const std::string whole = folder.read("whole.h5");
  for (std::size_t size = 0; size < whole.size(); size += 97)
    refused(folder.write("cut.h5", whole.substr(0, size)), "expected a whole HDF5 file");
}

}  // namespace
}  // namespace tessera::pic::foreign_files
