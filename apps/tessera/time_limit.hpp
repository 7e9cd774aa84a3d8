#ifndef TESSERA_APPS_TESSERA_TIME_LIMIT_HPP
#define TESSERA_APPS_TESSERA_TIME_LIMIT_HPP

#include <string>

/// \file
/// Time limit of a run, in the notation of batch systems.

namespace tessera::command_line {

/// Seconds of `[[hours:]minutes:]seconds`, as in "1:30:00" or "90"; the last part may have
/// decimals. \throws InputError
[[nodiscard]] double seconds_of_time_limit(const std::string& text);

}  // namespace tessera::command_line

#endif  // TESSERA_APPS_TESSERA_TIME_LIMIT_HPP
