#ifndef TESSERA_CORE_BASE_PROGRESS_HPP
#define TESSERA_CORE_BASE_PROGRESS_HPP

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

/// \file
/// How far a long piece of work has come, on the error stream of a terminal.

namespace tessera {

/// "1 h 02 min", "3 min 05 s", "12 s".
[[nodiscard]] std::string duration_text(double seconds);

/// One line that is rewritten in place, at most five times a second. Silent when the error stream
/// is no terminal, so that logs stay readable. The line is erased at the end.
class Progress {
 public:
  /// \param total units of work, greater than zero for an estimate of the time left
  Progress(std::string label, std::int64_t total, bool enabled = true);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();

  /// `done` units of work are finished; `note` says what comes next.
  void advance_to(std::int64_t done, std::string_view note = {});

  /// Whether anything is drawn at all.
  [[nodiscard]] bool enabled() const { return enabled_; }

  /// Erases the line, so that something else can be printed; the next advance draws it again.
  void clear();

  /// The line for a state, without control characters.
  [[nodiscard]] static std::string line(std::string_view label, std::int64_t done,
                                        std::int64_t total, double seconds, std::string_view note);

 private:
  using Clock = std::chrono::steady_clock;

  std::string label_;
  std::int64_t total_;
  bool enabled_;
  bool drawn_ = false;
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_{};
};

}  // namespace tessera

#endif  // TESSERA_CORE_BASE_PROGRESS_HPP
