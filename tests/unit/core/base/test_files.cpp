#include "core/base/atomic_file.hpp"
#include "core/base/error.hpp"
#include "core/base/input_file.hpp"
#include "core/base/locked_file.hpp"
#include "core/base/output_file.hpp"
#include "tests/support/temporary_directory.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <iterator>
#include <string>
#include <utility>

namespace tessera {

using test::TemporaryDirectory;

namespace {

std::ptrdiff_t files_in(const TemporaryDirectory& directory) {
  return std::distance(std::filesystem::directory_iterator(directory / ""), {});
}

}  // namespace

TEST_CASE("a file is read whole, with zero bytes and line ends as they are") {
  const TemporaryDirectory directory;
  const std::string text("a\r\n\0b", 5);
  CHECK(read_file(directory.write("f", text)) == text);
  CHECK(read_file(directory.write("empty", "")).empty());
  CHECK_THROWS_AS(static_cast<void>(read_file(directory / "none")), InputError);
}

TEST_CASE("a file that is not there is told with one of a similar name") {
  const TemporaryDirectory directory;
  directory.write("melt.toml", "");
  directory.write("melt.data", "");
  directory.write("water.xyz", "");
  const auto told = [&](const std::string& name) -> std::string {
    try {
      static_cast<void>(read_file(directory / name));
    } catch (const InputError& error) {
      const std::string text = error.what();
      const std::string start = ", did you mean '" + (directory / "").string();
      const std::size_t found = text.find(start);
      return found == std::string::npos ? "" : text.substr(found + start.size());
    }
    return "no error";
  };
  CHECK(told("mlet.toml") == "melt.toml'?");
  CHECK(told("Melt.toml") == "melt.toml'?");
  CHECK(told("water") == "water.xyz'?");
  CHECK(told("melt.txt") == "melt.data'?");
  CHECK(told("argon.toml").empty());
  CHECK(told("mlet.csv").empty());
  CHECK(told("nowhere/melt.toml").empty());
}

TEST_CASE("write_file_atomically replaces a file and leaves no part file") {
  const TemporaryDirectory directory;
  directory.write("summary.json", "old and longer");
  write_file_atomically(directory / "summary.json", "new");
  CHECK(directory.read("summary.json") == "new");
  CHECK(files_in(directory) == 1);
}

TEST_CASE("a file that is not committed leaves what was there") {
  const TemporaryDirectory directory;
  directory.write("f", "old");
  {
    AtomicFile file(directory / "f");
    file.append("half");
    CHECK(files_in(directory) == 2);
  }
  CHECK(directory.read("f") == "old");
  CHECK(files_in(directory) == 1);
}

TEST_CASE("two processes may write the same file, and links that lie in the way are not followed") {
  const TemporaryDirectory directory;
  AtomicFile one(directory / "f");
  AtomicFile two(directory / "f");
  one.append("one");
  two.append("two");
  one.commit();
  CHECK(directory.read("f") == "one");
  two.commit();
  CHECK(directory.read("f") == "two");
  directory.write("precious", "precious");
  std::filesystem::create_symlink(directory / "precious", directory / "link");
  write_file_atomically(directory / "link", "new");
  CHECK(directory.read("link") == "new");
  CHECK(directory.read("precious") == "precious");
  std::filesystem::create_symlink(directory / "precious", directory / "stream");
  for (const auto mode : {OutputFile::Mode::append, OutputFile::Mode::create})
    CHECK_THROWS_AS(OutputFile(directory / "stream", mode), FileError);
  CHECK_THROWS_AS(OutputFile(directory / "f", OutputFile::Mode::create), FileError);
  CHECK_THROWS_AS(OutputFile(directory / "", OutputFile::Mode::append), FileError);
}

TEST_CASE("part files that ended processes left are removed, and nothing else") {
  const TemporaryDirectory directory;
  directory.write("f.abcdefghij.part", "");
  for (const char* name :
       {"f", "f.part", "f.abcdefghi.part", "f.ABCDEFGHIJ.part", "g.abcdefghij.part"})
    directory.write(name, "");
  remove_part_files(directory / "f");
  CHECK(files_in(directory) == 5);
  CHECK_FALSE(std::filesystem::exists(directory / "f.abcdefghij.part"));
}

TEST_CASE("a locked file has one holder") {
  const TemporaryDirectory directory;
  {
    LockedFile one(directory / "f");
    CHECK(one.lock() == LockedFile::Lock::held);
    one.write("longer than the next");
    one.write("one");
    CHECK(directory.read("f") == "one");
    CHECK(LockedFile(directory / "f").lock() == LockedFile::Lock::of_another);
    const LockedFile moved(std::move(one));
    CHECK(LockedFile(directory / "f").lock() == LockedFile::Lock::of_another);
  }
  CHECK(LockedFile(directory / "f").lock() == LockedFile::Lock::held);
  CHECK(directory.read("f") == "one");
  CHECK_THROWS_AS(LockedFile(directory / "none/f"), FileError);
  CHECK_THROWS_AS(LockedFile("/dev/null"), FileError);
}

TEST_CASE("a locked file can be shared") {
  const TemporaryDirectory directory;
  LockedFile one(directory / "f");
  LockedFile two(directory / "f");
  CHECK_FALSE(two.share());
  CHECK(one.share());
  CHECK(one.lock() == LockedFile::Lock::shared);
  CHECK(two.share());
  CHECK(LockedFile(directory / "f").lock() == LockedFile::Lock::of_another);
}

TEST_CASE("an output file shows each piece as soon as it is appended") {
  const TemporaryDirectory directory;
  OutputFile file(directory / "f");
  file.append("one\n");
  CHECK(directory.read("f") == "one\n");
  file.append("two\n");
  CHECK(directory.read("f") == "one\ntwo\n");
  CHECK(file.size() == 8);
  OutputFile more(directory / "f", OutputFile::Mode::append);
  CHECK(more.size() == 8);
  more.append("three\n");
  CHECK(directory.read("f") == "one\ntwo\nthree\n");
}

TEST_CASE("an output file that the system refuses is named with the reason") {
  const TemporaryDirectory directory;
  try {
    const OutputFile file(directory / "none/f");
    FAIL("no FileError was thrown");
  } catch (const FileError& error) {
    CHECK(error.path() == (directory / "none/f").string());
    CHECK(std::string(error.what()).find("opening for writing failed: No such file") !=
          std::string::npos);
  }
  if (std::filesystem::exists("/dev/full")) {
    OutputFile full("/dev/full");
    CHECK_THROWS_AS(full.append("x"), FileError);
  }
}

}  // namespace tessera
