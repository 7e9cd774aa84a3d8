#ifndef TESSERA_CORE_EXECUTION_REDUCTION_SHAPE_HPP
#define TESSERA_CORE_EXECUTION_REDUCTION_SHAPE_HPP

#include <cstddef>

/// \file
/// The shape of a reduction on a GPU, whatever the adapter.

namespace tessera::reduction_shape {

/// Threads of a group, which joins what they found.
inline constexpr int threads = 128;
/// Groups at most: enough to fill any GPU, few enough for the last of them to join.
inline constexpr int most_groups = 1024;

/// Groups that a multiprocessor is to hold while they add up values of so many bytes. Left alone
/// the compiler saves registers for as many as possible, and loads an item only when the one before
/// is done with.
[[nodiscard]] constexpr int resident_groups(std::size_t bytes) {
  return bytes <= 24 ? 8 : bytes <= 96 ? 4 : bytes <= 352 ? 3 : 2;
}

}  // namespace tessera::reduction_shape

#endif  // TESSERA_CORE_EXECUTION_REDUCTION_SHAPE_HPP
