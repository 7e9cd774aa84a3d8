#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

/// \file
/// Launches of a tree: each writes one sum per block, and the last one has a single block.

namespace ladder {

struct Level {
  std::int64_t rows = 0;    ///< rows that it adds up
  std::int64_t blocks = 0;  ///< number of sums that it writes
  std::int64_t first = 0;   ///< index of the first of them in the workspace
};

/// At least one launch, so that the sum of no rows is also written. `rows_of_block` is at least
/// two.
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

/// Number of sums that are stored between launches: all but the last one, which is the result.
[[nodiscard]] inline std::int64_t partials_of(const std::vector<Level>& levels) {
  return levels.back().first;
}

}  // namespace ladder
