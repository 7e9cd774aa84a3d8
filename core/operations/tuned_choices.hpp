#ifndef TESSERA_CORE_OPERATIONS_TUNED_CHOICES_HPP
#define TESSERA_CORE_OPERATIONS_TUNED_CHOICES_HPP

#include "core/base/precision.hpp"
#include "core/memory/device.hpp"
#include "core/parameters/knobs.hpp"
#include "core/parameters/problem_key.hpp"

#include <optional>
#include <string>
#include <vector>

/// \file
/// What choices ask measurements for. core/tuning/recorded_choices.hpp answers from the tuning
/// database.

namespace tessera {

/// What a tuned choice rests on.
struct TuningEvidence {
  std::string text;   ///< in words: the record, the device, the gain; empty: not tuned
  std::string match;  ///< how near the record is: "exact", "near size", "other device"
  ProblemKey record;  ///< the problem that was measured
  std::string device;
  std::string date;
  double gain = 1;  ///< how often faster than untuned it was
};

/// An implementation with the knob values that were the fastest.
struct TunedChoice {
  std::string implementation;
  KnobValues knobs;
  TuningEvidence evidence;
};

class TunedChoices {
 public:
  virtual ~TunedChoices() = default;

  /// The best that was measured for problems like this one on devices like this one; absent where
  /// nothing is known. Does not throw for what is wrong with the records.
  /// \param implementation whose best values are wanted; empty: those of the winner.
  [[nodiscard]] virtual std::optional<TunedChoice> find(
      const std::string& operation, Precision precision, const ProblemKey& problem,
      const DeviceProperties& device, const std::string& implementation = {}) const = 0;

  /// All that could be found for an operation on a device.
  [[nodiscard]] virtual std::vector<TunedChoice> known(const std::string& operation,
                                                       Precision precision,
                                                       const DeviceProperties& device) const = 0;
};

}  // namespace tessera

#endif  // TESSERA_CORE_OPERATIONS_TUNED_CHOICES_HPP
