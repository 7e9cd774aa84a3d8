#ifndef TESSERA_CORE_TUNING_WORKER_EVALUATOR_HPP
#define TESSERA_CORE_TUNING_WORKER_EVALUATOR_HPP

#include "core/base/error.hpp"
#include "core/memory/device.hpp"
#include "core/parameters/problem_key.hpp"
#include "core/tuning/evaluator.hpp"

#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

/// \file
/// Measurements by `tessera trial` in separate processes, one at a time. A group of candidates
/// shares a process: each is checked, then all are timed in turn. A process is ended after a
/// failure in it, and the failed candidate is checked again alone in a new process, so that no
/// candidate fails because of another one.

namespace tessera {

struct WorkerEvaluatorOptions {
  std::vector<std::string> command;  ///< path of the worker program and its arguments
  std::string operation;             ///< full name
  std::string precision = "double";
  std::string backend = "auto";
  int device = 0;
  std::string input;                   ///< input of the operation, or a case file
  std::vector<std::string> overrides;  ///< "key=value" for keys of the case, as for --set
  std::int64_t size = 0;
  CandidateLimits limits;
  double timeout = 60;  ///< seconds for the check of one candidate, or for one sample
  int group = 24;       ///< number of candidates that share a process
  int samples = 5;
  std::function<bool()> stop;  ///< checked between candidates; may be empty
  std::function<void(std::size_t candidate, const Measurement&)> measured;  ///< may be empty
};

/// The problem could not be opened within the time limit.
class TimeIsUpError : public Error {
 public:
  using Error::Error;
};

class WorkerEvaluator final : public Evaluator {
 public:
  /// Starts a worker, which finds the candidates. There are none where a case poses no problem of
  /// the operation, or no implementation has the precision.
  /// \param seconds time limit.
  /// \throws InputError for errors in the options, RefusalError where no implementation can run the
  /// problem, Error where a worker fails, TimeIsUpError.
  explicit WorkerEvaluator(WorkerEvaluatorOptions options,
                           double seconds = std::numeric_limits<double>::infinity());
  ~WorkerEvaluator() override;

  [[nodiscard]] const std::vector<Candidate>& candidates() const override;
  [[nodiscard]] std::vector<std::size_t> defaults() const override;
  [[nodiscard]] std::vector<Measurement> measure(const std::vector<std::size_t>& which,
                                                 double seconds) override;
  [[nodiscard]] std::vector<double> round(const std::vector<std::size_t>& which, bool backwards,
                                          double seconds) override;
  [[nodiscard]] Measurement check(std::size_t candidate, double seconds) override;
  [[nodiscard]] double seconds_of_sample() const override;
  [[nodiscard]] double seconds_of_check() const override;
  void rest() override;

  /// Name that the worker gives the problem: input and size.
  [[nodiscard]] const std::string& label() const;
  [[nodiscard]] const ProblemKey& key() const;
  [[nodiscard]] const DeviceProperties& device() const;
  [[nodiscard]] double items() const;
  /// Candidates that were ruled out, with the reasons.
  [[nodiscard]] const std::vector<RefusedCandidates>& refused() const;

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace tessera

#endif  // TESSERA_CORE_TUNING_WORKER_EVALUATOR_HPP
