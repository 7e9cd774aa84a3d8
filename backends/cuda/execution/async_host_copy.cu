#include "backends/cuda/execution/async_host_copy.hpp"

#include "backends/cuda/execution/check.hpp"
#include "backends/cuda/execution/launch.hpp"

namespace tessera::cuda {
namespace {

class EventCopy final : public AsyncHostCopy {
 public:
  EventCopy(int ordinal, gpu::NativeStream stream, std::size_t bytes)
      : ordinal_(ordinal), stream_(stream), bytes_(bytes) {
    const CurrentDevice current(ordinal);
    check(gpu::create_mark(&arrived_), "making an event");
    const gpu::Error error = gpu::allocate_on_host(&host_, bytes);
    if (error != gpu::success) gpu::destroy_event(arrived_);
    check(error, "allocating memory of the host");
  }
  ~EventCopy() override {
    // A copy in flight still writes to the host memory.
    (void)gpu::synchronize_event(arrived_);
    gpu::release_on_host(host_);
    gpu::destroy_event(arrived_);
  }

  void start(const void* source) override {
    const CurrentDevice current(ordinal_);
    check(gpu::copy_async(host_, source, bytes_, stream_), "copy");
    check(gpu::record(arrived_, stream_), "recording an event");
  }
  [[nodiscard]] const void* wait() override {
    const CurrentDevice current(ordinal_);
    check(gpu::synchronize_event(arrived_), "waiting for a copy");
    return host_;
  }

 private:
  int ordinal_;
  gpu::NativeStream stream_;
  std::size_t bytes_;
  gpu::Event arrived_{};
  void* host_ = nullptr;
};

}  // namespace

std::unique_ptr<AsyncHostCopy> async_host_copy(int ordinal, Stream stream, std::size_t bytes) {
  return std::make_unique<EventCopy>(ordinal, static_cast<gpu::NativeStream>(stream.handle), bytes);
}

}  // namespace tessera::cuda
