#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/prctl.h>
#endif

#include "core/base/error.hpp"
#include "core/base/logging.hpp"
#include "core/execution/thread_places.hpp"
#include "core/tuning/worker.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <set>
#include <thread>

namespace tessera {
namespace {

struct Pipe {
  Descriptor read, write;

  Pipe() {
    int ends[2];
    if (::pipe(ends) != 0)
      throw Error(std::string("cannot make a pipe for a worker: ") + std::strerror(errno));
    read = Descriptor(ends[0]);
    write = Descriptor(ends[1]);
    // Other workers must not inherit these descriptors, which would keep the pipe open.
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

}  // namespace

Worker::Worker(const std::vector<std::string>& command) {
  Pipe in, out, err;
  std::vector<char*> arguments;
  for (const std::string& word : command)
    arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const ThreadPlaces places;
  process_ = ::fork();
  if (process_ < 0)
    throw Error(std::string("cannot start a process for a worker: ") + std::strerror(errno));
  if (process_ == 0) {
    // After fork, only system calls are safe until exec.
    ::setpgid(0, 0);
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

Worker::~Worker() {
  (void)stop();
}

void Worker::give(const std::string& line, double timeout) {
  busy_ = true;
  timeout_ = timeout;
  deadline_ = Clock::now() +
              std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(timeout));
  const std::string text = line + "\n";
  std::size_t written = 0;
  while (written < text.size()) {
    const auto n = ::write(in_.number(), text.data() + written, text.size() - written);
    // A failed write is ignored, because the end of its output shows that the worker ended.
    if (n < 0 && errno != EINTR) return;
    if (n > 0) written += static_cast<std::size_t>(n);
  }
}

bool Worker::listen() {
  (void)take(err_, error_output_);
  const bool open = take(out_, said_);
  return said_.find('\n') != std::string::npos || !open;
}

WorkerReply Worker::answer() {
  busy_ = false;
  const std::size_t end = said_.find('\n');
  if (end != std::string::npos) {
    pass_on_warnings();
    WorkerReply found{WorkerReply::End::answered, said_.substr(0, end)};
    said_.erase(0, end + 1);
    return found;
  }
  return {WorkerReply::End::crashed, ending(stop()) + words()};
}

WorkerReply Worker::late() {
  busy_ = false;
  ::kill(process_, SIGKILL);
  (void)stop();
  std::string seconds = std::to_string(timeout_);
  seconds.erase(seconds.find_last_not_of('0') + 1);
  if (seconds.back() == '.') seconds.pop_back();
  return {WorkerReply::End::timed_out, "no answer within " + seconds + " s" + words()};
}

WorkerReply Worker::ask(const std::string& line, double timeout) {
  const NoPipeSignal guard;
  give(line, timeout);
  while (true) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline_ - Clock::now());
    pollfd ready{out_.number(), POLLIN, 0};
    // Error output is read regularly, so that a full pipe does not block the worker.
    (void)::poll(&ready, 1, static_cast<int>(std::clamp<long long>(left.count(), 0, 100)));
    if (listen()) return answer();
    if (Clock::now() >= deadline_) return late();
  }
}

/// Reads available data without waiting; false at the end of the stream.
bool Worker::take(const Descriptor& from, std::string& into) {
  while (true) {
    pollfd one{from.number(), POLLIN, 0};
    if (::poll(&one, 1, 0) <= 0) return true;
    char text[4096];
    const auto n = ::read(from.number(), text, sizeof text);
    if (n == 0) return false;
    if (n > 0) into.append(text, static_cast<std::size_t>(n));
  }
}

void Worker::pass_on_warnings() {
  (void)take(err_, error_output_);
  // Workers of a search repeat the warnings of each other.
  static std::set<std::string> logged;
  const std::string prefix = "tessera: warning: ";
  for (std::size_t end; (end = error_output_.find('\n', passed_on_)) != std::string::npos;
       passed_on_ = end + 1) {
    const std::string line = error_output_.substr(passed_on_, end - passed_on_);
    if (line.starts_with(prefix) && logged.insert(line).second)
      log_warning(line.substr(prefix.size()));
  }
}

/// The last line of the error output.
std::string Worker::words() {
  (void)take(err_, error_output_);
  std::string text = error_output_;
  while (!text.empty() && text.back() == '\n')
    text.pop_back();
  const std::size_t start = text.rfind('\n');
  if (start != std::string::npos) text.erase(0, start + 1);
  return text.empty() ? "" : ": " + text.substr(0, 300);
}

/// Waits a while for the process to end, then kills it. \returns its wait status.
int Worker::stop() {
  if (process_ <= 0) return status_;
  in_.close();
  const Clock::time_point patience = Clock::now() + std::chrono::seconds(2);
  while (true) {
    const pid_t ended = ::waitpid(process_, &status_, WNOHANG);
    if (ended != 0 && !(ended < 0 && errno == EINTR)) break;
    if (Clock::now() > patience) ::kill(process_, SIGKILL);
    // A full pipe would keep the process from ending.
    (void)take(out_, said_);
    (void)take(err_, error_output_);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  process_ = 0;
  return status_;
}

NoPipeSignal::NoPipeSignal() : before_(std::signal(SIGPIPE, SIG_IGN)) {}

NoPipeSignal::~NoPipeSignal() {
  std::signal(SIGPIPE, before_);
}

}  // namespace tessera
