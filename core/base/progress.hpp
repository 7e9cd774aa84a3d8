#ifndef TESSERA_CORE_BASE_PROGRESS_HPP
#define TESSERA_CORE_BASE_PROGRESS_HPP

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

/// \file
/// Progress display of long work on the error stream, for terminals.

namespace tessera {

/// "1 h 02 min", "3 min 05 s", "12 s".
[[nodiscard]] std::string duration_text(double seconds);

/// One line that is redrawn in place, at most five times a second, and erased at the end. Draws
/// nothing when the error stream is no terminal, so that logs stay readable.
class Progress {
 public:
  /// \param total units of work; the estimate of the time left needs a value greater than zero
  Progress(std::string label, std::int64_t total, bool enabled = true);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();

  /// Reports that `done` units of work are finished; `note` names the next one.
  void advance_to(std::int64_t done, std::string_view note = {});

  /// Whether anything is drawn at all.
  [[nodiscard]] bool enabled() const { return enabled_; }

  /// Erases the line so that other text can be printed; the next advance_to() draws it again.
  void clear();

  /// Text of the line for a given state, without control characters.
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
