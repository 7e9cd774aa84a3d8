#pragma once

#include "levels.hpp"
#include "policy.hpp"
#include "rows.cuh"
#include <tessera/backends/gpu/execution/space.hpp>
#include <tessera/core/execution/buffer.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

/// \file
/// Code that all seven steps share: the kernel, which combines a load with a tree, and the launches
/// of a sum.

namespace ladder {

/// Writes one sum per block. Block is the block size if Step::knows_block, otherwise 0.
template <class Step, int Block, class Source, class Total>
__global__ void block_sums(const Source source, std::int64_t rows, const Target<Total> target) {
  Total* const shared = reinterpret_cast<Total*>(tessera::gpu::dynamic_shared());
  shared[threadIdx.x] = Step::Load::template sum<Block, Total>(source, rows);
  __syncthreads();
  Step::Tree::template add<Block>(shared);
  if (threadIdx.x == 0) target.store(blockIdx.x, shared[0]);
}

/// Sum of rows by consecutive launches, the last of which has one block. A launch begins after the
/// previous one has ended, which serves as a barrier across all blocks. The result is reproducible
/// from run to run.
template <class Step, class Total>
class TreeSum {
 public:
  TreeSum(const tessera::gpu::Space& space, std::int64_t rows, int block_size,
          std::int64_t most_blocks)
      : space_(space),
        block_size_(block_size),
        levels_(
            levels_of(rows, std::int64_t{block_size} * Step::Load::rows_of_thread, most_blocks)),
        partials_(space, partials_of(levels_)) {}

  /// \param overflow set to 0 (no overflow) unless null.
  template <class Source>
  void execute(const Source& source, Total* result, std::int32_t* overflow) const {
    add_level(0, source, result, overflow);
    for (std::size_t level = 1; level < levels_.size(); ++level)
      add_level(level, Column<Total>{partials_.data() + levels_[level - 1].first}, result,
                overflow);
  }

 private:
  template <class Source>
  using Kernel = void (*)(const Source, std::int64_t, const Target<Total>);

  template <int Block, class Source>
  [[nodiscard]] static Kernel<Source> compiled() {
    return block_sums<Step, Block, Source, Total>;
  }
  template <class Source>
  [[nodiscard]] Kernel<Source> kernel() const {
    Kernel<Source> found = nullptr;
    if constexpr (Step::knows_block)
      BlockSizes::with(block_size_, [&]<int Block>() { found = compiled<Block, Source>(); });
    else
      found = compiled<0, Source>();
    return found;
  }

  template <class Source>
  void add_level(std::size_t at, const Source& source, Total* result,
                 std::int32_t* overflow) const {
    const Level& level = levels_[at];
    const bool last = at + 1 == levels_.size();
    const Target<Total> target{last ? result : partials_.data() + level.first,
                               last ? overflow : nullptr};
    tessera::gpu::launch(Step::name, kernel<Source>(), static_cast<unsigned>(level.blocks),
                         static_cast<unsigned>(block_size_),
                         static_cast<std::size_t>(block_size_) * sizeof(Total),
                         space_.stream())(source, level.rows, target);
  }

  tessera::gpu::Space space_;
  int block_size_;
  std::vector<Level> levels_;
  tessera::Buffer<Total, tessera::gpu::Space> partials_;
};

}  // namespace ladder
