#ifndef TESSERA_APPS_TESSERA_STANDARD_OUTPUT_HPP
#define TESSERA_APPS_TESSERA_STANDARD_OUTPUT_HPP

#include "core/base/error.hpp"

#include <functional>
#include <string>

/// \file
/// Standard streams of the program, which may be closed, full, or without a reader.

namespace tessera::command_line {

/// Error of a write to standard output.
class StandardOutputError : public Error {
 public:
  /// \param code errno
  explicit StandardOutputError(int code);

  /// Whether the reader of a pipe ended (`| head`), which is not an error of the program.
  [[nodiscard]] bool reader_left() const noexcept;
  /// Exit code: where the reader ended, that of a program killed by SIGPIPE, otherwise that of a
  /// failure.
  [[nodiscard]] int exit_code() const noexcept;

 private:
  int code_;
};

/// Must be called before all else. Opens closed standard streams on /dev/null, so that no file that
/// is opened later gets their number, and makes writing to a pipe without a reader an error of the
/// call.
void prepare_standard_streams();

/// Runs a function that prints, and flushes the output.
/// \throws StandardOutputError
void print_all(const std::function<void()>& print);

/// Prints one line to the error stream; a failure is ignored.
void print_error(const std::string& message) noexcept;

}  // namespace tessera::command_line

#endif  // TESSERA_APPS_TESSERA_STANDARD_OUTPUT_HPP
