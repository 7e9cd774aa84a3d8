#ifndef TESSERA_PHYSICS_PIC_IO_OPENPMD_FORMAT_HPP
#define TESSERA_PHYSICS_PIC_IO_OPENPMD_FORMAT_HPP

#include <filesystem>

/// \file
/// openPMD series come as HDF5, ADIOS2, JSON and TOML (openPMD-api, "Backends"). HDF5 alone is read
/// here.

namespace tessera::pic {

/// Whether a file is HDF5, by its first bytes.
[[nodiscard]] bool is_hdf5(const std::filesystem::path& path);

/// Whether a path is one of the others, by its name or by what lies there. It may have %T.
[[nodiscard]] bool is_other_openpmd_format(const std::filesystem::path& path);

/// Nothing for what is none of the others. \throws InputError that says which it is, and how to
/// make HDF5 of it.
void refuse_other_openpmd_formats(const std::filesystem::path& path);

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_IO_OPENPMD_FORMAT_HPP
