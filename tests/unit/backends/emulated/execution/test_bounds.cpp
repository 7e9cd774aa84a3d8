#include "backends/emulated/execution/device_memory.hpp"
#include "backends/gpu/execution/launch.hpp"
#include "tests/support/message_of.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <functional>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

// Accesses behind the end of memory end the program. A child process does them.

namespace tessera::gpu {
namespace {

struct Outcome {
  bool succeeds = false;
  std::string messages;  ///< output of the process to its standard error
};

/// Runs `action` in another process.
Outcome outcome_of(const std::function<void()>& action) {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    dup2(ends[1], STDERR_FILENO);
    close(ends[0]);
    close(STDOUT_FILENO);
    signal(SIGSEGV, SIG_DFL);  // without the message of the test framework
    action();
    _exit(0);
  }
  close(ends[1]);
  Outcome outcome;
  char bytes[4096];
  for (ssize_t count; (count = read(ends[0], bytes, sizeof bytes)) > 0;)
    outcome.messages.append(bytes, static_cast<std::size_t>(count));
  close(ends[0]);
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  outcome.succeeds = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  return outcome;
}

__global__ void write_at(unsigned at, double value) {
  reinterpret_cast<double*>(dynamic_shared())[at] = value;
}
__global__ void write_to(double* values, unsigned at) {
  values[at] = 1;
}

TEST_CASE("An index one too far in dynamic shared memory ends the program") {
  constexpr std::size_t count = 100;  // a multiple of 32 bytes
  const auto write = [](unsigned at) {
    return outcome_of(
        [&] { launch("writer", write_at, 2, 32, count * sizeof(double), nullptr)(at, 1.0); });
  };
  CHECK(write(count - 1).succeeds);
  const Outcome beyond = write(count);
  CHECK(!beyond.succeeds);
  INFO(beyond.messages);
  CHECK((beyond.messages.find("'writer', block ") != std::string::npos ||
         beyond.messages.find("AddressSanitizer") != std::string::npos));
}

TEST_CASE("With a guard an index one too far in device memory ends the program") {
  setenv("TESSERA_EMULATED_GUARD", "1", 1);
  const auto write = [](unsigned at, bool releases) {
    return outcome_of([&] {
      void* memory = nullptr;
      if (runtime::allocate(&memory, 10 * sizeof(double)) != runtime::success) _exit(3);
      if (releases) runtime::release(memory);
      launch("writer", write_to, 1, 32, 0, nullptr)(static_cast<double*>(memory), at);
    });
  };
  CHECK(write(9, false).succeeds);
  const Outcome beyond = write(10, false);
  CHECK(!beyond.succeeds);
  INFO(beyond.messages);
  CHECK((beyond.messages.find("byte 80 of an allocation of 80 bytes") != std::string::npos ||
         beyond.messages.find("AddressSanitizer") != std::string::npos));
  CHECK(!write(0, true).succeeds);
  setenv("TESSERA_EMULATED_GUARD", "yes", 1);
  CHECK(test::message_of([] { (void)emulated::guards_memory(); }).find("expected 0 or 1") !=
        std::string::npos);
  unsetenv("TESSERA_EMULATED_GUARD");
}

TEST_CASE("Device memory that was not written has NaNs, and its addresses are known") {
  void* memory = nullptr;
  REQUIRE(runtime::allocate(&memory, 3 * sizeof(double)) == runtime::success);
  CHECK(std::isnan(static_cast<double*>(memory)[2]));
  CHECK(emulated::is_in_memory(static_cast<double*>(memory) + 2));
  CHECK(!emulated::is_in_memory(static_cast<double*>(memory) + 3));
  runtime::release(memory);
  CHECK(!emulated::is_in_memory(memory));
}

}  // namespace
}  // namespace tessera::gpu
