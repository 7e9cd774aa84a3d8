#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <tessera/core/base/input_file.hpp>

#include "apps/tessera/case/case_file.hpp"
#include "apps/tessera/case/case_keys.hpp"
#include "tests/support/temporary_directory.hpp"

namespace tessera::app {
namespace {

std::string reference() {
  const std::filesystem::path here(__FILE__);
  return read_file(here.parent_path() / "../../../docs/case_reference.md");
}

/// The part of the page under the heading of this table.
std::string section(const std::string& page, const std::string& table) {
  const std::string heading = table.empty() ? "## Top level\n" : "## " + table + "\n";
  const std::size_t start = page.find(heading);
  REQUIRE_MESSAGE(start != std::string::npos, "no heading for " << table);
  const std::size_t text = start + heading.size();
  return page.substr(text, page.find("\n## ", text) - text);
}

}  // namespace

TEST_CASE("the case reference has a row for every key") {
  const std::string page = reference();
  for (const auto& [table, keys] : all_case_keys()) {
    const std::string text = section(page, table);
    for (const std::string& key : keys) {
      CHECK_MESSAGE(text.find("\n| `" + key + "` |") != std::string::npos,
                    "no row for " << table << "." << key);
    }
  }
}

TEST_CASE("the complete case of the reference is one") {
  const std::string page = reference();
  const std::size_t start = page.find("```toml\n") + 8;
  const test::TemporaryDirectory directory;
  const auto path =
      directory.write("case.toml", page.substr(start, page.find("```\n", start) - start));
  const Case c = read_case(path);
  CHECK(c.title == "Lennard-Jones melt");
  CHECK(c.trajectory.forces);
  CHECK(c.restart.every == 500);
}

}  // namespace tessera::app
