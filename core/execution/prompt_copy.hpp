#ifndef TESSERA_CORE_EXECUTION_PROMPT_COPY_HPP
#define TESSERA_CORE_EXECUTION_PROMPT_COPY_HPP

#include "core/memory/device.hpp"
#include "core/memory/late_copy.hpp"

#include <cstddef>
#include <vector>

/// \file
/// Blocking implementation of LateCopy, for devices without asynchronous copies.

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

#endif  // TESSERA_CORE_EXECUTION_PROMPT_COPY_HPP
