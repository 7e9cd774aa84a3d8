#ifndef TESSERA_CORE_BASE_PRINTABLE_HPP
#define TESSERA_CORE_BASE_PRINTABLE_HPP

#include <cstddef>
#include <string>
#include <string_view>

/// \file
/// Text that came from outside, as it may stand in a message.

namespace tessera {

/// Characters of a value that a message repeats.
inline constexpr std::size_t most_of_a_value = 200;
/// Of a whole message: room for a path, a value and a list of candidates.
inline constexpr std::size_t most_of_a_message = 4000;

/// `text` on one line: control characters and bytes that are not UTF-8 become `\n`, `\t`, `\xNN`,
/// and of more than `most` characters the first ones stay, followed by "... (N bytes)". What is
/// printable already stays as it is.
[[nodiscard]] std::string printable(std::string_view text, std::size_t most = most_of_a_value);

}  // namespace tessera

#endif  // TESSERA_CORE_BASE_PRINTABLE_HPP
