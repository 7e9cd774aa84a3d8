#ifndef TESSERA_CORE_OPERATIONS_TUNED_CHOICES_HPP
#define TESSERA_CORE_OPERATIONS_TUNED_CHOICES_HPP

#include "core/base/precision.hpp"
#include "core/memory/device.hpp"
#include "core/parameters/problem_key.hpp"
#include "core/parameters/tuning_parameter.hpp"

#include <optional>
#include <string>
#include <vector>

/// \file
/// Interface through which choices look up measurements. core/tuning/recorded_choices.hpp
/// implements it with the tuning database.

namespace tessera {

/// The evidence for a tuned choice.
struct TuningEvidence {
  std::string text;   ///< size, device and gain of the record, in words; empty: not tuned
  std::string match;  ///< how close the record is: "exact", "near size", "other device"
  ProblemKey record;  ///< the measured problem
  std::string device;
  std::string date;
  double gain = 1;  ///< speedup over the untuned choice
};

/// The fastest measured implementation with its parameter values.
struct TunedChoice {
  std::string implementation;
  ParameterValues parameters;
  TuningEvidence evidence;
};

class TunedChoices {
 public:
  virtual ~TunedChoices() = default;

  /// The best measurement for similar problems on similar devices; absent where there is none. Does
  /// not throw for invalid records.
  /// \param implementation restricts the search to one implementation; empty for all.
  [[nodiscard]] virtual std::optional<TunedChoice> find(
      const std::string& operation, Precision precision, const ProblemKey& problem,
      const DeviceProperties& device, const std::string& implementation = {}) const = 0;

  /// All measurements for an operation on a device.
  [[nodiscard]] virtual std::vector<TunedChoice> known(const std::string& operation,
                                                       Precision precision,
                                                       const DeviceProperties& device) const = 0;
};

}  // namespace tessera

#endif  // TESSERA_CORE_OPERATIONS_TUNED_CHOICES_HPP
