#pragma once

#include <cstdint>
#include <string>
#include <tessera/core/operations/registry.hpp>
#include <tessera/core/operations/trial.hpp>
#include <tessera/core/tuning/knobs.hpp>
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
  /// Values by the name of a knob, "skin_over_cutoff", or "cuda.list.skin_over_cutoff".
  std::map<std::string, std::vector<KnobValue>> values;
};

struct Candidates {
  /// Without doubles; the first is what runs when nothing is tuned, with the defaults of its knobs;
  /// the others by implementation in the default order, then by the values of their knobs in
  /// theirs.
  std::vector<Candidate> all;
  std::int64_t inert = 0;            ///< left out because a value has no effect in its combination
  std::int64_t refused = 0;          ///< left out because problem or device do not allow them
  std::vector<std::string> reasons;  ///< of refusals, each once
};

/// \throws RefusalError when no implementation can run the problem; SelectionError for names in
/// `limits` that are not known, InputError for values that a knob does not take.
[[nodiscard]] Candidates find_candidates(const Registry& registry, TrialRun& run,
                                         const CandidateLimits& limits = {});

}  // namespace tessera
