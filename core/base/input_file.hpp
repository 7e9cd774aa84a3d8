#ifndef TESSERA_CORE_BASE_INPUT_FILE_HPP
#define TESSERA_CORE_BASE_INPUT_FILE_HPP

#include <filesystem>
#include <string>

/// \file
/// Reading of whole input files.

namespace tessera {

/// The bytes of a file.
/// \throws InputError when it does not exist, is a directory or cannot be read; it names the file,
///         the reason that the operating system gave, and a file of a similar name beside it.
[[nodiscard]] std::string read_file(const std::filesystem::path& path);

/// ", did you mean 'melt.toml'?" for a file that is not there, or nothing.
[[nodiscard]] std::string similar_file(const std::filesystem::path& path);

}  // namespace tessera

#endif  // TESSERA_CORE_BASE_INPUT_FILE_HPP
