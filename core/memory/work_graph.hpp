#pragma once

#include <cstdint>
#include <functional>

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
  /// Only where `*condition`, in the memory of the device, is not zero when the queue gets there.
  virtual void work_where(const std::int32_t* condition, const std::function<void()>& work) = 0;

 protected:
  WorkRecorder() = default;
};

using RecordWork = std::function<void(WorkRecorder&)>;

}  // namespace tessera
