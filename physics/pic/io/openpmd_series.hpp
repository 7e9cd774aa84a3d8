#ifndef TESSERA_PHYSICS_PIC_IO_OPENPMD_SERIES_HPP
#define TESSERA_PHYSICS_PIC_IO_OPENPMD_SERIES_HPP

#include "core/hdf5/hdf5_read.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

/// \file
/// Finds a species in an openPMD file.

namespace tessera::pic {

struct FoundSpecies {
  hdf5::Object iteration;
  hdf5::Object species;
  std::uint64_t number = 0;   ///< number of the iteration; 0 in a file without any
  bool beam_physics = false;  ///< whether the file uses the extension BeamPhysics
};

/// \param iteration absent: the only one.
/// \param species empty: the only one.
/// \throws InputError for a file that is not HDF5 (openpmd_format.hpp), a version other than 1.x or
/// 2.x with the extension BeamPhysics, iterations that are steps of one group (`variableBased`),
/// and for an iteration or species that does not exist or, if none is requested, is not the only
/// one.
[[nodiscard]] FoundSpecies find_species(const std::filesystem::path& file,
                                        std::optional<std::uint64_t> iteration,
                                        const std::string& species);

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_IO_OPENPMD_SERIES_HPP
