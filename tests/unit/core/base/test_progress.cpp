#include "core/base/progress.hpp"
#include "core/operations/plugin_library.hpp"

#include <doctest/doctest.h>

namespace tessera {
namespace {

TEST_CASE("durations are written as people say them") {
  CHECK(duration_text(0.4) == "0 s");
  CHECK(duration_text(59.6) == "1 min 00 s");
  CHECK(duration_text(185) == "3 min 05 s");
  CHECK(duration_text(3720) == "1 h 02 min");
  CHECK(duration_text(-1) == "0 s");
}

TEST_CASE("the line of a progress shows the share, the remaining time and the next item") {
  CHECK(Progress::line("run", 1, 4, 30, "") ==
        "run  25 % [======                  ] 1 min 30 s left");
  CHECK(Progress::line("run", 4, 4, 30, "last") == "run 100 % [========================]  last");
  CHECK(Progress::line("run", 9, 4, 30, "") == "run 100 % [========================]");
  CHECK(Progress::line("run", 7, 0, 30, "") == "run 7");
}

TEST_CASE("lists of plugins") {
  CHECK(plugin_paths("").empty());
  CHECK(plugin_paths("a.so") == std::vector<std::string>{"a.so"});
  CHECK(plugin_paths(":a.so::b.so:") == std::vector<std::string>{"a.so", "b.so"});
}

}  // namespace
}  // namespace tessera
