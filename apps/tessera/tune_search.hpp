#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <tessera/core/tuning/landscape.hpp>
#include <tessera/core/tuning/tuner.hpp>
#include <tessera/core/tuning/worker_evaluator.hpp>
#include <vector>

#include "tune_budget.hpp"

/// \file
/// One search after the other: measured by workers, kept while it lasts, told and remembered.

namespace tessera::command_line {

/// One operation on one input, or on a case.
struct TuneProblem {
  std::string operation;
  std::string input;
  std::int64_t size = 0;
};

struct TuneSearchOptions {
  WorkerEvaluatorOptions worker;  ///< what does not belong to a problem
  std::string strategy = "adaptive";
  std::int64_t seed = 1;
  TuneBudget budget;
  bool fresh = false;     ///< does not go on from a search that was stopped
  std::string landscape;  ///< a file for all that was measured; may be empty
  bool quiet = false;
  bool json = false;
};

class TuneSearch {
 public:
  explicit TuneSearch(TuneSearchOptions options);

  enum class End {
    done,
    stopped,     ///< by a signal; what was measured is kept
    no_choice,   ///< there is one candidate
    no_problem,  ///< the case poses none for this operation
  };

  /// \throws RefusalError where nothing can run the problem; InputError, Error.
  [[nodiscard]] End run(const TuneProblem& problem);

  [[nodiscard]] const std::vector<Landscape>& seen() const { return seen_; }
  /// One object for each search that is done.
  [[nodiscard]] const nlohmann::ordered_json& results() const { return results_; }

 private:
  void tell_refused(const std::vector<RefusedCandidates>& refused) const;
  void keep(Landscape& landscape, const Measured& measured) const;
  void report(const Landscape& landscape, const TuningResult& result);
  void remember(const WorkerEvaluatorOptions& worker, const WorkerEvaluator& evaluator,
                const TuningResult& result) const;
  void say(const std::string& text) const;

  TuneSearchOptions options_;
  std::vector<Landscape> seen_;
  nlohmann::ordered_json results_ = nlohmann::ordered_json::array();
};

}  // namespace tessera::command_line
