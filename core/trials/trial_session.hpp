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
/// Many candidates for one problem, one line of JSON after the other: what a worker of the tuner
/// runs. The arrays are made once, the plans of candidates stand side by side in slots.
/// docs/trials.md describes the lines.
///
///     {"session": {"operation": ..., "precision": ..., "input": ..., "size": ...}}
///     {"slot": 1, "implementation": ..., "knobs": {...}, "check": true}
///     {"slot": 1, "calls": 0}                     how long it takes
///     {"drop": 1}

namespace tessera {

/// Reads a case file, with keys changed as by --set.
using ChangedCaseReader = std::function<std::unique_ptr<TrialSource>(
    const std::string& file, const std::vector<std::string>& overrides)>;

class TrialSession {
 public:
  TrialSession(const Registry& registry, ChangedCaseReader read_case);
  ~TrialSession();
  TrialSession(const TrialSession&) = delete;
  TrialSession& operator=(const TrialSession&) = delete;

  /// Whether a line is one of a session, and not a trial of its own.
  [[nodiscard]] static bool knows(const std::string& line);

  /// Never throws for what is wrong with the line or the candidate: `outcome` tells.
  [[nodiscard]] std::string answer(const std::string& line);

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace tessera

#endif  // TESSERA_CORE_TRIALS_TRIAL_SESSION_HPP
