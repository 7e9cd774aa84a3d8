#ifndef TESSERA_APPS_TESSERA_ERROR_REPORT_HPP
#define TESSERA_APPS_TESSERA_ERROR_REPORT_HPP

#include <exception>

/// \file
/// What the program says when it ends with an error.

namespace tessera::command_line {

/// Prints the one line about the exception that is being handled to the error stream and, for a
/// command that was asked for JSON, an object with it to standard output. \returns the exit code.
[[nodiscard]] int report_error(bool json);

}  // namespace tessera::command_line

#endif  // TESSERA_APPS_TESSERA_ERROR_REPORT_HPP
