#pragma once

#include <cstdint>

/// \file
/// How host spaces cut a reduction: a fixed number of blocks joined in order, so that the result is
/// the same for any number of threads, one included.

namespace tessera::host_blocks {

/// Enough for any usual number of threads, few enough to join in no time.
[[nodiscard]] inline std::int64_t count(std::int64_t n) {
  constexpr std::int64_t most = 1024;
  constexpr std::int64_t grain = 256;
  const std::int64_t blocks = (n + grain - 1) / grain;
  return blocks < 1 ? 1 : (blocks < most ? blocks : most);
}

[[nodiscard]] inline std::int64_t begin(std::int64_t n, std::int64_t blocks, std::int64_t block) {
  return n / blocks * block + (n % blocks) * block / blocks;
}

}  // namespace tessera::host_blocks
