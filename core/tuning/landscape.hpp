#ifndef TESSERA_CORE_TUNING_LANDSCAPE_HPP
#define TESSERA_CORE_TUNING_LANDSCAPE_HPP

#include "core/base/precision.hpp"
#include "core/parameters/problem_key.hpp"
#include "core/tuning/evaluator.hpp"
#include "core/tuning/strategy.hpp"

#include <filesystem>
#include <string>
#include <vector>

/// \file
/// What a search has measured, as a file: to go on from, to be looked at, and to try strategies on.

namespace tessera {

struct Landscape {
  std::string operation;
  std::string precision;
  std::string input;  ///< with its size
  std::string device;
  std::string architecture;
  std::string backend;
  std::string build;  ///< version and commit
  std::string date;
  std::string strategy;
  ProblemKey key;
  double items = 0;
  std::vector<Candidate> candidates;
  std::vector<Measurement> measurements;   ///< one for each candidate
  std::vector<RefusedCandidates> refused;  ///< before anything was measured
  std::vector<std::size_t> order;          ///< in which they were measured
  /// Of the comparison at the end: candidate and its times over those of the first.
  std::vector<std::pair<std::size_t, std::vector<double>>> compared;

  [[nodiscard]] Measured measured() const;
  /// Least seconds of those that count; 0: there are none.
  [[nodiscard]] double best_seconds() const;
  /// Candidates that count.
  [[nodiscard]] std::size_t valid() const;
  /// The share of these whose speed is at least so much of the best one's.
  [[nodiscard]] double share_within(double speed) const;
};

/// \throws InputError naming file and field.
[[nodiscard]] Landscape read_landscape(const std::filesystem::path& path);
/// \throws FileError
void write_landscape(const Landscape& landscape, const std::filesystem::path& path);

/// A landscape in place of workers: what was measured is handed out again.
class RecordedEvaluator final : public Evaluator {
 public:
  explicit RecordedEvaluator(const Landscape& landscape) : landscape_(landscape) {}

  [[nodiscard]] const std::vector<Candidate>& candidates() const override {
    return landscape_.candidates;
  }
  [[nodiscard]] std::vector<Measurement> measure(const std::vector<std::size_t>& which,
                                                 double seconds) override;
  [[nodiscard]] std::vector<double> round(const std::vector<std::size_t>& which, bool backwards,
                                          double seconds) override;
  [[nodiscard]] Measurement check(std::size_t candidate, double seconds) override;

 private:
  const Landscape& landscape_;
};

/// After how many evaluations a strategy has met a candidate that is so fast, relative to the best;
/// the number of candidates and one where it does not.
[[nodiscard]] std::size_t evaluations_to(const Landscape& landscape, const std::string& strategy,
                                         std::uint64_t seed, double speed, std::size_t group = 1);

}  // namespace tessera

#endif  // TESSERA_CORE_TUNING_LANDSCAPE_HPP
