#ifndef TESSERA_TESTS_SUPPORT_PRINT_BITS_HPP
#define TESSERA_TESTS_SUPPORT_PRINT_BITS_HPP

#include <fmt/format.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

/// \file
/// Lines with the bits of results that must not depend on the device, which scripts/emulate
/// compares between devices.

namespace tessera::test {

/// Prints the FNV-1a hash of numbers.
template <class T>
void print_bits(const std::string& what, const std::vector<T>& numbers) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  std::vector<unsigned char> bytes(numbers.size() * sizeof(T));
  if (!bytes.empty()) std::memcpy(bytes.data(), numbers.data(), bytes.size());
  for (const unsigned char byte : bytes)
    hash = (hash ^ byte) * 0x100000001b3u;
  fmt::print("bits of {}: {:016x}\n", what, hash);
}

}  // namespace tessera::test

#endif  // TESSERA_TESTS_SUPPORT_PRINT_BITS_HPP
