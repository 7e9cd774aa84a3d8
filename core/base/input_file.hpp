#pragma once

#include <filesystem>
#include <string>

/// \file
/// Reading of whole input files.

namespace tessera {

/// The bytes of a file.
/// \throws InputError when it does not exist, is a directory or cannot be read; it names the file
///         and the reason that the operating system gave.
[[nodiscard]] std::string read_file(const std::filesystem::path& path);

}  // namespace tessera
