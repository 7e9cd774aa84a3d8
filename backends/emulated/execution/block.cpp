#include "backends/emulated/execution/block.hpp"

#include "backends/emulated/execution/builtin_variables.hpp"
#include "backends/emulated/execution/fault_report.hpp"
#include "backends/emulated/execution/fiber.hpp"
#include "backends/emulated/execution/shared_memory.hpp"
#include "backends/emulated/execution/tested_barriers.hpp"
#include "backends/emulated/execution/thread_order.hpp"
#include "core/base/error.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <exception>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

uint3 threadIdx;
uint3 blockIdx;
dim3 blockDim;
dim3 gridDim;

namespace tessera::emulated {
namespace {

using gpu::LaneMask;

constexpr unsigned most_threads = 1024;
constexpr unsigned most_warps = most_threads / lanes;

/// A place in the source where threads meet.
struct Site {
  const char* operation = nullptr;
  const char* file = nullptr;
  unsigned line = 0;

  Site() = default;
  Site(const char* name, const std::source_location& where)
      : operation(name), file(where.file_name()), line(where.line()) {}

  [[nodiscard]] bool operator==(const Site& other) const {
    return line == other.line && std::strcmp(operation, other.operation) == 0 &&
           std::strcmp(file, other.file) == 0;
  }
  [[nodiscard]] std::string text() const {
    return std::string(operation) + " at " + file + ":" + std::to_string(line);
  }
};

struct Warp {
  LaneMask all = 0;  ///< a bit for each lane of the block; bits are places in the order
  LaneMask runnable = 0;
  LaneMask exited = 0;
  LaneMask arrived = 0;  ///< lanes that wait for an operation of the warp
  Site site;             ///< the place where they wait
  unsigned round = 0;    ///< number of operations so far
  /// Values of the lanes, in turn for even and odd operations: a lane that is ahead by one
  /// operation does not overwrite what others have yet to read.
  alignas(16) unsigned char values[2][lanes * most_lane_bytes];
};

/// A fiber that runs threads, one after the other unless they wait.
struct Worker {
  explicit Worker(Fiber::Entry entry) : fiber(entry, this) {}

  Fiber fiber;
};

/// The block that runs, and the fibers that are kept from block to block.
class Blocks {
 public:
  void run(const std::string& name, const Grid& grid, const std::function<void()>& thread) {
    const std::lock_guard lock(mutex_);
    if (grid.threads == 0 || grid.threads > most_threads)
      throw DeviceError(name,
                        "a block of " + std::to_string(grid.threads) + " threads, expected 1 to " +
                            std::to_string(most_threads),
                        grid.where);
    if (grid.shared_bytes > most_shared_bytes)
      throw DeviceError(name,
                        std::to_string(grid.shared_bytes) +
                            " bytes of shared memory, expected at most " +
                            std::to_string(most_shared_bytes),
                        grid.where);
    const FaultReport report(name);
    name_ = &name;
    thread_ = &thread;
    threads_ = grid.threads;
    blockDim = {grid.threads};
    gridDim = {grid.blocks};
    block_at_.resize(grid.blocks);
    order_.arrange(block_at_);
    for (const unsigned block : block_at_) {
      start_shared(grid.shared_bytes);
      blockIdx = {block, 0, 0};
      run_block();
      if (error_) {
        abandon();
        std::rethrow_exception(std::exchange(error_, nullptr));
      }
      if (!failure_.empty()) {
        abandon();
        throw DeviceError(name,
                          "block " + std::to_string(block) + " of " + std::to_string(grid.blocks) +
                              ": " + std::exchange(failure_, {}),
                          grid.where);
      }
    }
  }

  /// Whether a test leaves out a barrier (tested_barriers.hpp).
  [[nodiscard]] bool skips(const char* operation, const std::source_location& where) {
    return tested_.skips(operation, where, *name_);
  }

  unsigned meet_block(bool counts, const Site& site) {
    if (exited_ > 0) fail(exits() + " before others reach " + site.text());
    if (arrived_ == 0) {
      site_ = site;
      count_ = 0;
    } else if (!(site_ == site)) {
      fail("threads of the block wait at " + site_.text() + ", others reach " + site.text());
    }
    ++arrived_;
    if (counts) ++count_;
    const unsigned round = round_;
    warp().runnable &= ~bit();
    if (arrived_ == threads_) {
      arrived_ = 0;
      counted_[round_ % 2] = count_;
      ++round_;
      for (unsigned w = 0; w < warps_; ++w)
        warp_[w].runnable = warp_[w].all;
    }
    wait();
    return counted_[round % 2];
  }

  const unsigned char* meet_warp(const void* value, std::size_t bytes, const Site& site) {
    Warp& w = warp();
    if (w.all != ~LaneMask{0})
      fail("thread " + std::to_string(thread_number_) + " is in a warp of " +
           std::to_string(std::popcount(w.all)) + " lanes, and reaches " + site.text());
    if (w.exited != 0) fail(lanes_text(w.exited) + " left before others reach " + site.text());
    if (w.arrived == 0)
      w.site = site;
    else if (!(w.site == site))
      fail(lanes_text(w.arrived) + " wait at " + w.site.text() + ", thread " +
           std::to_string(thread_number_) + " reaches " + site.text());
    unsigned char* const values = w.values[w.round % 2];
    if (bytes > 0) std::memcpy(values + thread_number_ % lanes * most_lane_bytes, value, bytes);
    w.arrived |= bit();
    w.runnable &= ~bit();
    if (w.arrived == w.all) {
      w.arrived = 0;
      w.runnable = w.all;
      ++w.round;
    }
    wait();
    return values;
  }

 private:
  [[nodiscard]] Warp& warp() { return warp_[thread_number_ / lanes]; }
  /// The bit of the calling thread in the masks of its warp.
  [[nodiscard]] LaneMask bit() const {
    return LaneMask{1} << place_of_lane_[thread_number_ % lanes];
  }

  void run_block() {
    order_.arrange(lane_at_);
    for (unsigned place = 0; place < lanes; ++place)
      place_of_lane_[lane_at_[place]] = place;
    warps_ = (threads_ + lanes - 1) / lanes;
    order_.arrange(std::span(warp_at_).first(warps_));
    for (unsigned w = 0; w < warps_; ++w) {
      Warp& warp = warp_[w];
      warp.all = 0;
      for (unsigned lane = 0; lane < lanes && w * lanes + lane < threads_; ++lane)
        warp.all |= LaneMask{1} << place_of_lane_[lane];
      warp.runnable = warp.all;
      warp.exited = warp.arrived = 0;
      warp.round = 0;
    }
    worker_of_.fill(nullptr);
    arrived_ = exited_ = round_ = 0;
    warp_now_ = warp_at_[0];
    thread_number_ = next();
    go_to_worker(main_);
  }

  static constexpr unsigned none = ~0u;

  /// The thread that runs next, one of the present warp where possible; `none` where all wait.
  [[nodiscard]] unsigned next() {
    if (warp_[warp_now_].runnable == 0) {
      const auto end = warp_at_.begin() + warps_;
      const auto found =
          std::find_if(warp_at_.begin(), end, [&](unsigned w) { return warp_[w].runnable != 0; });
      if (found == end) return none;
      warp_now_ = *found;
    }
    const auto place = static_cast<unsigned>(std::countr_zero(warp_[warp_now_].runnable));
    return warp_now_ * lanes + lane_at_[place];
  }

  /// Suspends `from` and activates the worker of the present thread, a new one if it has none.
  void go_to_worker(Fiber& from) {
    Worker*& worker = worker_of_[thread_number_];
    if (worker == nullptr) {
      if (idle_.empty()) {
        workers_.push_back(std::make_unique<Worker>(work));
        idle_.push_back(workers_.back().get());
      }
      worker = idle_.back();
      idle_.pop_back();
    }
    threadIdx = {thread_number_, 0, 0};
    from.switch_to(worker->fiber);
  }

  /// Lets other threads run until the calling one is the next.
  void wait() {
    const unsigned me = thread_number_;
    const unsigned chosen = next();
    if (chosen == me) return;
    if (chosen == none) fail("no thread can go on: " + waits());
    thread_number_ = chosen;
    go_to_worker(worker_of_[me]->fiber);
  }

  /// The function of every worker.
  static void work(void* worker);
  void run_threads(Worker& self) {
    for (;;) {
      unsigned chosen = none;
      try {
        (*thread_)();
        leave();
        chosen = next();
        if (chosen == none && exited_ < threads_) fail("no thread can go on: " + waits());
      } catch (const Failure& failure) {
        failure_ = failure.message;
      } catch (...) {
        error_ = std::current_exception();
      }
      // After an error the grid ends, and with it this fiber.
      if (error_ || !failure_.empty()) self.fiber.switch_to(main_);
      if (chosen == none) {
        idle_.push_back(&self);
        self.fiber.switch_to(main_);
        continue;
      }
      thread_number_ = chosen;
      if (worker_of_[chosen] == nullptr) {
        worker_of_[chosen] = &self;
        threadIdx = {chosen, 0, 0};
      } else {
        idle_.push_back(&self);
        go_to_worker(self.fiber);
      }
    }
  }
  /// The calling thread ends.
  void leave() {
    Warp& w = warp();
    w.exited |= bit();
    w.runnable &= ~bit();
    ++exited_;
    if (w.arrived != 0)
      fail("thread " + std::to_string(thread_number_) + " left while " + lanes_text(w.arrived) +
           " wait at " + w.site.text());
    if (arrived_ != 0)
      fail("thread " + std::to_string(thread_number_) + " left while " + std::to_string(arrived_) +
           " threads of the block wait at " + site_.text());
  }

  /// An error of the kernel, which ends the grid.
  struct Failure {
    std::string message;
  };
  [[noreturn]] static void fail(std::string message) { throw Failure{std::move(message)}; }
  [[nodiscard]] std::string exits() const {
    return std::to_string(exited_) + " threads of the block left";
  }
  [[nodiscard]] std::string lanes_text(LaneMask places) const {
    return std::to_string(std::popcount(places)) + " lanes of warp " +
           std::to_string(thread_number_ / lanes);
  }
  /// The places where threads of the block wait.
  [[nodiscard]] std::string waits() const {
    std::string text;
    if (arrived_ > 0) text = std::to_string(arrived_) + " threads at " + site_.text();
    for (unsigned w = 0; w < warps_; ++w)
      if (warp_[w].arrived != 0)
        text += (text.empty() ? "" : ", ") + std::to_string(std::popcount(warp_[w].arrived)) +
                " lanes of warp " + std::to_string(w) + " at " + warp_[w].site.text();
    return text;
  }

  /// Gives up fibers whose threads have not ended.
  void abandon() {
    workers_.clear();
    idle_.clear();
  }

  std::recursive_mutex mutex_;
  ThreadOrder order_ = ThreadOrder::of_environment();
  TestedBarriers tested_;
  const std::string* name_ = nullptr;  ///< name of the kernel
  Fiber main_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::vector<Worker*> idle_;
  const std::function<void()>* thread_ = nullptr;
  unsigned threads_ = 0;
  unsigned warps_ = 0;

  std::vector<unsigned> block_at_;
  std::array<unsigned, most_warps> warp_at_{};
  std::array<unsigned, lanes> lane_at_{};        ///< lane at each place of the order
  std::array<unsigned, lanes> place_of_lane_{};  ///< and back
  std::array<Warp, most_warps> warp_{};
  /// The worker on whose stack a thread is; null before it begins and after it ends.
  std::array<Worker*, most_threads> worker_of_{};
  unsigned thread_number_ = 0;
  unsigned warp_now_ = 0;
  unsigned exited_ = 0;

  unsigned arrived_ = 0;  ///< threads that wait at a barrier of the block
  Site site_;             ///< the place of this barrier
  unsigned round_ = 0;
  unsigned count_ = 0;
  unsigned counted_[2] = {};

  std::string failure_;
  std::exception_ptr error_;
};

Blocks& blocks() {
  static Blocks all;
  return all;
}

void Blocks::work(void* worker) {
  blocks().run_threads(*static_cast<Worker*>(worker));
}

}  // namespace

void run_grid(const std::string& name, const Grid& grid, const std::function<void()>& thread) {
  blocks().run(name, grid, thread);
}

unsigned meet_block(bool counts, const char* operation, const std::source_location& where) {
  if (blocks().skips(operation, where)) return counts ? 1 : 0;
  return blocks().meet_block(counts, {operation, where});
}

void meet_warp(const char* operation, const std::source_location& where) {
  if (blocks().skips(operation, where)) return;
  (void)blocks().meet_warp(nullptr, 0, {operation, where});
}

const unsigned char* exchange(const void* value, std::size_t bytes, const char* operation,
                              const std::source_location& where) {
  return blocks().meet_warp(value, bytes, {operation, where});
}

}  // namespace tessera::emulated
