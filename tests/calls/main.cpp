#include "core/base/error.hpp"
#include "tests/calls/wrong_call.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <sys/wait.h>
#include <unistd.h>

/// \file
/// wrong_calls [--apart [EVERY]] [--only TEXT]
///
/// Makes all wrong calls. --apart makes each call in its own process, so that a crash is one of the
/// outcomes, and with EVERY only every EVERY-th call. --only makes the calls with TEXT in their
/// names and prints each name before the call. The exit code is 0 if every call fails with an error
/// of Tessera that names the argument.

namespace tessera::test {
namespace {

/// Outcome of a call, described by outcome_name; `outcomes` is their number. `carried`: the call
/// may return or throw another error (WrongCall::may_return), and did so.
enum Outcome { named, carried, other_words, other_type, silent, crashed, outcomes };

const char* const outcome_name[outcomes] = {"an error that names the argument",
                                            "no place, and no harm",
                                            "an error that does not",
                                            "an exception of another type",
                                            "nothing",
                                            "a crash"};

Outcome outcome_of(const WrongCall& wrong, std::string& words) {
  try {
    wrong.call();
    return wrong.may_return ? carried : silent;
  } catch (const Error& error) {
    words = error.what();
    if (words.find(wrong.argument) != std::string::npos) return named;
    return wrong.may_return ? carried : other_words;
  } catch (const std::exception& error) {
    words = error.what();
    return other_type;
  }
}

Outcome outcome_apart(const WrongCall& wrong) {
  // Exit codes that neither sanitizers nor libraries use.
  constexpr int first_code = 100;
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    constexpr unsigned longest = 20;
    alarm(longest);
    std::string words;
    _exit(first_code + outcome_of(wrong, words));
  }
  int status = 0;
  waitpid(child, &status, 0);
  const int outcome = WIFEXITED(status) ? WEXITSTATUS(status) - first_code : crashed;
  return outcome >= 0 && outcome < outcomes ? static_cast<Outcome>(outcome) : crashed;
}

}  // namespace
}  // namespace tessera::test

int main(int argc, char** argv) {
  using namespace tessera::test;
  bool apart = false;
  std::size_t every = 1;
  const char* only = nullptr;
  for (int k = 1; k < argc; ++k) {
    if (std::strcmp(argv[k], "--apart") == 0)
      apart = true;
    else if (std::strcmp(argv[k], "--only") == 0 && k + 1 < argc)
      only = argv[++k];
    else
      every = std::max(std::strtoul(argv[k], nullptr, 10), 1UL);
  }
  // Restarts the program with one thread: a process that forks must have no threads, and OpenMP
  // runtimes read the variable only when they are loaded.
  const char* const threads = std::getenv("OMP_NUM_THREADS");
  if (apart && (threads == nullptr || std::strcmp(threads, "1") != 0)) {
    setenv("OMP_NUM_THREADS", "1", 1);
    execv("/proc/self/exe", argv);
  }
  WrongCalls calls;
  add_operation_calls(calls);
  add_library_calls(calls);
  add_simulation_calls(calls);
  int counts[outcomes] = {};
  int tries = 0;
  for (std::size_t k = 0; k < calls.size(); k += every) {
    const WrongCall& wrong = calls[k];
    if (only != nullptr) {
      if (wrong.name.find(only) == std::string::npos) continue;
      std::printf("%s\n", wrong.name.c_str());
      std::fflush(stdout);
    }
    std::string words;
    const Outcome outcome = apart ? outcome_apart(wrong) : outcome_of(wrong, words);
    ++tries;
    ++counts[outcome];
    if (outcome <= carried) continue;
    std::printf("%s: %s%s%s\n", wrong.name.c_str(), outcome_name[outcome],
                words.empty() ? "" : ": ", words.c_str());
  }
  for (int outcome = 0; outcome < outcomes; ++outcome)
    std::printf("%7d %s\n", counts[outcome], outcome_name[outcome]);
  std::printf("%7d wrong calls\n", tries);
  const int least = only != nullptr ? 1 : 200;
  return tries >= least && counts[named] + counts[carried] == tries ? 0 : 1;
}
