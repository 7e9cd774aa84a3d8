#include "backends/gpu/execution/graph.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace tessera::gpu {
namespace {

/// Recorded works, of which a run does one: that of the lowest bit of `*wanted`.
struct Part {
  const std::int32_t* wanted = nullptr;  ///< null: there is one work, which always runs
  std::vector<emulated::Works> works;
};

class Graph final : public TaskGraph {
 public:
  explicit Graph(std::vector<Part> parts) : parts_(std::move(parts)) {}

  void run() override {
    for (const Part& part : parts_) {
      std::size_t picked = 0;
      if (part.wanted != nullptr)
        picked =
            static_cast<std::size_t>(std::countr_zero(static_cast<std::uint32_t>(*part.wanted)));
      if (picked >= part.works.size()) continue;
      for (const std::function<void()>& work : part.works[picked])
        work();
    }
  }

 private:
  std::vector<Part> parts_;
};

class Recorder final : public TaskRecorder {
 public:
  explicit Recorder(gpu::NativeStream stream) : stream_(stream) {}

  void work(const std::function<void()>& work) override {
    parts_.push_back({nullptr, {record(work)}});
  }

  void conditional_work(const std::int32_t* wanted,
                        const std::vector<std::function<void()>>& works) override {
    require_works(works.size());
    Part part{wanted, {}};
    for (const std::function<void()>& work : works)
      part.works.push_back(record(work));
    parts_.push_back(std::move(part));
  }

  [[nodiscard]] std::vector<Part> take() { return std::move(parts_); }

 private:
  [[nodiscard]] emulated::Works record(const std::function<void()>& work) {
    emulated::Works recorded;
    stream_->recorded = &recorded;
    try {
      work();
    } catch (...) {
      stream_->recorded = nullptr;
      throw;
    }
    stream_->recorded = nullptr;
    return recorded;
  }

  gpu::NativeStream stream_;
  std::vector<Part> parts_;
};

}  // namespace

std::unique_ptr<TaskGraph> make_graph(int, Stream stream, const RecordTasks& record) {
  Recorder recorder(static_cast<gpu::NativeStream>(stream.handle));
  record(recorder);
  return std::make_unique<Graph>(recorder.take());
}

}  // namespace tessera::gpu
