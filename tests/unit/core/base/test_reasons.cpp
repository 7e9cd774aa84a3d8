#include "core/base/reasons.hpp"

#include <doctest/doctest.h>

namespace tessera {

TEST_CASE("a reason is told once, with all that have it") {
  Reasons reasons;
  CHECK(reasons.empty());
  CHECK(reasons.text().empty());
  reasons.add("serial", "too far");
  reasons.add("openmp", "too many");
  reasons.add("kokkos", "too far");
  reasons.add("serial", "too far");
  CHECK(reasons.entries().size() == 2);
  CHECK(reasons.entries().front().names(1) == "serial and 1 more");
  CHECK(reasons.entries().front().names(2) == "serial, kokkos");
  CHECK(reasons.text() == "serial, kokkos: too far; openmp: too many");
}

}  // namespace tessera
