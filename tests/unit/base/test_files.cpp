#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <tessera/core/base/atomic_file.hpp>
#include <tessera/core/base/error.hpp>
#include <tessera/core/base/input_file.hpp>
#include <tessera/core/base/output_file.hpp>

#include "tests/support/temporary_directory.hpp"

namespace tessera {

using test::TemporaryDirectory;

TEST_CASE("a file is read whole, with zero bytes and line ends as they are") {
  const TemporaryDirectory directory;
  const std::string text("a\r\n\0b", 5);
  CHECK(read_file(directory.write("f", text)) == text);
  CHECK(read_file(directory.write("empty", "")).empty());
  CHECK_THROWS_AS(static_cast<void>(read_file(directory / "none")), InputError);
}

TEST_CASE("write_file_atomically replaces a file and leaves no part file") {
  const TemporaryDirectory directory;
  directory.write("summary.json", "old and longer");
  write_file_atomically(directory / "summary.json", "new");
  CHECK(directory.read("summary.json") == "new");
  CHECK_FALSE(std::filesystem::exists(directory / "summary.json.part"));
}

TEST_CASE("a file that is not committed leaves what was there") {
  const TemporaryDirectory directory;
  directory.write("f", "old");
  {
    AtomicFile file(directory / "f");
    file.append("half");
    CHECK(directory.read("f.part") == "half");
  }
  CHECK(directory.read("f") == "old");
  CHECK_FALSE(std::filesystem::exists(directory / "f.part"));
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
