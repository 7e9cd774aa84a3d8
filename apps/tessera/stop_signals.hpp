#ifndef TESSERA_APPS_TESSERA_STOP_SIGNALS_HPP
#define TESSERA_APPS_TESSERA_STOP_SIGNALS_HPP

#include <string_view>

/// \file
/// Signals that ask a program to end.

namespace tessera::command_line {

/// While one of these stands, the first SIGINT, SIGTERM or SIGHUP is only remembered, so that a run
/// can end in order, and the next one ends the program at once. A signal that was ignored before
/// (nohup) stays ignored. What was there before comes back with the destructor.
class StopSignals {
 public:
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  /// The number of the signal that came; 0: none.
  [[nodiscard]] static int received() noexcept;
  /// As in "SIGTERM".
  [[nodiscard]] static std::string_view name(int signal) noexcept;
};

}  // namespace tessera::command_line

#endif  // TESSERA_APPS_TESSERA_STOP_SIGNALS_HPP
