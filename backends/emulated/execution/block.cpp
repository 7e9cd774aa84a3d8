#include "backends/emulated/execution/block.hpp"

#include "backends/emulated/execution/block_threads.hpp"
#include "backends/emulated/execution/builtin_variables.hpp"
#include "backends/emulated/execution/fault_report.hpp"
#include "backends/emulated/execution/fiber.hpp"
#include "backends/emulated/execution/sanitizer_threads.hpp"
#include "backends/emulated/execution/sanitizers.hpp"
#include "backends/emulated/execution/shared_memory.hpp"
#include "backends/emulated/execution/tested_barriers.hpp"
#include "backends/emulated/execution/thread_order.hpp"
#include "core/base/error.hpp"

#include <algorithm>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

uint3 threadIdx;
uint3 blockIdx;
dim3 blockDim;
dim3 gridDim;

namespace tessera::emulated {

/// A fiber that runs threads, one after the other unless they wait.
struct Worker {
  Worker(Fiber::Entry entry, SanitizerThread& thread) : fiber(entry, this), as(thread) {
    fiber.run_as(thread.context);
  }

  Fiber fiber;
  SanitizerThread& as;
};

namespace {

/// A block that has begun.
struct Resident {
  std::unique_ptr<BlockThreads> threads;
  SharedContents shared;           ///< its shared memory while it is suspended
  unsigned sanitizer_threads = 0;  ///< number of its set of threads of ThreadSanitizer
};

/// The blocks of the grid that runs, and the fibers that are kept from grid to grid.
class Blocks {
 public:
  void run(const std::string& name, const Grid& grid, const std::function<void()>& thread) {
    const std::lock_guard lock(mutex_);
    check(name, grid);
    const FaultReport report(name);
    name_ = &name;
    grid_ = &grid;
    thread_ = &thread;
    blockDim = {grid.threads};
    gridDim = {grid.blocks};
    block_at_.resize(grid.blocks);
    order_.arrange(block_at_);
    begun_ = looks_ = 0;
    release(this);
    while (begun_ < grid.blocks || !suspended_.empty()) {
      if (begun_ < grid.blocks && suspended_.size() < most_suspended)
        start_block(block_at_[begun_++]);
      else
        resume_block();
      run_block();
      if (error_ || !failure_.empty()) acquire(&end_);
      if (error_) {
        abandon();
        std::rethrow_exception(std::exchange(error_, nullptr));
      }
      if (!failure_.empty()) {
        const unsigned block = now_.threads->block();
        abandon();
        throw DeviceError(name,
                          "block " + std::to_string(block) + " of " + std::to_string(grid.blocks) +
                              ": " + std::exchange(failure_, {}),
                          grid.where);
      }
    }
    acquire(&end_);
    former_.clear();
  }

  /// Whether a test leaves out a barrier (tested_barriers.hpp).
  [[nodiscard]] bool skips(const char* operation, const std::source_location& where) {
    return tested_.skips(operation, where, *name_);
  }

  unsigned meet_block(bool counts, const Site& site) {
    const unsigned* const counted = threads().arrive_at_barrier(counts, site);
    looks_ = 0;
    release(counted);
    wait();
    acquire(counted);
    return *counted;
  }

  const unsigned char* meet_warp(const void* value, std::size_t bytes, const Site& site) {
    const unsigned char* const values = threads().arrive_in_warp(value, bytes, site);
    // Operations that exchange values do not order memory, as on a GPU.
    if (bytes == 0) release(values);
    wait();
    if (bytes == 0) acquire(values);
    return values;
  }

  // A fence before an atomic operation and one behind another that follows it order the accesses of
  // two threads. One address stands for all that atomic operations access.
  void fence() {
    acquire(&fence_);
    threads().fenced(threads().thread()) = true;
  }
  void before_atomic() {
    if (threads().fenced(threads().thread())) release(&fence_);
  }

  void wait_on_memory(const Site& site) {
    threads().wait_on_memory(site);
    wait();
  }

 private:
  static constexpr unsigned none = BlockThreads::none;
  /// Blocks that wait on memory of others at the same time; as many as an H200 holds.
  static constexpr std::size_t most_suspended = 132 * 32;
  /// Number of looks of every block at memory after which it is clear that no thread changes it.
  static constexpr std::size_t most_looks = 1000;

  static void check(const std::string& name, const Grid& grid) {
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
  }

  [[nodiscard]] BlockThreads& threads() { return *now_.threads; }

  void start_block(unsigned block) {
    // For ThreadSanitizer the meetings of a new object have nothing to do with former ones, and
    // these are released when the grid has ended.
    if (finds_races && now_.threads != nullptr) former_.push_back(std::move(now_.threads));
    if (now_.threads == nullptr) now_.threads = std::make_unique<BlockThreads>();
    looks_ = 0;
    now_.sanitizer_threads = sanitizer_threads_.take();
    start_shared(grid_->shared_bytes, begun_ == 1);
    threads().start(block, grid_->threads, order_);
    if (finds_races) prepare_workers();
  }
  void resume_block() {
    now_ = std::move(suspended_.front());
    suspended_.pop_front();
    restore_shared(grid_->shared_bytes, now_.shared);
  }
  /// Runs the threads of the present block until all have ended or the block is suspended.
  void run_block() {
    blockIdx = {threads().block(), 0, 0};
    // The threads of the block come after the preparation of its shared memory.
    release(this);
    (void)threads().next();
    go_to_worker(main_);
    if (error_ || !failure_.empty()) return;
    if (threads().finished()) {
      sanitizer_threads_.give_back(now_.sanitizer_threads);
    } else {
      now_.shared = save_shared(grid_->shared_bytes);
      suspended_.push_back(std::move(now_));
      now_ = {};
    }
  }

  /// With ThreadSanitizer, provides workers for all threads of a block, so that no thread allocates
  /// memory that another one releases.
  void prepare_workers() {
    for (unsigned thread = 0; thread < grid_->threads; ++thread) {
      SanitizerThread& as =
          sanitizer_threads_.of(now_.sanitizer_threads, sanitizer_thread(thread, grid_->threads));
      threads().worker_of(thread) = &idle_worker(as);
      as.idle.reserve(lanes);
    }
  }

  [[nodiscard]] Worker& idle_worker(SanitizerThread& as) {
    if (as.idle.empty()) return *workers_.emplace_back(std::make_unique<Worker>(work, as));
    Worker& worker = *as.idle.back();
    as.idle.pop_back();
    return worker;
  }

  /// Suspends `from` and activates the worker of the present thread, an idle or a new one if it has
  /// none.
  void go_to_worker(Fiber& from) {
    const unsigned thread = threads().thread();
    Worker*& worker = threads().worker_of(thread);
    if (worker == nullptr) worker = &idle_worker(sanitizer_threads_.of(0, 0));
    threadIdx = {thread, 0, 0};
    from.switch_to(worker->fiber);
  }

  /// Chooses the thread that runs next. \returns false where the block is to be suspended.
  bool choose() {
    if (threads().next() != none) return true;
    if (++looks_ > most_looks * (suspended_.size() + 1))
      throw Failure{"no thread changes the memory that others wait for: " + threads().waits() +
                    waits_of_suspended()};
    if (!threads().look_again())
      throw Failure{"no thread can go on: " + threads().waits() + waits_of_suspended()};
    if (begun_ < grid_->blocks || !suspended_.empty()) return false;
    (void)threads().next();
    return true;
  }

  /// Lets other threads run until the calling one is the next.
  void wait() {
    const unsigned me = threads().thread();
    Worker* const worker = threads().worker_of(me);
    if (!choose())
      worker->fiber.switch_to(main_);
    else if (threads().thread() != me)
      go_to_worker(worker->fiber);
  }

  /// The function of every worker.
  static void work(void* worker);
  void run_threads(Worker& self) {
    for (;;) {
      bool goes_on = false;
      try {
        acquire(this);
        (*thread_)();
        release(&end_);
        looks_ = 0;
        threads().leave();
        goes_on = !threads().finished() && choose();
      } catch (const Failure& failure) {
        failure_ = failure.message;
      } catch (...) {
        error_ = std::current_exception();
      }
      if (error_ || !failure_.empty()) {  // the grid ends, and with it this fiber
        release(&end_);
        self.fiber.switch_to(main_);
      }
      if (goes_on && threads().worker_of(threads().thread()) == nullptr) {
        const unsigned thread = threads().thread();
        threads().worker_of(thread) = &self;
        threadIdx = {thread, 0, 0};
        continue;
      }
      self.as.idle.push_back(&self);
      if (goes_on)
        go_to_worker(self.fiber);
      else
        self.fiber.switch_to(main_);
    }
  }

  /// The places where threads of other blocks wait.
  [[nodiscard]] std::string waits_of_suspended() const {
    constexpr std::size_t most = 4;
    std::string text;
    for (std::size_t i = 0; i < std::min(most, suspended_.size()); ++i)
      text += "; block " + std::to_string(suspended_[i].threads->block()) + ": " +
              suspended_[i].threads->waits();
    if (suspended_.size() > most)
      text += "; " + std::to_string(suspended_.size() - most) + " more blocks wait";
    return text;
  }

  /// Gives up fibers whose threads have not ended.
  void abandon() {
    now_ = {};
    suspended_.clear();
    former_.clear();
    sanitizer_threads_.clear();
    workers_.clear();
  }

  std::recursive_mutex mutex_;
  ThreadOrder order_ = ThreadOrder::of_environment();
  TestedBarriers tested_;
  Fiber main_;
  std::vector<std::unique_ptr<Worker>> workers_;
  SanitizerThreads sanitizer_threads_;

  // The grid that runs.
  const std::string* name_ = nullptr;  ///< name of the kernel
  const Grid* grid_ = nullptr;
  const std::function<void()>* thread_ = nullptr;
  std::vector<unsigned> block_at_;
  unsigned begun_ = 0;  ///< number of blocks that have begun
  Resident now_;        ///< the block that runs
  std::deque<Resident> suspended_;
  std::vector<std::unique_ptr<BlockThreads>> former_;
  std::size_t looks_ = 0;  ///< looks of blocks at memory since a thread reached a barrier or ended
  std::string failure_;
  std::exception_ptr error_;
  // Addresses for release() and acquire().
  char end_ = 0;    ///< of the end of the grid
  char fence_ = 0;  ///< of what fences order
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

void fence() {
  blocks().fence();
}
void before_atomic() {
  blocks().before_atomic();
}

void wait_on_memory(const std::source_location& where) {
  blocks().wait_on_memory({"wait_on_memory", where});
}

}  // namespace tessera::emulated
