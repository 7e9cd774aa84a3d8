#ifndef TESSERA_CORE_BASE_ENVIRONMENT_HPP
#define TESSERA_CORE_BASE_ENVIRONMENT_HPP

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

/// \file
/// Environment variables that others read too, looked at before a library ends the process over
/// them. A variable that is not set is right. \throws InputError that names the variable, its value
/// and what was expected.

namespace tessera {

/// A whole number in this range.
[[nodiscard]] std::optional<std::int64_t> environment_integer(const char* name, std::int64_t least,
                                                              std::int64_t most);
/// One of some words, in letters of either case.
void check_environment_word(const char* name, std::initializer_list<std::string_view> words);
/// Whole numbers in this range, with commas between them; at least one.
void check_environment_list(const char* name, std::int64_t least, std::int64_t most);
[[noreturn]] void refuse_environment(const char* name, const std::string& expected);

}  // namespace tessera

#endif  // TESSERA_CORE_BASE_ENVIRONMENT_HPP
