#ifndef TESSERA_TESTS_SUPPORT_INPUT_ERRORS_HPP
#define TESSERA_TESTS_SUPPORT_INPUT_ERRORS_HPP

#include "core/base/error.hpp"

#include <doctest/doctest.h>

#include <string>

/// \file
/// Checks that bad input is refused with the right location and message.

namespace tessera::test {

/// The text with the first `from`, which must exist, replaced by `to`: introduces one mistake.
inline std::string with(std::string text, const std::string& from, const std::string& to) {
  const std::size_t start = text.find(from);
  REQUIRE(start != std::string::npos);
  return text.replace(start, from.size(), to);
}

struct ExpectedError {
  long line = 0;        ///< 0: not checked
  std::string field;    ///< the whole field
  std::string value;    ///< the whole value
  std::string message;  ///< a part of what()
};

/// Runs `action` and checks the InputError that it must throw.
template <typename Action>
void check_input_error(Action&& action, const ExpectedError& expected) {
  try {
    action();
  } catch (const InputError& error) {
    INFO(std::string(error.what()));
    if (expected.line > 0) CHECK(error.where().line == expected.line);
    CHECK(error.where().field == expected.field);
    CHECK(error.where().value == expected.value);
    CHECK(std::string(error.what()).find(expected.message) != std::string::npos);
    CHECK(std::string(error.what()).find('\n') == std::string::npos);
    return;
  }
  FAIL_CHECK("no InputError was thrown, expected: " << expected.message);
}

}  // namespace tessera::test

#endif  // TESSERA_TESTS_SUPPORT_INPUT_ERRORS_HPP
