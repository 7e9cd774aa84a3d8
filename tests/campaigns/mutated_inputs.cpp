// Reads mutated files in one process; tests/campaigns/inputs.py starts it. Usage and results:
//
//   mutated_inputs read FORMAT SEED FIRST END FOLDER SAMPLE...
//     reads mutated files, and prints a line with index, outcome and message for each
//   mutated_inputs write FORMAT SEED FIRST END FOLDER SAMPLE...
//     only writes the mutated files to FOLDER
//   mutated_inputs restarts FOLDER SAMPLE...
//     writes a restart file of each sample with atoms
//   mutated_inputs beams FOLDER SAMPLE...
//     writes a restart file of each sample that is a case of a beam
//   mutated_inputs openpmds FOLDER SAMPLE...
//     writes openPMD files of each sample that is a table of particles

#include "apps/tessera/case/read_case.hpp"
#include "core/base/input_file.hpp"
#include "core/base/printable.hpp"
#include "core/operations/registry.hpp"
#include "physics/md/io/extended_xyz.hpp"
#include "physics/md/io/lammps_data.hpp"
#include "physics/md/io/restart.hpp"
#include "physics/pic/case/tracking_setup.hpp"
#include "physics/pic/io/bunch_table.hpp"
#include "physics/pic/io/openpmd_write.hpp"
#include "tests/campaigns/mutate.hpp"
#include "tests/campaigns/outside_input.hpp"
#include "tests/unit/physics/pic/io/openpmd_records.hpp"

#include <chrono>
#include <cstdio>
#include <exception>
#include <fstream>
#include <iostream>

namespace tessera::campaign {
namespace {

using Clock = std::chrono::steady_clock;

std::string mutate_as(std::string_view format, const std::vector<std::string>& samples,
                      Dice& dice) {
  if (format == "restart" || format == "beam") return mutate_restart(samples, dice);
  if (format == "openpmd") return mutate_openpmd(samples, dice);
  return mutate_text(samples, dice);
}

void write(const std::filesystem::path& path, const std::string& contents) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << contents;
  if (!file.flush()) throw std::runtime_error("cannot write " + path.string());
}

std::string ending(std::string_view format) {
  if (format == "case") return ".toml";
  if (format == "extxyz") return ".xyz";
  if (format == "bunch") return ".csv";
  if (format == "openpmd") return ".h5";
  return "." + std::string(format);
}

int mutate(bool read, const std::vector<std::string>& arguments) {
  const Format& format = campaign::format(arguments.at(0));
  const std::uint64_t seed = std::stoull(arguments.at(1));
  const std::uint64_t end = std::stoull(arguments.at(3));
  const std::filesystem::path folder = arguments.at(4);
  std::vector<std::string> samples;
  for (std::size_t s = 5; s < arguments.size(); ++s)
    samples.push_back(read_file(arguments[s]));
  for (std::uint64_t index = std::stoull(arguments.at(2)); index < end; ++index) {
    Dice dice(seed, index);
    const std::string mutated = mutate_as(format.name, samples, dice);
    const std::filesystem::path path =
        folder / ((read ? "mutated" : "mutated" + std::to_string(index)) + ending(format.name));
    write(path, mutated);
    if (!read) continue;
    // Prints the index before it reads the file: the last line identifies an input that ends the
    // process.
    std::printf("%llu ", static_cast<unsigned long long>(index));
    std::fflush(stdout);
    const Clock::time_point start = Clock::now();
    std::string outcome;
    try {
      const Outcome result = read_outside_input(format, path);
      outcome = result.accepted ? "accepted" : "refused " + result.message;
    } catch (const Fault& fault) {
      outcome = std::string("FAULT ") + fault.what();
    }
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    std::printf("%.3f %s\n", seconds, printable(outcome, most_of_a_message).c_str());
  }
  return 0;
}

/// Writes restart files of beams that have lost particles and have a grid.
int beams(const std::vector<std::string>& arguments) {
  const std::filesystem::path folder = arguments.at(0);
  for (std::size_t s = 1; s < arguments.size(); ++s) {
    const std::filesystem::path sample = arguments[s];
    const pic::TrackingSetup setup = pic::set_up_tracking(app::read_case(sample));
    const auto tracking =
        pic::Tracking::make(registry().open("serial"), setup.bunch, setup.plan, setup.options);
    tracking->advance(setup.steps);
    RestartFile file;
    tracking->save(file);
    file.write(folder / (sample.stem().string() + ".beam"));
  }
  return 0;
}

/// Writes restart files with all data of the samples, such as velocities and bonds.
int restarts(const std::vector<std::string>& arguments) {
  const std::filesystem::path folder = arguments.at(0);
  for (std::size_t s = 1; s < arguments.size(); ++s) {
    const std::filesystem::path sample = arguments[s];
    md::Restart restart;
    restart.units = "metal";
    restart.clock = StepClock(0.001, 1000, 200, 0.2);
    restart.system =
        sample.extension() == ".xyz" ? md::read_extended_xyz(sample) : md::read_lammps_data(sample);
    md::write_restart(folder / (sample.stem().string() + ".restart"), restart);
  }
  return 0;
}

template <class Storage>
void write_openpmd(const std::filesystem::path& path, const pic::BunchRows& rows,
                   pic::LongitudinalCoordinates coordinates) {
  const std::int64_t particles = std::ssize(rows.coordinates) / 6;
  const std::vector<Storage> values(rows.coordinates.begin(), rows.coordinates.end());
  const std::vector<Storage> weights(rows.weights.begin(), rows.weights.end());
  pic::OpenPmdOutput<Storage> output;
  output.reference = {pic::ReferenceParticle{2}, 938.272e6};
  output.accelerator = coordinates;
  output.coordinates = {values.data(), {particles, 6}};
  if (!weights.empty()) output.weights = {weights.data(), {particles}};
  pic::write_openpmd(path, output);
}

/// An openPMD file of the kind that other programs write: particles at one time, with momenta of
/// macro-particles.
test::StoredFile snapshot_of_others() {
  const double mc = 1.67262192595e-27 * pic::speed_of_light;
  using namespace test::dimensions;
  test::StoredSpecies species;
  species.records = {
      {"position", "x", {1, -2, 3}, 1e-3, length},
      {"position", "y", {0}, 1e-3, length, true, 3},
      {"position", "z", {0.1, -0.2, 0.05}, 1, length},
      {"positionOffset", "z", {0.01}, 1, length, true, 3},
      {"momentum", "x", {10, -40, 0.5}, mc, momentum, false, 0, false, {}, 1, 1},
      {"momentum", "y", {-1, 2, 0.5}, mc, momentum, false, 0, false, {}, 1, 1},
      {"momentum", "z", {2e4, 4.1e4, 990}, mc, momentum, false, 0, false, {}, 1, 1},
      {"mass", "", {1.67262192595e-27}, 1, mass, true, 3},
      {"charge", "", {1}, pic::elementary_charge, charge, true, 3},
      {"weighting", "", {1e4, 2e4, 500}, 1, number},
  };
  return {.species = {species}};
}

/// An openPMD file of the kind that other programs write: particles with individual times and
/// charges.
test::StoredFile beam_physics_of_others() {
  const double unit = pic::elementary_charge / pic::speed_of_light;
  using namespace test::dimensions;
  test::StoredSpecies species;
  species.name = "electron";
  species.attributes = {{"chargeUnitSI", 1}, {"totalCharge", 6e-15}, {"chargeLive", 3e-15}};
  species.texts = {{"speciesType", "electron"}};
  species.records = {
      {"position", "x", {1e-3, -2e-3, 0}, 1, length},
      {"position", "y", {5e-4}, 1, length, true, 3},
      {"position", "z", {0, 0.1, 0.2}, 1, length},
      {"momentum", "x", {1e3, 0, -2e3}, unit, momentum},
      {"momentum", "y", {0, 3e3, 0}, unit, momentum},
      {"momentum", "z", {0, 0.1e6, -0.1e6}, unit, momentum},
      {"momentumOffset", "z", {1e6}, unit, momentum, true, 3},
      {"time", "", {1e-12, -2e-12, 5e-13}, 1, seconds},
      {"timeOffset", "", {3e-9}, 1, seconds, true, 3},
      {"weight", "", {2e-15, 1e-15, 3e-15}, 1, charge},
      {"particleStatus", "", {1, 1, 3}, 1, number, false, 0, true},
  };
  return {.version = "2.0.0",
          .extension = "BeamPhysics;SpeciesType",
          .base_path = "/",
          .species = {species}};
}

/// Writes openPMD files in double and in single precision, with different longitudinal coordinates,
/// and files of the kinds that other programs write.
int openpmds(const std::vector<std::string>& arguments) {
  const std::filesystem::path folder = arguments.at(0);
  const pic::ReferenceParticle reference{2};
  for (std::size_t s = 1; s < arguments.size(); ++s) {
    const std::filesystem::path sample = arguments[s];
    using enum pic::LongitudinalCoordinates;
    write_openpmd<double>(folder / (sample.stem().string() + ".h5"),
                          pic::read_bunch_table(sample, reference), cdt_dpop);
    write_openpmd<float>(folder / (sample.stem().string() + "_single.h5"),
                         pic::read_bunch_table(sample, reference, t_pt), t_pt);
  }
  test::write_stored(folder / "snapshot.h5", snapshot_of_others());
  test::write_stored(folder / "beam_physics.h5", beam_physics_of_others());
  return 0;
}

}  // namespace
}  // namespace tessera::campaign

int main(int argc, char** argv) {
  try {
    const std::vector<std::string> arguments(argv + 2, argv + argc);
    if (std::string_view(argv[1]) == "restarts") return tessera::campaign::restarts(arguments);
    if (std::string_view(argv[1]) == "beams") return tessera::campaign::beams(arguments);
    if (std::string_view(argv[1]) == "openpmds") return tessera::campaign::openpmds(arguments);
    return tessera::campaign::mutate(std::string_view(argv[1]) == "read", arguments);
  } catch (const std::exception& error) {
    std::cerr << "mutated_inputs: " << error.what() << '\n';
    return 2;
  }
}
