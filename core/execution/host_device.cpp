#include "core/execution/host_device.hpp"

#include "core/execution/blocking_host_copy.hpp"
#include "core/execution/fourier_library.hpp"
#include "core/execution/host_memory.hpp"
#include "core/execution/host_space.hpp"
#include "core/execution/host_transform.hpp"
#include "core/execution/space_parts.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <utility>

namespace tessera {
namespace {

/// Transforms by FFTW, on the threads of the device.
class HostTransforms final : public DeviceTransforms {
 public:
  explicit HostTransforms(const SpaceQueues<HostSpace>& queues) : queues_(queues) {}

  [[nodiscard]] std::string unavailable() const override { return fourier_library::unavailable(); }
  [[nodiscard]] std::unique_ptr<Transform> make(Stream, const TransformBatch& batch) override {
    return std::make_unique<HostTransform>(queues_.space, batch);
  }

 private:
  const SpaceQueues<HostSpace>& queues_;
};

/// Work is complete when a call returns, so the device has no queue.
class HostDevice final : public Device {
 public:
  HostDevice(const DeviceProperties& properties, std::shared_ptr<const HostThreads> threads)
      : queues_{properties, HostSpace(std::move(threads))} {}

  [[nodiscard]] const DeviceProperties& properties() const override { return queues_.properties; }

  [[nodiscard]] void* allocate(std::size_t bytes) override {
    return bytes == 0 ? nullptr : host_memory::allocate(bytes);
  }
  void release(void* pointer) noexcept override { host_memory::release(pointer); }
  void copy_to_device(void* target, const void* host, std::size_t bytes, Stream) override {
    host_memory::copy(target, host, bytes);
  }
  void copy_to_host(void* host, const void* source, std::size_t bytes, Stream) override {
    host_memory::copy(host, source, bytes);
  }
  void copy(void* target, const void* source, std::size_t bytes, Stream) override {
    host_memory::copy(target, source, bytes);
  }
  void fill(void* target, unsigned char byte, std::size_t bytes, Stream) override {
    host_memory::fill(target, byte, bytes);
  }
  [[nodiscard]] std::unique_ptr<AsyncHostCopy> async_host_copy(std::size_t bytes,
                                                               Stream stream) override {
    return std::make_unique<BlockingHostCopy>(*this, stream, bytes);
  }
  void fence(Stream) override {}
  [[nodiscard]] Stream default_stream() const override { return {}; }

  [[nodiscard]] const DeviceChecks& checks() const override { return checks_; }
  [[nodiscard]] DeviceGraphs& graphs() override { return graphs_; }
  [[nodiscard]] DeviceTiming& timing() override { return timing_; }
  [[nodiscard]] DeviceTransforms& transforms() override { return transforms_; }

 private:
  SpaceQueues<HostSpace> queues_;
  SpaceChecks<HostSpace> checks_{queues_};
  SpaceGraphs<HostSpace> graphs_{*this, queues_};
  SpaceTiming<HostSpace> timing_{queues_};
  HostTransforms transforms_{queues_};
};

}  // namespace

std::shared_ptr<Device> make_host_device(const DeviceProperties& properties,
                                         std::shared_ptr<const HostThreads> threads) {
  return std::make_shared<HostDevice>(properties, std::move(threads));
}

}  // namespace tessera
