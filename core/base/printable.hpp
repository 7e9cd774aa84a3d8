#ifndef TESSERA_CORE_BASE_PRINTABLE_HPP
#define TESSERA_CORE_BASE_PRINTABLE_HPP

#include <cstddef>
#include <string>
#include <string_view>

/// \file
/// Sanitizing of external text for messages.

namespace tessera {

/// Number of characters of a value that a message repeats.
inline constexpr std::size_t most_of_a_value = 200;
/// Number of characters of a whole message: enough for a path, a value and a list of candidates.
inline constexpr std::size_t most_of_a_message = 4000;

/// `text` on one line. Control characters and bytes that are not UTF-8 become `\n`, `\t`, `\xNN`.
/// Text longer than `most` characters is cut and ends in "... (N bytes)". Printable text is
/// unchanged.
[[nodiscard]] std::string printable(std::string_view text, std::size_t most = most_of_a_value);

}  // namespace tessera

#endif  // TESSERA_CORE_BASE_PRINTABLE_HPP
