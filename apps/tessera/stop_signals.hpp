#ifndef TESSERA_APPS_TESSERA_STOP_SIGNALS_HPP
#define TESSERA_APPS_TESSERA_STOP_SIGNALS_HPP

#include <string_view>

/// \file
/// Signals that request the end of a program.

namespace tessera::command_line {

/// While an object exists, the first SIGINT, SIGTERM or SIGHUP is only recorded, so that a run can
/// end in order; the next one ends the program at once. A signal that was ignored before (nohup)
/// stays ignored. The destructor restores the former handlers.
class StopSignals {
 public:
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  /// Number of the received signal; 0: none.
  [[nodiscard]] static int received() noexcept;
  /// Name of a signal, as in "SIGTERM".
  [[nodiscard]] static std::string_view name(int signal) noexcept;
};

}  // namespace tessera::command_line

#endif  // TESSERA_APPS_TESSERA_STOP_SIGNALS_HPP
