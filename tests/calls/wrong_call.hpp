#ifndef TESSERA_TESTS_CALLS_WRONG_CALL_HPP
#define TESSERA_TESTS_CALLS_WRONG_CALL_HPP

#include <functional>
#include <string>
#include <vector>

/// \file
/// Calls of the library that are wrong in one argument each. Every one has to throw an error of
/// Tessera that names the argument. A few carry coordinates that are no places, which plans do not
/// look for: they may return too, or throw another error of Tessera, and stay within their memory.

namespace tessera::test {

struct WrongCall {
  std::string name;            ///< "md/wrap=serial.portable (double): positions: null"
  std::string argument;        ///< what the message has to name
  std::function<void()> call;  ///< may be called once
  bool may_return = false;     ///< or throw an error that does not name the argument
};

using WrongCalls = std::vector<WrongCall>;

/// Plans of every implementation of every operation of this process.
void add_operation_calls(WrongCalls& calls);
/// Problems, functions that plan and execute at once, devices, arrays, columns.
void add_library_calls(WrongCalls& calls);
/// Systems, terms and simulations.
void add_simulation_calls(WrongCalls& calls);

}  // namespace tessera::test

#endif  // TESSERA_TESTS_CALLS_WRONG_CALL_HPP
