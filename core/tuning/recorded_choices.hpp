#ifndef TESSERA_CORE_TUNING_RECORDED_CHOICES_HPP
#define TESSERA_CORE_TUNING_RECORDED_CHOICES_HPP

#include "core/operations/tuned_choices.hpp"
#include "core/tuning/tuning_database.hpp"
#include "core/tuning/tuning_lookup.hpp"

#include <memory>
#include <mutex>
#include <string>
#include <vector>

/// \file
/// The tuning database as the source of tuned choices.

namespace tessera {

/// Reads the database on first use. One warning lists the records that cannot be used. It is logged
/// at the first query about the operation and precision of one of these records.
class RecordedChoices final : public TunedChoices {
 public:
  RecordedChoices(TuningDatabase database, TuningSetting setting);

  [[nodiscard]] std::optional<TunedChoice> find(
      const std::string& operation, Precision precision, const ProblemKey& problem,
      const DeviceProperties& device, const std::string& implementation = {}) const override;
  [[nodiscard]] std::vector<TunedChoice> known(const std::string& operation, Precision precision,
                                               const DeviceProperties& device) const override;

 private:
  /// Usable records for a device, determined once.
  struct UsableRecords {
    TunedDevice device;
    std::vector<Refusal> reasons;  ///< by record: why it is not usable; absent where it is
    std::vector<const TuningRecord*> reported;  ///< unusable records that a warning lists
  };

  void read() const;
  const UsableRecords& usable_records(const TunedDevice& device) const;
  void warn_of_ignored(const std::string& operation, Precision precision,
                       const TunedDevice& device) const;
  void warn_of_other_device(const FoundTuning& found, const TunedDevice& device) const;

  TuningDatabase database_;
  TuningSetting setting_;
  mutable std::mutex mutex_;
  mutable bool read_ = false;
  mutable bool warned_of_ignored_ = false;
  mutable bool warned_of_other_device_ = false;
  mutable TuningContents contents_;
  mutable std::vector<UsableRecords> usable_records_;
};

/// The build and the sources of this library, with which a record has to agree.
[[nodiscard]] TuningSetting tuning_setting();

/// The user's database (tuning_location()); null where there is none.
[[nodiscard]] std::shared_ptr<const TunedChoices> users_tuned_choices();

}  // namespace tessera

#endif  // TESSERA_CORE_TUNING_RECORDED_CHOICES_HPP
