#include <doctest/doctest.h>

#include <cstdlib>
#include <tessera/core/execution/spinning_threads.hpp>

namespace tessera {

TEST_CASE("who shares the cores is told how threads should wait") {
  CHECK(spinning_warning(true, 2, 1, 2).find("OMP_WAIT_POLICY=passive") != std::string::npos);
  CHECK_FALSE(spinning_warning(true, 8, 1, 8).empty());
  CHECK(spinning_warning(false, 2, 1, 2).empty());  // chosen, or another runtime
  CHECK(spinning_warning(true, 1, 4, 2).empty());   // nobody to wait for
  CHECK(spinning_warning(true, 2, 0, 2).empty());
  CHECK(spinning_warning(true, 4, 3, 8).empty());  // cores enough
}

TEST_CASE("a policy that was chosen is left alone") {
  ::setenv("OMP_WAIT_POLICY", "active", 1);
  CHECK_FALSE(threads_spin());
  ::unsetenv("OMP_WAIT_POLICY");
  ::setenv("GOMP_SPINCOUNT", "7", 1);
  CHECK_FALSE(threads_spin());
  ::unsetenv("GOMP_SPINCOUNT");
}

}  // namespace tessera
