#ifndef TESSERA_CORE_BASE_LOGGING_HPP
#define TESSERA_CORE_BASE_LOGGING_HPP

#include <string_view>

/// \file
/// Messages to the user on the error stream; the output stream is for results.

namespace tessera {

enum class LogLevel { debug, info, warning, error, off };

/// \throws SelectionError for a name that is none of debug, info, warning, error, off.
[[nodiscard]] LogLevel log_level_from_name(std::string_view name);

/// Drops messages below `level`. The default level is warning; the environment variable TESSERA_LOG
/// changes it.
void set_log_level(LogLevel level);

void log_debug(std::string_view message);
void log_info(std::string_view message);
void log_warning(std::string_view message);
void log_error(std::string_view message);

}  // namespace tessera

#endif  // TESSERA_CORE_BASE_LOGGING_HPP
