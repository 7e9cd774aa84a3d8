#ifndef TESSERA_CORE_MEMORY_WORK_GRAPH_HPP
#define TESSERA_CORE_MEMORY_WORK_GRAPH_HPP

#include "core/memory/stream.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

/// \file
/// Work of a queue that is put together once and run again and again, for instance a time step.

namespace tessera {

class WorkGraph {
 public:
  virtual ~WorkGraph() = default;
  WorkGraph(const WorkGraph&) = delete;
  WorkGraph& operator=(const WorkGraph&) = delete;

  /// Puts the work into the queue that the graph was made for; returns at once on a GPU.
  /// \throws DeviceError; on a host what the work throws.
  virtual void run() = 0;

 protected:
  WorkGraph() = default;
};

/// Takes down what a graph consists of, in order. A GPU records the kernels that `work` launches,
/// once and without running them; a host keeps `work` and calls it at each run. So work must put
/// the same into the queue of the graph whenever it is called, allocate nothing, wait for nothing,
/// and have run before (Plan::execute); what it refers to has to live as long as the graph does.
class WorkRecorder {
 public:
  virtual ~WorkRecorder() = default;
  WorkRecorder(const WorkRecorder&) = delete;
  WorkRecorder& operator=(const WorkRecorder&) = delete;

  virtual void work(const std::function<void()>& work) = 0;
  /// At most one of several, picked when the queue gets there: the one whose number is that of the
  /// lowest bit set in `*wanted`, in the memory of the device; none where there is none of that
  /// number. The others may still be wanted the next time. A GPU takes up to four.
  virtual void work_where(const std::int32_t* wanted,
                          const std::vector<std::function<void()>>& works) = 0;

 protected:
  WorkRecorder() = default;
};

using RecordWork = std::function<void(WorkRecorder&)>;

/// The graphs of a device.
class DeviceGraphs {
 public:
  virtual ~DeviceGraphs() = default;
  DeviceGraphs(const DeviceGraphs&) = delete;
  DeviceGraphs& operator=(const DeviceGraphs&) = delete;

  /// Records work of a queue, which must be idle meanwhile. A device that records nothing calls the
  /// work at each run, and synchronizes to read conditions.
  [[nodiscard]] virtual std::unique_ptr<WorkGraph> make(Stream, const RecordWork& record) = 0;

 protected:
  DeviceGraphs() = default;
};

}  // namespace tessera

#endif  // TESSERA_CORE_MEMORY_WORK_GRAPH_HPP
