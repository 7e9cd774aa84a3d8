#ifndef TESSERA_APPS_TESSERA_STANDARD_OUTPUT_HPP
#define TESSERA_APPS_TESSERA_STANDARD_OUTPUT_HPP

#include "core/base/error.hpp"

#include <functional>
#include <string>

/// \file
/// The standard streams of the program: closed, full, or read by nobody any more.

namespace tessera::command_line {

/// The system refused what was printed.
class StandardOutputError : public Error {
 public:
  /// \param code errno
  explicit StandardOutputError(int code);

  /// Whoever read it went away (`| head`), which is nobody's fault.
  [[nodiscard]] bool reader_left() const noexcept;
  /// That of a program which ends by SIGPIPE, or of one that failed.
  [[nodiscard]] int exit_code() const noexcept;

 private:
  int code_;
};

/// Call first of all. Gives closed standard streams something harmless, so that no file that is
/// opened later gets their number, and makes writing to a pipe without reader an error of the call.
void prepare_standard_streams();

/// Runs what prints, and hands it over to the system.
/// \throws StandardOutputError
void print_all(const std::function<void()>& print);

/// One line on the error stream; there is nobody to tell when that fails.
void print_error(const std::string& message) noexcept;

}  // namespace tessera::command_line

#endif  // TESSERA_APPS_TESSERA_STANDARD_OUTPUT_HPP
