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
/// The measurements of a search as a file, for continuing it, for inspection, and for tests of
/// strategies.

namespace tessera {

struct Landscape {
  std::string operation;
  std::string precision;
  std::string input;  ///< including its size
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
  std::vector<RefusedCandidates> refused;  ///< candidates refused before any measurement
  std::vector<std::size_t> order;          ///< order in which the candidates were measured
  /// Results of the final comparison: index of a candidate, and the ratio of its time to that of
  /// the first candidate in each round.
  std::vector<std::pair<std::size_t, std::vector<double>>> compared;

  [[nodiscard]] Measured measured() const;
  /// Shortest time of a measured candidate; 0: there is none.
  [[nodiscard]] double best_seconds() const;
  /// Number of candidates with a time.
  [[nodiscard]] std::size_t valid() const;
  /// Share of the candidates with a time that reach at least `speed` times the speed of the best.
  [[nodiscard]] double share_within(double speed) const;
};

/// \throws InputError with file and field.
[[nodiscard]] Landscape read_landscape(const std::filesystem::path& path);
/// \throws FileError
void write_landscape(const Landscape& landscape, const std::filesystem::path& path);

/// Returns recorded measurements instead of running workers.
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

/// Number of evaluations until a strategy finds a candidate with at least `speed` times the speed
/// of the best; the number of candidates plus one where it never does.
[[nodiscard]] std::size_t evaluations_to(const Landscape& landscape, const std::string& strategy,
                                         std::uint64_t seed, double speed, std::size_t group = 1);

}  // namespace tessera

#endif  // TESSERA_CORE_TUNING_LANDSCAPE_HPP
