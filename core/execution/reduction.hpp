#ifndef TESSERA_CORE_EXECUTION_REDUCTION_HPP
#define TESSERA_CORE_EXECUTION_REDUCTION_HPP

#include "core/execution/buffer.hpp"
#include "core/execution/execution_space.hpp"

/// \file
/// A reduction that a plan runs repeatedly.

namespace tessera {

/// Owns the result, in the memory of the space, and the workspace.
template <class T, ExecutionSpace Space>
class Reduction {
 public:
  /// Makes a reduction of at most `items` items.
  Reduction(const Space& space, std::int64_t items)
      : space_(space),
        result_(space, 1),
        workspace_(space, Space::template reduce_bytes<T>(items)) {}

  /// Reduces `items` items, then calls `finish(const T& result)` once on the device.
  /// \returns address of the result, which the next reduction overwrites.
  template <class Body, class Join, class Finish = NoFinish>
  const T* operator()(const char* label, std::int64_t items, const T& identity, const Body& body,
                      const Join& join, const Finish& finish = {}) {
    space_.reduce(label, items, identity, body, join, result_.data(), workspace_.get(), finish);
    return result_.data();
  }

 private:
  Space space_;
  Buffer<T, Space> result_;
  WorkspaceBuffer<Space> workspace_;
};

}  // namespace tessera

#endif  // TESSERA_CORE_EXECUTION_REDUCTION_HPP
