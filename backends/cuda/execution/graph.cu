#include <cstdint>
#include <tessera/backends/cuda/execution/check.hpp>
#include <tessera/backends/cuda/execution/graph.hpp>
#include <tessera/backends/cuda/execution/launch.hpp>
#include <vector>

#if !defined(__HIP__) && CUDART_VERSION >= 12040

namespace tessera::cuda {
namespace {

/// A kernel of its own: set at the end of one that does something else it would cost that one more.
__global__ void set_condition(cudaGraphConditionalHandle handle, const std::int32_t* condition) {
  cudaGraphSetConditional(handle, *condition != 0 ? 1u : 0u);
}

class Graph final : public WorkGraph {
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

/// Records piece by piece, each behind the one before.
class Recorder final : public WorkRecorder {
 public:
  explicit Recorder(gpu::NativeStream stream) : stream_(stream) {
    check(cudaGraphCreate(&graph_, 0), "making a graph");
  }
  ~Recorder() override { cudaGraphDestroy(graph_); }

  void work(const std::function<void()>& work) override { record(graph_, last_, work); }

  void work_where(const std::int32_t* condition, const std::function<void()>& work) override {
    cudaGraphNodeParams params{};
    params.type = cudaGraphNodeTypeConditional;
    check(cudaGraphConditionalHandleCreate(&params.conditional.handle, graph_, 0, 0),
          "making a condition of a graph");
    params.conditional.type = cudaGraphCondTypeIf;
    params.conditional.size = 1;
    record(graph_, last_, [&] {
      launch("set condition", set_condition, 1, 1, 0, stream_)(params.conditional.handle,
                                                               condition);
    });
    cudaGraphNode_t node = nullptr;
#if CUDART_VERSION >= 13000
    check(cudaGraphAddNode(&node, graph_, last_.data(), nullptr, last_.size(), &params),
          "making a condition of a graph");
#else
    check(cudaGraphAddNode(&node, graph_, last_.data(), last_.size(), &params),
          "making a condition of a graph");
#endif
    last_ = {node};
    std::vector<cudaGraphNode_t> inside;
    record(params.conditional.phGraph_out[0], inside, work);
  }

  [[nodiscard]] cudaGraph_t graph() const {
    return graph_;
  }

 private:
  /// \param last what the piece comes after; in the end its own last nodes.
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
      (void)gpu::last_error();
      throw;
    }
    check(cudaStreamEndCapture(stream_, &same), "recording a graph");
  }

  gpu::NativeStream stream_;
  cudaGraph_t graph_ = nullptr;
  std::vector<cudaGraphNode_t> last_;
};

}  // namespace

std::unique_ptr<WorkGraph> make_graph(int ordinal, Stream stream, const RecordWork& record) {
  const CurrentDevice current(ordinal);
  auto* const native = static_cast<gpu::NativeStream>(stream.handle);
  Recorder recorder(native);
  record(recorder);
  return std::make_unique<Graph>(ordinal, native, recorder.graph());
}

}  // namespace tessera::cuda

#else

namespace tessera::cuda {

std::unique_ptr<WorkGraph> make_graph(int, Stream, const RecordWork&) {
  return nullptr;
}

}  // namespace tessera::cuda

#endif
