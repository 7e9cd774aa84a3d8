#include "backends/gpu/execution/graph.hpp"

#include "backends/gpu/execution/check.hpp"
#include "core/base/error.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

/// \file
/// Graphs of HIP have no conditional nodes. Work between conditions is recorded as a graph each,
/// and the host reads every condition.

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

/// Pieces of which a run takes one: the first, or that of the lowest bit of `*wanted`.
struct Part {
  const std::int32_t* wanted = nullptr;
  std::vector<Piece> pieces;
};

class Graph final : public TaskGraph {
 public:
  Graph(int ordinal, NativeStream stream, std::vector<Part> parts)
      : ordinal_(ordinal), stream_(stream), parts_(std::move(parts)) {
    void* host = nullptr;
    check(runtime::allocate_on_host(&host, sizeof(std::int32_t)), "memory for a condition");
    wanted_ = static_cast<std::int32_t*>(host);
  }
  ~Graph() override { (void)runtime::release_on_host(wanted_); }

  void run() override {
    const CurrentDevice current(ordinal_);
    for (const Part& part : parts_) {
      const std::size_t picked = part.wanted == nullptr ? 0 : read(part.wanted);
      if (picked < part.pieces.size()) part.pieces[picked].run(stream_);
    }
  }

 private:
  /// Waits for the queue. \returns the position of the lowest bit, beyond all pieces if none is
  /// set.
  [[nodiscard]] std::size_t read(const std::int32_t* wanted) {
    check(runtime::copy_async(wanted_, wanted, sizeof *wanted_, stream_), "reading a condition");
    check(runtime::synchronize(stream_), "reading a condition");
    return static_cast<std::size_t>(std::countr_zero(static_cast<std::uint32_t>(*wanted_)));
  }

  int ordinal_;
  NativeStream stream_;
  std::vector<Part> parts_;
  std::int32_t* wanted_ = nullptr;  ///< pinned
};

class Recorder final : public TaskRecorder {
 public:
  explicit Recorder(NativeStream stream) : stream_(stream) {}

  void work(const std::function<void()>& work) override { add(nullptr, {work}); }
  void conditional_work(const std::int32_t* wanted,
                        const std::vector<std::function<void()>>& works) override {
    require_works(works.size());
    add(wanted, works);
  }

  [[nodiscard]] std::vector<Part> take() { return std::move(parts_); }

 private:
  void add(const std::int32_t* wanted, const std::vector<std::function<void()>>& works) {
    Part part;
    part.wanted = wanted;
    for (const std::function<void()>& work : works)
      part.pieces.emplace_back(stream_, work);
    parts_.push_back(std::move(part));
  }

  NativeStream stream_;
  std::vector<Part> parts_;
};

}  // namespace

std::unique_ptr<TaskGraph> make_graph(int ordinal, Stream stream, const RecordTasks& record) {
  const CurrentDevice current(ordinal);
  auto* const native = static_cast<NativeStream>(stream.handle);
  Recorder recorder(native);
  record(recorder);
  return std::make_unique<Graph>(ordinal, native, recorder.take());
}

}  // namespace tessera::gpu
