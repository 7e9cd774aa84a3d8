#ifndef TESSERA_CORE_STATE_SAVED_CHOICES_HPP
#define TESSERA_CORE_STATE_SAVED_CHOICES_HPP

#include "core/operations/choices.hpp"
#include "core/state/operation_timer.hpp"
#include "core/state/restart_file.hpp"

#include <map>
#include <string>
#include <vector>

/// \file
/// The choices of a run in its restart files: what goes on with the same bits goes on with the same
/// implementations and parameters, whatever is measured or preferred by then.

namespace tessera {

/// Implementation and all knob values by operation. An operation with several stages in a step is
/// there once, with the choice of the first.
struct SavedChoices {
  struct Entry {
    std::string implementation;
    KnobValues knobs;

    friend bool operator==(const Entry&, const Entry&) = default;
  };
  std::map<std::string, Entry> operations;
};

/// What runs, with the values that knobs have where nobody has set them.
[[nodiscard]] SavedChoices saved_choices(const std::vector<OperationTime>& stages,
                                         const DeviceProperties& device);

/// In the field "choices", as JSON.
void save(const SavedChoices& choices, RestartFile& file);
/// Empty where the file has none. \throws InputError naming file and field.
[[nodiscard]] SavedChoices load_choices(const RestartFile& file);

/// Adds what was saved, as ChoiceSource::restart, but for what this build does not have or take.
void add(const SavedChoices& saved, Choices& choices);

/// A line for each difference between what was saved and what runs now.
[[nodiscard]] std::vector<std::string> differences(const SavedChoices& before,
                                                   const SavedChoices& now);

}  // namespace tessera

#endif  // TESSERA_CORE_STATE_SAVED_CHOICES_HPP
