#pragma once

#include <cstdint>
#include <functional>
#include <tessera/core/memory/device.hpp>
#include <tessera/core/memory/work_graph.hpp>
#include <vector>

/// \file
/// The graph of a device that records nothing: its work is called at each run.

namespace tessera {

class CalledGraph final : public WorkGraph {
 public:
  CalledGraph(Device& device, Stream stream, const RecordWork& record)
      : device_(device), stream_(stream) {
    Recorder recorder(parts_);
    record(recorder);
  }

  void run() override {
    for (const Part& part : parts_)
      if (holds(part.condition)) part.work();
  }

 private:
  struct Part {
    const std::int32_t* condition;  ///< null: always
    std::function<void()> work;
  };

  class Recorder final : public WorkRecorder {
   public:
    explicit Recorder(std::vector<Part>& parts) : parts_(parts) {}
    void work(const std::function<void()>& work) override { parts_.push_back({nullptr, work}); }
    void work_where(const std::int32_t* condition, const std::function<void()>& work) override {
      parts_.push_back({condition, work});
    }

   private:
    std::vector<Part>& parts_;
  };

  [[nodiscard]] bool holds(const std::int32_t* condition) const {
    if (condition == nullptr) return true;
    std::int32_t value = 0;
    device_.copy_to_host(&value, condition, sizeof value, stream_);
    return value != 0;
  }

  Device& device_;
  Stream stream_;
  std::vector<Part> parts_;
};

}  // namespace tessera
