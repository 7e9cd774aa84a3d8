#include "core/tuning/recorded_choices.hpp"

#include "core/base/logging.hpp"
#include "core/operations/registry.hpp"
#include "core/tuning/source_hash.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <set>
#include <utility>

namespace tessera {
namespace {

constexpr std::size_t most_reported = 3;

std::string two_decimals(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", value);
  return text;
}

/// Text of a choice: "tuned for a size of 32768 on NVIDIA H200, 1.23 x the default".
TunedChoice choice_of(const FoundTuning& found, std::int64_t size) {
  const TuningRecord& record = *found.record;
  const double gain = record.untuned.seconds / found.candidate->seconds;
  std::string text = "tuned for a size of " + std::to_string(record.problem.size);
  if (found.how.match != TuningMatch::exact && size != record.problem.size)
    text += ", the nearest to " + std::to_string(size) + ",";
  text += " on " + record.device.name;
  if (found.how.match == TuningMatch::other_device)
    text += ", another device of " + record.device.architecture;
  text += record.kept_default && found.candidate == &record.winner()
              ? ", nothing was faster than the default"
              : ", " + two_decimals(gain) + " x the default";
  return {found.candidate->implementation,
          found.candidate->parameters,
          {std::move(text), std::string(name(found.how.match)), record.problem, record.device.name,
           record.date, gain}};
}

}  // namespace

RecordedChoices::RecordedChoices(TuningDatabase database, TuningSetting setting)
    : database_(std::move(database)), setting_(std::move(setting)) {}

std::optional<TunedChoice> RecordedChoices::find(const std::string& operation, Precision precision,
                                                 const ProblemKey& problem,
                                                 const DeviceProperties& device,
                                                 const std::string& implementation) const {
  const std::lock_guard lock(mutex_);
  read();
  const TunedDevice here = tuned_device(device);
  warn_of_ignored(operation, precision, here);
  const std::optional<FoundTuning> found =
      find_tuning(contents_.records, operation, precision, problem, here, setting_, implementation);
  if (!found) return {};
  if (found->how.match == TuningMatch::other_device) warn_of_other_device(*found, here);
  return choice_of(*found, problem.size);
}

std::vector<TunedChoice> RecordedChoices::known(const std::string& operation, Precision precision,
                                                const DeviceProperties& device) const {
  const std::lock_guard lock(mutex_);
  read();
  const TunedDevice here = tuned_device(device);
  warn_of_ignored(operation, precision, here);
  std::vector<TunedChoice> all;
  const std::vector<Refusal>& reasons = usable_records(here).reasons;
  for (std::size_t i = 0; i < reasons.size(); ++i) {
    const TuningRecord& record = contents_.records[i];
    if (record.operation != operation || record.precision != precision || reasons[i]) continue;
    const TuningMatch match =
        same_device(record.device, here) ? TuningMatch::exact : TuningMatch::other_device;
    all.push_back(choice_of({&record, &record.winner(), {match, 0}}, record.problem.size));
  }
  std::stable_sort(all.begin(), all.end(), [](const TunedChoice& a, const TunedChoice& b) {
    return a.evidence.record.size < b.evidence.record.size;
  });
  return all;
}

void RecordedChoices::read() const {
  if (std::exchange(read_, true)) return;
  try {
    contents_ = database_.read();
  } catch (const Error& error) {
    log_warning(std::string(error.what()) + "; nothing is tuned");
    warned_of_ignored_ = true;
  }
}

const RecordedChoices::UsableRecords& RecordedChoices::usable_records(
    const TunedDevice& device) const {
  for (const UsableRecords& known : usable_records_)
    if (known.device == device) return known;
  UsableRecords usable_records{device, {}, {}};
  std::set<std::pair<std::string, Precision>> usable;
  for (const TuningRecord& record : contents_.records) {
    usable_records.reasons.push_back(out_of_reach(record, device)
                                         ? foreign(record, device)
                                         : stale(record, record.winner(), device, setting_));
    if (!usable_records.reasons.back()) usable.emplace(record.operation, record.precision);
  }
  // No warning for a record from another device where a usable one from this device exists.
  for (std::size_t i = 0; i < usable_records.reasons.size(); ++i) {
    const TuningRecord& record = contents_.records[i];
    if (usable_records.reasons[i] &&
        !(out_of_reach(record, device) && usable.contains({record.operation, record.precision})))
      usable_records.reported.push_back(&record);
  }
  return usable_records_.emplace_back(std::move(usable_records));
}

void RecordedChoices::warn_of_ignored(const std::string& operation, Precision precision,
                                      const TunedDevice& device) const {
  if (warned_of_ignored_) return;
  const UsableRecords& all = usable_records(device);
  if (contents_.complaints.empty() &&
      std::none_of(all.reported.begin(), all.reported.end(), [&](const TuningRecord* record) {
        return record->operation == operation && record->precision == precision;
      }))
    return;
  warned_of_ignored_ = true;
  const std::size_t count = contents_.complaints.size() + all.reported.size();
  std::vector<std::string> lines(
      contents_.complaints.begin(),
      contents_.complaints.begin() +
          static_cast<std::ptrdiff_t>(std::min(most_reported, contents_.complaints.size())));
  for (const TuningRecord* record : all.reported) {
    if (lines.size() == most_reported) break;
    const auto at = static_cast<std::size_t>(record - contents_.records.data());
    lines.push_back(subject_of(*record) + (out_of_reach(*record, device) ? " " : ": ") +
                    all.reasons[at].value_or(""));
  }
  std::string text = database_.path().string() + ": " + std::to_string(count) +
                     (count == 1 ? " record ignored: " : " records ignored: ");
  for (std::size_t i = 0; i < lines.size(); ++i)
    text += (i == 0 ? "" : "; ") + lines[i];
  if (count > lines.size()) text += "; and " + std::to_string(count - lines.size()) + " more";
  log_warning(text);
}

void RecordedChoices::warn_of_other_device(const FoundTuning& found,
                                           const TunedDevice& device) const {
  if (std::exchange(warned_of_other_device_, true)) return;
  log_warning(database_.path().string() + ": " + subject_of(*found.record) + " " +
              foreign(*found.record, device).value_or("") +
              " of the same architecture; it is used");
}

TuningSetting tuning_setting() {
  return {tuned_build(),
          [](const std::string& operation, Precision precision,
             const std::string& implementation) -> std::optional<std::string> {
            // A record may belong to an operation that this build lacks.
            const std::vector<std::string> operations = registry().operations();
            if (std::find(operations.begin(), operations.end(), operation) == operations.end())
              return {};
            for (const ImplementationBase* i : registry().implementations(operation, precision))
              if (i->info().name == implementation) return source_hash(i->info());
            return {};
          }};
}

std::shared_ptr<const TunedChoices> users_tuned_choices() {
  static const std::shared_ptr<const TunedChoices> choices =
      []() -> std::shared_ptr<const TunedChoices> {
    const TuningLocation location = tuning_location();
    if (!location.path) return nullptr;
    return std::make_shared<RecordedChoices>(TuningDatabase(*location.path), tuning_setting());
  }();
  return choices;
}

}  // namespace tessera
