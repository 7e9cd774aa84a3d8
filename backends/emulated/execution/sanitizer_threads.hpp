#ifndef TESSERA_BACKENDS_EMULATED_EXECUTION_SANITIZER_THREADS_HPP
#define TESSERA_BACKENDS_EMULATED_EXECUTION_SANITIZER_THREADS_HPP

#include "backends/emulated/execution/block_threads.hpp"
#include "backends/emulated/execution/sanitizers.hpp"

#include <deque>
#include <vector>

/// \file
/// The threads that ThreadSanitizer takes the threads of blocks for.

namespace tessera::emulated {

/// ThreadSanitizer distinguishes 255 threads at a time; where there are more, one takes over the
/// accesses of another, and after the next barrier all of them seem to be ordered. Consecutive
/// blocks have different threads, so that a block may have half of these.
inline constexpr unsigned most_sanitizer_threads = 125;

/// Index of the thread of the sanitizer that stands for a thread of a block. In a block that is too
/// large each thread of the first warps has its own, and each other warp has one for all lanes.
[[nodiscard]] constexpr unsigned sanitizer_thread(unsigned thread, unsigned threads) {
  if (threads <= most_sanitizer_threads) return thread;
  const unsigned warps = (threads + lanes - 1) / lanes;
  const unsigned apart = (most_sanitizer_threads - warps) / (lanes - 1);
  const unsigned warp = thread / lanes;
  return warp < apart ? thread : apart * lanes + (warp - apart);
}

/// A thread of the sanitizer, and the workers that it takes for it. A worker keeps its thread,
/// because its stack would else be memory that several threads use.
struct SanitizerThread {
  void* context = nullptr;
  std::vector<Worker*> idle;
};

/// Sets of threads of the sanitizer, one for each block that has begun.
class SanitizerThreads {
 public:
  SanitizerThreads() = default;
  ~SanitizerThreads() {
#if defined(TESSERA_THREAD_SANITIZER)
    for (const auto& set : sets_)
      for (const SanitizerThread& thread : set)
        __tsan_destroy_fiber(thread.context);
#endif
  }
  SanitizerThreads(const SanitizerThreads&) = delete;
  SanitizerThreads& operator=(const SanitizerThreads&) = delete;

  /// A set that no block has and that is not the one of the latest call.
  [[nodiscard]] unsigned take() {
    unsigned set = 0;
    while (set < taken_.size() && (taken_[set] || set == latest_))
      ++set;
    if (set >= taken_.size()) taken_.resize(set + 1);
    taken_[set] = true;
    latest_ = set;
    return set;
  }
  void give_back(unsigned set) {
    taken_[set] = false;
  }
  /// Takes all sets and workers back.
  void clear() {
    taken_.clear();
    for (auto& set : sets_)
      for (SanitizerThread& thread : set)
        thread.idle.clear();
  }

  /// Thread `number` of a set. The reference stays valid.
  [[nodiscard]] SanitizerThread& of(unsigned set, unsigned number) {
    if (set >= sets_.size()) sets_.resize(set + 1);
    while (number >= sets_[set].size()) {
      [[maybe_unused]] SanitizerThread& made = sets_[set].emplace_back();
#if defined(TESSERA_THREAD_SANITIZER)
      made.context = __tsan_create_fiber(0);
#endif
    }
    return sets_[set][number];
  }

 private:
  static constexpr unsigned none = ~0u;
  std::vector<bool> taken_;
  unsigned latest_ = none;
  std::deque<std::deque<SanitizerThread>> sets_;
};

}  // namespace tessera::emulated

#endif  // TESSERA_BACKENDS_EMULATED_EXECUTION_SANITIZER_THREADS_HPP
