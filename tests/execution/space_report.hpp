#ifndef TESSERA_TESTS_EXECUTION_SPACE_REPORT_HPP
#define TESSERA_TESTS_EXECUTION_SPACE_REPORT_HPP

#include <string>
#include <vector>

/// \file
/// Interface between the checks, which are compiled with the flags of a backend (perhaps by a
/// device compiler), and the test, which the host compiler compiles.

namespace tessera::test {

struct SpaceReport {
  int checks = 0;
  std::vector<std::string> failures;
};

/// Generated for each backend: its name, and a function that runs all checks on its space.
extern const char* const tested_backend;
[[nodiscard]] SpaceReport check_space();

}  // namespace tessera::test

#endif  // TESSERA_TESTS_EXECUTION_SPACE_REPORT_HPP
