#pragma once

#include <cstddef>
#include <tessera/core/memory/device.hpp>
#include <tessera/core/memory/late_copy.hpp>
#include <vector>

/// \file
/// The late copy of a device whose copies arrive before a call returns.

namespace tessera {

class PromptCopy final : public LateCopy {
 public:
  PromptCopy(Device& device, Stream stream, std::size_t bytes)
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
