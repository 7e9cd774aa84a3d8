#ifndef TESSERA_CORE_TUNING_CANDIDATES_HPP
#define TESSERA_CORE_TUNING_CANDIDATES_HPP

#include "core/operations/registry.hpp"
#include "core/parameters/knobs.hpp"
#include "core/trials/trial.hpp"

#include <cstdint>
#include <string>
#include <vector>

/// \file
/// What may run a problem: every implementation with every combination of the values of its knobs
/// that the problem and the device allow.

namespace tessera {

struct Candidate {
  std::string implementation;
  KnobValues knobs;  ///< all of the implementation

  friend bool operator==(const Candidate&, const Candidate&) = default;
};

/// "cuda.list block_size=128 skin_over_cutoff=0.16"
[[nodiscard]] std::string to_string(const Candidate& candidate);

/// What a search may be kept to. Empty: everything.
struct CandidateLimits {
  std::vector<std::string> implementations;
  /// One that the user has chosen: it is what runs untuned, and others do not come into question.
  std::string chosen;
  /// Values by the name of a knob, "skin_over_cutoff", or "cuda.list.skin_over_cutoff".
  std::map<std::string, std::vector<KnobValue>> values;
};

/// Combinations of knob values of one implementation that problem or device do not allow, for one
/// reason.
struct RefusedCandidates {
  std::string implementation;
  std::string reason;
  std::int64_t count = 0;
  std::int64_t of = 0;  ///< all its combinations; 0 where the device as such does not suit it

  /// No value of any knob would help.
  [[nodiscard]] bool whole() const { return count == of; }

  friend bool operator==(const RefusedCandidates&, const RefusedCandidates&) = default;
};

/// "cuda.list, 12 of 96 candidates: the tile does not fit", "cuda.list: no charges"
[[nodiscard]] std::string to_string(const RefusedCandidates& refused);

struct Candidates {
  /// Without doubles; the first is what runs when nothing is tuned, with the defaults of its knobs;
  /// the others by implementation in the default order, then by the values of their knobs in
  /// theirs.
  std::vector<Candidate> all;
  /// Places in `all` of what each implementation does where nothing is tuned.
  std::vector<std::size_t> defaults;
  std::int64_t inert = 0;  ///< left out because a value has no effect in its combination
  std::vector<RefusedCandidates> refused;
};

/// \throws RefusalError when no implementation can run the problem; SelectionError for names in
/// `limits` that are not known, InputError for values that a knob does not take.
[[nodiscard]] Candidates find_candidates(const Registry& registry, TrialRun& run,
                                         const CandidateLimits& limits = {});

}  // namespace tessera

#endif  // TESSERA_CORE_TUNING_CANDIDATES_HPP
