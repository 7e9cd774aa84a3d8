#include "physics/pic/io/openpmd_write.hpp"

#include "core/base/build_info.hpp"
#include "core/base/error.hpp"
#include "core/operations/argument_check.hpp"
#include "physics/pic/io/fixed_time.hpp"
#include "physics/pic/io/longitudinal_names.hpp"
#include "physics/pic/io/openpmd_file_name.hpp"
#include "physics/pic/io/openpmd_record.hpp"
#include "physics/pic/reference_check.hpp"

#include <cctype>
#include <cmath>
#include <ctime>
#include <vector>

namespace tessera::pic {
namespace {

/// The present date in the format of the standard: date, time of day, hours from UTC.
std::string date_now() {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  localtime_r(&now, &local);
  char text[40];
  return {text, std::strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S %z", &local)};
}

bool is_name(const std::string& text) {
  for (const char c : text)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_') return false;
  return !text.empty();
}

/// Whether coordinates are given; the data pointer of an empty array may be null.
template <class Storage>
bool has_bunch(const OpenPmdOutput<Storage>& output) {
  return output.coordinates.given() || output.coordinates.extent(1) == 6;
}

template <class Storage>
bool has_fields(const OpenPmdOutput<Storage>& output) {
  return output.density.given() || output.potential.given() || output.field[0].given();
}

template <class Storage>
void check(const OpenPmdOutput<Storage>& output) {
  ArgumentCheck check("write_openpmd");
  const auto require = [&](bool holds, const char* argument, const char* expected) {
    check.require(holds, argument, [&] { return std::string("expected ") + expected; });
  };
  check_reference(check, output.reference.particle);
  require(output.reference.rest_energy > 0 && std::isfinite(output.reference.rest_energy),
          "reference", "a rest energy that is positive and finite");
  require(std::isfinite(output.reference.charge_state) && std::isfinite(output.reference.path),
          "reference", "a charge and a path that are finite");
  require(std::isfinite(output.time) && std::isfinite(output.time_step), "time", "finite times");
  require(is_name(output.species), "species", "a name of letters, digits and _");
  require(output.particles_per_weight > 0 && std::isfinite(output.particles_per_weight),
          "particles_per_weight", "a positive number");
  const std::int64_t particles = check.rows("coordinates", output.coordinates);
  if (has_bunch(output)) check.array("coordinates", output.coordinates, {particles, 6});
  check.optional("alive", output.alive, {particles});
  check.optional("weights", output.weights, {particles});
  check.optional("ids", output.ids, {particles});
  const auto& nodes = output.grid.nodes;
  check.optional("density", output.density, {nodes[0], nodes[1], nodes[2]});
  check.optional("potential", output.potential, {nodes[0], nodes[1], nodes[2]});
  for (const View<const Storage, 3>& component : output.field) {
    check.optional("field", component, {nodes[0], nodes[1], nodes[2]});
    require(component.given() == output.field[0].given(), "field", "three components or none");
  }
  for (int a = 0; has_fields(output) && a < 3; ++a)
    require(output.grid.nodes[a] >= 1 && output.grid.spacing[a] > 0 &&
                std::isfinite(output.grid.spacing[a]) && std::isfinite(output.grid.lower[a]),
            "grid", "nodes, a positive spacing and a finite place in every direction");
  require(has_bunch(output) || has_fields(output), "coordinates", "a bunch or fields, or both");
}

/// Writes one species, one column at a time, so that at most one column is in memory twice.
template <class Storage>
class SpeciesWriter {
 public:
  SpeciesWriter(const OpenPmdOutput<Storage>& output, const hdf5::NewObject& group)
      : output_(output), group_(group), frame_(output.reference.particle) {
    const std::int64_t rows = output.coordinates.extent(0);
    for (std::int64_t row = 0; row < rows; ++row)
      if (!output.alive.given() || output.alive(row) != 0) rows_.push_back(row);
    lost_ = static_cast<std::uint64_t>(rows) - particles();
  }

  void write() {
    describe();
    positions();
    momenta();
    tracked();
    rest();
  }

 private:
  [[nodiscard]] std::uint64_t particles() const { return rows_.size(); }

  void describe() const {
    const BeamReference& reference = output_.reference;
    group_.attribute("beta_ref", reference.particle.beta());
    group_.attribute("gamma_ref", reference.particle.gamma());
    group_.attribute("beta_gamma_ref", reference.particle.beta_gamma);
    group_.attribute("s_ref", reference.path);
    group_.attribute("mass_ref", reference.mass());
    group_.attribute("charge_ref", reference.charge());
    group_.attribute("rest_energy_ref_eV", reference.rest_energy);
    group_.attribute("charge_state_ref", reference.charge_state);
    group_.attribute("particles_lost", lost_);
  }

  /// Writes a component whose values are of(row).
  template <class T = Storage, class Of>
  hdf5::NewObject component(const hdf5::NewObject& group, const std::string& name, double unit_si,
                            const Of& of) const {
    std::vector<T> values;
    values.reserve(rows_.size());
    for (const std::int64_t row : rows_)
      values.push_back(static_cast<T>(of(row)));
    hdf5::NewObject made = group.dataset(name, {particles()}, values.data());
    made.attribute("unitSI", unit_si);
    return made;
  }

  [[nodiscard]] auto column(std::int64_t column) const {
    return [this, column](std::int64_t row) { return output_.coordinates(row, column); };
  }

  /// \throws ParticleError
  [[nodiscard]] Longitudinal at_fixed_time(std::int64_t row) const {
    const auto coordinate = [&](int k) { return static_cast<double>(output_.coordinates(row, k)); };
    Longitudinal l{coordinate(4), coordinate(5)};
    const double t = coordinate(1) * coordinate(1) + coordinate(3) * coordinate(3);
    if (!std::isfinite(coordinate(0) + coordinate(2) + t) ||
        !to_fixed_time(frame_, output_.accelerator, t, l))
      refuse(row);
    return l;
  }

  [[noreturn]] static void refuse(std::int64_t row) {
    throw ParticleError({row}, "openPMD: particle " + std::to_string(row) +
                                   " has coordinates that are not finite or no momentum forward");
  }

  /// \throws ParticleError
  [[nodiscard]] InFlight in_flight(std::int64_t row) const {
    double c[6];
    for (int k = 0; k < 6; ++k)
      c[k] = static_cast<double>(output_.coordinates(row, k));
    InFlight particle{};
    if (!leave_plane(frame_, output_.accelerator, c, particle)) refuse(row);
    return particle;
  }

  /// \throws ParticleError
  [[nodiscard]] Storage weight(std::int64_t row) const {
    const Storage value = output_.weights(row);
    if (!std::isfinite(value))
      throw ParticleError(
          {row}, "openPMD: the weight of particle " + std::to_string(row) + " is not finite");
    return value;
  }

  void positions() const {
    const hdf5::NewObject position = group_.group("position");
    describe_particles(position, length_dimension, {});
    if (output_.snapshot == Snapshot::drift) {
      static_cast<void>(
          component(position, "x", 1, [&](std::int64_t row) { return in_flight(row).x; }));
      static_cast<void>(
          component(position, "y", 1, [&](std::int64_t row) { return in_flight(row).y; }));
      static_cast<void>(
          component(position, "z", 1, [&](std::int64_t row) { return in_flight(row).z; }));
      describe_particles(component(group_, names_at_plane[0], 1, column(0)), length_dimension, {});
      describe_particles(component(group_, names_at_plane[1], 1, column(2)), length_dimension, {});
    } else {
      static_cast<void>(component(position, "x", 1, column(0)));
      static_cast<void>(component(position, "y", 1, column(2)));
      static_cast<void>(
          component(position, "z", 1, [&](std::int64_t row) { return at_fixed_time(row).place; }));
    }
    const hdf5::NewObject offset = group_.group("positionOffset");
    describe_particles(offset, length_dimension, {});
    for (const char* const axis : {"x", "y", "z"})
      static_cast<void>(constant_component(offset, axis, 0, particles()));
  }

  void momenta() const {
    const double unit = output_.reference.momentum();
    const hdf5::NewObject momentum = group_.group("momentum");
    describe_particles(momentum, momentum_dimension, {false, 1});
    static_cast<void>(component(momentum, "x", unit, column(1)));
    static_cast<void>(component(momentum, "y", unit, column(3)));
    static_cast<void>(component(momentum, "z", unit,
                                [&](std::int64_t row) { return at_fixed_time(row).momentum; }));
  }

  void tracked() const {
    const LongitudinalNames& names = names_of(output_.accelerator);
    describe_particles(component(group_, names.place, 1, column(4)), length_dimension, {});
    describe_particles(component(group_, names.momentum, 1, column(5)), no_dimension, {});
  }

  void rest() const {
    const BeamReference& reference = output_.reference;
    describe_particles(constant_component(group_, "mass", reference.mass(), particles()),
                       mass_dimension, {false, 1});
    describe_particles(constant_component(group_, "charge", reference.charge(), particles()),
                       charge_dimension, {false, 1});
    const double unit = output_.particles_per_weight;
    describe_particles(
        output_.weights.given()
            ? component(group_, "weighting", unit, [&](std::int64_t row) { return weight(row); })
            : constant_component(group_, "weighting", 1, particles(), unit),
        no_dimension, {true, 1});
    describe_particles(
        component<std::uint64_t>(
            group_, "id", 1,
            [&](std::int64_t row) { return output_.ids.given() ? output_.ids(row) : row; }),
        no_dimension, {});
  }

  const OpenPmdOutput<Storage>& output_;
  const hdf5::NewObject& group_;
  FrameNumbers frame_;
  std::vector<std::int64_t> rows_;
  std::uint64_t lost_ = 0;
};

/// Reverses the order of the axes: meshes have z, y, x, with the last one fastest in the file.
std::vector<double> reversed(const double (&values)[3]) {
  return {values[2], values[1], values[0]};
}

template <class Storage>
class MeshWriter {
 public:
  MeshWriter(const OpenPmdOutput<Storage>& output, const hdf5::NewObject& group)
      : output_(output), group_(group), gamma_(output.reference.particle.gamma()) {}

  void write() const {
    if (output_.density.given())
      describe(component(group_, "rho", gamma_, output_.density), charge_density_dimension);
    if (output_.potential.given())
      describe(component(group_, "phi", gamma_, output_.potential), potential_dimension);
    if (output_.field[0].given()) {
      const hdf5::NewObject field = group_.group("E");
      describe(field, electric_field_dimension);
      static_cast<void>(component(field, "x", gamma_, output_.field[0]));
      static_cast<void>(component(field, "y", gamma_, output_.field[1]));
      static_cast<void>(component(field, "z", 1, output_.field[2]));
    }
  }

 private:
  void describe(const hdf5::NewObject& record, const UnitDimension& dimension) const {
    const Grid& grid = output_.grid;
    describe_record(record, dimension);
    record.attribute("geometry", "cartesian");
    record.attribute("dataOrder", "C");
    record.attribute("axisLabels", std::vector<std::string>{"z", "y", "x"});
    record.attribute("gridSpacing", std::vector<double>{grid.spacing[2] / gamma_, grid.spacing[1],
                                                        grid.spacing[0]});
    record.attribute("gridGlobalOffset",
                     std::vector<double>{grid.lower[2] / gamma_, grid.lower[1], grid.lower[0]});
    record.attribute("gridUnitSI", 1.0);
    record.attribute("beam_frame_gridSpacing", reversed(grid.spacing));
    record.attribute("beam_frame_gridGlobalOffset", reversed(grid.lower));
  }

  hdf5::NewObject component(const hdf5::NewObject& group, const std::string& name, double unit_si,
                            const View<const Storage, 3>& values) const {
    std::vector<Storage> ordered;
    ordered.reserve(static_cast<std::size_t>(values.size()));
    for (std::int64_t k = 0; k < values.extent(2); ++k)
      for (std::int64_t j = 0; j < values.extent(1); ++j)
        for (std::int64_t i = 0; i < values.extent(0); ++i)
          ordered.push_back(values(i, j, k));
    const auto size = [&](int a) { return static_cast<std::uint64_t>(values.extent(a)); };
    hdf5::NewObject made = group.dataset(name, {size(2), size(1), size(0)}, ordered.data());
    made.attribute("unitSI", unit_si);
    // Nodes are at the centers of their cells.
    made.attribute("position", std::vector<double>{0.5, 0.5, 0.5});
    return made;
  }

  const OpenPmdOutput<Storage>& output_;
  const hdf5::NewObject& group_;
  double gamma_;
};

}  // namespace

template <class Storage>
std::filesystem::path write_openpmd(const std::filesystem::path& pattern,
                                    const OpenPmdOutput<Storage>& output) {
  check(output);
  const std::filesystem::path path = openpmd_file(pattern, output.iteration);
  const bool series = is_openpmd_series(pattern);
  const bool meshes = has_fields(output), particles = has_bunch(output);
  hdf5::NewFile file(path);
  {
    const hdf5::NewObject root = file.root();
    root.attribute("openPMD", "1.1.0");
    root.attribute("openPMDextension", std::uint32_t{0});
    root.attribute("basePath", "/data/%T/");
    root.attribute("iterationEncoding", series ? "fileBased" : "groupBased");
    root.attribute("iterationFormat", series ? pattern.filename().string() : "/data/%T/");
    if (meshes) root.attribute("meshesPath", "meshes/");
    if (particles) root.attribute("particlesPath", "particles/");
    if (!output.author.empty()) root.attribute("author", output.author);
    root.attribute("software", "Tessera");
    root.attribute("softwareVersion", build_info().version);
    root.attribute("date", date_now());

    const hdf5::NewObject step = root.group("data").group(std::to_string(output.iteration));
    step.attribute("time", output.time);
    step.attribute("dt", output.time_step);
    step.attribute("timeUnitSI", 1.0);
    if (particles)
      SpeciesWriter<Storage>(output, step.group("particles").group(output.species)).write();
    if (meshes) MeshWriter<Storage>(output, step.group("meshes")).write();
  }
  file.commit();
  return path;
}

template std::filesystem::path write_openpmd(const std::filesystem::path&,
                                             const OpenPmdOutput<double>&);
template std::filesystem::path write_openpmd(const std::filesystem::path&,
                                             const OpenPmdOutput<float>&);

}  // namespace tessera::pic
