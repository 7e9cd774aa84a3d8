#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

/// \file
/// The launches of a tree: each leaves a sum for each of its blocks, the last has one block.

namespace ladder {

struct Level {
  std::int64_t rows = 0;    ///< that it adds up
  std::int64_t blocks = 0;  ///< sums that it leaves
  std::int64_t first = 0;   ///< place of these in the workspace
};

/// At least one launch, so that no rows have a sum too. `rows_of_block` is two or more.
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

/// Sums that are kept between two launches: all but the last, which is the result.
[[nodiscard]] inline std::int64_t partials_of(const std::vector<Level>& levels) {
  return levels.back().first;
}

}  // namespace ladder
