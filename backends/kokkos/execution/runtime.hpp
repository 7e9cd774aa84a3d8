#ifndef TESSERA_BACKENDS_KOKKOS_EXECUTION_RUNTIME_HPP
#define TESSERA_BACKENDS_KOKKOS_EXECUTION_RUNTIME_HPP

#include "core/memory/device.hpp"
#include "core/memory/task_graph.hpp"
#include "core/memory/transform.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>

/// \file
/// Lifetime and device of the Kokkos runtime. Kokkos gives a process one device: the one that it
/// was initialised on.

namespace tessera::kokkos {

/// Keeps Kokkos initialised as long as the result (or any copy) lives, and until the process ends
/// where Tessera initialised it. Tessera never finalises a runtime that the application
/// initialised.
/// \param ordinal the device that Kokkos has to run on. Without one Kokkos keeps its device, or
///   chooses one by its own rules (KOKKOS_DEVICE_ID, the local MPI rank, else the first).
/// \throws RefusalError when Kokkos has already been finalised or runs on another device.
[[nodiscard]] std::shared_ptr<void> acquire_runtime(std::optional<int> ordinal = std::nullopt);

/// Reason why Kokkos' default device is not usable; empty if it is. Does not initialise Kokkos.
[[nodiscard]] std::string unavailable();

/// Number of devices of the kind that Kokkos was built for. Does not initialise Kokkos.
[[nodiscard]] int device_count();

/// The device that Kokkos runs on. Initialises Kokkos where the application has not.
[[nodiscard]] int default_ordinal();

/// Properties of a device that Kokkos may run on. Initialises Kokkos only where that is the host.
[[nodiscard]] DeviceProperties properties(int ordinal);

/// Time in seconds that an empty queue takes for the work that `work` puts into it.
[[nodiscard]] double seconds_of(int ordinal, Stream stream, const std::function<void()>& work);
/// Asynchronous device-to-host copy; null on a host.
[[nodiscard]] std::unique_ptr<AsyncHostCopy> async_host_copy(int ordinal, Stream stream,
                                                             std::size_t bytes);
/// Graph of recorded work; null on a host, or where the GPU runtime has no conditional nodes.
[[nodiscard]] std::unique_ptr<TaskGraph> make_graph(int ordinal, Stream stream,
                                                    const RecordTasks& record);

/// Fourier transforms on a GPU, or the reason why there are none; core/execution provides the
/// transforms of hosts.
[[nodiscard]] std::string transforms_unavailable();
[[nodiscard]] std::unique_ptr<Transform> make_transform(int ordinal, Stream stream,
                                                        const TransformBatch& batch);

/// Whether kernels on the device can read the memory at `pointer`.
[[nodiscard]] bool reaches(int ordinal, const void* pointer);

}  // namespace tessera::kokkos

#endif  // TESSERA_BACKENDS_KOKKOS_EXECUTION_RUNTIME_HPP
