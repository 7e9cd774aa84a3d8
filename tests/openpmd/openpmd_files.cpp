// Writes openPMD files together with dumps of their data, and prints the data of other files.
//
//   openpmd_files write FOLDER
//   openpmd_files read FILE [QUESTION]     prints the data as JSON. QUESTION is JSON with any of
//                                          {"iteration": 1, "species": "beam",
//                                          "accelerator": "t_pt", "beta_gamma": 2, "place": 0,
//                                          "time": 0, "snapshot": "as it is"}

#include "core/base/output_file.hpp"
#include "physics/pic/generate/bunch.hpp"
#include "physics/pic/io/openpmd_read.hpp"
#include "physics/pic/io/openpmd_write.hpp"

#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <iostream>

namespace tessera::pic {
namespace {

using nlohmann::json;

template <class T>
void dump(const std::filesystem::path& path, const std::vector<T>& values) {
  OutputFile(path).append(
      {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)});
}

/// Writes a bunch with weights, ids and lost particles, and fields.
template <class Storage>
void write(const std::filesystem::path& folder, const std::string& pattern, std::uint64_t iteration,
           std::int64_t particles) {
  BunchDescription description;
  description.particles = particles;
  description.seed = iteration + 1;
  for (int a = 0; a < 6; ++a)
    description.covariance[a][a] = 1e-6 * (a + 1);
  std::vector<Storage> coordinates, weights, kept, kept_weights;
  std::vector<std::uint8_t> alive;
  std::vector<std::int64_t> ids, kept_ids;
  for (const double value : generate_bunch(description))
    coordinates.push_back(static_cast<Storage>(value));
  for (std::int64_t p = 0; p < particles; ++p) {
    alive.push_back(p % 7 == 2 ? 0 : 1);
    weights.push_back(static_cast<Storage>(1.0 / (1.0 + static_cast<double>(p))));
    ids.push_back(3 * p + 1000000000000);
    if (alive.back() == 0) continue;
    for (std::int64_t c = 0; c < 6; ++c)
      kept.push_back(coordinates[static_cast<std::size_t>(6 * p + c)]);
    kept_weights.push_back(weights.back());
    kept_ids.push_back(ids.back());
  }

  OpenPmdOutput<Storage> output;
  output.iteration = iteration;
  output.time = 1e-9 * static_cast<double>(iteration);
  output.time_step = 1e-9;
  output.author = "Tessera's tests";
  output.reference = {ReferenceParticle::with_gamma(2.5), 938.27208943e6, 1, 4.75};
  output.coordinates = {coordinates.data(), {particles, 6}};
  output.alive = {alive.data(), {particles}};
  output.weights = {weights.data(), {particles}};
  output.ids = {ids.data(), {particles}};
  output.particles_per_weight = 5e6;

  output.grid = {{-0.03, -0.02, -0.1}, {0.01, 0.005, 0.04}, {6, 8, 5}, {false, false, false}};
  std::vector<Storage> values[5];
  for (std::size_t array = 0; array < 5; ++array)
    for (int node = 0; node < 6 * 8 * 5; ++node)
      values[array].push_back(
          static_cast<Storage>(std::sin(0.1 * node + static_cast<double>(array))));
  const auto view = [&](std::size_t array) {
    return View<const Storage, 3>(values[array].data(), {6, 8, 5}, {1, 6, 48});
  };
  output.density = view(0);
  output.potential = view(1);
  for (std::size_t a = 0; a < 3; ++a)
    output.field[a] = view(2 + a);

  std::filesystem::create_directories(folder);
  const std::filesystem::path raw = write_openpmd(folder / pattern, output);
  const auto beside = [&](const char* ending) {
    return std::filesystem::path(raw).replace_extension(ending);
  };
  dump(beside(".coordinates"), kept);
  dump(beside(".weights"), kept_weights);
  dump(beside(".ids"), kept_ids);
  for (std::size_t array = 0; array < 5; ++array)
    dump(beside((".values" + std::to_string(array)).c_str()), values[array]);
}

void read(const std::filesystem::path& path, const json& wanted) {
  OpenPmdQuery query;
  if (wanted.contains("iteration")) query.iteration = wanted["iteration"];
  if (wanted.contains("species")) query.species = wanted["species"];
  if (wanted.contains("place")) query.place = wanted["place"];
  if (wanted.contains("time")) query.time = wanted["time"].get<double>();
  if (wanted.value("snapshot", "drift") == name(Snapshot::as_it_is))
    query.snapshot = Snapshot::as_it_is;
  if (wanted.contains("beta_gamma")) query.reference = ReferenceParticle{wanted["beta_gamma"]};
  for (const auto coordinates : {LongitudinalCoordinates::cdt_dpop,
                                 LongitudinalCoordinates::zeta_ptau, LongitudinalCoordinates::t_pt})
    if (wanted.value("accelerator", "cdt_dpop") == name(coordinates))
      query.accelerator = coordinates;
  const BunchFromFile bunch = read_openpmd(path, query);
  std::cout << json{{"iteration", bunch.iteration},
                    {"time", bunch.time},
                    {"beta_gamma", bunch.reference.particle.beta_gamma},
                    {"rest_energy", bunch.reference.rest_energy},
                    {"charge_state", bunch.reference.charge_state},
                    {"path", bunch.reference.path},
                    {"coordinates", bunch.coordinates},
                    {"weights", bunch.weights},
                    {"ids", bunch.ids},
                    {"particles_per_weight", bunch.particles_per_weight},
                    {"ignored", bunch.ignored},
                    {"warnings", bunch.warnings}}
                   .dump()
            << '\n';
}

}  // namespace
}  // namespace tessera::pic

int main(int argc, char** argv) {
  using namespace tessera::pic;
  try {
    const std::filesystem::path path = argv[2];
    if (std::string_view(argv[1]) == "read") {
      read(path, argc > 3 ? json::parse(argv[3]) : json::object());
      return 0;
    }
    for (const std::uint64_t iteration : {0u, 100u})
      write<double>(path / "series", "bunch_%06T.h5", iteration, 1000);
    write<float>(path / "single", "bunch.h5", 3, 500);
    write<double>(path / "one", "bunch.h5", 1, 1);
    write<double>(path / "empty", "bunch.h5", 0, 0);
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "openpmd_files: " << error.what() << '\n';
    return 2;
  }
}
