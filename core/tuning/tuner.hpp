#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <tessera/core/tuning/evaluator.hpp>
#include <tessera/core/tuning/strategy.hpp>
#include <vector>

/// \file
/// The search: a strategy says what to measure next, an evaluator measures, and the best few are
/// compared with what runs untuned until the difference is larger than the noise, or is none.

namespace tessera {

struct TunerOptions {
  std::string strategy = "adaptive";
  std::uint64_t seed = 1;
  std::int64_t evaluations = 0;  ///< at most; 0: all candidates
  double seconds = 0;            ///< to search for; 0: no limit. Groups are finished
  std::size_t group = 8;         ///< candidates that are measured before the next ones are chosen
  int finalists = 6;
  int rounds = 21;             ///< of the comparison at the end
  std::function<bool()> stop;  ///< may be empty
  /// After each group; may be empty.
  std::function<void(const Measured&)> progress;
};

struct TuningResult {
  Measured measured;
  std::vector<std::size_t> order;  ///< in which they were measured, what was known before first
  std::size_t winner = 0;
  bool kept_default = true;
  bool stopped = false;  ///< before there was a comparison
  double noise = 0;      ///< what a gain has to exceed, relative
  double ratio = 1;      ///< time of the winner over that of the untuned
  /// Of the comparison: candidate and times over those of the untuned, round by round.
  std::vector<std::pair<std::size_t, std::vector<double>>> compared;
  std::string note;  ///< what a user should know: the untuned one fails, for instance
};

/// \param known what was measured before, of a search that was stopped.
[[nodiscard]] TuningResult search(Evaluator& evaluator, const TunerOptions& options,
                                  Measured known = {});

}  // namespace tessera
