#include "apps/tessera/case/read_case.hpp"
#include "apps/tessera/case/toml_hint.hpp"
#include "tests/support/input_errors.hpp"
#include "tests/support/temporary_directory.hpp"

#include <doctest/doctest.h>

#include <string>

namespace tessera::app {

using test::check_input_error;
using test::TemporaryDirectory;

TEST_CASE("what somebody who does not know TOML writes is refused with what to write") {
  const TemporaryDirectory directory;
  const auto hinted = [&](const std::string& line, const std::string& key, const std::string& value,
                          const std::string& expected) {
    INFO(line);
    const auto file =
        directory.write("case.toml", "title = \"t\"\n[pair]\n" + line + "\ncutoff = 1\n");
    check_input_error([&] { static_cast<void>(read_case(file)); },
                      {3, key, value, "expected " + expected});
  };
  hinted("style = lj/cut", "style", "lj/cut", "a text in quotes, \"lj/cut\"");
  hinted("  style=lj/cut+coul/rf  # with a field", "style", "lj/cut+coul/rf",
         "a text in quotes, \"lj/cut+coul/rf\"");
  hinted("style = table:50\r", "style", "table:50", "a text in quotes");
  hinted("file = ../x y.data", "file", "../x y.data", "a text in quotes, \"../x y.data\"");
  hinted("mixing = geometric", "mixing", "geometric", "a text in quotes, \"geometric\"");
  hinted("types = [Ar, 2, [Xe]]", "types", "[Ar, 2, [Xe]]",
         "texts in quotes, [\"Ar\", 2, [\"Xe\"]]");
  hinted("shift = True", "shift", "True", "true or false, here true");
  hinted("shift = no", "shift", "no", "true or false, here false");
  hinted("cutoff = .5", "cutoff", ".5", "a number with digits on both sides of the point, as 0.5");
  hinted("cutoff = 5.", "cutoff", "5.", "a number with digits on both sides of the point, as 5.0");
  hinted("md/pair_force = \"reference\"", "md/pair_force", "\"reference\"",
         "quotes around a name with a slash, \"md/pair_force\"");
  hinted("a.md/pair_force = 1", "a.md/pair_force", "1",
         "quotes around a name with a slash, a.\"md/pair_force\"");
  hinted("[parameters.md/pair_force]", "[parameters.md/pair_force]", "", "quotes around a name");
}

TEST_CASE("lines with other mistakes are left to the parser") {
  for (const char* const line :
       {"", "# a = b", "title", "a = \"b", "a = ", "a = 'b' c", "a = 5 sigma", "a = {b = c}",
        "a = [1, 2", "a = [1 2]", "a = true", "[table", "=", "= 5", "a = =", "a = 5", "a = 1.5",
        "a = 1.2.3", "\xff = \xff"}) {
    INFO(std::string(line));
    CHECK_FALSE(toml_hint(line).has_value());
  }
}

TEST_CASE("values of --set need quotes where they are no words") {
  const TemporaryDirectory directory;
  const auto file = directory.write("case.toml", "title = \"t\"\n");
  check_input_error([&] { static_cast<void>(read_case(file, {"title=my melt"})); },
                    {0, "title", "my melt", "expected a text in quotes, \"my melt\""});
  check_input_error(
      [&] { static_cast<void>(read_case(file, {"selection.md/pair_force=reference"})); },
      {0, "selection.md/pair_force", "reference", "selection.\"md/pair_force\""});
  check_input_error([&] { static_cast<void>(read_case(file, {"pair.cutoff=.5"})); },
                    {0, "pair.cutoff", ".5", "as 0.5"});
}

TEST_CASE("lines are counted from 1") {
  CHECK(line_of("a\nb\nc", 1) == "a");
  CHECK(line_of("a\nb\nc", 3) == "c");
  CHECK(line_of("a\nb\n", 3).empty());
  CHECK(line_of("", 9).empty());
}

}  // namespace tessera::app
