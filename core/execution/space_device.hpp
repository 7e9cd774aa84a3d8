#ifndef TESSERA_CORE_EXECUTION_SPACE_DEVICE_HPP
#define TESSERA_CORE_EXECUTION_SPACE_DEVICE_HPP

#include "core/base/error.hpp"
#include "core/execution/called_graph.hpp"
#include "core/execution/execution_space.hpp"
#include "core/execution/host_device.hpp"
#include "core/execution/host_memory.hpp"
#include "core/execution/index_look.hpp"
#include "core/execution/machine_limits.hpp"
#include "core/execution/prompt_copy.hpp"
#include "core/memory/device.hpp"

#include <chrono>
#include <concepts>
#include <functional>
#include <memory>
#include <string>
#include <utility>

/// \file
/// The type-erased Device of an ExecutionSpace, and the functions by which a registry asks for it.

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

template <EnumerableSpace Space>
class SpaceDevice final : public Device {
 public:
  explicit SpaceDevice(int ordinal)
      : properties_(Space::properties(ordinal)), space_(ordinal, Space::default_stream(ordinal)) {}

  [[nodiscard]] const DeviceProperties& properties() const override { return properties_; }

  [[nodiscard]] void* allocate(std::size_t bytes) override {
    return bytes == 0 ? nullptr : space_.allocate(bytes);
  }
  void release(void* pointer) noexcept override { space_.release(pointer); }

  void copy_to_device(void* target, const void* host, std::size_t bytes, Stream stream) override {
    on(stream).copy_to_device(target, host, bytes);
  }
  void copy_to_host(void* host, const void* source, std::size_t bytes, Stream stream) override {
    on(stream).copy_to_host(host, source, bytes);
  }
  void copy(void* target, const void* source, std::size_t bytes, Stream stream) override {
    on(stream).copy(target, source, bytes);
  }
  void fill(void* target, unsigned char byte, std::size_t bytes, Stream stream) override {
    on(stream).fill(target, byte, bytes);
  }
  [[nodiscard]] std::unique_ptr<LateCopy> late_copy(std::size_t bytes, Stream stream) override {
    if constexpr (requires { Space::late_copy(0, stream, bytes); })
      if (auto copy = Space::late_copy(properties_.ordinal, stream, bytes)) return copy;
    return std::make_unique<PromptCopy>(*this, stream, bytes);
  }
  void fence(Stream stream) override { on(stream).fence(); }
  [[nodiscard]] double seconds_of(Stream stream, const std::function<void()>& work) override {
    Space space = on(stream);
    space.fence();
    if constexpr (requires { Space::seconds_of(0, stream, work); }) {
      return Space::seconds_of(properties_.ordinal, stream, work);
    } else {
      const auto start = std::chrono::steady_clock::now();
      work();
      space.fence();
      return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    }
  }
  [[nodiscard]] std::unique_ptr<WorkGraph> make_graph(Stream stream,
                                                      const RecordWork& record) override {
    if constexpr (requires { Space::make_graph(0, stream, record); })
      if (auto graph = Space::make_graph(properties_.ordinal, stream, record)) return graph;
    return std::make_unique<CalledGraph>(*this, stream, record);
  }
  [[nodiscard]] std::string transforms_unavailable() const override {
    if constexpr (requires { Space::transforms_unavailable(); })
      return Space::transforms_unavailable();
    else
      return "backend " + properties_.backend + " has no transforms";
  }
  [[nodiscard]] std::unique_ptr<Transform> make_transform(Stream stream,
                                                          const TransformBatch& batch) override {
    if constexpr (requires { Space::make_transform(0, stream, batch); })
      return Space::make_transform(properties_.ordinal, stream, batch);
    else
      throw DeviceError("making a transform", transforms_unavailable());
  }
  [[nodiscard]] Stream default_stream() const override {
    return Space::default_stream(properties_.ordinal);
  }
  [[nodiscard]] bool reaches(const void* pointer) const override {
    if constexpr (requires { Space::reaches(0, pointer); })
      return Space::reaches(properties_.ordinal, pointer);
    else
      return host_memory::readable(pointer);
  }
  [[nodiscard]] std::unique_ptr<IndexLook> index_look(Stream stream) const override {
    return std::make_unique<SpaceIndexLook<Space>>(on(stream));
  }
  [[nodiscard]] ArithmeticLimits measure_arithmetic() override {
    return machine_limits::measure_arithmetic(space_, properties_);
  }
  [[nodiscard]] std::unique_ptr<CopyLimit> copy_limit() override {
    return std::make_unique<machine_limits::SpaceCopyLimit<Space>>(
        space_, machine_limits::copy_size(properties_));
  }

 private:
  // Making a space for a foreign queue may be costly, so the usual one is kept.
  [[nodiscard]] Space on(Stream stream) const {
    if (stream.handle == default_stream().handle) return space_;
    return Space(properties_.ordinal, stream);
  }

  DeviceProperties properties_;
  Space space_;
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
