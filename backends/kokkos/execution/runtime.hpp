#ifndef TESSERA_BACKENDS_KOKKOS_EXECUTION_RUNTIME_HPP
#define TESSERA_BACKENDS_KOKKOS_EXECUTION_RUNTIME_HPP

#include "core/memory/device.hpp"
#include "core/memory/transform.hpp"
#include "core/memory/work_graph.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>

/// \file
/// Life time and device of the Kokkos runtime. Kokkos gives a process one device: the one that it
/// was initialised on.

namespace tessera::kokkos {

/// Keeps Kokkos initialised for as long as the result (or any copy) lives, and the process through
/// if Tessera was the one to initialise it. A runtime that the application initialised is used and
/// left alone.
/// \param ordinal the device that Kokkos has to run on; without one it keeps its own, or chooses as
///   Kokkos does (KOKKOS_DEVICE_ID, the local rank of MPI, else the first).
/// \throws RefusalError when Kokkos has already been finalised or runs on another device.
[[nodiscard]] std::shared_ptr<void> acquire_runtime(std::optional<int> ordinal = std::nullopt);

/// Why Kokkos' default device cannot be used here, empty when it can. Does not initialise Kokkos.
[[nodiscard]] std::string unavailable();

/// Devices of the kind that Kokkos was built for. Does not initialise Kokkos.
[[nodiscard]] int device_count();

/// The device that Kokkos runs on; initialises it where nobody has.
[[nodiscard]] int default_ordinal();

/// One of the devices that Kokkos may run on. Initialises Kokkos only where that is the host.
[[nodiscard]] DeviceProperties properties(int ordinal);

/// How long a queue that is empty takes for what `work` puts into it.
[[nodiscard]] double seconds_of(int ordinal, Stream stream, const std::function<void()>& work);
/// Null on a host.
[[nodiscard]] std::unique_ptr<LateCopy> late_copy(int ordinal, Stream stream, std::size_t bytes);
/// Null on a host.
[[nodiscard]] std::unique_ptr<WorkGraph> make_graph(int ordinal, Stream stream,
                                                    const RecordWork& record);

/// Of a GPU; hosts have theirs from core/execution.
[[nodiscard]] std::string transforms_unavailable();
[[nodiscard]] std::unique_ptr<Transform> make_transform(int ordinal, Stream stream,
                                                        const TransformBatch& batch);

/// Whether kernels on the device can read what the pointer points to.
[[nodiscard]] bool reaches(int ordinal, const void* pointer);

}  // namespace tessera::kokkos

#endif  // TESSERA_BACKENDS_KOKKOS_EXECUTION_RUNTIME_HPP
