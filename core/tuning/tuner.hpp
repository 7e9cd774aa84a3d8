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
/// A search: a strategy picks the next candidates, an evaluator measures them, and the best few are
/// compared with the untuned candidate in rounds. A gain is kept where it is statistically
/// significant.

namespace tessera {

/// Monotonic clock: seconds since an arbitrary origin.
using TuningClock = std::function<double()>;
[[nodiscard]] TuningClock steady_clock_seconds();

inline constexpr double no_time_limit = std::numeric_limits<double>::infinity();

struct TunerOptions {
  std::string strategy = "adaptive";
  std::uint64_t seed = 1;
  std::size_t finalists = 6;  ///< in addition to the best of each implementation
  int rounds = 21;            ///< rounds of a comparison
  int most_rounds = 63;       ///< limit in a timed search, if `rounds` leave the gain in doubt
  TuningClock clock = steady_clock_seconds();
  std::function<bool()> stop;  ///< may be empty
  /// Called with all measurements after each group of candidates; may be empty.
  std::function<void(const Measured&)> progress;
};

/// Parameter values that are faster than the defaults of their implementation, for users of that
/// implementation, whether it is the fastest or not.
struct OwnValues {
  std::size_t candidate = 0;
  Ratio to_untuned;
  Ratio to_defaults;
};

struct TuningResult {
  Measured measured;
  std::vector<std::size_t> order;  ///< order of measurement, earlier known ones first
  std::size_t winner = 0;
  bool kept_default = true;
  bool stopped = false;        ///< the user stopped it before or during the comparison
  double noise = 0;            ///< noise_of() the untuned candidate; a gain has to exceed it
  Ratio ratio;                 ///< of the winner to the untuned candidate
  std::vector<OwnValues> own;  ///< for implementations other than the untuned one
  /// Reason why no result may be kept, not even that the untuned candidate is the fastest.
  Refusal doubtful;
  /// The candidate that appeared to be faster than the untuned one, and the reason why it is not
  /// kept.
  Refusal not_kept;
  double looked = 1;  ///< largest gain in the comparison, whether kept or not
  /// From the comparison: a candidate, and its times relative to those of the untuned one in each
  /// round.
  std::vector<std::pair<std::size_t, std::vector<double>>> compared;
  std::string note;  ///< message to the user, for instance that the untuned candidate fails
};

class Search {
 public:
  /// \param known measurements of an interrupted search.
  Search(Evaluator& evaluator, TunerOptions options, Measured known = {});
  ~Search();

  /// Whether candidates are left to measure.
  [[nodiscard]] bool has_more() const;
  /// Measures one group. \returns the number of measured candidates.
  /// \param most limit on the candidates. \param seconds time limit.
  std::size_t measure(std::size_t most, double seconds = no_time_limit);
  /// Time of the smallest significant comparison; 0: not known yet.
  [[nodiscard]] double least_seconds_of_comparison() const;
  /// Compares the best candidates with the untuned one and discards an earlier comparison.
  /// \param seconds time limit; the comparison then uses the completed rounds.
  void compare(double seconds = no_time_limit);

  [[nodiscard]] const TuningResult& result() const;

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

/// A complete search without a time limit.
/// \param evaluations limit on the evaluations; 0: all candidates.
/// \param group number of candidates that are measured between decisions of the strategy.
[[nodiscard]] TuningResult search(Evaluator& evaluator, const TunerOptions& options,
                                  std::int64_t evaluations = 0, std::size_t group = 8,
                                  Measured known = {});

}  // namespace tessera

#endif  // TESSERA_CORE_TUNING_TUNER_HPP
