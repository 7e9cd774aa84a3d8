#ifndef TESSERA_CORE_EXECUTION_REDUCTION_SHAPE_HPP
#define TESSERA_CORE_EXECUTION_REDUCTION_SHAPE_HPP

#include <cstddef>

/// \file
/// Launch shape of a reduction on a GPU, common to all adapters.

namespace tessera::reduction_shape {

/// Threads of a group (a thread block), which joins the partial results of its threads.
inline constexpr int threads = 128;
/// Limit on the number of groups: enough to fill any GPU, few enough for the last group to join.
inline constexpr int most_groups = 1024;

/// Minimum number of groups resident on a multiprocessor, a launch bound of the kernel. Without
/// this bound the compiler saves registers for maximum occupancy, and loads an item only after the
/// previous one is processed.
/// \param bytes size of a partial result.
[[nodiscard]] constexpr int resident_groups(std::size_t bytes) {
  return bytes <= 24 ? 8 : bytes <= 96 ? 4 : bytes <= 352 ? 3 : 2;
}

}  // namespace tessera::reduction_shape

#endif  // TESSERA_CORE_EXECUTION_REDUCTION_SHAPE_HPP
