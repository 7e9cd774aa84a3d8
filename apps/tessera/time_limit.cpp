#include "apps/tessera/time_limit.hpp"

#include "core/base/error.hpp"

#include <charconv>
#include <cmath>
#include <string_view>

namespace tessera::command_line {

double seconds_of_time_limit(const std::string& text) {
  const auto refuse = [&](const char* expected) {
    return InputError({{}, 0, "--time-limit", text}, expected);
  };
  double seconds = 0;
  std::string_view rest = text;
  for (int parts = 1;; ++parts) {
    const std::size_t colon = rest.find(':');
    const std::string_view part = rest.substr(0, colon);
    double value = 0;
    const auto [end, error] =
        std::from_chars(part.data(), part.data() + part.size(), value, std::chars_format::fixed);
    const bool whole = colon == std::string_view::npos || value == std::floor(value);
    if (error != std::errc() || end != part.data() + part.size() || !(value >= 0) || !whole ||
        parts > 3)
      throw refuse("expected hours:minutes:seconds, minutes:seconds or seconds");
    if (parts > 1 && !(value < 60)) throw refuse("expected less than 60 after a colon");
    seconds = 60 * seconds + value;
    if (colon == std::string_view::npos) break;
    rest.remove_prefix(colon + 1);
  }
  if (!(seconds > 0) || !std::isfinite(seconds)) throw refuse("expected more than 0 seconds");
  return seconds;
}

}  // namespace tessera::command_line
