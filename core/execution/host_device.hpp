#pragma once

#include <memory>
#include <tessera/core/execution/host_threads.hpp>
#include <tessera/core/memory/device.hpp>

/// \file
/// The device of a backend that runs on a host.

namespace tessera {

[[nodiscard]] std::shared_ptr<Device> make_host_device(const DeviceProperties& properties,
                                                       std::shared_ptr<const HostThreads> threads);

}  // namespace tessera
