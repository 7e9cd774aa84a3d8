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
/// What `tessera tune` does with what was measured before.

namespace tessera::command_line {

/// \throws InputError with the reason where the user has no database.
[[nodiscard]] TuningDatabase users_tuning_database();

/// Devices of this machine, each once.
[[nodiscard]] std::vector<TunedDevice> devices_here();

/// Why a record is of no use on this machine and in this build; absent when it is.
[[nodiscard]] Refusal unusable(const TuningRecord& record, const std::vector<TunedDevice>& here);

/// A table of the records, or JSON. \throws InputError for a file that cannot be read.
void show_tuning(const TuningDatabase& database, bool json);

/// Adds the records of another database. \returns how many there were.
/// \throws InputError where that cannot be read or a record in it is none; FileError.
std::size_t import_tuning(const TuningDatabase& database, const std::string& file);

/// Removes the records of an operation, or of all ("all"). \returns how many there were.
/// \throws SelectionError for an unknown operation; InputError; FileError.
std::size_t forget_tuning(const TuningDatabase& database, const std::string& operation);

/// The options of these actions, and the actions that were asked for.
class TuneMemory {
 public:
  [[nodiscard]] std::vector<Option> options();
  [[nodiscard]] bool asked() const;

  /// In the order import, forget, show, export, pin.
  /// \param context the device that a pin is for, and that TESSERA_SELECT is exported for.
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
