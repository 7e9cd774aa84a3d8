#include "core/trials/reference_cache.hpp"
#include "tests/support/temporary_directory.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

namespace tessera {
namespace {

namespace fs = std::filesystem;

fs::path folder_with_answer(const fs::path& path) {
  fs::create_directories(path);
  std::ofstream(path / "a.answer") << "an answer";
  return path;
}

TEST_CASE("a folder of answers is gone with its owner") {
  const test::TemporaryDirectory base;
  fs::path path;
  {
    const ReferenceCache folder(base.path());
    path = folder.path();
    REQUIRE(fs::is_directory(path));
    CHECK((fs::status(path).permissions() & fs::perms::all) == fs::perms::owner_all);
    folder_with_answer(path);
  }
  CHECK(!fs::exists(path));
  CHECK(ReferenceCache(base / "nowhere").path().empty());
  CHECK(ReferenceCache(fs::path()).path().empty());
}

TEST_CASE("folders of answers that no process holds are removed, and no others") {
  const test::TemporaryDirectory base;
  const ReferenceCache held(base.path());
  folder_with_answer(held.path());
  const fs::path left = folder_with_answer(base / "tessera_answers_abcdef");
  const fs::path longer = folder_with_answer(base / "tessera_answers_abcdefg");
  const fs::path target = folder_with_answer(base / "precious");
  fs::create_directory_symlink(target, base / "tessera_answers_linked");
  base.write("tessera_answers_a_file", "text");
  const fs::path inner = folder_with_answer(base / "tessera_answers_inside");
  fs::create_directory_symlink(target, inner / "link");
  const fs::path foreign = folder_with_answer(base / "tessera_answers_others");
  const bool root = ::geteuid() == 0;
  if (root) REQUIRE(::chown(foreign.c_str(), 65534, 65534) == 0);

  const ReferenceCache next(base.path());
  CHECK(next.path() != held.path());
  CHECK(!fs::exists(left));
  CHECK(!fs::exists(inner));
  CHECK(fs::exists(fs::path(held.path()) / "a.answer"));
  CHECK(fs::exists(longer / "a.answer"));
  CHECK(fs::exists(target / "a.answer"));
  CHECK(fs::is_symlink(base / "tessera_answers_linked"));
  CHECK(fs::exists(base / "tessera_answers_a_file"));
  CHECK(fs::exists(foreign) == root);
}

}  // namespace
}  // namespace tessera
