#ifndef TESSERA_TESTS_EXECUTION_SPACE_REPORT_HPP
#define TESSERA_TESTS_EXECUTION_SPACE_REPORT_HPP

#include <string>
#include <vector>

/// \file
/// Between the checks, compiled with the flags of a backend (perhaps by a device compiler), and the
/// test, compiled by the ordinary compiler.

namespace tessera::test {

struct SpaceReport {
  int checks = 0;
  std::vector<std::string> failures;
};

/// Generated for each backend: its name, and all checks run on its space.
extern const char* const tested_backend;
[[nodiscard]] SpaceReport check_space();

}  // namespace tessera::test

#endif  // TESSERA_TESTS_EXECUTION_SPACE_REPORT_HPP
