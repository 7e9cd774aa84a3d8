#include "apps/tessera/standard_output.hpp"

#include "apps/tessera/command.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <signal.h>
#include <system_error>
#include <unistd.h>

namespace tessera::command_line {
namespace {

extern "C" void leave_it_to_the_call(int) {}

/// Throws, and clears the error state of the stream, so that the next flush does not throw again.
[[noreturn]] void fail(int code) {
  std::clearerr(stdout);
  throw StandardOutputError(code);
}

void flush() {
  errno = 0;
  if (std::fflush(stdout) != 0) fail(errno);
  // An earlier call failed, and its errno is lost.
  if (std::ferror(stdout) != 0) fail(EIO);
}

}  // namespace

StandardOutputError::StandardOutputError(int code)
    : Error(std::string("standard output: writing failed: ") + std::strerror(code)), code_(code) {}

bool StandardOutputError::reader_left() const noexcept {
  return code_ == EPIPE;
}

int StandardOutputError::exit_code() const noexcept {
  return reader_left() ? 128 + SIGPIPE : exit_code::failed;
}

void prepare_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) >= 0) continue;
    // open() returns the lowest free number, which is this one. Writing to a descriptor that is
    // open for reading fails, as it does for a closed one.
    if (::open("/dev/null", stream == STDERR_FILENO ? O_WRONLY : O_RDONLY) != stream)
      std::_Exit(exit_code::failed);
  }
  // A handler instead of SIG_IGN, which child processes would inherit. SIGXFSZ arrives where a file
  // exceeds `ulimit -f`; it is treated as a full disk.
  for (const int signal : {SIGPIPE, SIGXFSZ}) {
    struct sigaction before {};
    sigaction(signal, nullptr, &before);
    if (before.sa_handler != SIG_DFL) continue;
    struct sigaction action {};
    action.sa_handler = leave_it_to_the_call;
    action.sa_flags = SA_RESTART;
    sigaction(signal, &action, nullptr);
  }
}

void print_all(const std::function<void()>& print) {
  try {
    print();
  } catch (const std::system_error& error) {
    if (std::ferror(stdout) == 0) throw;
    fail(error.code().value());
  }
  flush();
}

void print_error(const std::string& message) noexcept {
  std::fputs(("tessera: " + message + "\n").c_str(), stderr);
}

}  // namespace tessera::command_line
