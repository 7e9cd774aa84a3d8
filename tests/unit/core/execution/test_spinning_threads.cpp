#include "core/execution/spinning_threads.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <iterator>
#include <optional>
#include <string>

namespace tessera {

TEST_CASE("who shares the cores is told how threads should wait") {
  CHECK(spinning_warning(true, 2, 1, 2, 2).find("OMP_WAIT_POLICY=passive") != std::string::npos);
  CHECK_FALSE(spinning_warning(true, 8, 1, 8, 8).empty());
  CHECK(spinning_warning(false, 2, 1, 2, 2).empty());  // chosen, or another runtime
  CHECK(spinning_warning(true, 1, 4, 2, 2).empty());   // a single thread does not wait
  CHECK(spinning_warning(true, 2, 0, 2, 2).empty());
  CHECK(spinning_warning(true, 4, 3, 8, 8).empty());    // enough cores
  CHECK(spinning_warning(true, 8, 56, 8, 64).empty());  // one of eight ranks of a node
  CHECK(spinning_warning(true, 8, 56, 0, 2048).empty());
}

namespace {

/// Removes these variables from the environment until the end of a test case; ctest sets one of
/// them.
class Environment {
 public:
  Environment() {
    for (std::size_t i = 0; i < std::size(names); ++i) {
      if (const char* const value = std::getenv(names[i])) before_[i] = value;
      ::unsetenv(names[i]);
    }
  }
  ~Environment() {
    for (std::size_t i = 0; i < std::size(names); ++i) {
      ::unsetenv(names[i]);
      if (before_[i]) ::setenv(names[i], before_[i]->c_str(), 1);
    }
  }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  static constexpr const char* names[] = {"OMP_WAIT_POLICY", "GOMP_SPINCOUNT", "KMP_BLOCKTIME",
                                          "KMP_LIBRARY"};
  std::optional<std::string> before_[std::size(names)];
};

std::string text_of(const std::optional<ShortWait>& wait) {
  return wait ? std::string(wait->variable) + "=" + wait->value : "";
}

}  // namespace

TEST_CASE("each runtime is told in its own words how to wait") {
  const Environment environment;
  CHECK(text_of(short_wait(ThreadRuntime::gcc)) == "GOMP_SPINCOUNT=1000");
  CHECK(text_of(short_wait(ThreadRuntime::llvm)) == "KMP_BLOCKTIME=0");
  CHECK(text_of(short_wait(ThreadRuntime::none)) == "");
}

TEST_CASE("a policy that was chosen is left alone") {
  struct Chosen {
    const char* variable;
    bool of_gcc, of_llvm;
  };
  for (const Chosen& chosen :
       {Chosen{"OMP_WAIT_POLICY", true, true}, Chosen{"GOMP_SPINCOUNT", true, false},
        Chosen{"KMP_BLOCKTIME", false, true}, Chosen{"KMP_LIBRARY", false, true}}) {
    const Environment environment;
    ::setenv(chosen.variable, "7", 1);
    CHECK(short_wait(ThreadRuntime::gcc).has_value() != chosen.of_gcc);
    CHECK(short_wait(ThreadRuntime::llvm).has_value() != chosen.of_llvm);
    if (chosen.of_gcc) CHECK_FALSE(threads_spin());
  }
}

}  // namespace tessera
