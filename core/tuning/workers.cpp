#include "core/tuning/workers.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <poll.h>
#include <unistd.h>

namespace tessera {
namespace {

using Clock = Worker::Clock;

/// A worker, the index of its present line, and the number of lines that it may still process.
struct WorkerSlot {
  Worker worker;
  int lines_left;
  std::size_t index = 0;

  explicit WorkerSlot(const WorkerOptions& options)
      : worker(options.command), lines_left(options.lines_per_worker) {}

  void give(std::size_t line_index, const std::string& line, double timeout) {
    index = line_index;
    --lines_left;
    worker.give(line, timeout);
  }
  [[nodiscard]] bool used_up() const { return lines_left <= 0 || worker.gone(); }
};

void wait_for_replies(const std::vector<std::unique_ptr<WorkerSlot>>& slots) {
  std::vector<pollfd> ready;
  Clock::time_point nearest = Clock::now() + std::chrono::seconds(10);
  for (const auto& slot : slots) {
    if (!slot->worker.busy()) continue;
    ready.push_back({slot->worker.out(), POLLIN, 0});
    nearest = std::min(nearest, slot->worker.deadline());
  }
  const auto wait = std::chrono::ceil<std::chrono::milliseconds>(nearest - Clock::now()).count();
  // Error output is read regularly, so that a full pipe does not block a worker.
  (void)::poll(ready.data(), ready.size(), static_cast<int>(std::clamp<long long>(wait, 0, 100)));
}

}  // namespace

std::vector<WorkerReply> run_in_workers(
    const std::vector<std::string>& lines, const WorkerOptions& options,
    const std::function<void(std::size_t, const WorkerReply&)>& answered) {
  const NoPipeSignal guard;
  std::vector<WorkerReply> answers(lines.size());
  std::vector<std::unique_ptr<WorkerSlot>> slots;
  std::size_t next = 0;
  std::size_t done = 0;
  while (done < lines.size()) {
    std::erase_if(slots, [](const auto& slot) { return !slot->worker.busy() && slot->used_up(); });
    for (const auto& slot : slots)
      if (!slot->worker.busy() && next < lines.size()) {
        slot->give(next, lines[next], options.timeout);
        ++next;
      }
    while (next < lines.size() && static_cast<int>(slots.size()) < std::max(1, options.workers)) {
      slots.push_back(std::make_unique<WorkerSlot>(options));
      slots.back()->give(next, lines[next], options.timeout);
      ++next;
    }
    wait_for_replies(slots);
    for (const auto& slot : slots) {
      if (!slot->worker.busy()) continue;
      WorkerReply& answer = answers[slot->index];
      if (slot->worker.listen())
        answer = slot->worker.answer();
      else if (Clock::now() >= slot->worker.deadline())
        answer = slot->worker.late();
      else
        continue;
      ++done;
      if (answered) answered(slot->index, answer);
    }
  }
  return answers;
}

std::string path_of_this_program() {
  return std::filesystem::read_symlink("/proc/self/exe").string();
}

}  // namespace tessera
