#pragma once

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

/// Runs all checks on the space of one backend; generated for each.
[[nodiscard]] SpaceReport check_space();

}  // namespace tessera::test
