#include "core/execution/host_device.hpp"

#include "core/execution/called_graph.hpp"
#include "core/execution/fourier_library.hpp"
#include "core/execution/host_memory.hpp"
#include "core/execution/host_space.hpp"
#include "core/execution/host_transform.hpp"
#include "core/execution/index_look.hpp"
#include "core/execution/machine_limits.hpp"
#include "core/execution/prompt_copy.hpp"

#include <chrono>
#include <utility>

namespace tessera {
namespace {

/// Work is done when a call returns, so that there is no queue to wait for.
class HostDevice final : public Device {
 public:
  HostDevice(const DeviceProperties& properties, std::shared_ptr<const HostThreads> threads)
      : properties_(properties), space_(std::move(threads)) {}

  [[nodiscard]] const DeviceProperties& properties() const override { return properties_; }

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
  [[nodiscard]] std::unique_ptr<LateCopy> late_copy(std::size_t bytes, Stream stream) override {
    return std::make_unique<PromptCopy>(*this, stream, bytes);
  }
  void fence(Stream) override {}
  [[nodiscard]] double seconds_of(Stream, const std::function<void()>& work) override {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  [[nodiscard]] std::unique_ptr<WorkGraph> make_graph(Stream stream,
                                                      const RecordWork& record) override {
    return std::make_unique<CalledGraph>(*this, stream, record);
  }
  [[nodiscard]] std::string transforms_unavailable() const override {
    return fourier_library::unavailable();
  }
  [[nodiscard]] std::unique_ptr<Transform> make_transform(Stream,
                                                          const TransformBatch& batch) override {
    return std::make_unique<HostTransform>(space_, batch);
  }
  [[nodiscard]] Stream default_stream() const override { return {}; }
  [[nodiscard]] bool reaches(const void* pointer) const override {
    return host_memory::readable(pointer);
  }
  [[nodiscard]] std::unique_ptr<IndexLook> index_look(Stream) const override {
    return std::make_unique<SpaceIndexLook<HostSpace>>(space_);
  }
  [[nodiscard]] ArithmeticLimits measure_arithmetic() override {
    return machine_limits::measure_arithmetic(space_, properties_);
  }
  [[nodiscard]] std::unique_ptr<CopyLimit> copy_limit() override {
    return std::make_unique<machine_limits::SpaceCopyLimit<HostSpace>>(
        space_, machine_limits::copy_size(properties_));
  }

 private:
  DeviceProperties properties_;
  HostSpace space_;
};

}  // namespace

std::shared_ptr<Device> make_host_device(const DeviceProperties& properties,
                                         std::shared_ptr<const HostThreads> threads) {
  return std::make_shared<HostDevice>(properties, std::move(threads));
}

}  // namespace tessera
