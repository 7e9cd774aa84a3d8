#include "core/base/checksum.hpp"

#include <array>
#include <cstddef>

namespace tessera {
namespace {

// Entry [k][b]: effect of byte b followed by k more bytes, so that one step processes eight bytes.
constexpr auto tables = [] {
  std::array<std::array<std::uint32_t, 256>, 8> result = {};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t value = byte;
    for (int bit = 0; bit < 8; ++bit)
      value = (value >> 1) ^ (value & 1 ? 0xEDB88320 : 0);
    result[0][byte] = value;
  }
  for (std::size_t k = 1; k < 8; ++k) {
    for (std::size_t byte = 0; byte < 256; ++byte) {
      const std::uint32_t before = result[k - 1][byte];
      result[k][byte] = (before >> 8) ^ result[0][before & 0xff];
    }
  }
  return result;
}();

}  // namespace

std::uint32_t crc32(std::string_view bytes, std::uint32_t previous) {
  std::uint32_t value = ~previous;
  const auto byte = [&](std::size_t i) {
    return static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[i]));
  };
  std::size_t i = 0;
  for (; i + 8 <= bytes.size(); i += 8) {
    const std::uint32_t low =
        value ^ (byte(i) | byte(i + 1) << 8 | byte(i + 2) << 16 | byte(i + 3) << 24);
    value = tables[7][low & 0xff] ^ tables[6][(low >> 8) & 0xff] ^ tables[5][(low >> 16) & 0xff] ^
            tables[4][low >> 24] ^ tables[3][byte(i + 4)] ^ tables[2][byte(i + 5)] ^
            tables[1][byte(i + 6)] ^ tables[0][byte(i + 7)];
  }
  for (; i < bytes.size(); ++i)
    value = tables[0][(value ^ byte(i)) & 0xff] ^ (value >> 8);
  return ~value;
}

}  // namespace tessera
