#ifndef TESSERA_TESTS_SUPPORT_MESSAGE_OF_HPP
#define TESSERA_TESTS_SUPPORT_MESSAGE_OF_HPP

#include "core/base/error.hpp"

#include <functional>
#include <string>

/// \file
/// message_of(), the message of the error that an action throws.

namespace tessera::test {

inline std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

}  // namespace tessera::test

#endif  // TESSERA_TESTS_SUPPORT_MESSAGE_OF_HPP
