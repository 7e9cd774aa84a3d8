#include "core/tuning/search_journal.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/unit/core/tuning/sample_space.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <filesystem>
#include <set>
#include <string>

namespace tessera {
namespace {

namespace fs = std::filesystem;

Landscape search_of(const std::string& build, const std::string& input = "sample 1000") {
  Landscape l = test::sample_landscape();
  l.build = build;
  l.input = input;
  return l;
}

void age(const fs::path& path, int days) {
  fs::last_write_time(path, fs::file_time_type::clock::now() - std::chrono::hours(24 * days));
}

std::set<fs::path> files_in(const fs::path& folder) {
  std::set<fs::path> all;
  for (const auto& entry : fs::directory_iterator(folder))
    all.insert(entry.path());
  return all;
}

/// Leaves the journal of an interrupted search. \returns its path.
fs::path leave(const fs::path& database, const Landscape& search) {
  const SearchJournal journal(database, search);
  const std::set<fs::path> before = files_in(database.string() + ".searches");
  journal.keep(search);
  for (const fs::path& path : files_in(database.string() + ".searches"))
    if (!before.contains(path)) return path;
  return {};
}

TEST_CASE("a search goes on from its own journal until it has ended") {
  const test::TemporaryDirectory folder;
  const fs::path database = folder / "tuning.json";
  const Landscape mine = search_of("1 a");
  const SearchJournal journal(database, mine);
  CHECK(journal.former().empty());
  journal.keep(mine);
  CHECK(SearchJournal(database, mine).former().size() == mine.candidates.size());
  CHECK(SearchJournal(database, search_of("1 b")).former().empty());
  CHECK(SearchJournal(database, search_of("1 a", "sample 2000")).former().empty());
  Landscape changed = mine;  // a case with another cutoff has the same name
  changed.key.magnitudes["neighbors"] = 30;
  CHECK(SearchJournal(database, changed).former().empty());
  journal.remove();
  CHECK(SearchJournal(database, mine).former().empty());
  const SearchJournal none({}, mine);
  none.keep(mine);
  CHECK(none.former().empty());
}

TEST_CASE("journals of other builds are removed after a month, unless somebody searches") {
  const test::TemporaryDirectory folder;
  const fs::path database = folder / "tuning.json";
  const fs::path searches = database.string() + ".searches";
  const fs::path own = leave(database, search_of("1 a"));
  const fs::path recent = leave(database, search_of("1 b"));
  const fs::path old = leave(database, search_of("1 c"));
  folder.write("precious", "text");
  fs::create_symlink(folder / "precious", searches / "89abcdef.json");
  for (const char* name : {"01234567.json", "01234567.json.abcdefghij.part", "notes.json"})
    folder.write(std::string("tuning.json.searches/") + name, "cut sh");
  {
    const SearchJournal other(database, search_of("1 d"));
    for (const fs::path& path : files_in(searches))
      age(path, path == recent ? 20 : 40);
    const SearchJournal beside(database, search_of("1 a"));
    CHECK(fs::exists(old));
  }
  const SearchJournal next(database, search_of("1 a"));
  CHECK(next.former().size() == 241);
  CHECK(fs::exists(own));
  CHECK(fs::exists(recent));
  CHECK(fs::exists(searches / "notes.json"));
  CHECK(fs::exists(folder / "precious"));
  CHECK(fs::is_symlink(searches / "89abcdef.json"));
  CHECK(!fs::exists(old));
  CHECK(!fs::exists(searches / "01234567.json"));
  CHECK(!fs::exists(searches / "01234567.json.abcdefghij.part"));
}

}  // namespace
}  // namespace tessera
