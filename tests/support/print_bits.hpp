#ifndef TESSERA_TESTS_SUPPORT_PRINT_BITS_HPP
#define TESSERA_TESTS_SUPPORT_PRINT_BITS_HPP

#include <fmt/format.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

/// \file
/// Hashes of results whose bits must not depend on the device, and lines with them that
/// scripts/emulate compares between devices.

namespace tessera::test {

/// FNV-1a hash of the bytes of numbers.
template <class T>
[[nodiscard]] std::uint64_t hash_of(const std::vector<T>& numbers) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  std::vector<unsigned char> bytes(numbers.size() * sizeof(T));
  if (!bytes.empty()) std::memcpy(bytes.data(), numbers.data(), bytes.size());
  for (const unsigned char byte : bytes)
    hash = (hash ^ byte) * 0x100000001b3u;
  return hash;
}

/// Prints the hash of numbers.
template <class T>
void print_bits(const std::string& what, const std::vector<T>& numbers) {
  fmt::print("bits of {}: {:016x}\n", what, hash_of(numbers));
}

}  // namespace tessera::test

#endif  // TESSERA_TESTS_SUPPORT_PRINT_BITS_HPP
