#include "backends/gpu/execution/async_host_copy.hpp"

#include "backends/gpu/execution/check.hpp"
#include "backends/gpu/execution/launch.hpp"

namespace tessera::gpu {
namespace {

class EventCopy final : public AsyncHostCopy {
 public:
  EventCopy(int ordinal, gpu::NativeStream stream, std::size_t bytes)
      : ordinal_(ordinal), stream_(stream), bytes_(bytes) {
    const CurrentDevice current(ordinal);
    check(runtime::create_mark(&arrived_), "making an event");
    const runtime::Error error = runtime::allocate_on_host(&host_, bytes);
    if (error != runtime::success) (void)runtime::destroy_event(arrived_);
    check(error, "allocating memory of the host");
  }
  ~EventCopy() override {
    // A copy in flight still writes to the host memory.
    (void)runtime::synchronize_event(arrived_);
    (void)runtime::release_on_host(host_);
    (void)runtime::destroy_event(arrived_);
  }

  void start(const void* source) override {
    const CurrentDevice current(ordinal_);
    check(runtime::copy_async(host_, source, bytes_, stream_), "copy");
    check(runtime::record(arrived_, stream_), "recording an event");
  }
  [[nodiscard]] const void* wait() override {
    const CurrentDevice current(ordinal_);
    check(runtime::synchronize_event(arrived_), "waiting for a copy");
    return host_;
  }

 private:
  int ordinal_;
  gpu::NativeStream stream_;
  std::size_t bytes_;
  runtime::Event arrived_{};
  void* host_ = nullptr;
};

}  // namespace

std::unique_ptr<AsyncHostCopy> async_host_copy(int ordinal, Stream stream, std::size_t bytes) {
  return std::make_unique<EventCopy>(ordinal, static_cast<gpu::NativeStream>(stream.handle), bytes);
}

}  // namespace tessera::gpu
