#ifndef TESSERA_CORE_BASE_ELF_NOTES_HPP
#define TESSERA_CORE_BASE_ELF_NOTES_HPP

#include <cstdint>
#include <string>
#include <vector>

/// \file
/// Notes of a shared library, read as data without loading the library.

namespace tessera {

struct ElfNote {
  std::string owner;
  std::uint32_t type = 0;
  std::string text;
};

/// The notes in the segments of an open file.
/// \param path names the file in error messages.
/// \throws InputError with the reason when the file is not a shared library for this processor, or
/// is malformed.
[[nodiscard]] std::vector<ElfNote> read_elf_notes(int descriptor, const std::string& path);

}  // namespace tessera

#endif  // TESSERA_CORE_BASE_ELF_NOTES_HPP
