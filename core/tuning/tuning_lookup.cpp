#include "core/tuning/tuning_lookup.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace tessera {
namespace {

/// Limits on |log2| of the ratio of two values.
constexpr double furthest_size = 3;
constexpr double furthest_magnitude = 1;
constexpr double same_magnitude = 0.5;

long bucket(std::int64_t size) {
  return std::lround(std::log2(static_cast<double>(size)));
}

std::string changed(const char* what, const std::string& before, const std::string& now) {
  const auto text = [](const std::string& value) { return value.empty() ? "none" : value; };
  return std::string(what) + " was " + text(before) + ", is " + text(now) + " now";
}

const TunedCandidate* candidate_of(const TuningRecord& record, const std::string& implementation) {
  if (implementation.empty()) return &record.best.front();
  for (const TunedCandidate& candidate : record.best)
    if (candidate.implementation == implementation) return &candidate;
  return nullptr;
}

}  // namespace

Refusal foreign(const TuningRecord& record, const TunedDevice& device) {
  if (same_device(record.device, device)) return {};
  const auto text = [](const TunedDevice& d, bool units) {
    if (!units) return d.name;
    return d.name + (d.memory == MemorySpace::host
                         ? " with " + std::to_string(d.concurrency) + " threads"
                         : " with " + std::to_string(d.compute_units) + " units");
  };
  const bool named_alike = record.device.name == device.name;
  return "was measured on " + text(record.device, named_alike) + ", this is " +
         text(device, named_alike);
}

bool out_of_reach(const TuningRecord& record, const TunedDevice& device) {
  if (same_device(record.device, device)) return false;
  return device.memory == MemorySpace::host || record.device.memory != device.memory ||
         record.device.architecture != device.architecture;
}

Refusal stale(const TuningRecord& record, const TunedCandidate& candidate,
              const TunedDevice& device, const TuningSetting& setting) {
  const TunedBuild& then = record.build;
  const TunedBuild& now = setting.build;
  if (then.version != now.version) return changed("the library", then.version, now.version);
  if (then.compiler != now.compiler) return changed("the compiler", then.compiler, now.compiler);
  if (then.flags != now.flags) return changed("the flags", then.flags, now.flags);
  // Builds with and without GPU code or Kokkos are equivalent for implementations that need
  // neither.
  if (record.device.memory != MemorySpace::host) {
    if (then.cuda_compiler != now.cuda_compiler)
      return changed("the CUDA compiler", then.cuda_compiler, now.cuda_compiler);
    if (record.device.driver != device.driver)
      return changed("the driver", record.device.driver, device.driver);
  }
  if (candidate.implementation.starts_with("kokkos.") && then.kokkos != now.kokkos)
    return changed("Kokkos", then.kokkos, now.kokkos);
  const std::optional<std::string> source =
      setting.source(record.operation, record.precision, candidate.implementation);
  if (!source) return "this build has no " + candidate.implementation;
  if (*source != candidate.source)
    return "the sources of " + candidate.implementation + " have changed";
  return unsupported(record, candidate);
}

std::optional<TuningDistance> distance(const TuningRecord& record, const ProblemKey& problem,
                                       const TunedDevice& device) {
  if (out_of_reach(record, device) || record.problem.kinds != problem.kinds) return {};
  TuningDistance how;
  bool exact = record.problem.size == problem.size;
  if (!exact) {
    if (record.problem.size < 1 || problem.size < 1) return {};
    how.distance = std::abs(
        std::log2(static_cast<double>(record.problem.size) / static_cast<double>(problem.size)));
    if (how.distance > furthest_size) return {};
    exact = bucket(record.problem.size) == bucket(problem.size);
  }
  for (const auto& [name, value] : problem.magnitudes) {
    const auto known = record.problem.magnitudes.find(name);
    if (known == record.problem.magnitudes.end() || !(known->second > 0) || !(value > 0)) continue;
    const double ratio = std::abs(std::log2(known->second / value));
    if (ratio > furthest_magnitude) return {};
    exact = exact && ratio <= same_magnitude;
    how.distance += ratio;
  }
  if (!same_device(record.device, device))
    how.match = TuningMatch::other_device;
  else if (!exact)
    how.match = TuningMatch::near_size;
  return how;
}

std::optional<FoundTuning> find_tuning(const std::vector<TuningRecord>& records,
                                       const std::string& operation, Precision precision,
                                       const ProblemKey& problem, const TunedDevice& device,
                                       const TuningSetting& setting,
                                       const std::string& implementation) {
  std::optional<FoundTuning> found;
  const auto nearer = [](const FoundTuning& a, const FoundTuning& b) {
    return std::tuple(a.how.match, a.how.distance, b.record->date) <
           std::tuple(b.how.match, b.how.distance, a.record->date);
  };
  for (const TuningRecord& record : records) {
    if (record.operation != operation || record.precision != precision) continue;
    const TunedCandidate* const candidate = candidate_of(record, implementation);
    if (candidate == nullptr) continue;
    const std::optional<TuningDistance> how = distance(record, problem, device);
    if (!how) continue;
    if (stale(record, *candidate, device, setting)) continue;
    if (const FoundTuning next{&record, candidate, *how}; !found || nearer(next, *found))
      found = next;
  }
  return found;
}

}  // namespace tessera
