#ifndef TESSERA_CORE_TUNING_TUNING_LOOKUP_HPP
#define TESSERA_CORE_TUNING_TUNING_LOOKUP_HPP

#include "core/tuning/tuning_record.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

/// \file
/// Search for the record of the tuning database that applies to a problem, and checks of its
/// validity.

namespace tessera {

/// The build and sources that a record has to agree with.
struct TuningSetting {
  TunedBuild build;
  /// source_hash() of an implementation; absent where this build has none of this name.
  std::function<std::optional<std::string>(const std::string& operation, Precision,
                                           const std::string& implementation)>
      source;
};

/// "was measured on X, this is Y"; absent where the record is from this device.
[[nodiscard]] Refusal foreign(const TuningRecord& record, const TunedDevice& device);

/// Whether a record does not apply to this device: another host, or another architecture.
[[nodiscard]] bool out_of_reach(const TuningRecord& record, const TunedDevice& device);

/// Reason why a measurement is not valid: the library, a compiler, the driver or the sources of the
/// implementation have changed, or the gain does not exceed the noise. Absent when it is valid.
[[nodiscard]] Refusal stale(const TuningRecord& record, const TunedCandidate& candidate,
                            const TunedDevice& device, const TuningSetting& setting);

/// Closeness of a record to a problem.
enum class TuningMatch {
  exact,         ///< same device, similar size and magnitudes
  near_size,     ///< same device, another size
  other_device,  ///< another device of the same architecture
};

[[nodiscard]] constexpr std::string_view name(TuningMatch match) {
  switch (match) {
    case TuningMatch::exact:
      return "exact";
    case TuningMatch::near_size:
      return "near size";
    case TuningMatch::other_device:
      return "other device";
  }
  return "unknown";
}

/// The kind of match, and the sum of |log2| of the ratios. Absent where the record is too far:
/// another kind of problem, sizes that differ by more than a factor of 8, magnitudes by more than
/// 2, another architecture, or another host.
struct TuningDistance {
  TuningMatch match = TuningMatch::exact;
  double distance = 0;
};
[[nodiscard]] std::optional<TuningDistance> distance(const TuningRecord& record,
                                                     const ProblemKey& problem,
                                                     const TunedDevice& device);

/// A usable candidate of a record, and how close the record is to the problem.
struct FoundTuning {
  const TuningRecord* record = nullptr;
  const TunedCandidate* candidate = nullptr;
  TuningDistance how;
};

/// The closest valid record; among equally close ones the newest, then the first.
/// \param implementation restricts the search to one implementation; empty for the winner.
[[nodiscard]] std::optional<FoundTuning> find_tuning(const std::vector<TuningRecord>& records,
                                                     const std::string& operation,
                                                     Precision precision, const ProblemKey& problem,
                                                     const TunedDevice& device,
                                                     const TuningSetting& setting,
                                                     const std::string& implementation = {});

}  // namespace tessera

#endif  // TESSERA_CORE_TUNING_TUNING_LOOKUP_HPP
