#ifndef TESSERA_TESTS_UNIT_PHYSICS_PIC_IO_OPENPMD_RECORDS_HPP
#define TESSERA_TESTS_UNIT_PHYSICS_PIC_IO_OPENPMD_RECORDS_HPP

#include "core/hdf5/hdf5_write.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

/// \file
/// Writes openPMD files of the kinds that other programs write, also with faults.

namespace tessera::test {

/// Unit dimensions: powers of length, mass, time, electric current, temperature, amount of
/// substance and luminous intensity.
namespace dimensions {
inline const std::vector<double> length = {1, 0, 0, 0, 0, 0, 0};
inline const std::vector<double> momentum = {1, 1, -1, 0, 0, 0, 0};
inline const std::vector<double> mass = {0, 1, 0, 0, 0, 0, 0};
inline const std::vector<double> charge = {0, 0, 1, 1, 0, 0, 0};
inline const std::vector<double> seconds = {0, 0, 1, 0, 0, 0, 0};
inline const std::vector<double> number = {0, 0, 0, 0, 0, 0, 0};
}  // namespace dimensions

/// A component of a record, or a scalar record.
struct StoredRecord {
  std::string record;
  std::string component;  ///< empty: the record is scalar
  std::vector<double> values;
  double unit_si = 1;
  std::vector<double> dimension;
  bool constant = false;
  std::uint64_t shape = 0;     ///< shape of a constant component
  bool whole = false;          ///< whether the values are stored as 64-bit integers
  std::string leave_out = {};  ///< name of an attribute that is not written
  std::optional<std::uint32_t> macro_weighted = {};
  std::optional<double> weighting_power = {};
  std::optional<double> time_offset = {};
};

struct StoredSpecies {
  std::string name = "protons";
  std::vector<std::pair<std::string, double>> attributes;
  std::vector<std::pair<std::string, std::string>> texts = {};  ///< attributes that are texts
  std::vector<StoredRecord> records = {};

  [[nodiscard]] StoredRecord& at(const std::string& record, const std::string& component = "") {
    for (StoredRecord& stored : records)
      if (stored.record == record && stored.component == component) return stored;
    throw std::out_of_range(record + "/" + component);
  }
  void remove(const std::string& record) {
    std::erase_if(records, [&](const StoredRecord& stored) { return stored.record == record; });
  }
};

struct StoredFile {
  std::string version = "1.1.0";
  std::string extension = {};           ///< openPMDextension; empty: not written
  std::string encoding = {};            ///< iterationEncoding; empty: not written
  std::string base_path = "/data/%T/";  ///< without %T the particles are in the root
  std::string particles_path = "particles/";
  std::vector<std::uint64_t> iterations = {100};
  std::vector<StoredSpecies> species;
};

/// Writes the optional attributes of a record.
inline void describe_stored(const hdf5::NewObject& object, const StoredRecord& record) {
  if (record.macro_weighted) object.attribute("macroWeighted", *record.macro_weighted);
  if (record.weighting_power) object.attribute("weightingPower", *record.weighting_power);
  if (record.time_offset) object.attribute("timeOffset", *record.time_offset);
}

inline void write_component(const hdf5::NewObject& group, const std::string& name,
                            const StoredRecord& record, bool with_dimension) {
  const auto attributes = [&](const hdf5::NewObject& object) {
    if (record.leave_out != "unitSI") object.attribute("unitSI", record.unit_si);
    if (with_dimension && record.leave_out != "unitDimension")
      object.attribute("unitDimension", record.dimension);
    if (with_dimension) describe_stored(object, record);
  };
  if (record.constant) {
    const hdf5::NewObject object = group.group(name);
    if (record.leave_out != "value") object.attribute("value", record.values.front());
    if (record.leave_out != "shape")
      object.attribute("shape", std::vector<std::uint64_t>{record.shape});
    return attributes(object);
  }
  std::vector<std::uint64_t> whole;
  if (record.whole) whole.assign(record.values.begin(), record.values.end());
  attributes(record.whole ? group.dataset(name, {whole.size()}, whole.data())
                          : group.dataset(name, {record.values.size()}, record.values.data()));
}

inline void write_species(const hdf5::NewObject& particles, const StoredSpecies& species) {
  const hdf5::NewObject group = particles.group(species.name);
  for (const auto& [name, value] : species.attributes)
    group.attribute(name, value);
  for (const auto& [name, value] : species.texts)
    group.attribute(name, value);
  std::string open;
  for (const StoredRecord& record : species.records) {
    if (record.component.empty()) {
      write_component(group, record.record, record, true);
    } else if (record.record != open) {
      // Components of one record are consecutive.
      open = record.record;
      const hdf5::NewObject made = group.group(open);
      if (record.leave_out != "unitDimension") made.attribute("unitDimension", record.dimension);
      describe_stored(made, record);
      for (const StoredRecord& other : species.records)
        if (other.record == open) write_component(made, other.component, other, false);
    }
  }
}

inline void write_stored(const std::filesystem::path& path, const StoredFile& stored) {
  hdf5::NewFile file(path);
  {
    const hdf5::NewObject root = file.root();
    root.attribute("openPMD", stored.version);
    root.attribute("basePath", stored.base_path);
    root.attribute("particlesPath", stored.particles_path);
    if (!stored.extension.empty()) root.attribute("openPMDextension", stored.extension);
    if (!stored.encoding.empty()) root.attribute("iterationEncoding", stored.encoding);
    const auto write = [&](const hdf5::NewObject& step) {
      const hdf5::NewObject particles = step.group("particles");
      for (const StoredSpecies& species : stored.species)
        write_species(particles, species);
    };
    if (stored.base_path.find("%T") == std::string::npos) {
      write(root);
    } else {
      const hdf5::NewObject data = root.group("data");
      for (const std::uint64_t iteration : stored.iterations) {
        const hdf5::NewObject step = data.group(std::to_string(iteration));
        step.attribute("time", 2.0);
        step.attribute("timeUnitSI", 1e-9);
        write(step);
      }
    }
  }
  file.commit();
}

}  // namespace tessera::test

#endif  // TESSERA_TESTS_UNIT_PHYSICS_PIC_IO_OPENPMD_RECORDS_HPP
