#ifndef TESSERA_CORE_TUNING_TUNING_RECORD_HPP
#define TESSERA_CORE_TUNING_TUNING_RECORD_HPP

#include "core/base/error.hpp"
#include "core/base/precision.hpp"
#include "core/memory/device.hpp"
#include "core/parameters/problem_key.hpp"
#include "core/parameters/tuning_parameter.hpp"
#include "core/tuning/statistics.hpp"

#include <cstdint>
#include <string>
#include <vector>

/// \file
/// Measurements of one problem on one device, as plain data: an entry of the tuning database.

namespace tessera {

/// An implementation with parameter values, and its time.
struct TunedCandidate {
  std::string implementation;
  ParameterValues parameters;
  double seconds = 0;  ///< median time of a step, including its share of prepare
  double spread = 0;   ///< interquartile range of the samples, relative to the median
  int samples = 0;
  std::string source;  ///< source_hash() of the implementation at the time of measurement
  /// Interval of the speedup: for the winner relative to the untuned candidate, for others relative
  /// to the defaults of their implementation. Zeros where unknown, as in older records.
  Interval gains;

  friend bool operator==(const TunedCandidate&, const TunedCandidate&) = default;
};

/// The measured device.
struct TunedDevice {
  std::string backend;  ///< backend that held the arrays; several backends may run on one device
  std::string name;
  MemorySpace memory = MemorySpace::host;
  std::string architecture;
  int compute_units = 1;
  std::int64_t concurrency = 1;
  std::string driver;

  friend bool operator==(const TunedDevice&, const TunedDevice&) = default;
};

[[nodiscard]] TunedDevice tuned_device(const DeviceProperties& device);

/// Whether times measured on one device are valid for the other. Hosts have to agree in the number
/// of threads, GPUs in that of multiprocessors.
[[nodiscard]] bool same_device(const TunedDevice& a, const TunedDevice& b);

/// Build of the measured library.
struct TunedBuild {
  std::string version;
  std::string compiler;
  std::string cuda_compiler;
  std::string kokkos;
  std::string flags;

  friend bool operator==(const TunedBuild&, const TunedBuild&) = default;
};

/// Build of this library.
[[nodiscard]] TunedBuild tuned_build();

struct TuningRecord {
  std::string operation;  ///< full name
  Precision precision = Precision::double_precision;
  ProblemKey problem;
  TunedDevice device;
  TunedBuild build;
  /// The winner, followed by candidates that are faster than the defaults of the other
  /// implementations.
  std::vector<TunedCandidate> best;
  TunedCandidate untuned;  ///< candidate without tuning
  double noise = 0;        ///< relative noise of the untuned candidate against itself
  int candidates = 0;      ///< number of candidates in the search space
  int evaluated = 0;       ///< number of evaluated candidates
  std::string strategy;
  std::string input;          ///< input of the operation, or a case
  std::string date;           ///< UTC, "2026-01-31T12:00:00Z"
  bool kept_default = false;  ///< none was faster than the untuned candidate by more than the noise

  [[nodiscard]] const TunedCandidate& winner() const { return best.front(); }
  /// Speedup of the winner over the untuned candidate.
  [[nodiscard]] double gain() const { return untuned.seconds / winner().seconds; }

  friend bool operator==(const TuningRecord&, const TuningRecord&) = default;
};

/// Reason why a candidate's gain in the record is not significant; absent where it is. If the
/// winner's gain is not significant, the record is not used at all.
[[nodiscard]] Refusal unsupported(const TuningRecord& record, const TunedCandidate& candidate);

/// The present time in the format of TuningRecord::date.
[[nodiscard]] std::string utc_date();

/// Whether a record replaces another one: same problem on the same device.
[[nodiscard]] bool same_subject(const TuningRecord& a, const TuningRecord& b);

/// Subject of a record: "md/pair_force double 32000".
[[nodiscard]] std::string subject_of(const TuningRecord& record);

/// A JSON object on one line.
[[nodiscard]] std::string to_json(const TuningRecord& record);

/// \param where the file, and a prefix for the names of fields ("records[3].").
/// \throws InputError with the path of a field that is missing, has a wrong type or is out of
/// range. Unknown fields are ignored.
[[nodiscard]] TuningRecord tuning_record(const std::string& json,
                                         const InputError::Where& where = {});

}  // namespace tessera

#endif  // TESSERA_CORE_TUNING_TUNING_RECORD_HPP
