#ifndef TESSERA_CORE_TUNING_WORKER_HPP
#define TESSERA_CORE_TUNING_WORKER_HPP

#include "core/base/descriptor.hpp"

#include <chrono>
#include <cstddef>
#include <string>
#include <sys/types.h>
#include <vector>

/// \file
/// A child process that answers lines through its standard streams.

namespace tessera {

struct WorkerReply {
  enum class End { answered, crashed, timed_out };

  End end = End::answered;
  std::string text;  ///< the answer, or the cause of the end and the last line of error output
};

/// A child process that answers each line of its standard input with one line on its standard
/// output. It ends when its parent, the present process, ends for any reason. Signals from the
/// terminal reach only the parent.
class Worker {
 public:
  using Clock = std::chrono::steady_clock;

  /// \param command path of the program, followed by its arguments.
  /// \throws Error when no process can be started.
  explicit Worker(const std::vector<std::string>& command);
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;
  ~Worker();

  /// Sends a line and waits for its answer. Unless the answer's end is `answered`, the process is
  /// gone.
  [[nodiscard]] WorkerReply ask(const std::string& line, double timeout);
  [[nodiscard]] bool gone() const { return process_ == 0; }

  // The steps of ask(), for callers that wait for several workers.
  void give(const std::string& line, double timeout);
  /// Reads available output of the worker. \returns whether the answer is complete, or cannot be
  /// completed because the worker ended.
  [[nodiscard]] bool listen();
  [[nodiscard]] WorkerReply answer();
  /// Kills the process after a timeout.
  [[nodiscard]] WorkerReply late();
  [[nodiscard]] bool busy() const { return busy_; }
  [[nodiscard]] Clock::time_point deadline() const { return deadline_; }
  [[nodiscard]] int out() const { return out_.number(); }

 private:
  static bool take(const Descriptor& from, std::string& into);
  /// Logs the warnings in the error output, each text once per process.
  void pass_on_warnings();
  [[nodiscard]] std::string words();
  int stop();

  pid_t process_ = 0;
  int status_ = 0;
  Descriptor in_, out_, err_;
  std::string said_, error_output_;
  std::size_t passed_on_ = 0;  ///< characters of the error output whose warnings are logged
  bool busy_ = false;
  double timeout_ = 0;
  Clock::time_point deadline_;
};

/// While an object exists, writing to an ended worker is an error of the call; otherwise SIGPIPE
/// would end this program.
class NoPipeSignal {
 public:
  NoPipeSignal();
  ~NoPipeSignal();
  NoPipeSignal(const NoPipeSignal&) = delete;
  NoPipeSignal& operator=(const NoPipeSignal&) = delete;

 private:
  void (*before_)(int);
};

}  // namespace tessera

#endif  // TESSERA_CORE_TUNING_WORKER_HPP
