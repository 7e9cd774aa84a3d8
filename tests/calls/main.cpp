#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <tessera/core/base/error.hpp>

#include "tests/calls/wrong_call.hpp"

/// \file
/// wrong_calls [--apart [EVERY]]
///
/// Makes all wrong calls, in this process, or each in one of its own, where a crash is one of the
/// outcomes (EVERY: only each so manieth). Exits with 0 when every one is an error of Tessera that
/// names the argument.

namespace tessera::test {
namespace {

/// What became of a call.
enum Outcome { named, other_words, other_type, silent, crashed, outcomes };

const char* const outcome_name[outcomes] = {"an error that names the argument",
                                            "an error that does not",
                                            "an exception of another type", "nothing", "a crash"};

Outcome outcome_of(const WrongCall& wrong, std::string& words) {
  try {
    wrong.call();
    return silent;
  } catch (const Error& error) {
    words = error.what();
    return words.find(wrong.argument) != std::string::npos ? named : other_words;
  } catch (const std::exception& error) {
    words = error.what();
    return other_type;
  }
}

Outcome outcome_apart(const WrongCall& wrong) {
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    constexpr unsigned longest = 20;
    alarm(longest);
    std::string words;
    _exit(outcome_of(wrong, words));
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) < outcomes
             ? static_cast<Outcome>(WEXITSTATUS(status))
             : crashed;
}

}  // namespace
}  // namespace tessera::test

int main(int argc, char** argv) {
  using namespace tessera::test;
  const bool apart = argc > 1 && std::strcmp(argv[1], "--apart") == 0;
  const std::size_t every = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 1;
  // A process that forks must have no threads.
  if (apart) setenv("OMP_NUM_THREADS", "1", 1);
  WrongCalls calls;
  add_operation_calls(calls);
  add_library_calls(calls);
  add_simulation_calls(calls);
  int counts[outcomes] = {};
  int tries = 0;
  for (std::size_t k = 0; k < calls.size(); k += every) {
    const WrongCall& wrong = calls[k];
    std::string words;
    const Outcome outcome = apart ? outcome_apart(wrong) : outcome_of(wrong, words);
    ++tries;
    ++counts[outcome];
    if (outcome == named) continue;
    std::printf("%s: %s%s%s\n", wrong.name.c_str(), outcome_name[outcome],
                words.empty() ? "" : ": ", words.c_str());
  }
  for (int outcome = 0; outcome < outcomes; ++outcome)
    std::printf("%7d %s\n", counts[outcome], outcome_name[outcome]);
  std::printf("%7d wrong calls\n", tries);
  constexpr int least = 200;
  return tries >= least && counts[named] == tries ? 0 : 1;
}
