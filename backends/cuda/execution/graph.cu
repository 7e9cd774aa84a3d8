#include "backends/gpu/execution/graph.hpp"

#include "backends/gpu/execution/check.hpp"
#include "backends/gpu/execution/launch.hpp"
#include "core/base/error.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#if CUDART_VERSION >= 12040

namespace tessera::gpu {
namespace {

/// Whether the runtime has switch nodes (CUDA 12.8 and later). Else each alternative is an if node.
constexpr bool has_switch = CUDART_VERSION >= 12080;

struct Conditions {
  cudaGraphConditionalHandle handle[most_works];
  unsigned count;
};

/// Sets the conditions of the nodes for `works` alternatives, so that alternative w runs where bit
/// w is the lowest set bit of `*wanted`, and none where `*wanted` is 0. It is a kernel of its own,
/// because these calls at the end of another kernel would slow that kernel down by more.
__global__ void set_condition(Conditions conditions, unsigned works, const std::int32_t* wanted) {
  const unsigned picked = static_cast<unsigned>(__ffs(*wanted)) - 1;
  if (conditions.count == works) {
    for (unsigned w = 0; w < works; ++w)
      cudaGraphSetConditional(conditions.handle[w], picked == w ? 1u : 0u);
  } else {
    cudaGraphSetConditional(conditions.handle[0], picked < works ? picked : works);
  }
}

class Graph final : public TaskGraph {
 public:
  Graph(int ordinal, gpu::NativeStream stream, cudaGraph_t graph)
      : ordinal_(ordinal), stream_(stream) {
    check(cudaGraphInstantiate(&launchable_, graph, 0), "making a graph");
  }
  ~Graph() override { cudaGraphExecDestroy(launchable_); }

  void run() override {
    const CurrentDevice current(ordinal_);
    check(cudaGraphLaunch(launchable_, stream_), "launching a graph");
  }

 private:
  int ordinal_;
  gpu::NativeStream stream_;
  cudaGraphExec_t launchable_ = nullptr;
};

/// Records pieces of work one by one, each to run after the one before it.
class Recorder final : public TaskRecorder {
 public:
  explicit Recorder(gpu::NativeStream stream) : stream_(stream) {
    check(cudaGraphCreate(&graph_, 0), "making a graph");
  }
  ~Recorder() override {
    if (graph_ != nullptr) cudaGraphDestroy(graph_);
  }

  void work(const std::function<void()>& work) override { record(graph_, last_, work); }

  void conditional_work(const std::int32_t* wanted,
                        const std::vector<std::function<void()>>& works) override {
    require_works(works.size());
    const bool picks = has_switch && works.size() > 1;
    Conditions conditions{};
    conditions.count = picks ? 1 : static_cast<unsigned>(works.size());
    for (unsigned c = 0; c < conditions.count; ++c)
      check(cudaGraphConditionalHandleCreate(&conditions.handle[c], graph_, 0, 0),
            "making a condition of a graph");
    record(graph_, last_, [&] {
      launch("set condition", set_condition, 1, 1, 0, stream_)(
          conditions, static_cast<unsigned>(works.size()), wanted);
    });
    if (picks) {
#if CUDART_VERSION >= 12080
      add(conditions.handle[0], cudaGraphCondTypeSwitch, works);
#endif
      return;
    }
    for (std::size_t w = 0; w < works.size(); ++w)
      add(conditions.handle[w], cudaGraphCondTypeIf, {works[w]});
  }

  [[nodiscard]] cudaGraph_t graph() const {
    return graph_;
  }

 private:
  void add(cudaGraphConditionalHandle handle, cudaGraphConditionalNodeType type,
           const std::vector<std::function<void()>>& works) {
    cudaGraphNodeParams params{};
    params.type = cudaGraphNodeTypeConditional;
    params.conditional.handle = handle;
    params.conditional.type = type;
    params.conditional.size = static_cast<unsigned>(works.size());
    cudaGraphNode_t node = nullptr;
#if CUDART_VERSION >= 13000
    check(cudaGraphAddNode(&node, graph_, last_.data(), nullptr, last_.size(), &params),
          "making a condition of a graph");
#else
    check(cudaGraphAddNode(&node, graph_, last_.data(), last_.size(), &params),
          "making a condition of a graph");
#endif
    last_ = {node};
    for (std::size_t w = 0; w < works.size(); ++w) {
      std::vector<cudaGraphNode_t> inside;
      record(params.conditional.phGraph_out[w], inside, works[w]);
    }
  }
  /// Captures a piece of work into `graph`.
  /// \param last in: nodes that the piece depends on; out: its own last nodes.
  void record(cudaGraph_t graph, std::vector<cudaGraphNode_t>& last,
              const std::function<void()>& work) {
    check(cudaStreamBeginCaptureToGraph(stream_, graph, last.data(), nullptr, last.size(),
                                        cudaStreamCaptureModeThreadLocal),
          "recording a graph");
    cudaGraph_t same = nullptr;
    try {
      work();
      cudaStreamCaptureStatus status{};
      const cudaGraphNode_t* nodes = nullptr;
      std::size_t count = 0;
#if CUDART_VERSION >= 13000
      check(cudaStreamGetCaptureInfo(stream_, &status, nullptr, nullptr, &nodes, nullptr, &count),
            "recording a graph");
#else
      check(cudaStreamGetCaptureInfo_v2(stream_, &status, nullptr, nullptr, &nodes, &count),
            "recording a graph");
#endif
      last.assign(nodes, nodes + count);
    } catch (...) {
      cudaStreamEndCapture(stream_, &same);
      (void)runtime::last_error();
      // A call that failed has ended the capture, and with it the graph: destroying it, or the
      // graph of which it is a part, would free it a second time.
      graph_ = nullptr;
      throw;
    }
    check(cudaStreamEndCapture(stream_, &same), "recording a graph");
  }

  gpu::NativeStream stream_;
  cudaGraph_t graph_ = nullptr;
  std::vector<cudaGraphNode_t> last_;
};

}  // namespace

std::unique_ptr<TaskGraph> make_graph(int ordinal, Stream stream, const RecordTasks& record) {
  const CurrentDevice current(ordinal);
  auto* const native = static_cast<gpu::NativeStream>(stream.handle);
  Recorder recorder(native);
  record(recorder);
  return std::make_unique<Graph>(ordinal, native, recorder.graph());
}

}  // namespace tessera::gpu

#else

namespace tessera::gpu {

std::unique_ptr<TaskGraph> make_graph(int, Stream, const RecordTasks&) {
  return nullptr;
}

}  // namespace tessera::gpu

#endif
