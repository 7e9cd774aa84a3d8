#include "physics/md/case/run_setup.hpp"
#include "tests/support/input_errors.hpp"

#include <doctest/doctest.h>

namespace tessera::md {

TEST_CASE("a case of another kind is not run as molecular dynamics") {
  cases::Case c;
  c.path = "ring.toml";
  c.kind = "beam";
  test::check_input_error(
      [&] { (void)set_up_run(c); },
      {0, "kind", "beam",
       "ring.toml: kind = beam: no simulation runs cases of this kind, expected md"});
}

}  // namespace tessera::md
