#ifndef TESSERA_CORE_EXECUTION_ROW_REDUCTION_HPP
#define TESSERA_CORE_EXECUTION_ROW_REDUCTION_HPP

#include "core/execution/buffer.hpp"
#include "core/execution/execution_space.hpp"
#include "core/execution/host_blocks.hpp"

#include <algorithm>
#include <cstdint>

/// \file
/// Reductions with many running values, for instance all moments of a bunch. A body processes a run
/// of rows, so that its values stay in registers from row to row.
///
/// On a host a run is a block of neighboring rows, and the number of blocks depends only on the
/// number of rows. On a GPU a run takes every `lanes`-th row. Runs are joined pairwise in a fixed
/// order.

namespace tessera {

/// Limit on the rows of a run on a GPU, so that its sequential sum stays accurate.
inline constexpr std::int64_t most_rows_of_lane = 4096;
/// Number of runs that fills any GPU.
inline constexpr std::int64_t enough_lanes = 1 << 17;
/// `lanes`, or fewer where the runs would have less than about four rows.
[[nodiscard]] constexpr std::int64_t lanes_of_four(std::int64_t lanes, std::int64_t rows) {
  return std::min(lanes, rows / 4 + 1);
}

/// A run on a GPU: every `lanes`-th row.
template <class T, class Body>
struct RowLane : SkippingBody {
  Body body;
  std::int64_t rows;
  std::int64_t lanes;
  [[nodiscard]] TESSERA_INLINE bool skips() const { return body.skips(); }
  TESSERA_FUNCTION void operator()(std::int64_t lane, T& partial) const {
    body(lane, lanes, rows, partial);
  }
};

/// A run on a host: a block of rows.
template <class T, class Body>
struct RowBlock {
  Body body;
  std::int64_t rows;
  std::int64_t blocks;
  T identity;
  T* partials;
  void operator()(std::int64_t block) const {
    T partial = identity;
    body(host_blocks::begin(rows, blocks, block), std::int64_t{1},
         host_blocks::begin(rows, blocks, block + 1), partial);
    partials[block] = partial;
  }
};

template <class T, class Join, class Finish>
struct JoinRowBlocks {
  Join join;
  Finish finish;
  std::int64_t blocks;
  const T* partials;
  T* result;
  void operator()(std::int64_t) const {
    const auto part = [this](std::int64_t block) { return partials[block]; };
    *result = host_blocks::join_pairwise<T>(0, blocks, part, join);
    finish(*result);
  }
};

/// Owns the workspace and a result of any type up to the size of `Largest`, in the memory of the
/// space. A body is called as `body(first, step, end, T& partial)` and processes the rows first,
/// first + step, ... below end.
template <class Largest, ExecutionSpace Space>
class RowReduction {
 public:
  /// Makes a reduction of at most `rows` rows.
  /// \param lanes number of runs on a GPU; it is increased where a run would exceed
  /// most_rows_of_lane rows.
  RowReduction(const Space& space, std::int64_t rows, std::int64_t lanes = enough_lanes)
      : space_(space), lanes_(lanes), result_(space, 1), workspace_(space, workspace_bytes(rows)) {}

  /// Reduces `rows` rows, then calls `finish(const T& result)` once on the device.
  /// \returns address of the result, which the next reduction overwrites.
  template <class T, class Body, class Join, class Finish = NoFinish>
  const T* operator()(const char* label, std::int64_t rows, const T& identity, const Body& body,
                      const Join& join, const Finish& finish = {}) {
    static_assert(sizeof(T) <= sizeof(Largest) && alignof(T) <= alignof(Largest));
    const std::int64_t runs = runs_of(rows);
    T* const result = reinterpret_cast<T*>(result_.data());
    if constexpr (Space::coalesced) {
      space_.reduce(label, runs, identity, RowLane<T, Body>{{}, body, rows, runs}, join, result,
                    workspace_.get(), finish);
    } else {
      T* const partials = static_cast<T*>(workspace_.get().data);
      space_.for_each(label, runs, RowBlock<T, Body>{body, rows, runs, identity, partials});
      space_.for_each(label, 1,
                      JoinRowBlocks<T, Join, Finish>{join, finish, runs, partials, result});
    }
    return result;
  }

 private:
  /// Number of runs. On a host a block has about `block` rows, enough to be worth a thread, and at
  /// most `most_blocks` blocks are made, enough for all threads.
  [[nodiscard]] std::int64_t runs_of(std::int64_t rows) const {
    constexpr std::int64_t block = 2048;
    constexpr std::int64_t most_blocks = 1 << 10;
    const std::int64_t long_lanes = (rows + most_rows_of_lane - 1) / most_rows_of_lane;
    const std::int64_t runs = Space::coalesced ? std::min(rows, std::max(lanes_, long_lanes))
                                               : std::min((rows + block - 1) / block, most_blocks);
    return std::max<std::int64_t>(runs, 1);
  }
  [[nodiscard]] std::size_t workspace_bytes(std::int64_t rows) const {
    if constexpr (Space::coalesced)
      return Space::template reduce_bytes<Largest>(runs_of(rows));
    else
      return static_cast<std::size_t>(runs_of(rows)) * sizeof(Largest);
  }

  Space space_;
  std::int64_t lanes_;
  Buffer<Largest, Space> result_;
  WorkspaceBuffer<Space> workspace_;
};

}  // namespace tessera

#endif  // TESSERA_CORE_EXECUTION_ROW_REDUCTION_HPP
