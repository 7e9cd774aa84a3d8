#ifndef TESSERA_CORE_TUNING_PACE_HPP
#define TESSERA_CORE_TUNING_PACE_HPP

#include "core/tuning/tuner.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

/// \file
/// Several searches that share one time budget.

namespace tessera {

/// A search that takes turns with others. Its resources are opened at its first turn.
class PacedSearch {
 public:
  virtual ~PacedSearch() = default;
  PacedSearch(const PacedSearch&) = delete;
  PacedSearch& operator=(const PacedSearch&) = delete;

  /// Weight of its part of the budget, relative to the other searches; greater than 0.
  [[nodiscard]] virtual double share() const = 0;
  /// Whether candidates are left to measure, as far as is known.
  [[nodiscard]] virtual bool has_more() const = 0;
  /// Number of measured candidates, including those of an earlier search.
  [[nodiscard]] virtual std::int64_t measured() const = 0;
  /// See Search::least_seconds_of_comparison().
  [[nodiscard]] virtual double least_seconds_of_comparison() const = 0;
  virtual void measure(std::size_t most, double seconds) = 0;
  virtual void compare(double seconds) = 0;

 protected:
  PacedSearch() = default;
};

struct Pace {
  double until = no_time_limit;  ///< time of `clock` at which the budget ends
  std::int64_t evaluations = 0;  ///< limit for all searches together; 0: all candidates
  std::size_t group = 8;         ///< candidates measured between decisions of the strategy
  TuningClock clock = steady_clock_seconds();
  std::function<bool()> stop;  ///< may be empty
};

/// Measures and compares until all candidates are measured or the budget, which includes the
/// comparisons, is spent. Comparisons get a third of the remaining time, or up to two thirds where
/// they need it. Time that they leave is used for further passes.
void run_paced(const std::vector<PacedSearch*>& searches, const Pace& pace);

}  // namespace tessera

#endif  // TESSERA_CORE_TUNING_PACE_HPP
