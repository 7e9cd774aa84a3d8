#ifndef TESSERA_CORE_TUNING_TUNING_RECORD_HPP
#define TESSERA_CORE_TUNING_TUNING_RECORD_HPP

#include "core/base/error.hpp"
#include "core/base/precision.hpp"
#include "core/memory/device.hpp"
#include "core/parameters/knobs.hpp"
#include "core/parameters/problem_key.hpp"
#include "core/tuning/statistics.hpp"

#include <cstdint>
#include <string>
#include <vector>

/// \file
/// What was measured about one problem on one device, in plain data: an entry of the tuning
/// database.

namespace tessera {

/// An implementation with values of its knobs, and how fast it was.
struct TunedCandidate {
  std::string implementation;
  KnobValues knobs;
  double seconds = 0;  ///< median of a step as it is used: prepare counts by its share
  double spread = 0;   ///< of the samples, relative to the median
  int samples = 0;
  std::string source;  ///< source_hash() of the implementation when it was measured
  /// Least and most that it is faster: the winner than what runs untuned, any other than the
  /// defaults of its implementation. Zeros where nobody has found out, as in records of before.
  Interval gains;

  friend bool operator==(const TunedCandidate&, const TunedCandidate&) = default;
};

/// The device that was measured.
struct TunedDevice {
  std::string backend;  ///< that held the arrays; devices of two backends may be the same
  std::string name;
  MemorySpace memory = MemorySpace::host;
  std::string architecture;
  int compute_units = 1;
  std::int64_t concurrency = 1;
  std::string driver;

  friend bool operator==(const TunedDevice&, const TunedDevice&) = default;
};

[[nodiscard]] TunedDevice tuned_device(const DeviceProperties& device);

/// Whether times on one hold on the other: hosts by their threads, GPUs by their multiprocessors.
[[nodiscard]] bool same_device(const TunedDevice& a, const TunedDevice& b);

/// How the measured library was compiled.
struct TunedBuild {
  std::string version;
  std::string compiler;
  std::string cuda_compiler;
  std::string kokkos;
  std::string flags;

  friend bool operator==(const TunedBuild&, const TunedBuild&) = default;
};

/// That of this library.
[[nodiscard]] TunedBuild tuned_build();

struct TuningRecord {
  std::string operation;  ///< full name
  Precision precision = Precision::double_precision;
  ProblemKey problem;
  TunedDevice device;
  TunedBuild build;
  /// The winner, then what is faster than the defaults of each other implementation.
  std::vector<TunedCandidate> best;
  TunedCandidate untuned;  ///< what runs without tuning
  double noise = 0;        ///< what the untuned one shows against itself, relative
  int candidates = 0;      ///< in the space that was searched
  int evaluated = 0;       ///< of them
  std::string strategy;
  std::string input;          ///< of the operation, or a case
  std::string date;           ///< UTC, "2026-01-31T12:00:00Z"
  bool kept_default = false;  ///< nothing was faster than the untuned one by more than the noise

  [[nodiscard]] const TunedCandidate& winner() const { return best.front(); }
  /// How often faster than untuned the winner is.
  [[nodiscard]] double gain() const { return untuned.seconds / winner().seconds; }

  friend bool operator==(const TuningRecord&, const TuningRecord&) = default;
};

/// Why the noise of the record does not support what it says of a candidate in it: nothing of the
/// record is used then where that is the winner. Absent where it does.
[[nodiscard]] Refusal unsupported(const TuningRecord& record, const TunedCandidate& candidate);

/// Now, as in TuningRecord::date.
[[nodiscard]] std::string utc_date();

/// Whether a record takes the place of another one: the same problem on the same device.
[[nodiscard]] bool same_subject(const TuningRecord& a, const TuningRecord& b);

/// "md/pair_force double 32000": what it is about.
[[nodiscard]] std::string subject_of(const TuningRecord& record);

/// An object of JSON on one line.
[[nodiscard]] std::string to_json(const TuningRecord& record);

/// \param where the file, and what to put before the names of fields ("records[3].").
/// \throws InputError naming the field by its path: one that is missing, has a wrong type or a
/// value out of range. Fields that nobody knows are passed over.
[[nodiscard]] TuningRecord tuning_record(const std::string& json,
                                         const InputError::Where& where = {});

}  // namespace tessera

#endif  // TESSERA_CORE_TUNING_TUNING_RECORD_HPP
