#ifndef TESSERA_CORE_EXECUTION_SPINNING_THREADS_HPP
#define TESSERA_CORE_EXECUTION_SPINNING_THREADS_HPP

#include <cstdint>
#include <optional>
#include <string>

/// \file
/// Detection of OpenMP threads that wait by spinning. GCC's runtime spins by default (GCC manual of
/// libgomp, OMP_WAIT_POLICY and GOMP_SPINCOUNT), which delays all threads of a team where other
/// work runs on the cores. LLVM's runtime spins for 200 milliseconds before it sleeps, and yields
/// from time to time meanwhile (LLVM/OpenMP documentation, KMP_BLOCKTIME).

namespace tessera {

/// The OpenMP runtime that this process has loaded.
enum class ThreadRuntime { none, gcc, llvm };
[[nodiscard]] ThreadRuntime thread_runtime();

/// An environment variable that makes waiting threads sleep at once, or after some microseconds.
struct ShortWait {
  const char* variable;
  const char* value;
};

/// The variable to set before the runtime is loaded; nothing where the environment already sets the
/// wait policy.
[[nodiscard]] std::optional<ShortWait> short_wait(ThreadRuntime runtime);

/// Whether this process has GCC's runtime and the environment does not set the wait policy.
[[nodiscard]] bool threads_spin();

/// Text of the warning; empty where none is due.
/// \param others number of other runnable threads of the machine.
/// \param cores number of cores that this process may use. Where they are not all cores of the
/// machine, the other threads may run on different cores, and no warning is given.
[[nodiscard]] std::string spinning_warning(bool spin, std::int64_t threads, std::int64_t others,
                                           std::int64_t cores, std::int64_t cores_of_machine);

/// Logs the warning at most once in a process, when a device with this number of threads is opened.
void warn_of_spinning(std::int64_t threads);

}  // namespace tessera

#endif  // TESSERA_CORE_EXECUTION_SPINNING_THREADS_HPP
