#include "physics/pic/simulation/openpmd_files.hpp"

#include "core/hdf5/hdf5_library.hpp"
#include "physics/pic/io/openpmd_file_name.hpp"
#include "physics/pic/io/openpmd_write.hpp"

#include <utility>

namespace tessera::pic {
namespace {

bool is_due(const OpenPmdFilesOptions& options, std::int64_t step) {
  return step == options.last_step || (options.every > 0 && step % options.every == 0);
}

std::filesystem::path file_of(const OpenPmdFilesOptions& options, std::int64_t step) {
  return openpmd_file(options.pattern, static_cast<std::uint64_t>(step));
}

/// Converts values to Storage, in which they are exact.
template <class Storage>
std::vector<Storage> stored(const std::vector<double>& values) {
  std::vector<Storage> result;
  result.reserve(values.size());
  for (const double value : values)
    result.push_back(static_cast<Storage>(value));
  return result;
}

/// The grid with the third axis reversed: the grid of a kick runs from the head of the bunch to its
/// tail, and z of a file in the opposite direction.
Grid forward(Grid grid) {
  const double upper = grid.lower[2] + static_cast<double>(grid.nodes[2]) * grid.spacing[2];
  grid.lower[2] = -upper;
  return grid;
}

/// View of the nodes of `grid` in the order of the forward grid.
template <class Storage>
View<const Storage, 3> mirrored(const Grid& grid, const std::vector<Storage>& values) {
  const std::int64_t nx = grid.nodes[0], plane = nx * grid.nodes[1];
  return {values.data() + plane * (grid.nodes[2] - 1),
          {nx, grid.nodes[1], grid.nodes[2]},
          {1, nx, -plane}};
}

}  // namespace

OpenPmdFiles::OpenPmdFiles(OpenPmdFilesOptions options) : options_(std::move(options)) {
  static_cast<void>(file_of(options_, 0));
  static_cast<void>(hdf5::functions());
}

std::vector<std::string> OpenPmdFiles::names(const OpenPmdFilesOptions& options,
                                             std::int64_t first_step) {
  if (!is_openpmd_series(options.pattern)) return {file_of(options, 0).string()};
  std::vector<std::string> names;
  for (std::int64_t step = first_step; step <= options.last_step; ++step)
    if (is_due(options, step)) names.push_back(file_of(options, step).string());
  return names;
}

std::int64_t OpenPmdFiles::steps_to_next(std::int64_t step, std::int64_t otherwise) const {
  return options_.every > 0 ? options_.every - step % options_.every : otherwise;
}

bool OpenPmdFiles::wants(std::int64_t step, bool last) const {
  return is_due(options_, step) || (last && !is_openpmd_series(options_.pattern));
}

void OpenPmdFiles::write(const BunchSnapshot& snapshot) {
  if (options_.precision == Precision::single)
    write_as<float>(snapshot);
  else
    write_as<double>(snapshot);
}

template <class Storage>
void OpenPmdFiles::write_as(const BunchSnapshot& snapshot) const {
  const HostBunch& bunch = snapshot.bunch;
  const std::int64_t particles = bunch.size();
  const auto coordinates = stored<Storage>(bunch.coordinates);
  const auto weights = stored<Storage>(bunch.weights);

  OpenPmdOutput<Storage> output;
  output.iteration = static_cast<std::uint64_t>(snapshot.place.step);
  output.reference = {snapshot.reference, snapshot.rest_energy, snapshot.charge_state,
                      snapshot.place.path};
  output.time = snapshot.place.path / (snapshot.reference.beta() * speed_of_light);
  output.snapshot = options_.snapshot;
  output.coordinates = {coordinates.data(), {particles, 6}};
  if (!bunch.alive.empty()) output.alive = {bunch.alive.data(), {particles}};
  if (!bunch.ids.empty()) output.ids = {bunch.ids.data(), {particles}};
  if (!weights.empty()) output.weights = {weights.data(), {particles}};
  // A bunch without charge does not determine the number of physical particles per weight.
  const double per_weight = snapshot.macro_charge / output.reference.charge();
  if (per_weight > 0) output.particles_per_weight = per_weight;

  std::vector<Storage> values[5];
  if (options_.fields && snapshot.fields) {
    const FieldSnapshot& fields = *snapshot.fields;
    output.grid = forward(fields.grid);
    output.density = mirrored(fields.grid, values[0] = stored<Storage>(fields.density));
    output.potential = mirrored(fields.grid, values[1] = stored<Storage>(fields.potential));
    for (std::size_t a = 0; a < 3; ++a)
      output.field[a] = mirrored(fields.grid, values[2 + a] = stored<Storage>(fields.field[a]));
    for (Storage& along : values[4])
      along = -along;
  }
  write_openpmd(options_.pattern, output);
}

}  // namespace tessera::pic
