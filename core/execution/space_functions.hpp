#ifndef TESSERA_CORE_EXECUTION_SPACE_FUNCTIONS_HPP
#define TESSERA_CORE_EXECUTION_SPACE_FUNCTIONS_HPP

#include "core/memory/device.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

/// \file
/// Functions that an adapter may provide besides an ExecutionSpace.

namespace tessera {

class TaskGraph;
class TaskRecorder;
class Transform;
struct TransformBatch;

/// Functions for device `ordinal` and the queue `stream`: `static constexpr SpaceFunctions
/// functions{...}` in the class of an execution space, with those that the backend has. Without a
/// function, core does the same with the members that every space has.
struct SpaceFunctions {
  /// Seconds that the device needs for what `work` enqueues. Without it: the time of the host.
  double (*seconds_of)(int ordinal, Stream stream, const std::function<void()>& work) = nullptr;
  /// A copy to the host that does not block. Null, or null returned: it blocks.
  std::unique_ptr<AsyncHostCopy> (*async_host_copy)(int ordinal, Stream stream,
                                                    std::size_t bytes) = nullptr;
  /// A recorded graph of the work. Null, or null returned: the work is enqueued again each time.
  std::unique_ptr<TaskGraph> (*make_graph)(
      int ordinal, Stream stream, const std::function<void(TaskRecorder&)>& record) = nullptr;
  /// Reason why there are no Fourier transforms; "" if there are.
  std::string (*transforms_unavailable)() = nullptr;
  std::unique_ptr<Transform> (*make_transform)(int ordinal, Stream stream,
                                               const TransformBatch& batch) = nullptr;
  /// Whether kernels can read the memory at `pointer`. Without it: whether the host can.
  bool (*reaches)(int ordinal, const void* pointer) = nullptr;
};

}  // namespace tessera

#endif  // TESSERA_CORE_EXECUTION_SPACE_FUNCTIONS_HPP
