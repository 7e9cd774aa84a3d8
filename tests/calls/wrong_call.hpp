#ifndef TESSERA_TESTS_CALLS_WRONG_CALL_HPP
#define TESSERA_TESTS_CALLS_WRONG_CALL_HPP

#include <functional>
#include <string>
#include <vector>

/// \file
/// Calls of the library with one wrong argument each. Each call has to throw an error of Tessera
/// that names the argument. A few calls have non-finite positions, which plans do not check: such a
/// call may also return, or throw another error of Tessera, but must not access memory out of
/// bounds.

namespace tessera::test {

struct WrongCall {
  std::string name;            ///< "md/wrap=serial.portable (double): positions: null"
  std::string argument;        ///< name that the message has to contain
  std::function<void()> call;  ///< may be called once
  bool may_return = false;     ///< whether the call may return, or throw another error of Tessera
};

using WrongCalls = std::vector<WrongCall>;

/// Adds calls of plans of every implementation of every operation of this process.
void add_operation_calls(WrongCalls& calls);
/// Adds calls with problems, functions that plan and execute at once, devices, arrays, columns.
void add_library_calls(WrongCalls& calls);
/// Adds calls with systems, terms and simulations.
void add_simulation_calls(WrongCalls& calls);

}  // namespace tessera::test

#endif  // TESSERA_TESTS_CALLS_WRONG_CALL_HPP
