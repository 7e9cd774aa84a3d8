#ifndef TESSERA_APPS_TESSERA_CASE_CALLS_HPP
#define TESSERA_APPS_TESSERA_CASE_CALLS_HPP

#include "core/parameters/problem_key.hpp"

#include <cstdint>
#include <string>
#include <vector>

/// \file
/// Which operations a run of a case calls, seen by making some steps of it in another process.

namespace tessera::command_line {

/// A run, as `tessera run` is asked for it.
struct CaseToCall {
  std::string file;
  std::vector<std::string> overrides;
  std::string precision;  ///< empty: that of the case
  std::string backend;    ///< empty: that of the case
  int device = 0;
};

struct CalledOperation {
  std::string operation;
  std::string precision;
  std::string implementation;        ///< that runs it
  std::string source;                ///< who chose it: name(ChoiceSource)
  bool parameters_set = false;       ///< of that implementation, by the case
  double share = 0;                  ///< of the time of all operations
  std::vector<ProblemKey> problems;  ///< that the run asks for
};

/// The operations that are executed, the largest share first.
/// \param seconds of steps; \param most until which the process has to have answered.
/// \throws InputError for what is wrong in the case, RefusalError, Error where its run fails,
/// TimeIsUpError.
[[nodiscard]] std::vector<CalledOperation> calls_of_run(const CaseToCall& run, double seconds,
                                                        double most);

/// Whether a line of a worker asks for this.
[[nodiscard]] bool asks_for_calls(const std::string& line);
/// The other end of calls_of_run(), in this process. Does not throw.
[[nodiscard]] std::string answer_calls(const std::string& line);

}  // namespace tessera::command_line

#endif  // TESSERA_APPS_TESSERA_CASE_CALLS_HPP
