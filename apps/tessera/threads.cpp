#include "apps/tessera/threads.hpp"

#include "core/execution/spinning_threads.hpp"
#include "core/execution/thread_places.hpp"

#include <cstdlib>
#include <dlfcn.h>
#include <string>
#include <unistd.h>

namespace tessera::command_line {
namespace {

/// Sets a variable. \returns whether its value changed.
bool set(const char* name, const std::string& value) {
  const char* const before = std::getenv(name);
  if (before != nullptr && before == value) return false;
  ::setenv(name, value.c_str(), 1);
  return true;
}

}  // namespace

void resolve_threads(char** argv, int threads) {
  bool changed = false;
  if (threads > 0) changed = set("OMP_NUM_THREADS", std::to_string(threads));
  if (const auto wait = short_wait(thread_runtime()))
    changed = set(wait->variable, wait->value) || changed;
  if (!changed) return;
  ThreadPlaces().release_thread();
  ::execv("/proc/self/exe", argv);
  // exec failed: the program continues and can still set the number of threads.
  using Set = void (*)(int);
  if (auto* const set_threads = reinterpret_cast<Set>(::dlsym(RTLD_DEFAULT, "omp_set_num_threads"));
      set_threads != nullptr && threads > 0)
    set_threads(threads);
}

}  // namespace tessera::command_line
