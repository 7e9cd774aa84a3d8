#ifndef TESSERA_CORE_TUNING_WORKER_HPP
#define TESSERA_CORE_TUNING_WORKER_HPP

#include "core/base/descriptor.hpp"

#include <chrono>
#include <cstddef>
#include <string>
#include <sys/types.h>
#include <vector>

/// \file
/// A process that answers lines, at the other end of its standard streams.

namespace tessera {

struct WorkerAnswer {
  enum class End { answered, crashed, timed_out };

  End end = End::answered;
  std::string text;  ///< the answer, or what became of the process with its last words
};

/// Answers each line of its standard input by one line on its standard output. Ends with this
/// process, however that ends; signals of the terminal reach this process alone.
class Worker {
 public:
  using Clock = std::chrono::steady_clock;

  /// \param command path of the program, then its arguments.
  /// \throws Error when no process can be started.
  explicit Worker(const std::vector<std::string>& command);
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;
  ~Worker();

  /// Gives a line and waits for its answer. After another end than `answered` the process is gone.
  [[nodiscard]] WorkerAnswer ask(const std::string& line, double timeout);
  [[nodiscard]] bool gone() const { return process_ == 0; }

  // The same in pieces, for who has several.
  void give(const std::string& line, double timeout);
  /// Takes what the worker has said. True when it has answered, or can no longer.
  [[nodiscard]] bool listen();
  [[nodiscard]] WorkerAnswer answer();
  /// Ends it.
  [[nodiscard]] WorkerAnswer late();
  [[nodiscard]] bool busy() const { return busy_; }
  [[nodiscard]] Clock::time_point deadline() const { return deadline_; }
  [[nodiscard]] int out() const { return out_.number(); }

 private:
  static bool take(const Descriptor& from, std::string& into);
  [[nodiscard]] std::string words();
  int stop();

  pid_t process_ = 0;
  int status_ = 0;
  Descriptor in_, out_, err_;
  std::string said_, last_words_;
  bool busy_ = false;
  double timeout_ = 0;
  Clock::time_point deadline_;
};

/// Writing to a worker that is gone must be an error, not the end of this program.
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
