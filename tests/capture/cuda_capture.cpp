#include "tests/capture/capture.hpp"

#include <cuda_runtime_api.h>

#include <exception>
#include <stdexcept>

namespace tessera::test {
namespace {

void check(cudaError_t code, const char* call) {
  if (code != cudaSuccess)
    throw std::runtime_error(std::string(call) + ": " + cudaGetErrorName(code) + ", " +
                             cudaGetErrorString(code));
}

class CudaGraph final : public CapturedGraph {
 public:
  CudaGraph(cudaGraph_t graph, cudaStream_t stream) : graph_(graph), stream_(stream) {
    check(cudaGraphInstantiateWithFlags(&executable_, graph_, 0), "cudaGraphInstantiate");
  }
  ~CudaGraph() override {
    if (executable_ != nullptr) cudaGraphExecDestroy(executable_);
    cudaGraphDestroy(graph_);
  }
  void launch() override { check(cudaGraphLaunch(executable_, stream_), "cudaGraphLaunch"); }

 private:
  cudaGraph_t graph_;
  cudaStream_t stream_;
  cudaGraphExec_t executable_ = nullptr;
};

class CudaQueue final : public CaptureQueue {
 public:
  explicit CudaQueue(int ordinal) {
    check(cudaSetDevice(ordinal), "cudaSetDevice");
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
  }
  ~CudaQueue() override { cudaStreamDestroy(stream_); }

  [[nodiscard]] Stream stream() const override { return {stream_, MemorySpace::cuda}; }

  [[nodiscard]] std::unique_ptr<CapturedGraph> capture(const std::function<void()>& work) override {
    check(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeGlobal), "cudaStreamBeginCapture");
    std::string fault;
    try {
      work();
    } catch (const std::exception& error) {
      fault = error.what();
    }
    cudaGraph_t graph = nullptr;
    const cudaError_t ended = cudaStreamEndCapture(stream_, &graph);
    static_cast<void>(cudaGetLastError());
    if (!fault.empty()) {
      if (graph != nullptr) cudaGraphDestroy(graph);
      throw std::runtime_error(fault);
    }
    check(ended, "cudaStreamEndCapture");
    return std::make_unique<CudaGraph>(graph, stream_);
  }

 private:
  cudaStream_t stream_ = nullptr;
};

}  // namespace

std::unique_ptr<CaptureQueue> make_capture_queue(const DeviceProperties& device) {
  return std::make_unique<CudaQueue>(device.ordinal);
}

}  // namespace tessera::test
