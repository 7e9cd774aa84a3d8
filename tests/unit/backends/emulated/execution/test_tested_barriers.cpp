#include "backends/emulated/execution/tested_barriers.hpp"
#include "tests/support/temporary_directory.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <source_location>
#include <string>

namespace tessera::emulated {
namespace {

TEST_CASE("Without settings no barrier is left out") {
  TestedBarriers barriers;
  CHECK_FALSE(barriers.skips("__syncthreads", std::source_location::current(), "kernel"));
}

TEST_CASE("A barrier is left out by the end of its path and its line") {
  const std::source_location here = std::source_location::current();
  const std::source_location there = std::source_location::current();
  setenv("TESSERA_EMULATED_SKIP",
         ("test_tested_barriers.cpp:" + std::to_string(here.line())).c_str(), 1);
  TestedBarriers barriers;
  unsetenv("TESSERA_EMULATED_SKIP");
  CHECK(barriers.skips("__syncthreads", here, "kernel"));
  CHECK_FALSE(barriers.skips("__syncthreads", there, "kernel"));
}

TEST_CASE("The barriers that were reached are written with their kernels") {
  const test::TemporaryDirectory folder;
  const std::string file = folder.path() / "barriers.txt";
  const std::source_location here = std::source_location::current();
  setenv("TESSERA_EMULATED_BARRIERS", file.c_str(), 1);
  {
    TestedBarriers barriers;
    unsetenv("TESSERA_EMULATED_BARRIERS");
    for (const char* kernel : {"search", "deposit", "search"})
      CHECK_FALSE(barriers.skips("syncwarp", here, kernel));
  }
  std::ifstream in(file);
  std::string line;
  REQUIRE(std::getline(in, line));
  CHECK(line == std::string(here.file_name()) + ":" + std::to_string(here.line()) +
                    "\tsyncwarp\tdeposit, search");
  CHECK_FALSE(std::getline(in, line));
}

}  // namespace
}  // namespace tessera::emulated
