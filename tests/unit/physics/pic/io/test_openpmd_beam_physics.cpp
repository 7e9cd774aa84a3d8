// Reading files with the extension BeamPhysics, in the layouts of openpmd-beamphysics and Bmad.
#include "physics/pic/io/openpmd_read.hpp"
#include "physics/pic/physical_constants.hpp"
#include "tests/support/input_errors.hpp"
#include "tests/support/relative.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/unit/physics/pic/io/openpmd_mistakes.hpp"
#include "tests/unit/physics/pic/io/openpmd_records.hpp"

#include <doctest/doctest.h>

#include <cmath>

namespace tessera::pic::beam_physics_files {
namespace {

using namespace test::dimensions;
using test::check_input_error;
using test::check_mistakes;
using test::Mistake;
using test::StoredFile;
using test::StoredRecord;
using test::StoredSpecies;
using test::TemporaryDirectory;

constexpr double ev_over_c = elementary_charge / speed_of_light;
constexpr double p_ref = 10e6;  // eV/c

/// Three electrons of 10 MeV/c that passed z = 0 at different times, and a fourth that is not
/// alive.
StoredFile electrons() {
  StoredSpecies species;
  species.name = "electron";
  species.attributes = {{"numParticles", 4}, {"chargeUnitSI", 1}};
  species.texts = {{"speciesType", "electron"}};
  species.records = {
      {"position", "x", {1e-3, -2e-3, 0, 0}, 1, length},
      {"position", "y", {0, 5e-4, 1e-4, 0}, 1, length},
      {"position", "z", {0}, 1, length, true, 4},
      {"momentum", "x", {1e3, 0, -2e3, 0}, ev_over_c, momentum},
      {"momentum", "y", {0, 3e3, 0, 0}, ev_over_c, momentum},
      {"momentum", "z", {10e6, 10.1e6, 9.9e6, -1}, ev_over_c, momentum},
      {"time", "", {1e-12, -2e-12, 5e-13, 0}, 1, seconds},
      {"weight", "", {2e-15, 1e-15, 3e-15, 7e-15}, 1, charge},
      {"particleStatus", "", {1, 1, 1, 3}, 1, number, false, 0, true},
      {"id", "", {5, 6, 7, 8}, 1, number, false, 0, true},
  };
  return {.version = "2.0.0",
          .extension = "BeamPhysics;SpeciesType",
          .base_path = "/",
          .particles_path = "particles",
          .species = {species}};
}

OpenPmdQuery query() {
  OpenPmdQuery query;
  query.reference = ReferenceParticle{p_ref / electron_energy};
  return query;
}

BunchFromFile read(const TemporaryDirectory& folder, const StoredFile& file,
                   const OpenPmdQuery& wanted = query()) {
  write_stored(folder / "electrons.h5", file);
  return read_openpmd(folder / "electrons.h5", wanted);
}

TEST_CASE("particles with times of their own, weights in coulomb") {
  const TemporaryDirectory folder;
  const BunchFromFile found = read(folder, electrons());
  CHECK(found.iteration == 0);
  CHECK(found.time == 0);
  CHECK(found.reference.rest_energy == electron_energy);
  CHECK(found.reference.charge_state == -1);
  REQUIRE(found.coordinates.size() == 18);
  const double* const c = found.coordinates.data();
  CHECK(c[0] == 1e-3);
  CHECK(c[1] == test::relative(1e-4).epsilon(1e-9));
  CHECK(c[6] == -2e-3);
  CHECK(c[6 + 3] == test::relative(3e-4).epsilon(1e-9));
  CHECK(c[4] == speed_of_light * 1e-12);
  CHECK(c[6 + 4] == speed_of_light * -2e-12);
  CHECK(c[6 + 5] == test::relative(std::hypot(10.1, 3e-3) / 10 - 1).epsilon(1e-9));
  CHECK(found.weights == std::vector<double>{2e-15, 1e-15, 3e-15});
  CHECK(found.particles_per_weight == test::relative(1 / elementary_charge));
  CHECK(found.ids == std::vector<std::int64_t>{5, 6, 7});
  REQUIRE(found.warnings.size() == 1);
  CHECK(found.warnings[0].find("particleStatus: 1 particles are lost") != std::string::npos);
  CHECK(found.ignored.empty());
}

TEST_CASE("the reference particle is at the time offset, or where the question has it") {
  const TemporaryDirectory folder;
  StoredFile file = electrons();
  file.species[0].records.push_back({"timeOffset", "", {3e-9}, 1, seconds, true, 4});
  CHECK(read(folder, file).coordinates[4] == speed_of_light * 1e-12);
  OpenPmdQuery absolute = query();
  absolute.time = 2.9e-9;
  CHECK(read(folder, file, absolute).coordinates[4] ==
        test::relative(speed_of_light * 1.01e-10).epsilon(1e-9));

  // At a plane 2 m further: the particles drift there.
  OpenPmdQuery further = query();
  further.place = 2;
  const BunchFromFile found = read(folder, electrons(), further);
  CHECK(found.coordinates[0] == test::relative(1e-3 + 2 * 1e-4).epsilon(1e-9));
  const double energy = std::hypot(p_ref, electron_energy, 1e3);
  CHECK(found.coordinates[4] ==
        test::relative(speed_of_light * 1e-12 + 2 * energy / p_ref).epsilon(1e-12));
  CHECK(found.warnings[0].find("x and y change by at most") != std::string::npos);
  CHECK(found.warnings[1].find("m / c later than it") != std::string::npos);
  further.snapshot = Snapshot::as_it_is;
  CHECK(read(folder, electrons(), further).coordinates[0] == 1e-3);

  // Or after a drift: with z and time shifted consistently the bunch is the same.
  StoredFile later = electrons();
  later.species[0].at("position", "z").values = {2};
  later.species[0].at("position", "x").values[0] = 1e-3 + 2 * 1e-4;
  later.species[0].at("time").values[0] += 2 * energy / p_ref / speed_of_light;
  const BunchFromFile back = read(folder, later);
  CHECK(back.coordinates[0] == test::relative(1e-3).epsilon(1e-9));
  CHECK(back.coordinates[4] == test::relative(speed_of_light * 1e-12).epsilon(1e-9));
}

TEST_CASE("offsets, one weight for all, shares of a total charge") {
  const TemporaryDirectory folder;
  StoredFile file = electrons();
  StoredSpecies& species = file.species[0];
  species.at("momentum", "z").values = {0, 0.1e6, -0.1e6, -10e6};
  for (const char* const axis : {"x", "y", "z"})
    species.records.push_back(
        {"momentumOffset", axis, {*axis == 'z' ? 10e6 : 0}, ev_over_c, momentum, true, 4});
  species.records.push_back({"positionOffset", "x", {0.25}, 1, length, true, 4});
  species.at("weight") = {"weight", "", {-2}, 1e-15, charge, true, 4};
  species.attributes.push_back({"totalCharge", -8e-15});
  const BunchFromFile found = read(folder, file);
  CHECK(found.coordinates[0] == 0.251);
  CHECK(found.coordinates[6 + 5] == test::relative(std::hypot(10.1, 3e-3) / 10 - 1).epsilon(1e-9));
  CHECK(found.weights.empty());
  CHECK(found.particles_per_weight == test::relative(2e-15 / elementary_charge));
  CHECK(found.warnings.size() == 1);

  species.attributes.back().second = 9e-15;
  CHECK(read(folder, file)
            .warnings[0]
            .find("totalCharge: it is 9e-15 C, but the weights add up to "
                  "8e-15 C; the weights count") != std::string::npos);
  species.remove("weight");
  CHECK(read(folder, file).particles_per_weight == test::relative(9e-15 / 4 / elementary_charge));
  species.attributes.push_back({"chargeLive", 6e-15});
  CHECK(read(folder, file).particles_per_weight == test::relative(2e-15 / elementary_charge));
  species.attributes.resize(2);
  CHECK(read(folder, file).particles_per_weight == 0);
}

TEST_CASE("where a bunch lies in the file") {
  const TemporaryDirectory folder;
  StoredFile file = electrons();
  file.base_path = "/data/%T/";
  file.particles_path = "particles/";
  file.iterations = {7};
  CHECK(read(folder, file).iteration == 7);
  CHECK(read(folder, file).time * 1e9 == test::relative(2));
  OpenPmdQuery wanted = query();
  wanted.species = "electron";
  CHECK(read(folder, file, wanted).coordinates.size() == 18);
  file.particles_path = "particles/electron";  // the group is the bunch
  CHECK(read(folder, file).coordinates.size() == 18);
  file.particles_path = "./";  // one more group between
  CHECK(read(folder, file).coordinates.size() == 18);
}

TEST_CASE("what is wrong with a file of the extension is said by its place in it") {
  const std::string top = "/particles/electron";
  const Mistake mistakes[] = {
      {[](StoredFile& f) { f.extension = "PRAYTRACE"; }, "/openPMD", "2.0.0",
       "2.x with the extension BeamPhysics"},
      {[](StoredFile& f) { f.species[0].texts.clear(); }, top + "/speciesType", "", "no such"},
      {[](StoredFile& f) { f.species[0].texts[0].second = "C+6"; }, top + "/speciesType", "C+6",
       "expected one of proton, antiproton, electron"},
      {[](StoredFile& f) { f.species[0].at("time").dimension = number; },
       top + "/time/unitDimension", "0 0 0 0 0 0 0", "a time"},
      {[](StoredFile& f) { f.species[0].at("weight").dimension = number; },
       top + "/weight/unitDimension", "0 0 0 0 0 0 0", "a charge"},
      {[](StoredFile& f) { f.species[0].at("time").values.pop_back(); }, top + "/time",
       "3 elements", "expected 4"},
      {[](StoredFile& f) {
         f.species[0].at("time").values[1] = 1e300;
         f.species[0].at("time").unit_si = 1e300;
       },
       top + "/time", "1e+300", "a finite time for particle 1"},
      {[](StoredFile& f) { f.species[0].at("momentum", "z").values[0] = -10e6; }, top + "/momentum",
       "-1", "a momentum forward"},
      {[](StoredFile& f) {
         f.species[0].at("weight").values = {0, 0, 0, 0};
         f.species[0].at("weight").constant = true;
         f.species[0].at("weight").shape = 4;
       },
       top + "/weight", "0", "charges of macro-particles"},
      {[](StoredFile& f) {
         f.species[0].records.push_back({"momentumOffset", "x", {1}, 1, length, true, 4});
       },
       top + "/momentumOffset/unitDimension", "", "expected that of momentum"},
  };
  check_mistakes(mistakes, electrons(), query());

  const TemporaryDirectory folder;
  StoredFile anti = electrons();
  anti.species[0].texts[0].second = "anti-proton";
  OpenPmdQuery slow = query();
  slow.reference = ReferenceParticle{p_ref / proton_energy};
  CHECK(read(folder, anti, slow).reference.rest_energy == proton_energy);
  CHECK(read(folder, anti, slow).reference.charge_state == -1);

  StoredFile ions = electrons();
  ions.species[0].texts[0].second = "C+6";
  OpenPmdQuery wanted = query();
  wanted.rest_energy = 11.17e9;
  wanted.charge_state = 6;
  const BunchFromFile found = read(folder, ions, wanted);
  CHECK(found.reference.charge_state == 6);
  CHECK(found.particles_per_weight == test::relative(1 / (6 * elementary_charge)));
  CHECK(found.warnings[0].find("mass and charge of 'C+6' are those of the reference") !=
        std::string::npos);
}

TEST_CASE("other formats of openPMD are refused by what they are") {
  const TemporaryDirectory folder;
  std::filesystem::create_directories(folder / "adios.bp");
  std::filesystem::create_directories(folder / "renamed.h5");
  folder.write("adios.bp/md.idx", "");
  folder.write("renamed.h5/data.0", "");
  folder.write("x.json", "{}");
  folder.write("json.h5", "\n {\"attributes\": {}}");
  const auto refused = [&](const char* name, const std::string& words) {
    check_input_error([&] { static_cast<void>(read_openpmd(folder / name)); },
                      {.field = "", .value = "", .message = words});
  };
  const std::string at = folder.path().string() + "/";
  refused("adios.bp",
          "this is a folder of ADIOS2, expected HDF5; openPMD-api converts it: "
          "openpmd-pipe --infile " +
              at + "adios.bp --outfile " + at + "adios.h5");
  refused("renamed.h5", "this is a folder of ADIOS2");
  refused("no.bp5", "this is an openPMD series in ADIOS2");
  refused("x.json", "this is an openPMD series in JSON");
  refused("x.toml", "this is an openPMD series in TOML");
  refused("json.h5", "this is JSON, expected HDF5");
  OpenPmdQuery first;
  first.iteration = 1;
  check_input_error([&] { static_cast<void>(read_openpmd(folder / "s_%06T.bp", first)); },
                    {.field = "", .value = "", .message = "this is an openPMD series in ADIOS2"});
}

}  // namespace
}  // namespace tessera::pic::beam_physics_files
