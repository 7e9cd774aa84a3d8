#ifndef TESSERA_CORE_EXECUTION_BLOCKING_HOST_COPY_HPP
#define TESSERA_CORE_EXECUTION_BLOCKING_HOST_COPY_HPP

#include "core/memory/async_host_copy.hpp"
#include "core/memory/device.hpp"

#include <cstddef>
#include <vector>

/// \file
/// Blocking implementation of AsyncHostCopy, for devices without asynchronous copies.

namespace tessera {

class BlockingHostCopy final : public AsyncHostCopy {
 public:
  BlockingHostCopy(Device& device, Stream stream, std::size_t bytes)
      : device_(device), stream_(stream), bytes_(bytes) {}

  void start(const void* source) override {
    device_.copy_to_host(bytes_.data(), source, bytes_.size(), stream_);
  }
  [[nodiscard]] const void* wait() override { return bytes_.data(); }

 private:
  Device& device_;
  Stream stream_;
  std::vector<std::byte> bytes_;
};

}  // namespace tessera

#endif  // TESSERA_CORE_EXECUTION_BLOCKING_HOST_COPY_HPP
