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
/// The tuning database as what choices ask.

namespace tessera {

/// Reads the database when it is first asked. Records that cannot be used are told in one warning,
/// once something is asked that one of them is about.
class RecordedChoices final : public TunedChoices {
 public:
  RecordedChoices(TuningDatabase database, TuningSetting setting);

  [[nodiscard]] std::optional<TunedChoice> find(
      const std::string& operation, Precision precision, const ProblemKey& problem,
      const DeviceProperties& device, const std::string& implementation = {}) const override;
  [[nodiscard]] std::vector<TunedChoice> known(const std::string& operation, Precision precision,
                                               const DeviceProperties& device) const override;

 private:
  /// Which records are of use on a device, found out once.
  struct Judged {
    TunedDevice device;
    std::vector<Refusal> reasons;           ///< for each record, why it is not
    std::vector<const TuningRecord*> told;  ///< of those, what a warning is about
  };

  void read() const;
  const Judged& judged(const TunedDevice& device) const;
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
  mutable std::vector<Judged> judged_;
};

/// How this library was built, for records of its registry.
[[nodiscard]] TuningSetting tuning_setting();

/// The user's database (tuning_location()); null where there is none.
[[nodiscard]] std::shared_ptr<const TunedChoices> users_tuned_choices();

}  // namespace tessera

#endif  // TESSERA_CORE_TUNING_RECORDED_CHOICES_HPP
