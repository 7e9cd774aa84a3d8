#ifndef TESSERA_CORE_BASE_INPUT_FILE_HPP
#define TESSERA_CORE_BASE_INPUT_FILE_HPP

#include <filesystem>
#include <string>

/// \file
/// Functions that read whole input files.

namespace tessera {

/// The bytes of a file.
/// \throws InputError when the file does not exist, is a directory or cannot be read. The error has
/// the path, the reason from the operating system, and a file with a similar name in the same
/// folder.
[[nodiscard]] std::string read_file(const std::filesystem::path& path);

/// ", did you mean 'melt.toml'?" for a missing file, or empty text.
[[nodiscard]] std::string similar_file(const std::filesystem::path& path);

}  // namespace tessera

#endif  // TESSERA_CORE_BASE_INPUT_FILE_HPP
