#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <tessera/core/tuning/candidates.hpp>
#include <vector>

/// \file
/// Where a search gets its measurements: from workers, or from a landscape that was recorded.

namespace tessera {

/// What became of a candidate.
struct Measurement {
  enum class Outcome {
    unmeasured,  ///< nobody has got to it
    measured,
    wrong,      ///< it gave wrong results, left some out, or wrote where nothing should be
    refused,    ///< it cannot run after all
    crashed,    ///< its process ended
    timed_out,  ///< its process had to be ended
  };

  Outcome outcome = Outcome::unmeasured;
  std::string reason;  ///< where it was not measured
  double seconds = 0;  ///< a step as it is used: prepare counts by its share; median
  double spread = 0;   ///< half of the samples lie in so wide a range around it, relative
  double prepare = 0;  ///< seconds of one prepare
  double steps = 0;    ///< from one prepare to the next; infinite where it has no end
  int samples = 0;

  [[nodiscard]] bool counts() const { return outcome == Outcome::measured; }
  [[nodiscard]] bool known() const { return outcome != Outcome::unmeasured; }
};

[[nodiscard]] std::string_view name(Measurement::Outcome outcome);
/// \throws InputError
[[nodiscard]] Measurement::Outcome measurement_outcome(std::string_view name);

class Evaluator {
 public:
  virtual ~Evaluator() = default;

  /// The first runs when nothing is tuned. In an order that belongs to the problem alone.
  [[nodiscard]] virtual const std::vector<Candidate>& candidates() const = 0;

  /// Checks and times candidates by their numbers, each against the first in the same minute.
  [[nodiscard]] virtual std::vector<Measurement> measure(const std::vector<std::size_t>& which) = 0;

  /// Compares a few more closely: the samples of all in turn. Each gives the times of its rounds
  /// over that of the first candidate in the same round; the first itself is among them twice, as
  /// a yardstick of the noise, and comes last. Empty where one fails.
  [[nodiscard]] virtual std::vector<std::vector<double>> compare(
      const std::vector<std::size_t>& which, int rounds) = 0;

 protected:
  Evaluator() = default;
};

}  // namespace tessera
