#ifndef TESSERA_CORE_EXECUTION_SPACE_DEVICE_HPP
#define TESSERA_CORE_EXECUTION_SPACE_DEVICE_HPP

#include "core/base/error.hpp"
#include "core/execution/blocking_host_copy.hpp"
#include "core/execution/execution_space.hpp"
#include "core/execution/host_device.hpp"
#include "core/execution/space_parts.hpp"
#include "core/memory/device.hpp"
#include "core/memory/transform.hpp"

#include <concepts>
#include <cstddef>
#include <memory>
#include <string>

/// \file
/// The type-erased Device of an ExecutionSpace, and the functions through which a registry opens
/// it.

namespace tessera {

/// An ExecutionSpace whose devices can be counted and described without opening one.
template <class S>
concept EnumerableSpace = ExecutionSpace<S> && std::constructible_from<S, int, Stream> &&
    requires(int ordinal) {
  { S::unavailable() } -> std::same_as<std::string>;
  { S::device_count() } -> std::same_as<int>;
  { S::default_ordinal() } -> std::same_as<int>;
  { S::properties(ordinal) } -> std::same_as<DeviceProperties>;
};

/// The Fourier transforms of a space; unavailable() returns a reason for a space without them.
template <class Space>
class SpaceTransforms final : public DeviceTransforms {
 public:
  explicit SpaceTransforms(const SpaceQueues<Space>& queues) : queues_(queues) {}

  [[nodiscard]] std::string unavailable() const override {
    if constexpr (Space::functions.transforms_unavailable != nullptr)
      return Space::functions.transforms_unavailable();
    else
      return "backend " + queues_.properties.backend + " has no transforms";
  }
  [[nodiscard]] std::unique_ptr<Transform> make(Stream stream,
                                                const TransformBatch& batch) override {
    if constexpr (Space::functions.make_transform != nullptr)
      return Space::functions.make_transform(queues_.properties.ordinal, stream, batch);
    else
      throw DeviceError("making a transform", unavailable());
  }

 private:
  const SpaceQueues<Space>& queues_;
};

template <EnumerableSpace Space>
class SpaceDevice final : public Device {
 public:
  explicit SpaceDevice(int ordinal)
      : queues_{Space::properties(ordinal), Space(ordinal, Space::default_stream(ordinal))} {}

  [[nodiscard]] const DeviceProperties& properties() const override { return queues_.properties; }

  [[nodiscard]] void* allocate(std::size_t bytes) override {
    return bytes == 0 ? nullptr : queues_.space.allocate(bytes);
  }
  void release(void* pointer) noexcept override { queues_.space.release(pointer); }

  void copy_to_device(void* target, const void* host, std::size_t bytes, Stream stream) override {
    queues_.on(stream).copy_to_device(target, host, bytes);
  }
  void copy_to_host(void* host, const void* source, std::size_t bytes, Stream stream) override {
    queues_.on(stream).copy_to_host(host, source, bytes);
  }
  void copy(void* target, const void* source, std::size_t bytes, Stream stream) override {
    queues_.on(stream).copy(target, source, bytes);
  }
  void fill(void* target, unsigned char byte, std::size_t bytes, Stream stream) override {
    queues_.on(stream).fill(target, byte, bytes);
  }
  [[nodiscard]] std::unique_ptr<AsyncHostCopy> async_host_copy(std::size_t bytes,
                                                               Stream stream) override {
    if constexpr (Space::functions.async_host_copy != nullptr)
      if (auto copy = Space::functions.async_host_copy(properties().ordinal, stream, bytes))
        return copy;
    return std::make_unique<BlockingHostCopy>(*this, stream, bytes);
  }
  void fence(Stream stream) override { queues_.on(stream).fence(); }
  [[nodiscard]] Stream default_stream() const override {
    return Space::default_stream(properties().ordinal);
  }

  [[nodiscard]] const DeviceChecks& checks() const override { return checks_; }
  [[nodiscard]] DeviceGraphs& graphs() override { return graphs_; }
  [[nodiscard]] DeviceTiming& timing() override { return timing_; }
  [[nodiscard]] DeviceTransforms& transforms() override { return transforms_; }

 private:
  SpaceQueues<Space> queues_;
  SpaceChecks<Space> checks_{queues_};
  SpaceGraphs<Space> graphs_{*this, queues_};
  SpaceTiming<Space> timing_{queues_};
  SpaceTransforms<Space> transforms_{queues_};
};

template <EnumerableSpace Space>
[[nodiscard]] BackendDevices backend_devices() {
  return {[] { return Space::unavailable(); }, [] { return Space::device_count(); },
          [](int ordinal) { return Space::properties(ordinal); },
          [] { return Space::default_ordinal(); },
          [](int ordinal) -> std::shared_ptr<Device> {
            if constexpr (Space::memory == MemorySpace::host)
              return make_host_device(Space::properties(ordinal), Space(ordinal, {}).threads());
            else
              return std::make_shared<SpaceDevice<Space>>(ordinal);
          }};
}

}  // namespace tessera

#endif  // TESSERA_CORE_EXECUTION_SPACE_DEVICE_HPP
