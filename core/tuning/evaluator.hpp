#ifndef TESSERA_CORE_TUNING_EVALUATOR_HPP
#define TESSERA_CORE_TUNING_EVALUATOR_HPP

#include "core/tuning/candidates.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

/// \file
/// Source of the measurements of a search: workers, or a recorded landscape.

namespace tessera {

/// Result of measuring a candidate.
struct Measurement {
  enum class Outcome {
    unmeasured,  ///< not measured yet
    measured,
    wrong,      ///< wrong or missing results, or writes out of bounds
    refused,    ///< it cannot run
    crashed,    ///< its process crashed
    timed_out,  ///< its process was killed after a timeout
  };

  Outcome outcome = Outcome::unmeasured;
  std::string reason;  ///< for candidates without a time
  double seconds = 0;  ///< median time of a step, including its share of prepare
  double spread = 0;   ///< interquartile range of the samples relative to their median
  double prepare = 0;  ///< seconds of one prepare
  double steps = 0;    ///< steps between two calls of prepare; infinite without limit
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

  /// All candidates; the first one is untuned. The order depends only on the problem.
  [[nodiscard]] virtual const std::vector<Candidate>& candidates() const = 0;
  /// Indices of the untuned candidates of all implementations.
  [[nodiscard]] virtual std::vector<std::size_t> defaults() const { return {0}; }

  /// Checks and times candidates, given by their indices. Each time is relative to one of the first
  /// candidate that was taken at about the same moment.
  /// \param seconds time limit; candidates not reached by then stay unmeasured.
  [[nodiscard]] virtual std::vector<Measurement> measure(const std::vector<std::size_t>& which,
                                                         double seconds) = 0;

  /// One sample of each candidate in turn, forwards or backwards: seconds of a step, 0 for a
  /// candidate that fails. Plans are kept between rounds. The first candidate may be listed twice,
  /// with two plans.
  /// \param seconds time limit, after which the result is empty.
  [[nodiscard]] virtual std::vector<double> round(const std::vector<std::size_t>& which,
                                                  bool backwards, double seconds) = 0;

  /// Checks one candidate in isolation. \param seconds time limit as in measure().
  [[nodiscard]] virtual Measurement check(std::size_t candidate, double seconds) = 0;

  /// Elapsed time of one sample of the untuned candidate; 0: not known yet.
  [[nodiscard]] virtual double seconds_of_sample() const { return 0; }
  /// Elapsed time of check(); 0: not known yet.
  [[nodiscard]] virtual double seconds_of_check() const { return 0; }

  /// Releases resources that are held between calls.
  virtual void rest() {}

 protected:
  Evaluator() = default;
};

}  // namespace tessera

#endif  // TESSERA_CORE_TUNING_EVALUATOR_HPP
