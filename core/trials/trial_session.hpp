#ifndef TESSERA_CORE_TRIALS_TRIAL_SESSION_HPP
#define TESSERA_CORE_TRIALS_TRIAL_SESSION_HPP

#include "core/operations/registry.hpp"
#include "core/trials/trial.hpp"
#include "core/trials/trial_line.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

/// \file
/// Many candidates for one problem, controlled by lines of JSON: the work of a tuner's worker. The
/// arrays are made once; slots hold the plans of candidates side by side. docs/trials.md describes
/// the lines.
///
///     {"session": {"operation": ..., "precision": ..., "input": ..., "size": ...}}
///     {"slot": 1, "implementation": ..., "parameters": {...}, "check": true}
///     {"slot": 1, "calls": 0}                     measures the time
///     {"drop": 1}

namespace tessera {

/// Reads a case file, with changes of keys as by --set.
using ChangedCaseReader = std::function<std::unique_ptr<TrialSource>(
    const std::string& file, const std::vector<std::string>& overrides)>;

class TrialSession {
 public:
  TrialSession(const Registry& registry, ChangedCaseReader read_case);
  ~TrialSession();
  TrialSession(const TrialSession&) = delete;
  TrialSession& operator=(const TrialSession&) = delete;

  /// Whether a line belongs to a session and is not a separate trial.
  [[nodiscard]] static bool knows(const std::string& line);

  /// Reports errors in the line or the candidate by `outcome`; does not throw for them.
  [[nodiscard]] std::string answer(const std::string& line);

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace tessera

#endif  // TESSERA_CORE_TRIALS_TRIAL_SESSION_HPP
