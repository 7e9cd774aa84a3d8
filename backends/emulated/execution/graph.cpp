#include "backends/gpu/execution/graph.hpp"

#include "backends/gpu/execution/pieces_of_work.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace tessera::gpu {
namespace {

/// Works that a queue recorded.
class Piece {
 public:
  Piece(NativeStream stream, const std::function<void()>& work) {
    stream->recorded = &works_;
    try {
      work();
    } catch (...) {
      stream->recorded = nullptr;
      throw;
    }
    stream->recorded = nullptr;
  }

  void run(NativeStream) const {
    for (const std::function<void()>& work : works_)
      work();
  }

 private:
  emulated::Works works_;
};

class Graph final : public TaskGraph {
 public:
  Graph(NativeStream stream, std::vector<Part<Piece>> parts)
      : stream_(stream), parts_(std::move(parts)) {}

  void run() override {
    for (const Part<Piece>& part : parts_)
      part.run(stream_, [](const std::int32_t* wanted) { return *wanted; });
  }

 private:
  NativeStream stream_;
  std::vector<Part<Piece>> parts_;
};

}  // namespace

std::unique_ptr<TaskGraph> make_graph(int, Stream stream, const RecordTasks& record) {
  auto* const native = static_cast<NativeStream>(stream.handle);
  PieceRecorder<Piece> recorder(native);
  record(recorder);
  return std::make_unique<Graph>(native, recorder.take());
}

}  // namespace tessera::gpu
