#include "backends/gpu/execution/transform.hpp"

#include "backends/gpu/execution/gpu_runtime.hpp"
#include "core/execution/host_device.hpp"
#include "core/execution/host_threads.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

// The transforms are those of the host (FFTW), whose memory the device has.

namespace tessera::gpu {
namespace {

class OneThread final : public HostThreads {
 public:
  void run(const char*, std::int64_t n, Range range, const void* body) const override {
    if (n > 0) range(body, 0, n);
  }
  [[nodiscard]] std::string_view backend() const override { return gpu::backend_name; }
};

DeviceTransforms& transforms_of_host() {
  static const std::shared_ptr<Device> host = make_host_device({}, std::make_shared<OneThread>());
  return host->transforms();
}

/// A transform of the host in a queue of the device.
class QueuedTransform final : public Transform {
 public:
  QueuedTransform(gpu::NativeStream stream, std::shared_ptr<Transform> transform)
      : stream_(stream), transform_(std::move(transform)) {}

  void execute() override {
    emulated::submit(stream_, [transform = transform_] { transform->execute(); });
  }

 private:
  gpu::NativeStream stream_;
  std::shared_ptr<Transform> transform_;
};

}  // namespace

std::string transforms_unavailable() {
  return transforms_of_host().unavailable();
}

std::unique_ptr<Transform> make_transform(int, Stream stream, const TransformBatch& batch) {
  return std::make_unique<QueuedTransform>(static_cast<gpu::NativeStream>(stream.handle),
                                           transforms_of_host().make({}, batch));
}

}  // namespace tessera::gpu
