#ifndef TESSERA_CORE_EXECUTION_HOST_BLOCKS_HPP
#define TESSERA_CORE_EXECUTION_HOST_BLOCKS_HPP

#include <cstdint>

/// \file
/// Partition of a reduction on host spaces: blocks, and grains within blocks, that depend only on
/// the number of items. The result is therefore the same for any number of threads. Partial results
/// are joined pairwise in a fixed order, so that the rounding error of a sum grows with the
/// logarithm of the number of items (N. J. Higham, SIAM J. Sci. Comput. 14, 783 (1993)).

namespace tessera::host_blocks {

/// Number of items that one partial result adds sequentially.
inline constexpr std::int64_t grain = 256;

/// Number of blocks: enough for common thread counts, few enough for a negligible join.
[[nodiscard]] inline std::int64_t count(std::int64_t n) {
  constexpr std::int64_t most = 1024;
  const std::int64_t blocks = (n + grain - 1) / grain;
  return blocks < 1 ? 1 : (blocks < most ? blocks : most);
}

[[nodiscard]] inline std::int64_t begin(std::int64_t n, std::int64_t blocks, std::int64_t block) {
  return n / blocks * block + (n % blocks) * block / blocks;
}

/// Joins part(first) to part(last - 1). Needs at least one part.
template <class T, class Part, class Joiner>
[[nodiscard]] T join_pairwise(std::int64_t first, std::int64_t last, const Part& part,
                              const Joiner& joiner) {
  if (last - first <= 1) return part(first);
  const std::int64_t middle = first + (last - first) / 2;
  T total = join_pairwise<T>(first, middle, part, joiner);
  joiner(total, join_pairwise<T>(middle, last, part, joiner));
  return total;
}

/// The partial result of one block of a reduction of n items.
template <class T, class Body, class Joiner>
[[nodiscard]] T reduce(std::int64_t n, std::int64_t block, const T& identity, const Body& body,
                       const Joiner& joiner) {
  const std::int64_t blocks = count(n);
  const std::int64_t first = begin(n, blocks, block);
  const std::int64_t last = begin(n, blocks, block + 1);
  const auto part = [&](std::int64_t g) {
    T partial = identity;
    const std::int64_t end = first + (g + 1) * grain;
    for (std::int64_t i = first + g * grain; i < (end < last ? end : last); ++i)
      body(i, partial);
    return partial;
  };
  return join_pairwise<T>(0, (last - first + grain - 1) / grain, part, joiner);
}

}  // namespace tessera::host_blocks

#endif  // TESSERA_CORE_EXECUTION_HOST_BLOCKS_HPP
