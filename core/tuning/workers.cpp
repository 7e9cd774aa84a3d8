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
struct Seat {
  Worker worker;
  int lines_left;
  std::size_t index = 0;

  explicit Seat(const WorkerOptions& options)
      : worker(options.command), lines_left(options.lines_per_worker) {}

  void give(std::size_t line_index, const std::string& line, double timeout) {
    index = line_index;
    --lines_left;
    worker.give(line, timeout);
  }
  [[nodiscard]] bool used_up() const { return lines_left <= 0 || worker.gone(); }
};

void wait_for_news(const std::vector<std::unique_ptr<Seat>>& seats) {
  std::vector<pollfd> news;
  Clock::time_point nearest = Clock::now() + std::chrono::seconds(10);
  for (const auto& seat : seats) {
    if (!seat->worker.busy()) continue;
    news.push_back({seat->worker.out(), POLLIN, 0});
    nearest = std::min(nearest, seat->worker.deadline());
  }
  const auto wait = std::chrono::ceil<std::chrono::milliseconds>(nearest - Clock::now()).count();
  // Error output is read regularly, so that a full pipe does not block a worker.
  (void)::poll(news.data(), news.size(), static_cast<int>(std::clamp<long long>(wait, 0, 100)));
}

}  // namespace

std::vector<WorkerAnswer> run_in_workers(
    const std::vector<std::string>& lines, const WorkerOptions& options,
    const std::function<void(std::size_t, const WorkerAnswer&)>& answered) {
  const NoPipeSignal guard;
  std::vector<WorkerAnswer> answers(lines.size());
  std::vector<std::unique_ptr<Seat>> seats;
  std::size_t next = 0;
  std::size_t done = 0;
  while (done < lines.size()) {
    std::erase_if(seats, [](const auto& seat) { return !seat->worker.busy() && seat->used_up(); });
    for (const auto& seat : seats)
      if (!seat->worker.busy() && next < lines.size()) {
        seat->give(next, lines[next], options.timeout);
        ++next;
      }
    while (next < lines.size() && static_cast<int>(seats.size()) < std::max(1, options.workers)) {
      seats.push_back(std::make_unique<Seat>(options));
      seats.back()->give(next, lines[next], options.timeout);
      ++next;
    }
    wait_for_news(seats);
    for (const auto& seat : seats) {
      if (!seat->worker.busy()) continue;
      WorkerAnswer& answer = answers[seat->index];
      if (seat->worker.listen())
        answer = seat->worker.answer();
      else if (Clock::now() >= seat->worker.deadline())
        answer = seat->worker.late();
      else
        continue;
      ++done;
      if (answered) answered(seat->index, answer);
    }
  }
  return answers;
}

std::string path_of_this_program() {
  return std::filesystem::read_symlink("/proc/self/exe").string();
}

}  // namespace tessera
