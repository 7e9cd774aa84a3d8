#ifndef TESSERA_CORE_EXECUTION_HOST_DEVICE_HPP
#define TESSERA_CORE_EXECUTION_HOST_DEVICE_HPP

#include "core/execution/host_threads.hpp"
#include "core/memory/device.hpp"

#include <memory>

/// \file
/// The device of a backend that runs on a host.

namespace tessera {

[[nodiscard]] std::shared_ptr<Device> make_host_device(const DeviceProperties& properties,
                                                       std::shared_ptr<const HostThreads> threads);

}  // namespace tessera

#endif  // TESSERA_CORE_EXECUTION_HOST_DEVICE_HPP
