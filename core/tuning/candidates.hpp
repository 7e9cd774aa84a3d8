#ifndef TESSERA_CORE_TUNING_CANDIDATES_HPP
#define TESSERA_CORE_TUNING_CANDIDATES_HPP

#include "core/operations/registry.hpp"
#include "core/parameters/tuning_parameter.hpp"
#include "core/trials/trial.hpp"

#include <cstdint>
#include <string>
#include <vector>

/// \file
/// The candidates for a problem: every implementation except references, with every combination of
/// listed parameter values that the problem and the device allow and that does not repeat another.

namespace tessera {

struct Candidate {
  std::string implementation;
  ParameterValues parameters;  ///< all parameters of the implementation

  friend bool operator==(const Candidate&, const Candidate&) = default;
};

/// "cuda.list block_size=128 skin_over_cutoff=0.16"
[[nodiscard]] std::string to_string(const Candidate& candidate);

/// Restrictions of a search; an empty member does not restrict it.
struct CandidateLimits {
  std::vector<std::string> implementations;
  /// Implementation that the user chose; empty: none. Only its candidates are searched, and the
  /// untuned candidate is its default.
  std::string chosen;
  /// Values to try, by parameter name: "skin_over_cutoff", or "cuda.list.skin_over_cutoff".
  std::map<std::string, std::vector<ParameterValue>> values;
};

/// Combinations of parameter values of one implementation that the problem or the device rules out
/// for the same reason.
struct RefusedCandidates {
  std::string implementation;
  std::string reason;
  std::int64_t count = 0;
  std::int64_t of = 0;  ///< number of its combinations; 0 where it cannot run on the device at all

  /// Whether all combinations of the implementation are ruled out.
  [[nodiscard]] bool whole() const { return count == of; }

  friend bool operator==(const RefusedCandidates&, const RefusedCandidates&) = default;
};

/// "cuda.list, 12 of 96 candidates: the tile does not fit", "cuda.list: no charges"
[[nodiscard]] std::string to_string(const RefusedCandidates& refused);

struct Candidates {
  /// Unique. The first is the untuned candidate with its default parameters. The others are ordered
  /// by implementation in the default order, then by their parameter values in the order of the
  /// lists.
  std::vector<Candidate> all;
  /// Indices in `all` of the untuned candidates of the implementations.
  std::vector<std::size_t> defaults;
  std::int64_t inert = 0;  ///< combinations left out, because a value in them has no effect
  std::vector<RefusedCandidates> refused;
};

/// \throws RefusalError when no implementation can run the problem; SelectionError for unknown
/// names in `limits`, InputError for values that a parameter does not accept.
[[nodiscard]] Candidates find_candidates(const Registry& registry, TrialRun& run,
                                         const CandidateLimits& limits = {});

}  // namespace tessera

#endif  // TESSERA_CORE_TUNING_CANDIDATES_HPP
