#include "backends/gpu/execution/graph.hpp"

#include "backends/gpu/execution/check.hpp"
#include "backends/gpu/execution/pieces_of_work.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

/// \file
/// Graphs of HIP have no conditional nodes, so each piece of work is a graph.

namespace tessera::gpu {
namespace {

/// A recorded piece of work.
class Piece {
 public:
  Piece(NativeStream stream, const std::function<void()>& work) {
    check(hipStreamBeginCapture(stream, hipStreamCaptureModeThreadLocal), "recording a graph");
    hipGraph_t graph = nullptr;
    try {
      work();
    } catch (...) {
      (void)hipStreamEndCapture(stream, &graph);
      if (graph != nullptr) (void)hipGraphDestroy(graph);
      (void)runtime::last_error();
      throw;
    }
    check(hipStreamEndCapture(stream, &graph), "recording a graph");
    const runtime::Error error = hipGraphInstantiate(&launchable_, graph, nullptr, nullptr, 0);
    (void)hipGraphDestroy(graph);
    check(error, "making a graph");
  }
  ~Piece() {
    if (launchable_ != nullptr) (void)hipGraphExecDestroy(launchable_);
  }
  Piece(Piece&& other) noexcept : launchable_(std::exchange(other.launchable_, nullptr)) {}
  Piece& operator=(Piece&&) = delete;

  void run(NativeStream stream) const {
    check(hipGraphLaunch(launchable_, stream), "launching a graph");
  }

 private:
  hipGraphExec_t launchable_ = nullptr;
};

class Graph final : public TaskGraph {
 public:
  Graph(int ordinal, NativeStream stream, std::vector<Part<Piece>> parts)
      : ordinal_(ordinal), stream_(stream), parts_(std::move(parts)) {
    void* host = nullptr;
    check(runtime::allocate_on_host(&host, sizeof(std::int32_t)), "memory for a condition");
    wanted_ = static_cast<std::int32_t*>(host);
  }
  ~Graph() override { (void)runtime::release_on_host(wanted_); }

  void run() override {
    const CurrentDevice current(ordinal_);
    for (const Part<Piece>& part : parts_)
      part.run(stream_, [this](const std::int32_t* wanted) { return read(wanted); });
  }

 private:
  /// Waits for the queue. \returns the number at an address of the device.
  [[nodiscard]] std::int32_t read(const std::int32_t* wanted) {
    check(runtime::copy_async(wanted_, wanted, sizeof *wanted_, stream_), "reading a condition");
    check(runtime::synchronize(stream_), "reading a condition");
    return *wanted_;
  }

  int ordinal_;
  NativeStream stream_;
  std::vector<Part<Piece>> parts_;
  std::int32_t* wanted_ = nullptr;  ///< pinned
};

}  // namespace

std::unique_ptr<TaskGraph> make_graph(int ordinal, Stream stream, const RecordTasks& record) {
  const CurrentDevice current(ordinal);
  auto* const native = static_cast<NativeStream>(stream.handle);
  PieceRecorder<Piece> recorder(native);
  record(recorder);
  return std::make_unique<Graph>(ordinal, native, recorder.take());
}

}  // namespace tessera::gpu
