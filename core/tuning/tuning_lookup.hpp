#ifndef TESSERA_CORE_TUNING_TUNING_LOOKUP_HPP
#define TESSERA_CORE_TUNING_TUNING_LOOKUP_HPP

#include "core/tuning/tuning_record.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

/// \file
/// Which record of the tuning database is about a problem, and whether it still holds.

namespace tessera {

/// What a record has to agree with.
struct TuningSetting {
  TunedBuild build;
  /// source_hash() of an implementation; absent where this build has none of that name.
  std::function<std::optional<std::string>(const std::string& operation, Precision,
                                           const std::string& implementation)>
      source;
};

/// "was measured on X, this is Y"; absent where it was measured on this device.
[[nodiscard]] Refusal foreign(const TuningRecord& record, const TunedDevice& device);

/// Whether a record says nothing of this device: a host other than its own, another architecture.
[[nodiscard]] bool out_of_reach(const TuningRecord& record, const TunedDevice& device);

/// Why what was measured holds no longer, or never did: the library, a compiler, the driver or the
/// sources of the implementation have changed, or the noise does not support it. Absent when it
/// holds.
[[nodiscard]] Refusal stale(const TuningRecord& record, const TunedCandidate& candidate,
                            const TunedDevice& device, const TuningSetting& setting);

/// How near a record is to a problem.
enum class TuningMatch {
  exact,         ///< the same device, size and magnitudes alike
  near_size,     ///< the same device, another size
  other_device,  ///< of the same architecture
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

/// How near, and the sum of |log2| of what differs; absent where the record is too far: another
/// kind of problem, a size that is more than 8 times as large or small, a magnitude more than
/// twice, another architecture, a host that is not this one.
struct TuningDistance {
  TuningMatch match = TuningMatch::exact;
  double distance = 0;
};
[[nodiscard]] std::optional<TuningDistance> distance(const TuningRecord& record,
                                                     const ProblemKey& problem,
                                                     const TunedDevice& device);

/// A candidate of a record that may be used.
struct FoundTuning {
  const TuningRecord* record = nullptr;
  const TunedCandidate* candidate = nullptr;
  TuningDistance how;
};

/// The nearest record that holds; of those as near the newest, then the first.
/// \param implementation whose best values are wanted; empty: those of the winner.
[[nodiscard]] std::optional<FoundTuning> find_tuning(const std::vector<TuningRecord>& records,
                                                     const std::string& operation,
                                                     Precision precision, const ProblemKey& problem,
                                                     const TunedDevice& device,
                                                     const TuningSetting& setting,
                                                     const std::string& implementation = {});

}  // namespace tessera

#endif  // TESSERA_CORE_TUNING_TUNING_LOOKUP_HPP
