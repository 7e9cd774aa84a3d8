#ifndef TESSERA_CORE_MEMORY_TASK_GRAPH_HPP
#define TESSERA_CORE_MEMORY_TASK_GRAPH_HPP

#include "core/memory/stream.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

/// \file
/// Work of a queue that is recorded once and run repeatedly, for instance a time step.

namespace tessera {

class TaskGraph {
 public:
  virtual ~TaskGraph() = default;
  TaskGraph(const TaskGraph&) = delete;
  TaskGraph& operator=(const TaskGraph&) = delete;

  /// Enqueues the work on the queue of the graph. Does not block on a GPU.
  /// \throws DeviceError; on a host also exceptions of the work.
  virtual void run() = 0;

 protected:
  TaskGraph() = default;
};

/// Records the parts of a graph in order. A GPU captures the kernels that `work` launches, once and
/// without running them; a host stores `work` and calls it at each run. Every call of `work`
/// therefore has to enqueue the same operations on the queue of the graph, without allocating or
/// blocking, and after a first execution outside the graph (Plan::execute). Objects that it refers
/// to have to outlive the graph.
class TaskRecorder {
 public:
  virtual ~TaskRecorder() = default;
  TaskRecorder(const TaskRecorder&) = delete;
  TaskRecorder& operator=(const TaskRecorder&) = delete;

  virtual void work(const std::function<void()>& work) = 0;
  /// Adds a conditional part that runs at most one of `works`: the one whose index is the lowest
  /// set bit of `*wanted` when the queue reaches this part. `wanted` points to device memory.
  /// Nothing runs where no bit is set or the index has no work. Each run reads `*wanted` anew. A
  /// GPU supports up to four works.
  virtual void conditional_work(const std::int32_t* wanted,
                                const std::vector<std::function<void()>>& works) = 0;

 protected:
  TaskRecorder() = default;
};

using RecordTasks = std::function<void(TaskRecorder&)>;

/// The graphs of a device.
class DeviceGraphs {
 public:
  virtual ~DeviceGraphs() = default;
  DeviceGraphs(const DeviceGraphs&) = delete;
  DeviceGraphs& operator=(const DeviceGraphs&) = delete;

  /// Records work of a queue, which must be idle during the recording. A device that records
  /// nothing calls the work at each run, and synchronizes to read conditions.
  [[nodiscard]] virtual std::unique_ptr<TaskGraph> make(Stream, const RecordTasks& record) = 0;

 protected:
  DeviceGraphs() = default;
};

}  // namespace tessera

#endif  // TESSERA_CORE_MEMORY_TASK_GRAPH_HPP
