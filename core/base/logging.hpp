#ifndef TESSERA_CORE_BASE_LOGGING_HPP
#define TESSERA_CORE_BASE_LOGGING_HPP

#include <string_view>

/// \file
/// Messages for the user on the error stream; results go to the output stream.

namespace tessera {

enum class LogLevel { debug, info, warning, error, off };

/// \throws SelectionError for a name that is none of debug, info, warning, error, off.
[[nodiscard]] LogLevel log_level_from_name(std::string_view name);

/// Messages below `level` are dropped. The default is warning; the environment variable TESSERA_LOG
/// sets another.
void set_log_level(LogLevel level);

void log_debug(std::string_view message);
void log_info(std::string_view message);
void log_warning(std::string_view message);
void log_error(std::string_view message);

}  // namespace tessera

#endif  // TESSERA_CORE_BASE_LOGGING_HPP
