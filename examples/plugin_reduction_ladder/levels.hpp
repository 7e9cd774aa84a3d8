#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

/// \file
/// Kernel launches of a sum: each launch writes one sum per block, the next one adds these up, and
/// the last one has a single block.

namespace ladder {

struct Level {
  std::int64_t rows = 0;    ///< rows that the launch adds up
  std::int64_t blocks = 0;  ///< blocks of the launch, and sums that it writes
  std::int64_t first = 0;   ///< index in the workspace of the first sum that it writes
};

/// Returns the launches in their order: at least one, so that the sum of 0 rows is also written.
/// `rows_of_block` must be at least 2.
[[nodiscard]] inline std::vector<Level> levels_of(std::int64_t rows, std::int64_t rows_of_block,
                                                  std::int64_t most_blocks) {
  std::vector<Level> levels;
  std::int64_t first = 0;
  do {
    const std::int64_t wanted = (rows + rows_of_block - 1) / rows_of_block;
    const std::int64_t blocks = std::clamp<std::int64_t>(wanted, 1, most_blocks);
    levels.push_back({rows, blocks, first});
    first += blocks;
    rows = blocks;
  } while (rows > 1);
  return levels;
}

/// Number of sums in the workspace: all sums but that of the last launch, which is the result.
[[nodiscard]] inline std::int64_t partials_of(const std::vector<Level>& levels) {
  return levels.back().first;
}

}  // namespace ladder
