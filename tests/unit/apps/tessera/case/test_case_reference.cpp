#include "core/base/input_file.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/unit/apps/tessera/case/md_case.hpp"

#include <doctest/doctest.h>

#include <string>

namespace tessera::app {
namespace {

/// Text of docs/case_reference.md; ctest runs this test in the root of the source tree.
std::string reference() {
  return read_file("docs/case_reference.md");
}

}  // namespace

TEST_CASE("the case reference holds the table of every section") {
  const std::string page = reference();
  for (const std::string& kind : cases::case_registry().kinds()) {
    for (const auto& table : cases::reference_tables(cases::case_registry().info(kind))) {
      CHECK_MESSAGE(page.find("-->\n" + table.markdown + "<!--") != std::string::npos,
                    "run scripts/case_reference: the table of '" << table.path << "' differs");
    }
  }
}

TEST_CASE("the complete case of the reference is one") {
  const std::string page = reference();
  const std::size_t start = page.find("```toml\n") + 8;
  const test::TemporaryDirectory directory;
  const auto path =
      directory.write("case.toml", page.substr(start, page.find("```\n", start) - start));
  const Case c(read_case(path));
  CHECK(c.title == "Lennard-Jones melt");
  CHECK(c.trajectory.forces);
  CHECK(c.restart.every == 500);
}

}  // namespace tessera::app
