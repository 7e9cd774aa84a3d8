#ifndef TESSERA_APPS_TESSERA_TUNE_MEMORY_HPP
#define TESSERA_APPS_TESSERA_TUNE_MEMORY_HPP

#include "apps/tessera/command.hpp"
#include "core/base/precision.hpp"
#include "core/memory/device.hpp"
#include "core/tuning/tuning_database.hpp"
#include "core/tuning/tuning_lookup.hpp"

#include <optional>
#include <string>
#include <vector>

/// \file
/// Actions of `tessera tune` on stored measurements.

namespace tessera::command_line {

/// \throws InputError with the reason where the user has no database.
[[nodiscard]] TuningDatabase users_tuning_database();

/// Devices of this machine, without duplicates.
[[nodiscard]] std::vector<TunedDevice> devices_here();

/// Reason why a record does not apply to this machine and this build; absent where it applies.
[[nodiscard]] Refusal unusable(const TuningRecord& record, const std::vector<TunedDevice>& here);

/// Prints the records as a table or JSON. \throws InputError for a file that cannot be read.
void show_tuning(const TuningDatabase& database, bool json);

/// Adds the records of another database. \returns their number.
/// \throws InputError where the file cannot be read or a record in it is invalid; FileError.
std::size_t import_tuning(const TuningDatabase& database, const std::string& file);

/// Removes the records of an operation, or of all ("all"). \returns their number.
/// \throws SelectionError for an unknown operation; InputError; FileError.
std::size_t forget_tuning(const TuningDatabase& database, const std::string& operation);

/// Options of these actions, and the requested actions.
class TuneMemory {
 public:
  [[nodiscard]] std::vector<Option> options();
  [[nodiscard]] bool asked() const;

  /// Runs the actions in the order import, forget, show, export, pin.
  /// \param context its device is the one of the pin and of the exported TESSERA_SELECT.
  void run(const Context& context, Precision precision, bool json) const;

 private:
  bool show_ = false;
  std::vector<std::string> exports_;
  std::string import_;
  std::string pin_;
  std::string forget_;
};

}  // namespace tessera::command_line

#endif  // TESSERA_APPS_TESSERA_TUNE_MEMORY_HPP
