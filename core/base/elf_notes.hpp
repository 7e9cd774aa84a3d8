#ifndef TESSERA_CORE_BASE_ELF_NOTES_HPP
#define TESSERA_CORE_BASE_ELF_NOTES_HPP

#include <cstdint>
#include <string>
#include <vector>

/// \file
/// The notes of a shared library, read as data: nothing of it is loaded.

namespace tessera {

struct ElfNote {
  std::string owner;
  std::uint32_t type = 0;
  std::string text;
};

/// The notes in the segments of an open file.
/// \param path for the message.
/// \throws InputError saying what is wrong when it is no shared library for this processor, or a
/// malformed one.
[[nodiscard]] std::vector<ElfNote> read_elf_notes(int descriptor, const std::string& path);

}  // namespace tessera

#endif  // TESSERA_CORE_BASE_ELF_NOTES_HPP
