#ifndef TESSERA_CORE_BASE_ENVIRONMENT_HPP
#define TESSERA_CORE_BASE_ENVIRONMENT_HPP

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

/// \file
/// Environment variables that third-party libraries read too. They are checked here, before such a
/// library can end the process because of them. A variable that is not set is valid. \throws
/// InputError with the name of the variable, its value and the expected values.

namespace tessera {

/// An integer in the range [least, most].
[[nodiscard]] std::optional<std::int64_t> environment_integer(const char* name, std::int64_t least,
                                                              std::int64_t most);
/// One of the given words, in upper or lower case.
void check_environment_word(const char* name, std::initializer_list<std::string_view> words);
/// Integers in this range, separated by commas; at least one.
void check_environment_list(const char* name, std::int64_t least, std::int64_t most);
[[noreturn]] void refuse_environment(const char* name, const std::string& expected);

}  // namespace tessera

#endif  // TESSERA_CORE_BASE_ENVIRONMENT_HPP
