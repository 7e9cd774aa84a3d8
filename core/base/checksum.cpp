#include "core/base/checksum.hpp"

#include <zlib.h>

namespace tessera {

std::uint32_t crc32(std::string_view bytes, std::uint32_t previous) {
  // zlib takes a null pointer for the start of a new checksum.
  if (bytes.empty()) return previous;
  return static_cast<std::uint32_t>(
      ::crc32_z(previous, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

}  // namespace tessera
