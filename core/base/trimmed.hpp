#ifndef TESSERA_CORE_BASE_TRIMMED_HPP
#define TESSERA_CORE_BASE_TRIMMED_HPP

#include <string_view>

/// \file
/// Text without leading and trailing blanks.

namespace tessera {

[[nodiscard]] inline std::string_view trimmed(std::string_view text,
                                              std::string_view blanks = " \t") {
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return text.substr(text.size());
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

}  // namespace tessera

#endif  // TESSERA_CORE_BASE_TRIMMED_HPP
