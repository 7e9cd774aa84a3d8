#ifndef TESSERA_PHYSICS_PIC_IO_OPENPMD_COMPONENT_HPP
#define TESSERA_PHYSICS_PIC_IO_OPENPMD_COMPONENT_HPP

#include "core/hdf5/hdf5_read.hpp"
#include "physics/pic/io/openpmd_record.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// Reads records of an openPMD species as values for one physical particle. Files store them as an
/// array or as a single value, and for a physical particle or a macro-particle (`macroWeighted`,
/// `weightingPower`; extensions ED-PIC and ParticleWeighting of the standard).

namespace tessera::pic {

/// Values as stored, one per particle or a single one for all; the SI values are unit_si times
/// these.
struct RecordComponent {
  std::string path;  ///< path in the file
  double unit_si = 1;
  std::uint64_t particles = 0;
  bool constant = false;
  std::vector<double> values;  ///< a single value if constant

  [[nodiscard]] double operator[](std::size_t particle) const {
    return values[constant ? 0 : particle];
  }
};

class SpeciesRecords {
 public:
  explicit SpeciesRecords(hdf5::Object species) : species_(std::move(species)) {}

  [[nodiscard]] const hdf5::Object& group() const { return species_; }
  [[nodiscard]] bool has(const std::string& record) const { return species_.has(record); }
  /// Whether a record has the component.
  [[nodiscard]] bool has(const std::string& record, const std::string& component) const;

  /// Dimension of a record or, as BeamPhysics stores it, of its components.
  /// \throws InputError if it is missing.
  [[nodiscard]] UnitDimension dimension(const std::string& record) const;
  /// \param what expected quantity, in words.
  /// \throws InputError if the dimension is not `wanted`.
  void require_dimension(const std::string& record, const UnitDimension& wanted,
                         const char* what) const;

  /// Time of a record after that of the iteration (`timeOffset`), in units of the iteration's time;
  /// 0 without the attribute. \throws InputError
  [[nodiscard]] double time_offset(const std::string& record) const;

  /// Reads a component. Values of a record of macro-particles (`macroWeighted` = 1) are divided by
  /// weight^power, except the weights themselves, the record "weighting".
  /// \param component empty: the record is scalar.
  /// \throws InputError if it is missing, has another type, shape or number of particles than the
  /// records read before, or a number that is not finite; or if weights are needed that are
  /// missing, zero or negative.
  [[nodiscard]] RecordComponent read(const std::string& record, const std::string& component);
  /// Reads a record whose value is the same for all particles, in SI units. \throws InputError
  [[nodiscard]] double read_constant(const std::string& record);
  /// Reads numbers without a unit. \throws InputError
  [[nodiscard]] RecordComponent read_plain(const std::string& record);
  /// Reads identifiers of 64 bits each. \throws InputError
  [[nodiscard]] std::vector<std::int64_t> read_ids(const std::string& record);

  /// Names of the records that were not read, sorted.
  [[nodiscard]] std::vector<std::string> unread() const;
  /// Number of particles of the records read so far.
  [[nodiscard]] std::uint64_t particles() const { return particles_.value_or(0); }
  /// Whether a record states if its values are those of a physical particle or of a macro-particle.
  [[nodiscard]] bool describes(const std::string& record) const;

 private:
  [[nodiscard]] hdf5::Object open(const std::string& record, const std::string& component);
  [[nodiscard]] RecordComponent stored(const hdf5::Object& object, double unit_si);
  void expect_particles(const hdf5::Object& object, std::uint64_t count);
  /// Power of the weight that the stored values contain: 0 for values of a physical particle.
  [[nodiscard]] double power_of(const std::string& record) const;
  void divide_by_weight(const std::string& record, double power, RecordComponent& component);

  hdf5::Object species_;
  std::optional<std::uint64_t> particles_;
  std::string first_;  ///< first record that was read
  std::vector<std::string> read_;
  std::optional<RecordComponent> weights_;  ///< read when a record first needs them
};

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_IO_OPENPMD_COMPONENT_HPP
