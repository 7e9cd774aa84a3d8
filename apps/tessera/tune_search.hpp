#ifndef TESSERA_APPS_TESSERA_TUNE_SEARCH_HPP
#define TESSERA_APPS_TESSERA_TUNE_SEARCH_HPP

#include "core/parameters/problem_key.hpp"
#include "core/tuning/landscape.hpp"
#include "core/tuning/pace.hpp"
#include "core/tuning/worker_evaluator.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

/// \file
/// Searches within one budget: measured by workers, kept while they last, told and remembered.

namespace tessera::command_line {

/// One operation on one input, or on a case.
struct TuneProblem {
  std::string operation;
  std::string input;
  std::int64_t size = 0;
  std::string precision;
  std::string chosen = {};  ///< the implementation that somebody has chosen; empty: nobody has
  double share = 1;         ///< of the budget, relative to the others
  /// Keys that are looked for when the case runs; empty: whatever the input poses.
  std::vector<ProblemKey> asked = {};
};

struct TuneSearchOptions {
  WorkerEvaluatorOptions worker;  ///< what does not belong to a problem
  std::string strategy = "adaptive";
  std::int64_t seed = 1;
  Pace pace;
  double budget = 0;      ///< seconds, for messages; 0: no limit
  bool fresh = false;     ///< does not go on from a search that was stopped
  std::string landscape;  ///< a file for all that was measured; may be empty
  bool quiet = false;
  bool json = false;
};

class TuneSearch {
 public:
  /// The end of all searches together.
  struct Outcome {
    int tuned = 0;                           ///< searches that came to a comparison
    std::vector<std::string> out_of_budget;  ///< operations that did not, for the budget was spent
    std::vector<std::string> refusals;       ///< of operations that cannot run, where others do
  };

  explicit TuneSearch(TuneSearchOptions options);

  /// \throws RefusalError where nothing can run a problem that is the only one; InputError, Error.
  [[nodiscard]] Outcome run(const std::vector<TuneProblem>& problems);

  [[nodiscard]] const std::vector<Landscape>& seen() const { return seen_; }
  /// One object for each search that is done.
  [[nodiscard]] const nlohmann::ordered_json& results() const { return results_; }

 private:
  TuneSearchOptions options_;
  std::vector<Landscape> seen_;
  nlohmann::ordered_json results_ = nlohmann::ordered_json::array();
};

}  // namespace tessera::command_line

#endif  // TESSERA_APPS_TESSERA_TUNE_SEARCH_HPP
