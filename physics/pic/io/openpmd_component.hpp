#ifndef TESSERA_PHYSICS_PIC_IO_OPENPMD_COMPONENT_HPP
#define TESSERA_PHYSICS_PIC_IO_OPENPMD_COMPONENT_HPP

#include "core/hdf5/hdf5_read.hpp"
#include "physics/pic/io/openpmd_record.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// \file
/// Records of an openPMD species as numbers, whether they are stored as an array or as one value,
/// and of one physical particle, whether they are stored so or as those of a macro-particle
/// (`macroWeighted`, `weightingPower`; extensions ED-PIC and ParticleWeighting of the standard).

namespace tessera::pic {

/// Values as stored, by particle, or one that all particles share; SI units are unit_si times that.
struct RecordComponent {
  std::string path;  ///< in the file
  double unit_si = 1;
  std::uint64_t particles = 0;
  bool constant = false;
  std::vector<double> values;  ///< one where constant

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

  /// Of a record or, as BeamPhysics has it, of its components. \throws InputError where it is
  /// missing.
  [[nodiscard]] UnitDimension dimension(const std::string& record) const;
  /// \throws InputError where it is another one. \param what it is, in words.
  void require_dimension(const std::string& record, const UnitDimension& wanted,
                         const char* what) const;

  /// How much later than the iteration a record is (`timeOffset`), in units of its time; 0 where
  /// it does not say. \throws InputError
  [[nodiscard]] double time_offset(const std::string& record) const;

  /// A record of macro-particles (`macroWeighted` = 1) is divided by weight^power, but for the
  /// weights themselves, the record "weighting". \param component empty: the record is scalar.
  /// \throws InputError where it is missing, of another type or shape, of another number of
  ///     particles than what was read before, or has a number that is not finite; where weights are
  ///     needed that are missing, zero or negative.
  [[nodiscard]] RecordComponent read(const std::string& record, const std::string& component);
  /// One that is the same for all particles, in SI units. \throws InputError
  [[nodiscard]] double read_constant(const std::string& record);
  /// Numbers without a unit. \throws InputError
  [[nodiscard]] RecordComponent read_plain(const std::string& record);
  /// Identifiers: 64 bits each. \throws InputError
  [[nodiscard]] std::vector<std::int64_t> read_ids(const std::string& record);

  /// Records that nobody asked for, sorted.
  [[nodiscard]] std::vector<std::string> unread() const;
  /// Particles of what was read.
  [[nodiscard]] std::uint64_t particles() const { return particles_.value_or(0); }
  /// Whether a record says if it is of one particle or of a macro-particle.
  [[nodiscard]] bool says_of_whom(const std::string& record) const;

 private:
  [[nodiscard]] hdf5::Object open(const std::string& record, const std::string& component);
  [[nodiscard]] RecordComponent stored(const hdf5::Object& object, double unit_si);
  void expect_particles(const hdf5::Object& object, std::uint64_t count);
  /// The power of the weight that is in what is stored: 0 for values of one particle.
  [[nodiscard]] double power_of(const std::string& record) const;
  void divide_by_weight(const std::string& record, double power, RecordComponent& component);

  hdf5::Object species_;
  std::optional<std::uint64_t> particles_;
  std::string first_;  ///< what was read first
  std::vector<std::string> read_;
  std::optional<RecordComponent> weights_;  ///< where one had to be known
};

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_IO_OPENPMD_COMPONENT_HPP
