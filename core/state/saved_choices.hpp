#ifndef TESSERA_CORE_STATE_SAVED_CHOICES_HPP
#define TESSERA_CORE_STATE_SAVED_CHOICES_HPP

#include "core/operations/choices.hpp"
#include "core/state/operation_timer.hpp"
#include "core/state/restart_file.hpp"

#include <map>
#include <string>
#include <vector>

/// \file
/// Choices of a run in its restart files. A run that has to continue bitwise identically also has
/// to use the same implementations and parameters, regardless of newer measurements and
/// preferences.

namespace tessera {

/// Implementation and all parameter values by operation. An operation with several plans in a step
/// has one entry, with the choice of its first plan.
struct SavedChoices {
  struct Entry {
    std::string implementation;
    ParameterValues parameters;

    friend bool operator==(const Entry&, const Entry&) = default;
  };
  std::map<std::string, Entry> operations;
};

/// The choices in use, including the defaults of parameters that are not set.
[[nodiscard]] SavedChoices saved_choices(const std::vector<OperationTime>& operations,
                                         const DeviceProperties& device);

/// Saves the choices in the field "choices", as JSON.
void save(const SavedChoices& choices, RestartFile& file);
/// Empty where the file has no such field. \throws InputError with file and field.
[[nodiscard]] SavedChoices load_choices(const RestartFile& file);

/// Adds the saved choices as ChoiceSource::restart; skips implementations and parameters that this
/// build lacks or refuses.
void add(const SavedChoices& saved, Choices& choices);

/// One line for each difference between the saved choices and the present ones.
[[nodiscard]] std::vector<std::string> differences(const SavedChoices& before,
                                                   const SavedChoices& now);

}  // namespace tessera

#endif  // TESSERA_CORE_STATE_SAVED_CHOICES_HPP
