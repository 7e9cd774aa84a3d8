#include "backends/emulated/execution/thread_order.hpp"
#include "tests/support/message_of.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <string>
#include <vector>

namespace tessera::emulated {
namespace {

std::vector<unsigned> places(const char* order, int calls = 1) {
  const char* const former = std::getenv("TESSERA_EMULATED_ORDER");
  const std::string kept = former == nullptr ? "forward" : former;
  setenv("TESSERA_EMULATED_ORDER", order, 1);
  std::vector<unsigned> places(20);
  std::string error = test::message_of([&] {
    ThreadOrder of_name = ThreadOrder::of_environment();
    for (int call = 0; call < calls; ++call)
      of_name.arrange(places);
  });
  setenv("TESSERA_EMULATED_ORDER", kept.c_str(), 1);
  if (error.find("expected forward, backward or a number") != std::string::npos) return {};
  return places;
}

TEST_CASE("Orders of threads are forward, backward or random") {
  std::vector<unsigned> all(20);
  std::iota(all.begin(), all.end(), 0u);
  CHECK(places("forward") == all);
  std::vector<unsigned> random = places("7");
  CHECK(random != all);
  CHECK(random == places("7"));
  CHECK(random != places("7", 2));
  CHECK(random != places("8"));
  std::sort(random.begin(), random.end());
  CHECK(random == all);
  std::reverse(all.begin(), all.end());
  CHECK(places("backward") == all);
  CHECK(places("sideways").empty());
  CHECK(places("7x").empty());
}

}  // namespace
}  // namespace tessera::emulated
