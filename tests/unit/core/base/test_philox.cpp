#include "core/base/philox.hpp"
#include "tests/support/relative.hpp"

#include <doctest/doctest.h>

namespace tessera {

// Known-answer tests published with the Random123 library (file kat_vectors, philox4x32 10 rounds).
TEST_CASE("Philox gives the published words") {
  CHECK(Philox::bits({0, 0, 0, 0}, {0, 0}) ==
        Philox::Counter{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  constexpr std::uint32_t ones = 0xffffffff;
  CHECK(Philox::bits({ones, ones, ones, ones}, {ones, ones}) ==
        Philox::Counter{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
  CHECK(Philox::bits({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}) ==
        Philox::Counter{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}

TEST_CASE("uniform numbers lie in the unit interval with the right mean and spread") {
  double sum = 0;
  double squares = 0;
  constexpr int count = 100000;
  for (int i = 0; i < count; ++i) {
    for (const double u : Philox::uniform(7, 1, static_cast<std::uint64_t>(i), 0)) {
      CHECK((u >= 0 && u < 1));
      sum += u;
      squares += u * u;
    }
  }
  CHECK(sum / (2 * count) == test::relative(0.5).epsilon(0.01));
  CHECK(squares / (2 * count) == test::relative(1.0 / 3).epsilon(0.01));
}

TEST_CASE("seed, stream, index and draw each change the numbers") {
  const auto base = Philox::uniform(1, 2, 3, 4);
  CHECK(base == Philox::uniform(1, 2, 3, 4));
  CHECK(base != Philox::uniform(1 + (std::uint64_t{1} << 40), 2, 3, 4));
  CHECK(base != Philox::uniform(1, 3, 3, 4));
  CHECK(base != Philox::uniform(1, 2, 3 + (std::uint64_t{1} << 40), 4));
  CHECK(base != Philox::uniform(1, 2, 3, 5));
}

}  // namespace tessera
