#ifndef TESSERA_BACKENDS_EMULATED_EXECUTION_BLOCK_THREADS_HPP
#define TESSERA_BACKENDS_EMULATED_EXECUTION_BLOCK_THREADS_HPP

#include "backends/emulated/execution/block.hpp"
#include "backends/emulated/execution/thread_order.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstring>
#include <source_location>
#include <string>
#include <vector>

/// \file
/// The threads of one block: which can run, and where the others wait.

namespace tessera::emulated {

using gpu::LaneMask;

inline constexpr unsigned most_threads = 1024;
inline constexpr unsigned most_warps = most_threads / lanes;

/// A place in the source where threads meet or wait.
struct Site {
  const char* operation = nullptr;
  const char* file = nullptr;
  unsigned line = 0;

  Site() = default;
  Site(const char* name, const std::source_location& where)
      : operation(name), file(where.file_name()), line(where.line()) {}

  [[nodiscard]] bool operator==(const Site& other) const {
    return line == other.line && is_same(operation, other.operation) && is_same(file, other.file);
  }
  [[nodiscard]] std::string text() const {
    return std::string(operation) + " at " + file + ":" + std::to_string(line);
  }

 private:
  /// Whether two texts are the same; mostly they are one.
  [[nodiscard]] static bool is_same(const char* a, const char* b) {
    return a == b || std::strcmp(a, b) == 0;
  }
};

/// An error of the kernel, which ends the grid.
struct Failure {
  std::string message;
};

/// A fiber that runs threads (block.cpp).
struct Worker;

/// The threads of one block. The functions that a thread calls mark it as one that waits, or others
/// as ones that can go on; the caller switches to next().
class BlockThreads {
 public:
  static constexpr unsigned none = ~0u;

  /// Begins a block. Its threads run in this order where the kernel leaves it open.
  void start(unsigned block, unsigned threads, ThreadOrder& order);

  [[nodiscard]] unsigned block() const { return block_; }
  /// The thread that runs, which is the one that calls the functions below.
  [[nodiscard]] unsigned thread() const { return thread_; }
  [[nodiscard]] bool finished() const { return exited_ == threads_; }

  /// Chooses the thread that runs from now on, one of the present warp where possible.
  /// \returns its number; `none` where all wait.
  unsigned next() {
    if (warp_[warp_now_].runnable == 0 && !find_warp()) return none;
    const auto place = static_cast<unsigned>(std::countr_zero(warp_[warp_now_].runnable));
    thread_ = warp_now_ * lanes + lane_at_[place];
    return thread_;
  }
  /// Lets threads that wait for a change of memory look again. \returns false where none does.
  bool look_again();
  /// The place of the worker on whose stack a thread is; null before it begins and after it ends.
  [[nodiscard]] Worker*& worker_of(unsigned thread) { return worker_of_[thread]; }

  /// Whether a thread has passed a fence.
  [[nodiscard]] bool& fenced(unsigned thread) { return fenced_[thread]; }

  /// The thread waits at a barrier of the block.
  /// \returns where the number of threads whose `counts` is true stands once all have arrived,
  /// until
  ///   the barrier after the next. Consecutive barriers have different places.
  /// \throws Failure where other threads wait elsewhere or have left.
  const unsigned* arrive_at_barrier(bool counts, const Site& site);
  /// The thread waits for the other lanes of its warp, to which it gives a value.
  /// \returns the values of all lanes. Consecutive operations have different places for them.
  /// \throws Failure where other lanes wait elsewhere, have left or do not exist.
  const unsigned char* arrive_in_warp(const void* value, std::size_t bytes, const Site& site);
  /// The thread waits until others have changed memory.
  void wait_on_memory(const Site& site);
  /// The thread ends. \throws Failure where others wait for it.
  void leave();

  /// The places where threads wait.
  [[nodiscard]] std::string waits() const;

 private:
  struct Warp {
    LaneMask all = 0;  ///< a bit for each lane of the block; bits are places in the order
    LaneMask runnable = 0;
    LaneMask exited = 0;
    LaneMask arrived = 0;  ///< lanes that wait for an operation of the warp
    Site site;             ///< the place where they wait
    LaneMask looking = 0;  ///< lanes that wait for a change of memory
    Site looking_at;       ///< the place where the latest of them waits
    unsigned round = 0;    ///< number of operations so far
    /// Values of the lanes, in turn for even and odd operations: a lane that is ahead by one
    /// operation does not overwrite what others have yet to read.
    alignas(16) unsigned char values[2][lanes * most_lane_bytes];
  };

  [[nodiscard]] Warp& warp() { return warp_[thread_ / lanes]; }
  /// The bit of the calling thread in the masks of its warp.
  [[nodiscard]] LaneMask bit() const { return LaneMask{1} << place_of_lane_[thread_ % lanes]; }
  [[nodiscard]] bool find_warp();
  [[nodiscard]] std::string lanes_text(LaneMask places) const;

  unsigned block_ = 0;
  unsigned threads_ = 0;
  unsigned warps_ = 0;
  std::array<unsigned, most_warps> warp_at_{};
  std::array<unsigned, lanes> lane_at_{};        ///< lane at each place of the order
  std::array<unsigned, lanes> place_of_lane_{};  ///< and back
  std::array<Warp, most_warps> warp_{};
  std::array<Worker*, most_threads> worker_of_{};
  std::array<bool, most_threads> fenced_{};
  unsigned thread_ = 0;
  unsigned warp_now_ = 0;
  unsigned exited_ = 0;

  unsigned arrived_ = 0;  ///< threads that wait at a barrier of the block
  Site site_;             ///< the place of this barrier
  unsigned round_ = 0;
  unsigned count_ = 0;
  unsigned counted_[2] = {};
};

}  // namespace tessera::emulated

#endif  // TESSERA_BACKENDS_EMULATED_EXECUTION_BLOCK_THREADS_HPP
