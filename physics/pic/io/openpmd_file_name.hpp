#ifndef TESSERA_PHYSICS_PIC_IO_OPENPMD_FILE_NAME_HPP
#define TESSERA_PHYSICS_PIC_IO_OPENPMD_FILE_NAME_HPP

#include <cstdint>
#include <filesystem>
#include <string>

/// \file
/// Names of the files of an openPMD series: `bunch_%T.h5`, where %T stands for the number of the
/// iteration and %06T for the same with at least six digits (openPMD-api, "Series").

namespace tessera::pic {

/// Whether each iteration has its own file; otherwise one file has all iterations.
[[nodiscard]] bool is_openpmd_series(const std::filesystem::path& pattern);

/// File of an iteration; the pattern itself if it has no %T.
/// \throws ArgumentError for a name without the ending .h5, by which programs recognise HDF5, and
/// for a pattern with two %T or with %T in a folder name.
[[nodiscard]] std::filesystem::path openpmd_file(const std::filesystem::path& pattern,
                                                 std::uint64_t iteration);

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_IO_OPENPMD_FILE_NAME_HPP
