#ifndef TESSERA_CORE_EXECUTION_REPLAY_GRAPH_HPP
#define TESSERA_CORE_EXECUTION_REPLAY_GRAPH_HPP

#include "core/memory/device.hpp"
#include "core/memory/task_graph.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

/// \file
/// Graph for devices that cannot record: each run calls the functions again.

namespace tessera {

class ReplayGraph final : public TaskGraph {
 public:
  ReplayGraph(Device& device, Stream stream, const RecordTasks& record)
      : device_(device), stream_(stream) {
    Recorder recorder(parts_);
    record(recorder);
  }

  void run() override {
    for (const Part& part : parts_) {
      const std::size_t picked = part.wanted == nullptr ? 0 : lowest_bit(part.wanted);
      if (picked < part.works.size()) part.works[picked]();
    }
  }

 private:
  struct Part {
    const std::int32_t* wanted;  ///< null: `works` has a single element, which always runs
    std::vector<std::function<void()>> works;
  };

  class Recorder final : public TaskRecorder {
   public:
    explicit Recorder(std::vector<Part>& parts) : parts_(parts) {}
    void work(const std::function<void()>& work) override { parts_.push_back({nullptr, {work}}); }
    void conditional_work(const std::int32_t* wanted,
                          const std::vector<std::function<void()>>& works) override {
      parts_.push_back({wanted, works});
    }

   private:
    std::vector<Part>& parts_;
  };

  /// Index of the lowest set bit, 32 where no bit is set.
  [[nodiscard]] std::size_t lowest_bit(const std::int32_t* wanted) const {
    std::int32_t value = 0;
    device_.copy_to_host(&value, wanted, sizeof value, stream_);
    return static_cast<std::size_t>(std::countr_zero(static_cast<std::uint32_t>(value)));
  }

  Device& device_;
  Stream stream_;
  std::vector<Part> parts_;
};

}  // namespace tessera

#endif  // TESSERA_CORE_EXECUTION_REPLAY_GRAPH_HPP
