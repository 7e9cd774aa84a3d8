#include "core/execution/spinning_threads.hpp"

#include "core/base/logging.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <dlfcn.h>
#include <fstream>
#include <limits>
#include <sched.h>
#include <unistd.h>

namespace tessera {
namespace {

bool has(const char* function) {
  return ::dlsym(RTLD_DEFAULT, function) != nullptr;
}

/// Number of cores that this process may use; 0 where the machine has more than a cpu_set_t can
/// hold.
std::int64_t cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  return ::sched_getaffinity(0, sizeof(set), &set) == 0 ? CPU_COUNT(&set) : 0;
}

/// Number of other runnable threads of the machine, the minimum over a few milliseconds: the fourth
/// field of /proc/loadavg is "runnable/all" (proc(5)).
std::int64_t others_that_run() {
  constexpr int looks = 4;
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for (int look = 0; look < looks && least > 0; ++look) {
    if (look > 0) ::usleep(1000);
    std::ifstream file("/proc/loadavg");
    std::string field;
    for (int i = 0; i < 4; ++i)
      file >> field;
    least = std::min(least, std::max<std::int64_t>(0, std::atoll(field.c_str()) - 1));
  }
  return least;
}

}  // namespace

ThreadRuntime thread_runtime() {
  // LLVM's runtime also exports the entry points of GCC's.
  if (has("__kmpc_fork_call")) return ThreadRuntime::llvm;
  return has("GOMP_parallel") ? ThreadRuntime::gcc : ThreadRuntime::none;
}

std::optional<ShortWait> short_wait(ThreadRuntime runtime) {
  if (std::getenv("OMP_WAIT_POLICY") != nullptr) return std::nullopt;
  if (runtime == ThreadRuntime::gcc && std::getenv("GOMP_SPINCOUNT") == nullptr)
    return ShortWait{"GOMP_SPINCOUNT", "1000"};
  // KMP_BLOCKTIME is in milliseconds, the only unit before release 18. Its value is 0, because most
  // parallel regions are shorter than one millisecond.
  if (runtime == ThreadRuntime::llvm && std::getenv("KMP_BLOCKTIME") == nullptr &&
      std::getenv("KMP_LIBRARY") == nullptr)
    return ShortWait{"KMP_BLOCKTIME", "0"};
  return std::nullopt;
}

bool threads_spin() {
  const ThreadRuntime runtime = thread_runtime();
  return runtime == ThreadRuntime::gcc && short_wait(runtime).has_value();
}

std::string spinning_warning(bool spin, std::int64_t threads, std::int64_t others,
                             std::int64_t cores, std::int64_t cores_of_machine) {
  if (!spin || threads < 2 || others < 1 || threads + others <= cores) return {};
  if (cores < cores_of_machine) return {};
  return "other programs use the cores, and OpenMP threads that spin while they wait delay each "
         "other; set the environment variable OMP_WAIT_POLICY=passive";
}

void warn_of_spinning(std::int64_t threads) {
  static std::atomic<bool> checked = false;
  if (threads < 2 || checked.exchange(true)) return;
  const bool spin = threads_spin();
  if (!spin) return;  // others_that_run() takes milliseconds
  const std::string warning =
      spinning_warning(spin, threads, others_that_run(), cores(), ::sysconf(_SC_NPROCESSORS_ONLN));
  if (!warning.empty()) log_warning(warning);
}

}  // namespace tessera
