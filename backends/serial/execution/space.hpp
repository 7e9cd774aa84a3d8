#ifndef TESSERA_BACKENDS_SERIAL_EXECUTION_SPACE_HPP
#define TESSERA_BACKENDS_SERIAL_EXECUTION_SPACE_HPP

#include "core/execution/host_space.hpp"

#include <memory>
#include <string>
#include <string_view>

/// \file
/// Execution space of one host thread. It is the simplest adapter: start here.

namespace tessera::serial {

class Threads final : public HostThreads {
 public:
  void run(const char*, std::int64_t n, Range range, const void* body) const override {
    range(body, 0, n);
  }
  [[nodiscard]] std::string_view backend() const override { return "serial"; }
};

class Space : public HostSpace {
 public:
  Space(int, Stream) : HostSpace(std::make_shared<Threads>()) {}

  static std::string unavailable() { return {}; }
  static int device_count() { return 1; }
  static int default_ordinal() { return 0; }
  static DeviceProperties properties(int) {
    DeviceProperties properties = host_memory::properties("serial", 1);
    properties.exclusive = true;  // a run on one thread must start no others
    return properties;
  }
};

static_assert(ExecutionSpace<Space>);

}  // namespace tessera::serial

#endif  // TESSERA_BACKENDS_SERIAL_EXECUTION_SPACE_HPP
