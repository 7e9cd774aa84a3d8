#include "core/operations/registry.hpp"
#include "tests/execution/space_report.hpp"

#include <doctest/doctest.h>

#include <cstdio>

TEST_CASE("the adapter models ExecutionSpace") {
  const tessera::test::SpaceReport report = tessera::test::check_space();
  CHECK(report.checks > 100);
  for (const std::string& failure : report.failures)
    FAIL_CHECK(failure);
}

int main(int argc, char** argv) {
  if (const std::string reason = tessera::registry().unavailable(tessera::test::tested_backend);
      !reason.empty()) {
    std::printf("skipped: %s\n", reason.c_str());
    return 77;
  }
  doctest::Context tests(argc, argv);
  return tests.run();
}
