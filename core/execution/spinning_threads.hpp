#pragma once

#include <cstdint>
#include <string>

/// \file
/// Threads of OpenMP that wait for each other by spinning. The runtime of GCC does so by default
/// (GCC manual of libgomp, OMP_WAIT_POLICY and GOMP_SPINCOUNT), which holds all of them up where
/// other work runs on the cores.

namespace tessera {

/// A value of GOMP_SPINCOUNT with which threads spin for some microseconds and then sleep.
inline constexpr const char* short_spin = "1000";

/// Whether this process has the runtime of GCC and nobody told it how to wait.
[[nodiscard]] bool threads_spin();

/// What a user should know; empty when there is nothing.
/// \param others runnable threads of other processes.
[[nodiscard]] std::string spinning_warning(bool spin, std::int64_t threads, std::int64_t others,
                                           std::int64_t cores);

/// Logs the warning, once in a process, when a device of that many threads is opened.
void warn_of_spinning(std::int64_t threads);

}  // namespace tessera
