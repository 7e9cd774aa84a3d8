#ifndef TESSERA_CORE_BASE_CHECKSUM_HPP
#define TESSERA_CORE_BASE_CHECKSUM_HPP

#include <cstdint>
#include <string_view>

/// \file
/// Detection of damaged files.

namespace tessera {

/// CRC-32 as in ISO 3309 and zlib (reflected polynomial 0xEDB88320); "123456789" gives 0xCBF43926.
/// \param previous result for the bytes before these, 0 at the start.
[[nodiscard]] std::uint32_t crc32(std::string_view bytes, std::uint32_t previous = 0);

}  // namespace tessera

#endif  // TESSERA_CORE_BASE_CHECKSUM_HPP
