#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/prctl.h>
#endif

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <memory>
#include <tessera/core/base/error.hpp>
#include <tessera/core/execution/thread_places.hpp>
#include <tessera/core/tuning/workers.hpp>
#include <thread>
#include <utility>

namespace tessera {
namespace {

using Clock = std::chrono::steady_clock;

/// One end of a pipe.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor() { close(); }

  void close() {
    if (number_ >= 0) ::close(number_);
    number_ = -1;
  }
  [[nodiscard]] int number() const { return number_; }

 private:
  int number_ = -1;
};

struct Pipe {
  Descriptor read, write;

  Pipe() {
    int ends[2];
    if (::pipe(ends) != 0)
      throw Error(std::string("no pipe for a worker: ") + std::strerror(errno));
    read = Descriptor(ends[0]);
    write = Descriptor(ends[1]);
    // Other workers must not hold this one's ends open.
    for (const int end : ends)
      ::fcntl(end, F_SETFD, FD_CLOEXEC);
  }
};

std::string ending(int status) {
  if (WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    return "killed by signal " + std::to_string(signal) + " (" + strsignal(signal) + ")";
  }
  return "ended with exit code " + std::to_string(WEXITSTATUS(status)) + " without an answer";
}

class Worker {
 public:
  explicit Worker(const WorkerOptions& options) : lines_left_(options.lines_per_worker) {
    Pipe in, out, err;
    std::vector<char*> arguments;
    for (const std::string& word : options.command)
      arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    const ThreadPlaces places;
    process_ = ::fork();
    if (process_ < 0) throw Error(std::string("no process for a worker: ") + std::strerror(errno));
    if (process_ == 0) {
      // Nothing but system calls until the program is replaced.
#if defined(__linux__)
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
      ::signal(SIGPIPE, SIG_DFL);
      ::dup2(in.read.number(), 0);
      ::dup2(out.write.number(), 1);
      ::dup2(err.write.number(), 2);
      places.release_thread();
      ::execv(arguments.front(), arguments.data());
      ::_exit(127);
    }
    in_ = std::move(in.write);
    out_ = std::move(out.read);
    err_ = std::move(err.read);
  }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;
  ~Worker() {
    (void)stop();
  }

  void give(std::size_t index, const std::string& line, double timeout) {
    index_ = index;
    busy_ = true;
    --lines_left_;
    deadline_ = Clock::now() +
                std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(timeout));
    const std::string text = line + "\n";
    std::size_t written = 0;
    while (written < text.size()) {
      const auto n = ::write(in_.number(), text.data() + written, text.size() - written);
      // A worker that is gone is found out by its output.
      if (n < 0 && errno != EINTR) return;
      if (n > 0) written += static_cast<std::size_t>(n);
    }
  }

  /// Takes what the worker has said. True when it has answered, or can no longer.
  bool listen() {
    (void)take(err_, last_words_);
    const bool open = take(out_, said_);
    return said_.find('\n') != std::string::npos || !open;
  }

  [[nodiscard]] WorkerAnswer answer() {
    busy_ = false;
    const std::size_t end = said_.find('\n');
    if (end != std::string::npos) {
      WorkerAnswer found{WorkerAnswer::End::answered, said_.substr(0, end)};
      said_.erase(0, end + 1);
      return found;
    }
    lines_left_ = 0;
    return {WorkerAnswer::End::crashed, ending(stop()) + words()};
  }

  [[nodiscard]] WorkerAnswer late(double timeout) {
    busy_ = false;
    lines_left_ = 0;
    ::kill(process_, SIGKILL);
    (void)stop();
    std::string seconds = std::to_string(timeout);
    seconds.erase(seconds.find_last_not_of('0') + 1);
    if (seconds.back() == '.') seconds.pop_back();
    return {WorkerAnswer::End::timed_out, "no answer within " + seconds + " s" + words()};
  }

  [[nodiscard]] bool busy() const {
    return busy_;
  }
  [[nodiscard]] bool used_up() const {
    return lines_left_ <= 0;
  }
  [[nodiscard]] std::size_t index() const {
    return index_;
  }
  [[nodiscard]] Clock::time_point deadline() const {
    return deadline_;
  }
  [[nodiscard]] int out() const {
    return out_.number();
  }
  [[nodiscard]] int err() const {
    return err_.number();
  }

 private:
  /// Reads what is there without waiting for more; false at the end.
  static bool take(const Descriptor& from, std::string& into) {
    while (true) {
      pollfd one{from.number(), POLLIN, 0};
      if (::poll(&one, 1, 0) <= 0) return true;
      char text[4096];
      const auto n = ::read(from.number(), text, sizeof text);
      if (n == 0) return false;
      if (n > 0) into.append(text, static_cast<std::size_t>(n));
    }
  }

  /// The last line of the error output.
  [[nodiscard]] std::string words() {
    (void)take(err_, last_words_);
    std::string text = last_words_;
    while (!text.empty() && text.back() == '\n')
      text.pop_back();
    const std::size_t start = text.rfind('\n');
    if (start != std::string::npos) text.erase(0, start + 1);
    return text.empty() ? "" : ": " + text.substr(0, 300);
  }

  /// Lets the process end by itself for a while, then ends it. \returns how it ended.
  int stop() {
    if (process_ <= 0) return status_;
    in_.close();
    const Clock::time_point patience = Clock::now() + std::chrono::seconds(2);
    while (true) {
      const pid_t ended = ::waitpid(process_, &status_, WNOHANG);
      if (ended != 0 && !(ended < 0 && errno == EINTR)) break;
      if (Clock::now() > patience) ::kill(process_, SIGKILL);
      // A full pipe would keep it from ending.
      (void)take(out_, said_);
      (void)take(err_, last_words_);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    process_ = 0;
    return status_;
  }

  pid_t process_ = 0;
  int status_ = 0;
  Descriptor in_, out_, err_;
  std::string said_, last_words_;
  int lines_left_;
  bool busy_ = false;
  std::size_t index_ = 0;
  Clock::time_point deadline_;
};

/// Writing to a worker that is gone must be an error, not the end of this program.
class NoPipeSignal {
 public:
  NoPipeSignal() : before_(std::signal(SIGPIPE, SIG_IGN)) {}
  ~NoPipeSignal() { std::signal(SIGPIPE, before_); }
  NoPipeSignal(const NoPipeSignal&) = delete;
  NoPipeSignal& operator=(const NoPipeSignal&) = delete;

 private:
  void (*before_)(int);
};

void wait_for_news(const std::vector<std::unique_ptr<Worker>>& workers) {
  std::vector<pollfd> news;
  Clock::time_point nearest = Clock::now() + std::chrono::seconds(10);
  for (const auto& worker : workers) {
    if (!worker->busy()) continue;
    news.push_back({worker->out(), POLLIN, 0});
    nearest = std::min(nearest, worker->deadline());
  }
  const auto wait = std::chrono::ceil<std::chrono::milliseconds>(nearest - Clock::now()).count();
  // Error output is taken now and then, so that no worker waits for room.
  (void)::poll(news.data(), news.size(), static_cast<int>(std::clamp<long long>(wait, 0, 100)));
}

}  // namespace

std::vector<WorkerAnswer> run_in_workers(
    const std::vector<std::string>& lines, const WorkerOptions& options,
    const std::function<void(std::size_t, const WorkerAnswer&)>& answered) {
  const NoPipeSignal guard;
  std::vector<WorkerAnswer> answers(lines.size());
  std::vector<std::unique_ptr<Worker>> workers;
  std::size_t next = 0;
  std::size_t done = 0;
  while (done < lines.size()) {
    std::erase_if(workers, [](const auto& worker) { return !worker->busy() && worker->used_up(); });
    for (const auto& worker : workers)
      if (!worker->busy() && next < lines.size()) {
        worker->give(next, lines[next], options.timeout);
        ++next;
      }
    while (next < lines.size() && static_cast<int>(workers.size()) < std::max(1, options.workers)) {
      workers.push_back(std::make_unique<Worker>(options));
      workers.back()->give(next, lines[next], options.timeout);
      ++next;
    }
    wait_for_news(workers);
    for (const auto& worker : workers) {
      if (!worker->busy()) continue;
      WorkerAnswer& answer = answers[worker->index()];
      if (worker->listen())
        answer = worker->answer();
      else if (Clock::now() >= worker->deadline())
        answer = worker->late(options.timeout);
      else
        continue;
      ++done;
      if (answered) answered(worker->index(), answer);
    }
  }
  return answers;
}

std::string path_of_this_program() {
  return std::filesystem::read_symlink("/proc/self/exe").string();
}

}  // namespace tessera
