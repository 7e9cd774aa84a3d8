#ifndef TESSERA_CORE_TUNING_PACE_HPP
#define TESSERA_CORE_TUNING_PACE_HPP

#include "core/tuning/tuner.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

/// \file
/// Several searches within one budget, which each gets a share of.

namespace tessera {

/// A search as it is paced: opened when it gets its first turn.
class PacedSearch {
 public:
  virtual ~PacedSearch() = default;
  PacedSearch(const PacedSearch&) = delete;
  PacedSearch& operator=(const PacedSearch&) = delete;

  /// Its part of the budget, relative to the others; greater than 0.
  [[nodiscard]] virtual double share() const = 0;
  /// Whether there is anything left to measure, as far as is known.
  [[nodiscard]] virtual bool has_more() const = 0;
  /// Candidates that are measured, those of an earlier search among them.
  [[nodiscard]] virtual std::int64_t measured() const = 0;
  /// As of Search.
  [[nodiscard]] virtual double least_seconds_of_comparison() const = 0;
  virtual void measure(std::size_t most, double seconds) = 0;
  virtual void compare(double seconds) = 0;

 protected:
  PacedSearch() = default;
};

struct Pace {
  double until = no_time_limit;  ///< by the clock
  std::int64_t evaluations = 0;  ///< of all searches; 0: all candidates
  std::size_t group = 8;         ///< candidates that are measured before the next ones are chosen
  TuningClock clock = steady_clock_seconds();
  std::function<bool()> stop;  ///< may be empty
};

/// Measures and compares until all candidates are measured or the budget is spent, the comparisons
/// included. A third of the time that there is goes to these, or as much as they need up to two
/// thirds; what they leave is used for more of both.
void run_paced(const std::vector<PacedSearch*>& searches, const Pace& pace);

}  // namespace tessera

#endif  // TESSERA_CORE_TUNING_PACE_HPP
