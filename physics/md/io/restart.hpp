#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <tessera/md/system.hpp>

/// \file
/// Binary files from which a run continues with the same bits.

namespace tessera::md {

/// State of a run between two steps. Everything is kept as it is held on the host: doubles, with
/// all their bits, in the order of the arrays.
struct Restart {
  std::string units;      ///< name of the unit system
  std::int64_t step = 0;  ///< steps done since the start of the first run
  double time = 0;        ///< in the unit of time
  double time_step = 0;   ///< of the run that wrote the file
  System system;
};

/// Layout, all integers and doubles in the byte order of the writer: the 8 bytes "TESSRST\n", u32
/// 0x01020304 to recognise the byte order, u32 version, u64 length of the body, u32 CRC-32 of the
/// body, u32 zero; then the body. The file appears whole or not at all.
/// \throws FileError
void write_restart(const std::filesystem::path& path, const Restart& restart);

/// \throws InputError for a missing file, one that is no restart file, was written by another
/// version
///         or on a machine with another byte order, is truncated or damaged.
[[nodiscard]] Restart read_restart(const std::filesystem::path& path);

}  // namespace tessera::md
