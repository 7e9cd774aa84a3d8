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
/// Searches within one budget: measures with workers, continues stopped searches, prints and stores
/// results.

namespace tessera::command_line {

/// One operation on one input, or on a case.
struct TuneProblem {
  std::string operation;
  std::string input;
  std::int64_t size = 0;
  std::string precision;
  std::string chosen = {};  ///< implementation chosen by the user; empty: none
  double share = 1;         ///< share of the budget, relative to the other problems
  /// Keys of the problems that the run of the case has; empty: only that of the input is tuned.
  std::vector<ProblemKey> asked = {};
};

struct TuneSearchOptions {
  WorkerEvaluatorOptions worker;  ///< options that are common to all problems
  std::string strategy = "adaptive";
  std::int64_t seed = 1;
  Pace pace;
  double budget = 0;  ///< seconds, for messages; 0: no limit
  /// Whether to ignore the journal of a stopped search.
  bool fresh = false;
  /// File for all measurements, or a folder for a file of each problem; may be empty.
  std::string landscape;
  bool quiet = false;
  bool json = false;
};

/// Whether a path for landscapes is a folder: there is one, or it ends in a slash.
[[nodiscard]] bool is_landscape_folder(const std::string& path);

class TuneSearch {
 public:
  /// Result of all searches together.
  struct Outcome {
    int tuned = 0;       ///< searches that reached a comparison
    int landscapes = 0;  ///< files that were written
    /// Operations without a comparison, because the budget was spent.
    std::vector<std::string> out_of_budget;
    /// Messages about operations that cannot run.
    std::vector<std::string> refusals;
  };

  explicit TuneSearch(TuneSearchOptions options);

  /// \throws RefusalError where the only problem cannot run; InputError, Error.
  [[nodiscard]] Outcome run(const std::vector<TuneProblem>& problems);

  /// One object for each finished search.
  [[nodiscard]] const nlohmann::ordered_json& results() const { return results_; }

 private:
  TuneSearchOptions options_;
  nlohmann::ordered_json results_ = nlohmann::ordered_json::array();
};

}  // namespace tessera::command_line

#endif  // TESSERA_APPS_TESSERA_TUNE_SEARCH_HPP
