#ifndef TESSERA_CORE_TUNING_TUNER_HPP
#define TESSERA_CORE_TUNING_TUNER_HPP

#include "core/tuning/comparison.hpp"
#include "core/tuning/evaluator.hpp"
#include "core/tuning/strategy.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

/// \file
/// The search: a strategy says what to measure next, an evaluator measures, and the best few are
/// compared with what runs untuned, round by round. A gain is kept where the rounds support it.

namespace tessera {

/// Seconds since some moment, of a clock that does not go back.
using TuningClock = std::function<double()>;
[[nodiscard]] TuningClock steady_clock_seconds();

inline constexpr double no_time_limit = std::numeric_limits<double>::infinity();

struct TunerOptions {
  std::string strategy = "adaptive";
  std::uint64_t seed = 1;
  std::size_t finalists = 6;  ///< and the best of each implementation
  int rounds = 21;            ///< of a comparison
  int most_rounds = 63;       ///< where a time is given and 21 leave the gain in doubt
  TuningClock clock = steady_clock_seconds();
  std::function<bool()> stop;  ///< may be empty
  /// After each group; may be empty.
  std::function<void(const Measured&)> progress;
};

/// Values of the knobs of an implementation that are faster than its own defaults: for who chooses
/// that implementation, whether or not it is the fastest.
struct OwnValues {
  std::size_t candidate = 0;
  Ratio to_untuned;
  Ratio to_defaults;
};

struct TuningResult {
  Measured measured;
  std::vector<std::size_t> order;  ///< in which they were measured, what was known before first
  std::size_t winner = 0;
  bool kept_default = true;
  bool stopped = false;        ///< before there was a comparison
  double noise = 0;            ///< what a gain has to exceed: noise_of() the untuned one, relative
  Ratio ratio;                 ///< of the winner to the untuned
  std::vector<OwnValues> own;  ///< of the other implementations
  /// Why nothing of it may be kept, not even that the untuned one is the fastest.
  Refusal doubtful;
  /// The candidate that looked faster than the untuned one, and why it is not kept.
  Refusal not_kept;
  double looked = 1;  ///< the largest gain that the comparison showed, kept or not
  /// Of the comparison: candidate and times over those of the untuned, round by round.
  std::vector<std::pair<std::size_t, std::vector<double>>> compared;
  std::string note;  ///< what a user should know: the untuned one fails, for instance
};

class Search {
 public:
  /// \param known what was measured before, of a search that was stopped.
  Search(Evaluator& evaluator, TunerOptions options, Measured known = {});
  ~Search();

  /// Whether there is anything left to measure.
  [[nodiscard]] bool has_more() const;
  /// Measures one group. \returns how many it got to.
  /// \param most candidates; \param seconds after which it gives up.
  std::size_t measure(std::size_t most, double seconds = no_time_limit);
  /// The time of the smallest comparison that says something; 0: not known yet.
  [[nodiscard]] double least_seconds_of_comparison() const;
  /// Compares the best with what runs untuned, and forgets an earlier comparison.
  /// \param seconds after which it ends with the rounds that it has.
  void compare(double seconds = no_time_limit);

  [[nodiscard]] const TuningResult& result() const;

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

/// A whole search without a limit of time.
/// \param evaluations at most; 0: all candidates. \param group candidates that are measured before
/// the next ones are chosen.
[[nodiscard]] TuningResult search(Evaluator& evaluator, const TunerOptions& options,
                                  std::int64_t evaluations = 0, std::size_t group = 8,
                                  Measured known = {});

}  // namespace tessera

#endif  // TESSERA_CORE_TUNING_TUNER_HPP
