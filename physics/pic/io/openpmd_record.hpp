#ifndef TESSERA_PHYSICS_PIC_IO_OPENPMD_RECORD_HPP
#define TESSERA_PHYSICS_PIC_IO_OPENPMD_RECORD_HPP

#include "core/hdf5/hdf5_write.hpp"

#include <array>
#include <cstdint>
#include <string>

/// \file
/// Requirements of openPMD 1.1.0 on every record ("Required for each Record", "Required for each
/// Record Component", "Constant Record Components").

namespace tessera::pic {

/// Powers of length, mass, time, current, temperature, amount, luminous intensity.
using UnitDimension = std::array<double, 7>;

inline constexpr UnitDimension no_dimension = {0, 0, 0, 0, 0, 0, 0};
inline constexpr UnitDimension length_dimension = {1, 0, 0, 0, 0, 0, 0};
inline constexpr UnitDimension momentum_dimension = {1, 1, -1, 0, 0, 0, 0};
inline constexpr UnitDimension mass_dimension = {0, 1, 0, 0, 0, 0, 0};
inline constexpr UnitDimension time_dimension = {0, 0, 1, 0, 0, 0, 0};
inline constexpr UnitDimension charge_dimension = {0, 0, 1, 1, 0, 0, 0};
inline constexpr UnitDimension charge_density_dimension = {-3, 0, 1, 1, 0, 0, 0};
inline constexpr UnitDimension potential_dimension = {2, 1, -3, -1, 0, 0, 0};
inline constexpr UnitDimension electric_field_dimension = {1, 1, -3, -1, 0, 0, 0};

/// Relation of stored values to the weight of a macro-particle: values of a macro-particle are
/// those of a physical particle times weight^power.
struct Weighting {
  bool of_macro_particle = false;
  double power = 0;
};

inline void describe_record(const hdf5::NewObject& record, const UnitDimension& dimension) {
  record.attribute("unitDimension", std::vector<double>(dimension.begin(), dimension.end()));
  record.attribute("timeOffset", 0.0);
}

inline void describe_particles(const hdf5::NewObject& record, const UnitDimension& dimension,
                               const Weighting& weighting) {
  describe_record(record, dimension);
  record.attribute("macroWeighted", std::uint32_t{weighting.of_macro_particle ? 1u : 0u});
  record.attribute("weightingPower", weighting.power);
}

/// Writes a component with the same value for all particles.
inline hdf5::NewObject constant_component(const hdf5::NewObject& group, const std::string& name,
                                          double value, std::uint64_t particles,
                                          double unit_si = 1) {
  const hdf5::NewObject component = group.group(name);
  component.attribute("value", value);
  component.attribute("shape", std::vector<std::uint64_t>{particles});
  component.attribute("unitSI", unit_si);
  return component;
}

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_IO_OPENPMD_RECORD_HPP
