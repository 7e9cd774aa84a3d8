#include "core/execution/thread_places.hpp"

#include "core/execution/spinning_threads.hpp"

#include <algorithm>
#include <climits>
#include <cstddef>
#include <dlfcn.h>
#include <sched.h>

namespace tessera {
namespace {

template <class Function>
Function* openmp(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_DEFAULT, name));
}

}  // namespace

ThreadPlaces::ThreadPlaces() {
  // Other runtimes bind the first thread later, at their first use.
  if (thread_runtime() != ThreadRuntime::gcc) return;
  auto* const places = openmp<int()>("omp_get_num_places");
  auto* const size = openmp<int(int)>("omp_get_place_num_procs");
  auto* const list = openmp<void(int, int*)>("omp_get_place_proc_ids");
  if (places == nullptr || size == nullptr || list == nullptr) return;
  constexpr std::size_t bits = sizeof(unsigned long) * CHAR_BIT;
  for (int place = 0; place < places(); ++place) {
    std::vector<int> processors(static_cast<std::size_t>(std::max(size(place), 0)));
    list(place, processors.data());
    for (const int processor : processors) {
      const auto at = static_cast<std::size_t>(processor);
      processors_.resize(std::max(processors_.size(), at / bits + 1));
      processors_[at / bits] |= 1UL << at % bits;
    }
  }
}

void ThreadPlaces::release_thread() const noexcept {
  if (!processors_.empty())
    (void)::sched_setaffinity(0, processors_.size() * sizeof(unsigned long),
                              reinterpret_cast<const cpu_set_t*>(processors_.data()));
}

}  // namespace tessera
