#ifndef TESSERA_CORE_EXECUTION_SPACE_PARTS_HPP
#define TESSERA_CORE_EXECUTION_SPACE_PARTS_HPP

#include "core/execution/host_memory.hpp"
#include "core/execution/index_validator.hpp"
#include "core/execution/machine_limits.hpp"
#include "core/execution/replay_graph.hpp"
#include "core/memory/device.hpp"
#include "core/memory/device_checks.hpp"
#include "core/memory/device_timing.hpp"
#include "core/memory/task_graph.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <utility>

/// \file
/// The parts of a device (checks, graphs, timing) that follow from an ExecutionSpace.

namespace tessera {

/// The execution space of a device, for its default queue and for others.
template <class Space>
struct SpaceQueues {
  DeviceProperties properties;
  Space space;

  /// Constructing a space for another queue may be costly, so the one of the default queue is kept.
  [[nodiscard]] Space on(Stream stream) const {
    if constexpr (Space::memory == MemorySpace::host)
      return space;
    else
      return stream.handle == Space::default_stream(properties.ordinal).handle
                 ? space
                 : Space(properties.ordinal, stream);
  }
};

template <class Space>
class SpaceChecks final : public DeviceChecks {
 public:
  explicit SpaceChecks(const SpaceQueues<Space>& queues) : queues_(queues) {}

  [[nodiscard]] bool reaches(const void* pointer) const override {
    if constexpr (Space::functions.reaches != nullptr)
      return Space::functions.reaches(queues_.properties.ordinal, pointer);
    else
      return host_memory::readable(pointer);
  }
  [[nodiscard]] std::unique_ptr<IndexValidator> make_index_validator(Stream stream) const override {
    return std::make_unique<SpaceIndexValidator<Space>>(queues_.on(stream));
  }

 private:
  const SpaceQueues<Space>& queues_;
};

template <class Space>
class SpaceGraphs final : public DeviceGraphs {
 public:
  SpaceGraphs(Device& device, const SpaceQueues<Space>& queues)
      : device_(device), queues_(queues) {}

  [[nodiscard]] std::unique_ptr<TaskGraph> make(Stream stream, const RecordTasks& record) override {
    if constexpr (Space::functions.make_graph != nullptr)
      if (auto graph = Space::functions.make_graph(queues_.properties.ordinal, stream, record))
        return graph;
    return std::make_unique<ReplayGraph>(device_, stream, record);
  }

 private:
  Device& device_;
  const SpaceQueues<Space>& queues_;
};

template <class Space>
class SpaceTiming final : public DeviceTiming {
 public:
  explicit SpaceTiming(const SpaceQueues<Space>& queues) : queues_(queues) {}

  [[nodiscard]] double seconds_of(Stream stream, const std::function<void()>& work) override {
    Space space = queues_.on(stream);
    space.fence();
    if constexpr (Space::functions.seconds_of != nullptr) {
      return Space::functions.seconds_of(queues_.properties.ordinal, stream, work);
    } else {
      const auto start = std::chrono::steady_clock::now();
      work();
      space.fence();
      return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    }
  }
  [[nodiscard]] ArithmeticLimits measure_arithmetic() override {
    Space space = queues_.space;
    return machine_limits::measure_arithmetic(space, queues_.properties);
  }
  [[nodiscard]] std::unique_ptr<CopyLimit> copy_limit() override {
    return std::make_unique<machine_limits::SpaceCopyLimit<Space>>(
        queues_.space, machine_limits::copy_size(queues_.properties));
  }

 private:
  const SpaceQueues<Space>& queues_;
};

}  // namespace tessera

#endif  // TESSERA_CORE_EXECUTION_SPACE_PARTS_HPP
