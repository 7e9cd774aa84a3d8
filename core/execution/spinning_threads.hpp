#ifndef TESSERA_CORE_EXECUTION_SPINNING_THREADS_HPP
#define TESSERA_CORE_EXECUTION_SPINNING_THREADS_HPP

#include <cstdint>
#include <optional>
#include <string>

/// \file
/// Threads of OpenMP that wait for each other by spinning. The runtime of GCC does so by default
/// (GCC manual of libgomp, OMP_WAIT_POLICY and GOMP_SPINCOUNT), which holds all of them up where
/// other work runs on the cores. That of LLVM spins for 200 milliseconds before it sleeps
/// (LLVM/OpenMP documentation, KMP_BLOCKTIME), and yields now and then while it does.

namespace tessera {

/// The runtime of OpenMP that this process has loaded.
enum class ThreadRuntime { none, gcc, llvm };
[[nodiscard]] ThreadRuntime thread_runtime();

/// A variable of the environment with which threads sleep at once, or after some microseconds.
struct ShortWait {
  const char* variable;
  const char* value;
};

/// What a program sets before that runtime is loaded; nothing where somebody told it how to wait.
[[nodiscard]] std::optional<ShortWait> short_wait(ThreadRuntime runtime);

/// Whether this process has the runtime of GCC and nobody told it how to wait.
[[nodiscard]] bool threads_spin();

/// What a user should know; empty when there is nothing.
/// \param others other threads of the machine that can run.
/// \param cores those that this process may use: where they are not all of the machine, nobody
///   knows on which the others are.
[[nodiscard]] std::string spinning_warning(bool spin, std::int64_t threads, std::int64_t others,
                                           std::int64_t cores, std::int64_t cores_of_machine);

/// Logs the warning, once in a process, when a device of that many threads is opened.
void warn_of_spinning(std::int64_t threads);

}  // namespace tessera

#endif  // TESSERA_CORE_EXECUTION_SPINNING_THREADS_HPP
