#include "apps/tessera/stop_signals.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <signal.h>

namespace tessera::command_line {
namespace {

struct Handled {
  int number;
  std::string_view name;
  struct sigaction before;
  bool ours;
};

std::array<Handled, 3> handled = {{{SIGINT, "SIGINT", {}, false},
                                   {SIGTERM, "SIGTERM", {}, false},
                                   {SIGHUP, "SIGHUP", {}, false}}};
volatile std::sig_atomic_t last = 0;

/// Calls only sigaction, which is async-signal-safe. Further signals are blocked until it returns
/// and then end the program.
extern "C" void remember(int number) {
  const int error = errno;
  last = number;
  struct sigaction at_once {};
  at_once.sa_handler = SIG_DFL;
  for (const Handled& h : handled)
    if (h.ours) sigaction(h.number, &at_once, nullptr);
  errno = error;
}

}  // namespace

StopSignals::StopSignals() {
  last = 0;
  for (Handled& h : handled) {
    sigaction(h.number, nullptr, &h.before);
    h.ours = h.before.sa_handler != SIG_IGN;
  }
  struct sigaction action {};
  action.sa_handler = remember;
  action.sa_flags = SA_RESTART;  // interrupted writes continue
  for (const Handled& h : handled)
    sigaddset(&action.sa_mask, h.number);
  for (const Handled& h : handled)
    if (h.ours) sigaction(h.number, &action, nullptr);
}

StopSignals::~StopSignals() {
  for (Handled& h : handled) {
    if (h.ours) sigaction(h.number, &h.before, nullptr);
    h.ours = false;
  }
}

int StopSignals::received() noexcept {
  return last;
}

std::string_view StopSignals::name(int signal) noexcept {
  for (const Handled& h : handled)
    if (h.number == signal) return h.name;
  return "a signal";
}

}  // namespace tessera::command_line
