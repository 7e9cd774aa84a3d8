#pragma once

#include <functional>
#include <string>
#include <tessera/core/base/error.hpp>

/// \file
/// The words of an error.

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
