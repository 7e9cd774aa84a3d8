#ifndef TESSERA_APPS_TESSERA_ERROR_REPORT_HPP
#define TESSERA_APPS_TESSERA_ERROR_REPORT_HPP

#include <exception>

/// \file
/// Report about the error that ends the program.

namespace tessera::command_line {

/// Prints one line about the exception that is being handled to the error stream and, for a command
/// with --json, an object with it to standard output. \returns the exit code.
[[nodiscard]] int report_error(bool json);

}  // namespace tessera::command_line

#endif  // TESSERA_APPS_TESSERA_ERROR_REPORT_HPP
