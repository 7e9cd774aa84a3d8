#include "core/base/checksum.hpp"

#include <doctest/doctest.h>

#include <string>

namespace tessera {

TEST_CASE("CRC-32 has the value of its definition, in one piece or in several") {
  CHECK(crc32("123456789") == 0xCBF43926);
  CHECK(crc32("") == 0);
  const std::string text = "The quick brown fox jumps over the lazy dog";
  CHECK(crc32(text) == 0x414FA339);
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    CHECK(crc32(text.substr(cut), crc32(text.substr(0, cut))) == 0x414FA339);
  }
}

}  // namespace tessera
