#ifndef TESSERA_APPS_TESSERA_CASE_CALLS_HPP
#define TESSERA_APPS_TESSERA_CASE_CALLS_HPP

#include "core/parameters/problem_key.hpp"

#include <cstdint>
#include <string>
#include <vector>

/// \file
/// Finds the operations that a run of a case calls by making some steps of it in another process.

namespace tessera::command_line {

/// A run with the arguments of `tessera run`.
struct CaseToCall {
  std::string file;
  std::vector<std::string> overrides;
  std::string precision;  ///< empty: as in the case
  std::string backend;    ///< empty: as in the case
  int device = 0;
};

struct CalledOperation {
  std::string operation;
  std::string precision;
  std::string implementation;        ///< the implementation in use
  std::string source;                ///< source of the choice: name(ChoiceSource)
  bool parameters_set = false;       ///< whether the case sets parameters of that implementation
  double share = 0;                  ///< share of the time of all operations
  std::vector<ProblemKey> problems;  ///< problems of the run's plans
};

/// The operations that the run executes, in descending order of their share of the time.
/// \param seconds duration of the steps.
/// \param most limit in seconds until the process has to answer.
/// \throws InputError for an error in the case, RefusalError, Error where the run fails,
/// TimeIsUpError.
[[nodiscard]] std::vector<CalledOperation> calls_of_run(const CaseToCall& run, double seconds,
                                                        double most);

/// Whether a line for a worker is a request of calls_of_run().
[[nodiscard]] bool asks_for_calls(const std::string& line);
/// Handles such a request in this process, for calls_of_run(). Does not throw.
[[nodiscard]] std::string reply_with_calls(const std::string& line);

}  // namespace tessera::command_line

#endif  // TESSERA_APPS_TESSERA_CASE_CALLS_HPP
