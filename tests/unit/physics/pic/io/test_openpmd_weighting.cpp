// Reading records of macro-particles: macroWeighted and weightingPower of the extension ED-PIC.
#include "physics/pic/io/openpmd_read.hpp"
#include "tests/support/relative.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/unit/physics/pic/io/openpmd_mistakes.hpp"
#include "tests/unit/physics/pic/io/openpmd_records.hpp"

#include <doctest/doctest.h>

#include <cmath>

namespace tessera::pic::weighted_records {
namespace {

using namespace test::dimensions;
using test::check_mistakes;
using test::Mistake;
using test::StoredFile;
using test::StoredRecord;
using test::StoredSpecies;
using test::TemporaryDirectory;

constexpr double proton = 1.67262192595e-27;
const std::vector<double> weights = {1e4, 2.5e3, 400};

/// Protons of momentum 2 m c at the plane of the reference particle.
StoredFile protons() {
  const double mc = proton * speed_of_light;
  StoredSpecies species;
  species.records = {
      {"position", "x", {1e-3, 2e-3, -3e-3}, 1, length},
      {"position", "y", {0, 1e-4, 0}, 1, length},
      {"position", "z", {0, 0, 0}, 1, length},
      {"momentum", "x", {0.001, -0.002, 0.003}, mc, momentum},
      {"momentum", "y", {0.002, 0.001, 0}, mc, momentum},
      {"momentum", "z", {2, 2.01, 1.99}, mc, momentum},
      {"mass", "", {proton, proton, proton}, 1, mass},
      {"charge", "", {elementary_charge}, 1, charge, true, 3},
      {"weighting", "", weights, 1, number},
  };
  for (StoredRecord& record : species.records) {
    record.macro_weighted = record.record == "weighting" ? 1 : 0;
    record.weighting_power = record.record == "position" ? 0 : 1;
  }
  return {.species = {species}};
}

/// Converts a stored record of single particles to one of macro-particles, with this
/// weightingPower.
void weigh(StoredFile& file, const std::string& name, double power) {
  for (StoredRecord& record : file.species[0].records) {
    if (record.record != name) continue;
    record.macro_weighted = 1;
    record.weighting_power = power;
    if (record.constant) record.values.assign(3, record.values.front());
    record.constant = false;
    for (std::size_t p = 0; p < 3; ++p) {
      const StoredRecord& weighting = file.species[0].at("weighting");
      const double weight = weighting.values[weighting.constant ? 0 : p] * weighting.unit_si;
      record.values[p] *= std::pow(weight, power);
    }
  }
}

OpenPmdQuery query() {
  OpenPmdQuery query;
  query.reference = ReferenceParticle{2};
  return query;
}

BunchFromFile read(const TemporaryDirectory& folder, const StoredFile& file) {
  const auto path = folder / "protons.h5";
  write_stored(path, file);
  return read_openpmd(path, query());
}

void check_alike(const BunchFromFile& found, const BunchFromFile& expected) {
  REQUIRE(found.coordinates.size() == expected.coordinates.size());
  for (std::size_t k = 0; k < found.coordinates.size(); ++k)
    CHECK(std::abs(found.coordinates[k] - expected.coordinates[k]) < 1e-15);
  CHECK(found.reference.rest_energy == test::relative(expected.reference.rest_energy));
  CHECK(found.reference.charge_state == test::relative(expected.reference.charge_state));
  CHECK(found.weights == expected.weights);
  CHECK(found.particles_per_weight == expected.particles_per_weight);
}

TEST_CASE("records of macro-particles are divided by their weights to a power") {
  const TemporaryDirectory folder;
  const BunchFromFile plain = read(folder, protons());
  CHECK(plain.warnings.empty());
  CHECK(plain.coordinates[1] == test::relative(0.0005));
  CHECK(plain.weights == weights);
  for (const double power : {0.0, 0.5, 1.0, 2.0, -1.0})
    for (const char* const record : {"momentum", "position", "mass", "charge"}) {
      const std::string about = record + std::string(" ") + std::to_string(power);
      INFO(about);
      StoredFile file = protons();
      weigh(file, record, power);
      check_alike(read(folder, file), plain);
    }
  StoredFile all = protons();
  for (const char* const record : {"momentum", "mass", "charge"})
    weigh(all, record, 1);
  check_alike(read(folder, all), plain);
}

TEST_CASE("a weight that all have, in other units") {
  const TemporaryDirectory folder;
  StoredFile file = protons();
  file.species[0].at("weighting") = {"weighting", "", {20}, 500, number, true, 3};
  const BunchFromFile plain = read(folder, file);
  CHECK(plain.particles_per_weight == 10000);
  weigh(file, "momentum", 1);
  check_alike(read(folder, file), plain);
  // A constant component.
  for (StoredRecord& record : file.species[0].records)
    if (record.record == "momentum") {
      record.constant = true;
      record.shape = 3;
      record.values.resize(1);
    }
  const BunchFromFile same = read(folder, file);
  CHECK(same.coordinates[13] == test::relative(plain.coordinates[1]).epsilon(1e-14));
}

TEST_CASE("a file that does not say whose its momenta are is taken as one of particles, told") {
  const TemporaryDirectory folder;
  StoredFile file = protons();
  for (StoredRecord& record : file.species[0].records)
    record.macro_weighted = record.weighting_power = std::nullopt;
  const BunchFromFile found = read(folder, file);
  CHECK(found.coordinates[1] == test::relative(0.0005));
  REQUIRE(found.warnings.size() == 1);
  CHECK(
      found.warnings[0].find("protons.h5: /data/100/particles/protons/momentum: the file does not "
                             "say") != std::string::npos);
  // With weights of one the flags make no difference.
  file.species[0].at("weighting") = {"weighting", "", {1}, 1, number, true, 3};
  CHECK(read(folder, file).warnings.empty());
  file.species[0].remove("weighting");
  CHECK(read(folder, file).warnings.empty());
}

TEST_CASE("what is wrong with weights and their powers") {
  const std::string top = "/data/100/particles/protons";
  const Mistake mistakes[] = {
      {[](StoredFile& f) {
         for (StoredRecord& record : f.species[0].records)
           if (record.record == "momentum") record.macro_weighted = 2;
       },
       top + "/momentum/macroWeighted", "2", "0 for values of one particle"},
      {[](StoredFile& f) {
         weigh(f, "momentum", 1);
         for (StoredRecord& record : f.species[0].records)
           record.weighting_power = std::nullopt;
       },
       top + "/momentum/weightingPower", "", "no such attribute"},
      {[](StoredFile& f) {
         weigh(f, "mass", 1);
         f.species[0].remove("weighting");
       },
       top + "/mass/macroWeighted", "1", "a record weighting"},
      {[](StoredFile& f) {
         weigh(f, "momentum", 1);
         f.species[0].at("weighting").values[1] = 0;
       },
       top + "/weighting", "0", "particle 1: expected a positive weight"},
      {[](StoredFile& f) {
         weigh(f, "momentum", 0.5);
         f.species[0].at("weighting").values[2] = -400;
       },
       top + "/weighting", "-400", "particle 2: expected a positive weight"},
      {[](StoredFile& f) {
         StoredRecord& masses = f.species[0].at("mass");
         masses = {"mass", "", {1e4, 5e3, 400}, proton, mass};
         masses.macro_weighted = 1;
         masses.weighting_power = 1;
       },
       top + "/mass", "2", "the same for all particles"},
  };
  check_mistakes(mistakes, protons(), query());
}

}  // namespace
}  // namespace tessera::pic::weighted_records
