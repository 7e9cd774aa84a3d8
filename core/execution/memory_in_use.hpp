#pragma once

#include <cstdint>

/// \file
/// How much memory is in use: what a plan holds is by how much making and preparing it changes
/// this.

namespace tessera {

/// Bytes allocated by this process on the host (0 where the C library does not tell) and those in
/// use on devices that tell.
[[nodiscard]] std::int64_t memory_in_use();

/// Registers how to ask a kind of device. \returns true, for what registers itself.
bool add_device_memory(std::int64_t (*bytes_in_use)());

}  // namespace tessera
