#ifndef TESSERA_PHYSICS_PIC_IO_OPENPMD_FORMAT_HPP
#define TESSERA_PHYSICS_PIC_IO_OPENPMD_FORMAT_HPP

#include <filesystem>

/// \file
/// openPMD series are stored as HDF5, ADIOS2, JSON or TOML (openPMD-api, "Backends"). Only HDF5 is
/// read here.

namespace tessera::pic {

/// Whether a file is HDF5, by its first bytes.
[[nodiscard]] bool is_hdf5(const std::filesystem::path& path);

/// Whether a path is a series in another format than HDF5, by its name or its content. The path may
/// contain %T.
[[nodiscard]] bool is_other_openpmd_format(const std::filesystem::path& path);

/// Checks that a path is not in another format.
/// \throws InputError that names the format and explains how to convert it to HDF5.
void refuse_other_openpmd_formats(const std::filesystem::path& path);

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_IO_OPENPMD_FORMAT_HPP
