#ifndef TESSERA_CORE_TUNING_EVALUATOR_HPP
#define TESSERA_CORE_TUNING_EVALUATOR_HPP

#include "core/tuning/candidates.hpp"

#include <cstddef>
#include <string>
#include <string_view>
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
  /// Candidates that are what their implementation does where nothing is tuned.
  [[nodiscard]] virtual std::vector<std::size_t> defaults() const { return {0}; }

  /// Checks and times candidates by their numbers, each against the first in the same minute.
  /// \param seconds after which it gives up: who it has not got to stays unmeasured.
  [[nodiscard]] virtual std::vector<Measurement> measure(const std::vector<std::size_t>& which,
                                                         double seconds) = 0;

  /// One sample of each in turn, forwards or backwards: seconds of a step, 0 of one that fails.
  /// Plans stay from round to round; the first candidate may be among them twice, with two plans.
  /// \param seconds after which it gives up and gives nothing.
  [[nodiscard]] virtual std::vector<double> round(const std::vector<std::size_t>& which,
                                                  bool backwards, double seconds) = 0;

  /// Checks one by itself, away from all others. \param seconds as of measure().
  [[nodiscard]] virtual Measurement check(std::size_t candidate, double seconds) = 0;

  /// How long a sample takes, of what runs untuned and by the clock; 0: nobody knows yet.
  [[nodiscard]] virtual double seconds_of_sample() const { return 0; }
  /// The same of check().
  [[nodiscard]] virtual double seconds_of_check() const { return 0; }

  /// Lets go of what it holds between calls.
  virtual void rest() {}

 protected:
  Evaluator() = default;
};

}  // namespace tessera

#endif  // TESSERA_CORE_TUNING_EVALUATOR_HPP
