#include "core/base/checksum.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <string>

namespace tessera {
namespace {

/// CRC by its definition, the remainder of a polynomial division, bit by bit.
std::uint32_t by_definition(std::string_view bytes) {
  std::uint32_t value = 0xFFFFFFFF;
  for (const char byte : bytes) {
    value ^= static_cast<unsigned char>(byte);
    for (int bit = 0; bit < 8; ++bit)
      value = (value >> 1) ^ (value & 1 ? 0xEDB88320 : 0);
  }
  return ~value;
}

}  // namespace

TEST_CASE("CRC-32 has the value of its definition, in one piece or in several") {
  CHECK(crc32("123456789") == 0xCBF43926);
  CHECK(crc32("") == 0);
  const std::string text = "The quick brown fox jumps over the lazy dog";
  CHECK(crc32(text) == 0x414FA339);
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    CHECK(crc32(text.substr(cut), crc32(text.substr(0, cut))) == 0x414FA339);
  }
  CHECK(crc32(std::string_view(), 0x414FA339) == 0x414FA339);
}

TEST_CASE("CRC-32 of bytes of every value, at every place of a word") {
  std::string bytes(4099, '\0');
  for (std::size_t k = 0; k < bytes.size(); ++k)
    bytes[k] = static_cast<char>(k * k / 7);
  for (std::size_t first = 0; first < 16; ++first) {
    const std::string_view part = std::string_view(bytes).substr(first);
    CHECK(crc32(part) == by_definition(part));
  }
}

}  // namespace tessera
